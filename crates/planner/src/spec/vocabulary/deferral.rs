//! What is not wanted now: texts and sentences that put their thing off.

use super::errands::is_advice;
use super::wishes::sentences;

/// Phrases that put something off, where they stand in brackets or at the beginning.
const LATER: [&str; 24] = [
    "non-goals",
    "non-goal",
    "not now",
    "maybe later",
    "for later",
    "later",
    "nice to have",
    "nice-to-have",
    "out of scope",
    "out-of-scope",
    "not in scope",
    "stretch goal",
    "stretch",
    "future",
    "future work",
    "someday",
    "deferred",
    "post-mvp",
    "post mvp",
    "not in v1",
    "not yet",
    "won't do",
    "v2",
    "backlog",
];

/// The mark before a text that is struck through.
pub(in crate::spec) const STRUCK: &str = "~~";

/// Phrases that put something off wherever they stand.
const LATER_ANYWHERE: [&str; 12] = [
    "not now",
    "maybe later",
    "nice to have",
    "nice-to-have",
    "out of scope",
    "in a later version",
    "in a later release",
    "in a future version",
    "in a future release",
    "not part of this",
    "not in this version",
    "post-mvp",
];

/// Whether a text says of itself that it is not wanted now: `Nice to have: colours`, `Mails (maybe later)`.
pub(in crate::spec) fn is_deferred(text: &str) -> bool {
    let lower = text.trim().trim_matches(['*', '_', '`', '[', '~']).to_lowercase();
    let opens = LATER.iter().any(|phrase| {
        let rest = lower.strip_prefix(phrase).map(|rest| rest.trim_start_matches(['*', ']', ' ']));
        // `Nice to have (not for the audit): colours`
        let rest = rest.map(|rest| match rest.strip_prefix('(').and_then(|aside| aside.split_once(')')) {
            Some((_, behind)) => behind.trim_start_matches(['*', ' ']),
            None => rest,
        });
        rest.is_some_and(|rest| {
            rest.is_empty() || rest.starts_with([':', '—', '–', ')']) || rest.starts_with("- ")
        })
    });
    // `It would be nice to …` wishes for something that is not decided.
    let wished = ["would be nice", "it would be nice", "it'd be nice", "would be great to have"]
        .iter()
        .any(|phrase| lower.starts_with(phrase));
    // `Excel was asked for. Not now; maybe after the summer.`
    let answered = match sentences(text).as_slice() {
        [_, answer] => {
            let answer = answer.to_lowercase();
            let rest = LATER_ANYWHERE.iter().find_map(|phrase| answer.strip_prefix(phrase));
            rest.is_some_and(|rest| !rest.starts_with(char::is_alphanumeric))
        }
        _ => false,
    };
    let whole = text.to_lowercase();
    let bracketed = whole.split(['(', '[']).skip(1).any(|part| {
        let inner = part.split([')', ']']).next().unwrap_or_default();
        let said: Vec<&str> = inner.split([',', ';', '/']).map(str::trim).collect();
        // In an enumeration it is one of its words: `(want, more, later)`.
        let is_enumerated = said.len() > 2;
        said.iter().any(|said| {
            (LATER.contains(said) && !is_enumerated)
                || LATER_ANYWHERE.iter().any(|phrase| said.contains(phrase))
        })
    });
    // `Mobile: out of scope for now`
    let said_of = lower
        .split_once(": ")
        .is_some_and(|(_, said)| said.trim_start_matches(['*', ' ']).starts_with("out of scope"));
    // `not now` in the middle of a sentence may still be said of the thing itself: `colours, but not now`.
    let trails =
        LATER_ANYWHERE.iter().any(|phrase| lower.trim_end_matches(['.', ')', '!']).ends_with(phrase));
    is_over(text) || opens || bracketed || trails || wished || answered || said_of || is_advice(text)
}

/// Whether a text is struck through, or says that its thing is done or dropped: `Search — ✅ done (v2.3)`, `Dropped: themes`.
fn is_over(text: &str) -> bool {
    let lower = text.trim_start().to_lowercase();
    let bare = lower.replace(['*', '_'], "");
    let is_done = ["✅", "✔", "☑"].iter().any(|mark| {
        let behind = bare.split_once(mark).map(|(_, behind)| behind.trim_start_matches(['\u{fe0f}', ' ']));
        behind
            .and_then(|behind| behind.strip_prefix("done"))
            .is_some_and(|rest| !rest.starts_with(char::is_alphanumeric))
    });
    let is_dropped = ["dropped", "cancelled", "canceled", "abandoned"]
        .iter()
        .any(|word| bare.strip_prefix(word).is_some_and(|rest| rest.starts_with(':')));
    lower.starts_with(STRUCK) || is_done || is_dropped
}

/// Whether a sentence says of its thing that it is not decided or comes later: `A short alias may be considered.`
pub(in crate::spec) fn puts_off(sentence: &str) -> bool {
    const ANYWHERE: [&str; 22] = [
        "for another issue",
        "in a separate issue",
        "considered but",
        "but dropped",
        "should wait until",
        "may be considered",
        "might be considered",
        "could be considered",
        "can come later",
        "may come later",
        "will come later",
        "come in a later",
        "remains pending",
        "remain pending",
        "potential future",
        "possible future",
        "not yet decided",
        "to be decided",
        "remains an evaluated",
        "may be added later",
        "can be added later",
        "is planned for later",
    ];
    // What opens a sentence says when it holds.
    const OPENINGS: [&str; 10] = [
        "más adelante",
        "en el futuro",
        "mais tarde",
        "no futuro",
        "futuramente",
        "später",
        "in zukunft",
        "plus tard",
        "à l'avenir",
        "in futuro",
    ];
    let lower = sentence.to_lowercase();
    OPENINGS.iter().any(|phrase| lower.starts_with(phrase))
        || lower.starts_with("eventually")
        || lower.starts_with("revisit ")
        || ANYWHERE.iter().any(|phrase| lower.contains(phrase))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_put_off() {
        let put_off = [
            "Nice to have: colours in the CLI.",
            "Nice to have (not for the audit): import from CSV, colours.",
            "Reminders by mail (not now, maybe later)",
            "[Later] themes",
            "**Out of scope:** Windows",
            "Colours would be fine, but not now.",
            "Sharing (v2)",
            "Later: themes",
            "Would be nice to keep upper case, too.",
            "Björn asked for Excel. Not now; maybe after the summer.",
        ];
        let wanted = [
            "The later date wins",
            "Results of later runs are kept",
            "Dates in the future are rejected",
            "A todo is due later than today",
            "Works with v2 of the API",
        ];
        for text in put_off {
            assert!(is_deferred(text), "{text}");
        }
        for text in wanted {
            assert!(!is_deferred(text), "{text}");
        }
    }

    #[test]
    fn what_a_sentence_puts_off() {
        for text in [
            "A short alias may be considered.",
            "Eventually others may add pages",
            "Exact names remain pending.",
            "Más adelante se podrá compartir la lista.",
        ] {
            assert!(puts_off(text), "{text}");
        }
        for text in [
            "The pending list is shown",
            "Names are considered equal without case",
            "La lista se muestra más adelante en la página",
        ] {
            assert!(!puts_off(text), "{text}");
        }
    }
}
