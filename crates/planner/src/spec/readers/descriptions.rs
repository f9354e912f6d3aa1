//! What documents say about single files: an item, a bold line or a label that begins with the name of a file, and all
//! that is under it. Such a text is the detail of that file, names the code that is in it, and says what it builds on.

use std::collections::{BTreeSet, HashMap};
use windlass_core::path_text::file_name;

use crate::spec::document::{BlockContent, DocumentBlock, ItemBlock, RunningText};
use crate::spec::model::{DetailCode, DetailSection, NameHome, StatedUse, UseStrength};
use crate::spec::reading::DocumentReading;
use crate::spec::vocabulary::{Topic, paths, used_names};

use super::file_tree::{item_folder, item_label};

/// The longest description of one file, in bytes.
const LIMIT: usize = 6_000;

/// Adds the descriptions of files that trees and tables of files list.
pub(in crate::spec) fn collect_descriptions(reading: &mut DocumentReading<'_>) {
    let listed = ListedFiles::of(reading);
    let mut end = 0;
    for block in reading.tree.wanted_blocks() {
        if block.index < end || !may_describe(reading.tree.topic(block)) {
            continue;
        }
        let Some(text) = block.running_text() else { continue };
        // A sentence in a paragraph belongs to its section.
        let introduces = reading.tree.item(block.index).is_some() || text.is_label();
        let files = if introduces { leading_files(reading, &listed, block, text) } else { Vec::new() };
        let below = blocks_below(reading, &listed, block, text, files.len());
        let says_something = below > 0 || text.text.split_whitespace().count() > files.len() + 1;
        if !files.is_empty() && says_something {
            end = block.index + 1 + below;
            describe(reading, block.index..end, &files);
        }
    }
}

/// Whether a text of a topic may describe a file. Risks, tests and phases name files for other reasons.
fn may_describe(topic: Option<Topic>) -> bool {
    use Topic::{Background, Components, Endpoints, Models, Ownership, Requirements, Surface};
    topic.is_none_or(|topic| {
        matches!(topic, Background | Components | Endpoints | Models | Ownership | Requirements | Surface)
    })
}

/// The listed files that a text begins with: `**Shape.h** and **Shape.cpp**`, `` `main.py`: … ``.
fn leading_files(
    reading: &DocumentReading<'_>,
    listed: &ListedFiles,
    block: &DocumentBlock,
    text: &RunningText,
) -> Vec<String> {
    let plain = text.plain();
    let folder = match &block.content {
        BlockContent::Item(ItemBlock { parent: Some(parent), .. }) => parent_folder(reading, *parent),
        _ => None,
    };
    let mut found: Vec<String> = Vec::new();
    let mut rest = plain.as_str();
    loop {
        let word = rest.split_whitespace().next().unwrap_or_default();
        let name = word.trim_matches(['*', ':', ',', '(', ')']);
        let named = listed.file(name, folder.as_deref());
        match named {
            Some(path) => found.push(path),
            None if matches!(word, "and" | "&" | "/" | "," | "+") && !found.is_empty() => {}
            None => break,
        }
        rest = rest.trim_start()[word.len()..].trim_start();
        if word.ends_with(':') {
            break;
        }
    }
    // `cart.py must not import …` is a sentence, not a description.
    let follows = rest.trim_start_matches(['*', ' ']);
    let is_sentence =
        ["must", "should", "shall", "is ", "are ", "was ", "will "].iter().any(|w| follows.starts_with(w));
    if is_sentence && text.bold.is_none() { Vec::new() } else { found }
}

/// The folder of the item around an item, where its name is one: `_helpers` for `index.js`.
fn parent_folder(reading: &DocumentReading<'_>, parent: usize) -> Option<String> {
    let named = || {
        let name = item_label(&reading.tree.item(parent)?.text.text);
        (!name.is_empty() && !name.contains('.')).then(|| format!("{name}/"))
    };
    item_folder(reading.tree, parent).or_else(named)
}

/// The files that documents list, by their names without the folder.
struct ListedFiles(HashMap<String, BTreeSet<String>>);

impl ListedFiles {
    fn of(reading: &DocumentReading<'_>) -> ListedFiles {
        let mut by_name: HashMap<String, BTreeSet<String>> = HashMap::new();
        for path in reading.spec.files.iter().map(|row| &row.path) {
            by_name.entry(file_name(path).to_owned()).or_default().insert(path.clone());
        }
        ListedFiles(by_name)
    }

    /// The one listed file that a name stands for.
    fn file(&self, name: &str, folder: Option<&str>) -> Option<String> {
        let name = paths::clean(name)?;
        let listed = self.0.get(file_name(&name))?;
        let fits = |wanted: &str| -> Option<String> {
            let mut fitting = listed.iter().filter(|path| {
                path.strip_suffix(wanted).is_some_and(|head| head.is_empty() || head.ends_with('/'))
            });
            let first = fitting.next()?;
            fitting.next().is_none().then(|| first.clone())
        };
        let inside = folder.and_then(|folder| fits(&format!("{folder}{name}")));
        inside.or_else(|| fits(&name)).or_else(|| listed.get(&name).cloned())
    }
}

/// The number of blocks behind a block that belong to it: what is nested in an item, what a label introduces.
fn blocks_below(
    reading: &DocumentReading<'_>,
    listed: &ListedFiles,
    block: &DocumentBlock,
    text: &RunningText,
    files: usize,
) -> usize {
    let following =
        || reading.tree.blocks.iter().skip(block.index + 1).take_while(|b| b.section == block.section);
    match &block.content {
        BlockContent::Item(item) => {
            let depth = |b: &DocumentBlock| reading.tree.item(b.index).map(|inner| inner.depth);
            let inner = following().take_while(|b| depth(b).is_some_and(|own| own > item.depth)).count();
            // `1. **a.h**`, and below it a list that is not indented.
            let in_tree = item.parent.is_some();
            let is_bare =
                !in_tree && item.text.text.split_whitespace().count() < 2 * files.max(1) && inner == 0;
            let opens_other = |b: &DocumentBlock| {
                b.running_text().is_some_and(|text| !leading_files(reading, listed, b, text).is_empty())
            };
            let goes_on = |b: &&DocumentBlock| depth(b).is_some() && !opens_other(b);
            if is_bare { following().take_while(goes_on).count() } else { inner }
        }
        BlockContent::Paragraph(_) => {
            following().take_while(|b| b.label.as_deref() == Some(text.text.as_str())).count()
        }
        BlockContent::Code(_) | BlockContent::Table(_) => 0,
    }
}

/// Adds a description as a detail, with the names it says are in the file and those it says the file builds on.
fn describe(reading: &mut DocumentReading<'_>, blocks: std::ops::Range<usize>, files: &[String]) {
    let tree = reading.tree;
    let span = reading.span(&tree.blocks[blocks.start].at);
    let mut text = String::new();
    let mut code = Vec::new();
    for block in &tree.blocks[blocks] {
        reading.claim_description(block);
        match &block.content {
            BlockContent::Paragraph(words) | BlockContent::Item(ItemBlock { text: words, .. }) => {
                add_names(reading, &words.text, &files[0], span);
                if text.len() + words.text.len() <= LIMIT {
                    let indent = tree.item(block.index).map_or(0, |item| item.depth);
                    let mark = if tree.item(block.index).is_some() { "- " } else { "" };
                    text.push_str(&format!("{}{mark}{}\n", "  ".repeat(indent), words.text));
                }
            }
            BlockContent::Code(listing) => code.push(DetailCode {
                language: listing.info.split([' ', ',']).next().unwrap_or_default().to_owned(),
                path: None,
                label: block.label.clone(),
                text: listing.text.clone(),
            }),
            BlockContent::Table(_) => {}
        }
    }
    reading.spec.details.push(DetailSection {
        above: Vec::new(),
        heading: files.join(", "),
        text: text.trim_end().to_owned(),
        paths: files.to_vec(),
        ids: Vec::new(),
        subject: Some(files[0].clone()),
        code,
        tables: Vec::new(),
        aside: false,
        span,
    });
}

/// Adds what one line of a description says: which code is in the file, and what the file builds on.
fn add_names(
    reading: &mut DocumentReading<'_>,
    text: &str,
    path: &str,
    span: windlass_core::diagnostic::Span,
) {
    for name in declared_names(text) {
        if !reading.spec.homes.iter().any(|home| home.name == name) {
            reading.spec.homes.push(NameHome { name, path: path.to_owned() });
        }
    }
    for used in used_names(text) {
        let (user, strength) = (path.to_owned(), UseStrength::Said);
        reading.spec.uses.push(StatedUse { user, used, strength, span });
    }
}

/// The names of classes and functions that a line declares: ``Class: `Shape` ``, `class Data(args): …`, `` `get()`: … ``.
fn declared_names(text: &str) -> Vec<String> {
    let plain = text.replace(['`', '*'], " ");
    let words: Vec<&str> = plain
        .split(|c: char| c.is_whitespace() || matches!(c, '(' | ')' | ',' | ':'))
        .filter(|w| !w.is_empty())
        .collect();
    let is_name = |word: &&str| {
        let word = word.trim_end_matches('.');
        word.len() > 2
            && word.starts_with(|c: char| c.is_alphabetic() || c == '_')
            && word.chars().all(|c| c.is_alphanumeric() || c == '_')
    };
    let is_kind = |word: &str| {
        matches!(
            word.to_lowercase().as_str(),
            "class" | "struct" | "interface" | "enum" | "type" | "component" | "trait"
        )
    };
    let mut names = Vec::new();
    for pair in words.windows(2) {
        // `class Shape` and `the Shape class` both name it; `class is` does not.
        let telling = |word: &&str| {
            is_name(word) && (word.contains('_') || word.chars().any(char::is_uppercase) || is_kind(words[0]))
        };
        if is_kind(pair[0]) && telling(&pair[1]) {
            names.push(pair[1].trim_end_matches('.').to_owned());
        } else if is_kind(pair[1]) && pair[0].chars().any(char::is_uppercase) && is_name(&pair[0]) {
            names.push(pair[0].to_owned());
        }
    }
    // A function that the line itself describes.
    let first = text.trim_start_matches(['`', '*', ' ']);
    if let Some(at) = first.find('(').filter(|at| *at > 2) {
        let name = first[..at].rsplit([' ', '*', '&', '~']).next().unwrap_or_default();
        if is_name(&name) && first[..at].split_whitespace().count() <= 3 {
            names.push(name.to_owned());
        }
    }
    names
}
