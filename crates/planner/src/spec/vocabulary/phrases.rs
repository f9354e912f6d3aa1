//! Statements without an action verb: noun phrases, formulas, questions behind a name, and sentences that begin with "we".

use super::wishes::{binds, orders_behaviour};

/// Whether a text of a place where something is built says what is: `A small widget on the start page, with a bar`,
/// `Score = the mean of four parts`. What something is, what people think, and what goes on from another sentence is talk.
pub(in crate::spec) fn tells_what(text: &str) -> bool {
    const FEWEST: usize = 4;
    const TALK: [&str; 28] = [
        "we",
        "our",
        "i",
        "i'm",
        "my",
        "you",
        "your",
        "this",
        "these",
        "that",
        "those",
        "there",
        "here",
        "but",
        "so",
        "because",
        "since",
        "note",
        "see",
        "however",
        "thus",
        "although",
        "e.g.",
        "i.e.",
        "currently",
        "today",
        "instead",
        "run",
    ];
    const COPULAS: [&str; 9] = ["is", "are", "was", "were", "been", "seems", "means", "isn't", "aren't"];
    let lower = text.trim().to_lowercase();
    let words: Vec<&str> = lower
        .split_whitespace()
        .map(|w| w.trim_matches(['*', '_', '.', ',', ';', ':', '(', ')', '"']))
        .filter(|w| !w.is_empty())
        .collect();
    // A sentence that names code or a number describes the thing itself.
    let is_exact = text.contains('`') || text.contains(|c: char| c.is_ascii_digit());
    words.len() >= FEWEST
        && !TALK.contains(&words[0])
        && (words.contains(&"only") || is_exact || !words.iter().any(|w| COPULAS.contains(w)))
        && !text.trim_end().ends_with(['?', ':', '!'])
}

/// Whether a question stands behind a name, as a thing to look at: `**Completeness** — Were all parts answered?`
pub(in crate::spec) fn asks_labelled(text: &str) -> bool {
    const LONGEST: usize = 4;
    let parts = [" — ", " – ", ": ", " - "].iter().find_map(|mark| text.split_once(mark));
    parts.is_some_and(|(name, question)| {
        let lower = name.trim_matches(['*', '_', ' ']).to_lowercase();
        let asks = lower.contains("question") || lower.starts_with('q') && lower.len() < 4;
        !asks
            && !lower.is_empty()
            && lower.split_whitespace().count() <= LONGEST
            && !question.contains(['—', ';'])
    })
}

/// Whether a text tells what a release brought: `v1.4 — a sweep of small things`.
pub(in crate::spec) fn is_release(text: &str) -> bool {
    let text = text.trim_start_matches(['*', '_', '`', ' ']);
    let word = text.split([' ', ':', '—', '–', '*']).next().unwrap_or_default();
    let number = word.strip_prefix(['v', 'V']).unwrap_or_default();
    let rest = text[word.len()..].trim_start_matches(['*', ' ']);
    let rest = match rest.strip_prefix('(').and_then(|aside| aside.split_once(')')) {
        Some((_, behind)) => behind.trim_start_matches(['*', ' ']),
        None => rest,
    };
    number.contains('.')
        && number.chars().all(|c| c.is_ascii_digit() || c == '.')
        && rest.starts_with(['—', '–', '-', ':'])
}

/// Whether a sentence in the first person states a requirement: `We keep the old form`, `We should be able to undo it`.
pub(in crate::spec) fn we_want(text: &str) -> bool {
    const OPENINGS: [&str; 12] = [
        "we will ",
        "we'll ",
        "we should ",
        "we must ",
        "we need to ",
        "we want to ",
        "we shall ",
        "let's ",
        "lets ",
        "we are going to ",
        "we can ",
        "we ",
    ];
    let lower = text.trim().to_lowercase();
    let Some((opening, rest)) = OPENINGS.iter().find_map(|o| lower.strip_prefix(o).map(|rest| (*o, rest)))
    else {
        return false;
    };
    let obliges = matches!(opening, "we should " | "we must " | "we need to " | "we shall ");
    let told = rest.strip_prefix("be able to ").or_else(|| rest.strip_prefix("be able "));
    rest.split_whitespace().count() > 3
        && (orders_behaviour(rest) || told.is_some() || (obliges && binds(&format!("it must {rest}"))))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_built_is_told_without_a_verb() {
        for text in [
            "A small widget on the start page, with a bar",
            "Score = the mean of four parts",
            "Human-readable help for each command.",
            "In quiet mode, the lamp seeks the smallest light.",
        ] {
            assert!(tells_what(text), "{text}");
        }
        for text in [
            "We love todo lists and more",
            "The tagline is broader than the product",
            "This keeps the design simple and clean",
            "Three small words",
            "Which of them comes first?",
        ] {
            assert!(!tells_what(text), "{text}");
        }
    }

    #[test]
    fn questions_behind_a_name() {
        for text in ["Completeness — Were all parts answered?", "Form: Did it follow the form?"] {
            assert!(asks_labelled(text), "{text}");
        }
        for text in ["Which one holds?", "Open question: which one holds?", "Q1: which one holds?"] {
            assert!(!asks_labelled(text), "{text}");
        }
    }

    #[test]
    fn releases_are_told_from_wishes() {
        for text in ["v1.4 — a sweep of small things", "v1.9 (web) — stories", "**v2.0**: a schedule"] {
            assert!(is_release(text), "{text}");
        }
        for text in ["v2 of the form is read, too", "Version 1.4 — is shown", "v1.4 files are read"] {
            assert!(!is_release(text), "{text}");
        }
    }

    #[test]
    fn what_somebody_says_we_want() {
        for text in [
            "We keep the old form for all answers",
            "We should be able to undo a whole day",
            "Lets add a second list for guests",
            "We need to store each answer on disk",
        ] {
            assert!(we_want(text), "{text}");
        }
        for text in ["We love todo lists very much", "We are three people in Lund", "We must hurry"] {
            assert!(!we_want(text), "{text}");
        }
    }
}
