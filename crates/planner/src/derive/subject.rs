//! What documents are about, in a few words: the name of a project, and of the whole where there are no parts.

use super::DeriveOptions;
use super::name::begins_with_verb;
use crate::spec::{Spec, first_clause};
use crate::words::is_listed;

/// What a text calls the thing it describes: ``the program `wordfreq` ``, ``a package `ledgerimport` ``.
pub(super) fn called(text: &str) -> Option<String> {
    const KINDS: &str = include_str!("../words/program_kinds.txt");
    let mut parts = text.split('`');
    let mut before = parts.next()?;
    while let (Some(code), after) = (parts.next(), parts.next()) {
        let word = before.trim_end().rsplit(|c: char| !c.is_alphanumeric()).next().unwrap_or_default();
        let plain =
            code.len() > 1 && code.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '-' | '_'));
        if plain && before.ends_with(' ') && is_listed(KINDS, &word.to_lowercase()) {
            return Some(code.to_owned());
        }
        before = after?;
    }
    None
}

/// How sentences begin that say nothing about what is built.
const TALK: [&str; 15] = [
    "this document",
    "this spec",
    "this page",
    "this is ",
    "the following",
    "every item",
    "in this ",
    "you ",
    "your ",
    "we ",
    "our ",
    "one of ",
    "if ",
    "when ",
    "as a ",
];

/// What a document without stories is about: its title without the kind of document, else the subject of its first
/// sentence.
pub(super) fn subject(spec: &Spec, options: &DeriveOptions) -> String {
    if let Some(title) = spec.title.as_ref().filter(|title| !names_only_the_document(title)) {
        return bare_title(title);
    }
    if let Some(name) = called(&spec.summary) {
        return name;
    }
    let said = spec.summary.split(". ").chain(spec.criteria.iter().map(|c| c.text.as_str()));
    // An order says what is wanted; what a document says of itself does not.
    let is_talk = |text: &&str| {
        let text = behind_address(text);
        let lower = text.trim().to_lowercase();
        // What stands in brackets is said in passing.
        lower.is_empty()
            || lower.starts_with(['(', '[', '*', '_'])
            || TALK.iter().any(|o| lower.starts_with(o))
    };
    let orders = |text: &&str| {
        begins_with_verb(behind_label(text)) && (text.contains(" that ") || text.contains(" which "))
    };
    let mut said = said.filter(|text| !is_talk(text));
    let first = said.next().unwrap_or_default();
    let ordered = std::iter::once(first).chain(said).find(orders);
    let is_untold = spec.title.is_some() || spec.summary.is_empty();
    if let (None, true, Some(folder)) = (ordered, is_untold, &options.folder) {
        return folder.clone();
    }
    let sentence = ordered.unwrap_or(first);
    let words: Vec<&str> =
        behind_label(sentence).split_whitespace().map(|w| w.trim_matches([',', '.', '"', ':'])).collect();
    let words = words.strip_prefix(&["please"]).or_else(|| words.strip_prefix(&["Please"])).unwrap_or(&words);
    let is_order = words.first().is_some_and(|first| begins_with_verb(first));
    let purpose = words
        .iter()
        .position(|w| matches!(*w, "that" | "which"))
        .or_else(|| words.windows(2).position(|two| is_made(two[0]) && two[1] == "to").map(|at| at + 1))
        .filter(|at| *at > 1 && words[at - 1] != "so")
        .map(|at| behind_permission(words, at));
    let stops = |w: &&&str| {
        matches!(
            **w,
            "is" | "are" | "has" | "sits" | "should" | "must" | "in" | "for" | "with" | "that" | "so"
        )
    };
    let phrase = |from: usize| -> Vec<String> {
        let rest = words
            .iter()
            .skip(from)
            .skip_while(|w| matches!(**w, "the" | "a" | "an" | "The" | "A" | "An" | "Our"));
        rest.take_while(|w| !stops(w)).take(3).map(|w| (*w).to_owned()).collect()
    };
    // `Build a library that parses durations` is about parsing durations.
    let named: Vec<String> = match (is_order, purpose) {
        (true, Some(at)) => {
            let verb = words.get(at + 1).map(|verb| verb.trim_end_matches('s').to_owned());
            let is_article =
                |w: &&&str| matches!(**w, "a" | "an" | "the" | "all" | "every" | "each" | "any" | "existing");
            let object = words.iter().skip(at + 2).find(|w| !is_article(w));
            verb.into_iter().chain(object.map(|object| (*object).to_owned())).collect()
        }
        (true, None) => phrase(1),
        (false, _) => phrase(0),
    };
    const LONGEST: usize = 60;
    let name = named.join(" ");
    if name.is_empty() {
        return "feature".to_owned();
    }
    // Three words of a script without spaces can be a paragraph.
    let is_long = name.chars().count() > LONGEST;
    if is_long { first_clause(&name).chars().take(LONGEST).collect() } else { name }
}

/// Whether a word is what is made, whatever it does: `a program to …`.
fn is_made(word: &str) -> bool {
    matches!(word, "program" | "tool" | "script" | "application" | "app" | "library" | "function" | "service")
}

/// A title without the kind of document.
fn bare_title(title: &str) -> String {
    const KINDS: [&str; 12] = [
        "product requirement",
        "prd",
        "rfc",
        "spec",
        "design",
        "technical design",
        "requirements",
        "feature",
        "lastenheft",
        "proposal",
        "architecture",
        "user stories",
    ];
    let split = title.split_once([':', '–', '—']).filter(|(head, rest)| {
        let lower = head.to_lowercase();
        let is_kind = KINDS.iter().any(|kind| lower.starts_with(kind) || lower.ends_with(kind));
        !rest.trim().is_empty() && (is_kind || names_only_the_document(head))
    });
    let title = split.map_or(title, |(_, rest)| rest.trim());
    // `Parcel Desk - Technical Specification`
    let behind = [" - ", " – ", " — ", ": ", " | "].iter().find_map(|sign| title.rsplit_once(sign));
    let behind = behind.filter(|(name, kind)| !name.trim().is_empty() && names_only_the_document(kind));
    let title = behind.map_or(title, |(name, _)| name.trim());
    // Signs such as those of Notion are no part of a name.
    let is_said = |c: &char| c.is_ascii() || c.is_alphanumeric() || "–—’‘“”".contains(*c);
    title.chars().filter(is_said).collect::<String>().trim().to_owned()
}

/// Whether a title says what kind of document it is, and nothing else: `Overview`, `SPEC.md -- Requirements`.
pub(super) fn names_only_the_document(title: &str) -> bool {
    const KINDS: &str = include_str!("../words/document_kinds.txt");
    let lower = title.to_lowercase();
    let words = lower.split(|c: char| !(c.is_alphanumeric() || c == '.')).filter(|w| !w.is_empty());
    let mut any = false;
    words.into_iter().all(|word| {
        any = true;
        is_listed(KINDS, word) || word.ends_with(".md") || word.ends_with(".txt")
    }) && any
}

/// A sentence without what it says to the one who builds: `You are to write a program …`.
fn behind_address(text: &str) -> &str {
    const ADDRESSES: [&str; 8] = [
        "You are to ",
        "You will ",
        "You should ",
        "You must ",
        "You have to ",
        "Your task is to ",
        "Your goal is to ",
        "Your job is to ",
    ];
    let told = ADDRESSES.iter().find_map(|address| text.trim().strip_prefix(address));
    told.filter(|rest| begins_with_verb(rest)).unwrap_or(text)
}

/// A sentence without the label in front of it: `CHALLENGE: Write a program …`.
fn behind_label(text: &str) -> &str {
    let text = behind_address(text.trim());
    match text.split_once(": ") {
        Some((label, rest)) if label.split_whitespace().count() <= 2 => rest,
        _ => text,
    }
}

/// Where the deed begins: behind `that`, or behind `that allows a user to`.
fn behind_permission(words: &[&str], at: usize) -> usize {
    let permits = words.get(at + 1).is_some_and(|w| matches!(*w, "allows" | "lets" | "enables" | "helps"));
    let to = words.iter().enumerate().skip(at + 2).take(4).find(|(_, w)| **w == "to").map(|(n, _)| n);
    to.filter(|_| permits).unwrap_or(at)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_kind_of_a_document_is_no_part_of_its_subject() {
        let table = [
            ("Parcel Desk - Technical Specification", "Parcel Desk"),
            ("Project Specification: Minimal Site", "Minimal Site"),
            ("Technical Challenge: Tic-Tac-Toe", "Tic-Tac-Toe"),
            ("PRD: Ledger", "Ledger"),
            ("Ledger", "Ledger"),
        ];
        for (title, expected) in table {
            assert_eq!(bare_title(title), expected, "{title}");
        }
    }
}
