//! Files that are named in running text: ``A new module `src/watch.rs` has …``. They count where nothing else names files.
//!
//! A file in an example, in a section about why, or in what was looked at and not chosen, is not a file to make.

use crate::file_kind::{self, FileKind};
use crate::spec::document::DocumentBlock;
use crate::spec::model::{Authority, FileRow, Operation};
use crate::spec::reading::DocumentReading;
use crate::spec::vocabulary::{Topic, operation_in_description, orders_in_a_clause, paths, sentences};

/// Adds the source files that sentences name.
pub(in crate::spec) fn collect_mentions(reading: &mut DocumentReading<'_>, known: &[String]) {
    let tree = reading.tree;
    for block in tree.wanted_blocks() {
        let Some(text) = block.running_text().filter(|_| may_name(reading, block)) else { continue };
        for sentence in sentences(&text.text) {
            for mention in paths::mentions(sentence) {
                let is_here = known.contains(&mention.path);
                let is_placed = mention.path.contains('/') && !mention.path.starts_with(['~', '/']);
                let is_wanted = if mention.quoted {
                    is_made(sentence, &mention.path)
                } else {
                    is_called(sentence, &mention.path)
                };
                // What is no source is made where a text orders it: ``Add the action to `src/schema.yaml` ``.
                let is_ordered = (is_here || is_placed)
                    && FileKind::of(&mention.path) != FileKind::Documentation
                    && (orders_in_a_clause(sentence) || is_made(sentence, &mention.path));
                let is_ordered = is_ordered || (mention.quoted && is_told(sentence, &mention.path));
                let is_source = file_kind::is_source(&mention.path);
                if is_gone(sentence, &mention.path) {
                    continue;
                }
                if !(is_source && (is_here || is_placed || is_wanted) || is_ordered) {
                    continue;
                }
                let span = reading.span(&text.at);
                reading.spec.mentions.push(FileRow {
                    operation: operation_of(sentence, &mention.path),
                    path: mention.path,
                    tasks: Vec::new(),
                    note: sentence.to_owned(),
                    lines: None,
                    authority: Authority::Mention,
                    span,
                });
            }
        }
    }
}

/// Whether a sentence says that a file was taken away before: `` `old.py` was folded in and removed ``.
fn is_gone(sentence: &str, path: &str) -> bool {
    let lower = sentence.to_lowercase();
    let behind = lower.split_once(&path.to_lowercase()).map(|(_, behind)| behind).unwrap_or_default();
    let clause = behind.split(['.', ';', ')']).next().unwrap_or_default();
    let words: Vec<&str> = clause.split(|c: char| !c.is_alphanumeric()).filter(|w| !w.is_empty()).collect();
    let was = words.iter().take(4).any(|w| matches!(*w, "was" | "were" | "been"));
    was && words
        .iter()
        .any(|w| matches!(*w, "removed" | "deleted" | "dropped" | "replaced" | "folded" | "renamed"))
}

/// Whether a sentence says how a manifest is to be: `` `package.json` (`bin`, `files`) is wired so that … ``.
fn is_told(sentence: &str, path: &str) -> bool {
    let Some((_, behind)) = sentence.split_once(path) else { return false };
    let behind = behind.trim_start_matches(['`', '*', ' ']);
    let behind = match behind.strip_prefix('(').and_then(|aside| aside.split_once(')')) {
        Some((_, rest)) => rest.trim_start(),
        None => behind,
    };
    let first = behind.split_whitespace().next().unwrap_or_default();
    paths::is_manifest(path)
        && matches!(
            first,
            "is" | "must" | "should" | "has" | "gets" | "declares" | "lists" | "names" | "defines"
        )
}

/// Whether the files that a block names are to be worked on.
fn may_name(reading: &DocumentReading<'_>, block: &DocumentBlock) -> bool {
    let tree = reading.tree;
    let heading = tree.heading(block.section).to_lowercase();
    let label = block.label.as_deref().unwrap_or_default().to_lowercase();
    let assigns = ["action", "next step", "impact", "technical note", "implementation"];
    let is_assigned = assigns.iter().any(|word| heading.contains(word) || label.contains(word));
    let is_why = matches!(
        tree.topic(block),
        Some(Topic::Background | Topic::Risks | Topic::Metrics | Topic::Tests | Topic::Excluded)
    );
    is_assigned || !is_why
}

/// Whether a sentence says that something is in a file without a folder, or that the file is made: `` `slugify` in `slug.py` ``,
/// ``a utility (`convert.py`)``. What is run, read or given is not made.
fn is_made(sentence: &str, path: &str) -> bool {
    let Some(at) = sentence.find(path) else { return false };
    let word = |text: &str| text.trim_matches(|c: char| !c.is_alphanumeric()).to_lowercase();
    let before: Vec<String> = sentence[..at].split_whitespace().map(word).filter(|w| !w.is_empty()).collect();
    let behind = sentence[at + path.len()..].split_whitespace().map(word).find(|w| !w.is_empty());
    let near = before.iter().rev().take(3);
    let places = [
        "in",
        "into",
        "create",
        "write",
        "implement",
        "module",
        "script",
        "file",
        "utility",
        "called",
        "named",
    ];
    let is_used = [
        "run", "python", "python3", "node", "reads", "read", "loads", "existing", "provided", "from", "input",
    ];
    let used = before.iter().rev().take(4).any(|w| is_used.contains(&w.as_str()));
    let is_placed = near.into_iter().any(|w| places.contains(&w.as_str()))
        || behind.is_some_and(|w| matches!(w.as_str(), "module" | "script" | "file"));
    is_placed && !used
}

/// Whether a sentence calls what is made by the name of a file, without marks: `Your program, wc.c, counts words`.
fn is_called(sentence: &str, path: &str) -> bool {
    let Some(at) = sentence.find(path) else { return false };
    let last = sentence[..at].split_whitespace().next_back().unwrap_or_default();
    let word = last.trim_matches(|c: char| !c.is_alphanumeric()).to_lowercase();
    matches!(word.as_str(), "program" | "script" | "module" | "called" | "named")
}

fn operation_of(sentence: &str, path: &str) -> Operation {
    let lower = sentence.to_lowercase();
    let before = &lower[..sentence.find(path).unwrap_or(0).min(lower.len())];
    let new = before.rsplit(['.', ';', ',']).next().is_some_and(|part| part.split(' ').any(|w| w == "new"));
    match operation_in_description(sentence) {
        _ if new => Operation::Create,
        Operation::Read => Operation::Unsaid,
        said => said,
    }
}
