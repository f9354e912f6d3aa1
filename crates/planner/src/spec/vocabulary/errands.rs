//! Sentences addressed to the people who build something rather than about what they build: how work is handed in and graded,
//! reports of finished work, and advice.

use super::phrases::{asks_labelled, is_release};
use super::wishes::{binds, is_order, sentences};

/// Whether a sentence is about handing work in or judging it: `Only your last submission will be graded.`
pub(in crate::spec) fn is_errand(sentence: &str) -> bool {
    const PHRASES: [&str; 35] = [
        "be graded",
        "your grade",
        "grade of",
        " points -",
        " 0 points",
        "result in a 0",
        "result in zero",
        "your own work",
        "last submission",
        "your submission",
        "your solution to us",
        "your code to us",
        "turned in",
        "turn in ",
        "hand in ",
        "pull request",
        "plagiari",
        "the interview",
        "this assignment is",
        "meaningful commit message",
        "descriptive commit message",
        "commit history",
        "feature branch",
        "git history",
        "zip file with",
        "send us",
        "e-mail us",
        "email us",
        "feel free",
        "good luck",
        "if you have any question",
        "be valued",
        "positively valued",
        " is a plus",
        "bonus point",
    ];
    let lower = sentence.to_lowercase();
    let opens =
        ["please ", "we would ", "we'd ", "we have provided", "you can use ", "you may use ", "you are free"];
    PHRASES.iter().any(|phrase| lower.contains(phrase))
        || opens.iter().any(|words| lower.starts_with(words))
        || speaks_of_oneself(&lower)
}

/// Whether the one who wrote a text speaks of himself: `Read my post first`, `I'm away on Sunday`. A story and what is quoted is not
/// said by him.
fn speaks_of_oneself(lower: &str) -> bool {
    let words = lower.split_whitespace().map(|w| w.trim_matches(['*', '_', '.', ',', ';', ':', '(', ')']));
    let mut words = words.filter(|w| !w.is_empty());
    let first = words.next().unwrap_or_default();
    // `My lists` is a name of a thing.
    let sends = matches!(first, "read" | "see" | "use" | "follow" | "watch" | "check" | "visit" | "ask");
    if sends && words.clone().any(|w| w == "my") {
        return true;
    }
    let is_quoted = lower.contains(['"', '“', '`']) || lower.starts_with("as a");
    let is_oneself = |w: &str| matches!(w, "i" | "i'm" | "i’m" | "i'll" | "i’ll" | "i've");
    !is_quoted && (is_oneself(first) || words.any(is_oneself))
}

/// Whether a text is advice only: `Consider adding a second theme`.
pub(in crate::spec) fn is_advice(text: &str) -> bool {
    let mut words = text.trim_start_matches(['*', '_', ' ']).split_whitespace();
    let first = words.next().unwrap_or_default().to_lowercase();
    first == "consider" && words.next().is_some_and(|next| next.ends_with("ing"))
}

/// Whether a sentence tells what was or has been: a report, not what is wanted.
pub(in crate::spec) fn tells_the_past(text: &str) -> bool {
    let lower = text.to_lowercase();
    let words: Vec<&str> = lower.split(|c: char| !c.is_alphanumeric()).filter(|w| !w.is_empty()).collect();
    // The first verb decides: `Tags are listed in the order they were added`.
    let is_present = |w: &&str| {
        matches!(*w, "is" | "are" | "can" | "cannot" | "must" | "shall" | "should" | "will" | "may" | "does")
    };
    // A clause about a thing says nothing of the sentence: `Shows the points that were counted`.
    let opens_clause = |w: &&str| matches!(*w, "that" | "which" | "who" | "whose" | "where");
    let before = words.iter().take(8).take_while(|w| !is_present(w) && !opens_clause(w)).count();
    let first = words.get(..before).unwrap_or_default();
    let is_told = first.iter().any(|w| matches!(*w, "was" | "were"))
        || first.windows(2).any(|two| matches!(two[0], "has" | "have") && two[1] == "been");
    let is_conditional =
        matches!(words.first(), Some(&("if" | "when" | "once" | "after" | "given" | "while" | "what")));
    // `` `1` duplicates were found `` says what a value stands for.
    let explains_value = text.starts_with(['`', '\'', '"']) || text.starts_with(|c: char| c.is_ascii_digit());
    is_release(text)
        || (is_told && !asks_labelled(text) && !is_conditional && !explains_value && !binds(text))
}

/// Whether a text reports finished work: `Created the header`. `Stored in UTC` describes the thing and is no report.
pub(in crate::spec) fn is_report(text: &str) -> bool {
    const BEHIND_STATES: [&str; 17] = [
        "in", "by", "on", "to", "as", "with", "for", "when", "if", "at", "from", "after", "before", "and",
        "or", "until", "once",
    ];
    let opening = sentences(text).first().copied().unwrap_or_default().to_lowercase();
    let mut words = opening.split_whitespace();
    let first = words.next().unwrap_or_default().trim_matches(['*', '_', '.', ':', '`']);
    let second = words.next().unwrap_or_default();
    let stem = first.strip_suffix("ed").unwrap_or_default();
    let is_done = is_order(stem)
        || is_order(&format!("{stem}e"))
        || stem.strip_suffix('i').is_some_and(|s| is_order(&format!("{s}y")))
        || stem.strip_suffix(['p', 't', 'n', 'g']).is_some_and(is_order);
    words.next().is_some() && stem.len() > 2 && is_done && !BEHIND_STATES.contains(&second)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn errands_are_told_from_what_is_wanted() {
        for text in [
            "Only your last submission will be graded.",
            "Please include the output of your run.",
            "We would like you to try this at home.",
            "Send us both your code and the output.",
            "Read my post about style first",
            "Ask early, because I'm away on Sunday.",
        ] {
            assert!(is_errand(text), "{text}");
        }
        for text in [
            "The submission form has three fields.",
            "Points are added up per player.",
            "You can sort the list by date.",
            "My lists are shown on the start page",
        ] {
            assert!(!is_errand(text), "{text}");
        }
    }

    #[test]
    fn the_past_is_told_from_what_is_wanted() {
        for text in [
            "The old app was tried for a year",
            "Pairing has been confirmed on one board",
            "The board was one that nobody used",
        ] {
            assert!(tells_the_past(text), "{text}");
        }
        for text in [
            "`1` duplicates were found",
            "When a card was lost, it is locked",
            "What was sent must be kept",
            "Tags are listed in the order they were added",
            "Shows the points that were counted",
            "Each player who was removed gets a mail",
        ] {
            assert!(!tells_the_past(text), "{text}");
        }
    }

    #[test]
    fn advice_and_reports_are_told_from_what_is_wanted() {
        for text in ["Consider adding a second theme", "Consider using a cache for pictures"] {
            assert!(is_advice(text), "{text}");
        }
        for text in ["Consider failures of the disk", "Adding a theme is undone by Escape"] {
            assert!(!is_advice(text), "{text}");
        }
        for text in ["Created the header with a menu", "Fixed a warning of the linter", "Added three tests"] {
            assert!(is_report(text), "{text}");
        }
        for text in
            ["Stored in UTC everywhere", "Sorted by date and name", "Red lamps blink twice", "Added tax"]
        {
            assert!(!is_report(text), "{text}");
        }
    }
}
