//! Files that are named in running text: ``A new module `src/watch.rs` has …``. They count where nothing else names files.
//!
//! A file in an example, in a section about why, or in what was looked at and not chosen, is not a file to make.

use crate::file_kind::{self, FileKind};
use crate::spec::document::{DocumentBlock, RunningText};
use crate::spec::model::{Authority, FileRow, Operation};
use crate::spec::reading::DocumentReading;
use crate::spec::vocabulary::{Topic, operation_in_description, orders_in_a_clause, paths, sentences};
use windlass_code::survey::Language;

/// Adds the source files that sentences name.
pub(in crate::spec) fn collect_mentions(reading: &mut DocumentReading<'_>, known: &[String]) {
    let tree = reading.tree;
    for block in tree.wanted_blocks() {
        let Some(text) = block.running_text() else { continue };
        let may_name = may_name(reading, block);
        for sentence in sentences(&text.text) {
            for mention in paths::mentions(sentence) {
                let is_source = file_kind::is_source(&mention.path);
                // How the one file is called that is handed in is said anywhere.
                if is_source
                    && is_called(sentence, &mention.path)
                    && FileKind::of(&mention.path) == FileKind::Code
                {
                    let row = row(reading, &mention.path, sentence, text);
                    reading.spec.programs.push(row);
                }
                if !may_name {
                    continue;
                }
                let is_here = known.contains(&mention.path);
                let is_placed = mention.path.contains('/') && !mention.path.starts_with(['~', '/']);
                let is_wanted = is_called(sentence, &mention.path)
                    || is_among_modules(sentence, &mention.path)
                    || (mention.quoted && is_made(sentence, &mention.path));
                // What is no source is made where a text orders it: ``Add the action to `src/schema.yaml` ``.
                let is_ordered = (is_here || is_placed)
                    && FileKind::of(&mention.path) != FileKind::Documentation
                    && (orders_in_a_clause(sentence) || is_made(sentence, &mention.path));
                let is_ordered = is_ordered || (mention.quoted && is_told(sentence, &mention.path));
                if is_gone(sentence, &mention.path) {
                    continue;
                }
                if !(is_source && (is_here || is_placed || is_wanted) || is_ordered) {
                    continue;
                }
                let row = row(reading, &mention.path, sentence, text);
                reading.spec.mentions.push(row);
            }
        }
    }
}

/// A file as a sentence names it.
fn row(reading: &DocumentReading<'_>, path: &str, sentence: &str, text: &RunningText) -> FileRow {
    FileRow {
        operation: operation_of(sentence, path),
        path: path.to_owned(),
        tasks: Vec::new(),
        note: sentence.to_owned(),
        lines: None,
        authority: Authority::Mention,
        span: reading.span(&text.at),
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
    Language::is_manifest(path)
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

/// Whether a sentence calls what is made by the name of a file: `Your program, wc.c, counts words`, ``a script named `x.py` ``.
fn is_called(sentence: &str, path: &str) -> bool {
    let Some(at) = sentence.find(path) else { return false };
    let word = |text: &str| text.trim_matches(|c: char| !c.is_alphanumeric()).to_lowercase();
    let before: Vec<String> =
        sentence[..at].split_whitespace().map(word).filter(|word| !word.is_empty()).collect();
    let last = before.last().map(String::as_str).unwrap_or_default();
    // What is run or given is there already.
    let is_given = before.iter().rev().take(4).any(|word| {
        matches!(word.as_str(), "run" | "provided" | "given" | "existing" | "use" | "using" | "see" | "test")
    });
    matches!(last, "program" | "script" | "called" | "named") && !is_given
}

/// Whether a file stands in brackets behind the word for several of its kind: `split into modules (lexer.py, parser.py)`.
fn is_among_modules(sentence: &str, path: &str) -> bool {
    let Some(at) = sentence.find(path) else { return false };
    let Some(open) = sentence[..at].rfind('(').filter(|open| !sentence[*open..at].contains(')')) else {
        return false;
    };
    let listed = sentence[open..].split(')').next().unwrap_or_default();
    let last = sentence[..open].split_whitespace().next_back().unwrap_or_default().to_lowercase();
    paths::named_in(listed).len() > 1 && matches!(last.as_str(), "modules" | "files" | "scripts" | "programs")
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
