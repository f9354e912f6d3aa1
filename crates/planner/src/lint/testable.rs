//! Whether a criterion is testable, and a suggested assertion.
//!
//! Recognition is wide: a criterion counts as testable unless it clearly is not, because users ignore a rule that rejects
//! most real criteria.

use std::sync::LazyLock;

use super::outcome::{as_expect, outcome};
use super::phrase_finder::Finder;

/// Why a criterion is not testable.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Trouble {
    /// It names only a quality.
    Adjective,
    /// It names no checkable outcome.
    Vague,
    /// It asks for more or less of something, without a number.
    NoThreshold,
    /// It is passive and names no result.
    Passive,
}

impl Trouble {
    /// The problem, as the end of a sentence.
    pub(super) fn said(self) -> &'static str {
        match self {
            Trouble::Adjective => "it names a quality and no observable result",
            Trouble::Vague => "its outcome cannot be checked",
            Trouble::NoThreshold => "it names no number",
            Trouble::Passive => "it does not say what happens",
        }
    }
}

const QUALITIES: &str = include_str!("../words/qualities.txt");
const VAGUE: &str = include_str!("../words/vague.txt");
const COMPARATIVE: &str = include_str!("../words/comparative.txt");
const PASSIVE: &str = include_str!("../words/passive.txt");

/// Words for an observable result; with one of them, a vague word is accepted.
const OBSERVABLE: &str = include_str!("../words/observable.txt");

static FINDER: LazyLock<Finder> =
    LazyLock::new(|| Finder::new(&[VAGUE, COMPARATIVE, PASSIVE, QUALITIES, OBSERVABLE]));

/// Why a criterion is not testable, if it is not.
pub(super) fn trouble(text: &str) -> Option<Trouble> {
    if text.trim().is_empty() {
        return Some(Trouble::Vague);
    }
    let [vague, comparative, passive, quality, observable, ..] = FINDER.find(text).map(|hit| hit.is_some());
    if !(vague || comparative || passive || quality) {
        return None;
    }
    let number = text.contains(|c: char| c.is_ascii_digit());
    let quoted = text.contains(['`', '"', '\u{201c}', '\'']) && !text.contains("n't");
    let seen = number || quoted || observable;
    if vague && !number && !quoted {
        Some(Trouble::Vague)
    } else if comparative && !seen {
        Some(Trouble::NoThreshold)
    } else if passive && !seen && text.split_whitespace().count() <= 8 {
        Some(Trouble::Passive)
    } else if quality && !seen {
        Some(Trouble::Adjective)
    } else {
        None
    }
}

/// A suggestion for a better criterion.
pub(super) fn advice(text: &str, trouble: Trouble) -> String {
    let subject = subject(text);
    match trouble {
        Trouble::Adjective => {
            format!("name the visible result, as in `{subject} shows …` or `{subject} contains …`")
        }
        Trouble::Vague => format!("name the outcome, as in `given …, when …, then {subject} returns …`"),
        Trouble::NoThreshold => {
            format!("name a limit, as in `{subject} < 200 ms`; then `expect(duration).toBeLessThan(200)`")
        }
        Trouble::Passive => {
            format!("name the result, as in `{subject}: the response is 400 with a message`")
        }
    }
}

/// The first words of a criterion, up to its verb.
pub(super) fn subject(text: &str) -> String {
    let stop = ["should", "must", "will", "can", "is", "are", "shall", "has", "have", "works", "work", "be"];
    let words = text.split_whitespace().take_while(|w| !stop.contains(&w.to_lowercase().as_str()));
    let subject = words.take(5).collect::<Vec<_>>().join(" ").replace('`', "");
    if subject.is_empty() { "it".to_owned() } else { subject }
}

/// An assertion for a criterion of a known form.
pub(super) fn assertion(text: &str) -> Option<String> {
    outcome(text).map(|o| as_expect(&o))
}

#[cfg(test)]
mod tests;
