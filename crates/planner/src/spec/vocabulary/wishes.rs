//! What a sentence wants: something new, something later, or that everything stays as it is.

use std::collections::HashSet;
use std::sync::LazyLock;

use super::foreign::{binds_in_foreign_words, is_foreign_statement};
use crate::words::is_listed;

/// Verbs in the third person that say what a program does.
static DEEDS: LazyLock<HashSet<&str>> =
    LazyLock::new(|| include_str!("../../words/deeds.txt").lines().collect());
/// Verbs that titles and stories begin with, and those that only orders begin with.
static ORDERS: LazyLock<HashSet<&str>> = LazyLock::new(|| {
    let [titles, orders] = [include_str!("../../words/verbs.txt"), include_str!("../../words/orders.txt")];
    titles.lines().chain(orders.lines()).collect()
});

/// What something is or is not by a rule: `unique`, `optional`, `an error`.
static PROPERTIES: LazyLock<HashSet<&str>> =
    LazyLock::new(|| include_str!("../../words/properties.txt").lines().collect());

/// Whether a sentence asks that something stays as it is. No test can fail before such work begins.
pub(in crate::spec) fn is_regression(text: &str) -> bool {
    const STAYS: [&str; 26] = [
        "must still ",
        "should still ",
        "keep working",
        "keeps working",
        "keep on working",
        "continue to work",
        "continues to work",
        "still work",
        "still works",
        "still pass",
        "must not break",
        "should not break",
        "does not break",
        "do not break",
        "don't break",
        "no regression",
        "remain unchanged",
        "remains unchanged",
        "stay unchanged",
        "stays unchanged",
        "like today",
        "as today",
        "as before",
        "backward compatible",
        "backwards compatible",
        "backward-compatible",
    ];
    let lower = text.to_lowercase();
    STAYS.iter().any(|phrase| lower.contains(phrase))
}

/// Whether a sentence says what the program does or must do: by a modal verb, a condition, or a verb of doing.
pub(in crate::spec) fn states_behaviour(text: &str) -> bool {
    let text = text.trim();
    let lower = text.to_lowercase();
    let words: Vec<&str> = lower
        .split(|c: char| c.is_whitespace() || matches!(c, ',' | ';' | ':' | '(' | ')'))
        .map(|w| w.trim_matches(['*', '_', '.', '"', '\'']))
        .filter(|w| !w.is_empty())
        .collect();
    if is_wide_statement(text) || is_foreign_statement(text) {
        return true;
    }
    if words.len() < 3 || text.ends_with('?') || text.ends_with(':') {
        return false;
    }
    // What people do, and what a document says of itself, is no behaviour of the program.
    let is_talk = matches!(words[0], "we" | "our" | "i" | "my" | "you" | "your" | "let's" | "but")
        || (words[0] == "this"
            && matches!(words[1], "document" | "section" | "page" | "spec" | "specification"));
    if is_talk {
        return false;
    }
    // `INPUT: a JSON file with …`
    let label = text.split(':').next().unwrap_or_default();
    let describes = words.len() > 4
        && label.len() < text.len()
        && matches!(
            label.trim_matches(['*', ' ']).to_lowercase().as_str(),
            "input" | "output" | "returns" | "output format" | "input format"
        );
    if describes {
        return true;
    }
    let binds = words.iter().any(|w| {
        matches!(
            *w,
            "must" | "shall" | "should" | "can" | "cannot" | "can't" | "will" | "never" | "always" | "may"
        )
    }) || needs(&words);
    let condition = matches!(
        words[0],
        "if" | "when" | "whenever" | "unless" | "given" | "on" | "with" | "without" | "for"
    ) && (lower.contains(',') || words.iter().any(|w| DEEDS.contains(w)));
    // The verb of a sentence stands near its beginning.
    let does = words.iter().take(9).skip(1).any(|w| DEEDS.contains(w));
    // `Prints the number of lines`, `--all Print every line`.
    let orders = DEEDS.contains(words[0]) || (words.len() > 3 && is_option(text));
    let forbids = words[0] == "don't" || (words[0] == "do" && words[1] == "not");
    // `Comments start with a hash`: several do it.
    let several = words.len() > 3
        && words.windows(2).take(4).any(|two| {
            two[0].len() > 3 && two[0].ends_with('s') && !two[0].ends_with("ss") && is_order(two[1])
        });
    let is_done_to = words
        .windows(2)
        .take(9)
        .any(|two| matches!(two[0], "is" | "are" | "be" | "gets") && is_participle(two[1]));
    let shows = ["→", "=>", "->", "⇒"].iter().any(|arrow| text.contains(arrow)) && text.contains('`');
    binds
        || condition
        || does
        || orders
        || shows
        || forbids
        || several
        || is_done_to
        || states_property(&words)
}

/// Whether words end in what something is by a rule: `an unknown account is an error`, `the sum of all postings is zero`.
fn states_property(words: &[&str]) -> bool {
    let Some((last, before)) = words.split_last() else { return false };
    let rest =
        before.iter().rev().skip_while(|word| matches!(**word, "a" | "an" | "not" | "always" | "never"));
    words.len() > 3 && PROPERTIES.contains(last) && matches!(rest.copied().next(), Some("is" | "are"))
}

/// Whether a word says what is done to something: `lent`, `masked`. What something is based on or meant for is no behaviour.
fn is_participle(word: &str) -> bool {
    const IRREGULAR: [&str; 24] = [
        "lent", "sent", "kept", "built", "set", "held", "shown", "given", "taken", "written", "chosen",
        "drawn", "hidden", "read", "sold", "paid", "made", "found", "left", "lost", "told", "bound", "shut",
        "run",
    ];
    const MEANT: [&str; 14] = [
        "based",
        "designed",
        "intended",
        "called",
        "named",
        "located",
        "supposed",
        "interested",
        "related",
        "used",
        "needed",
        "expected",
        "implemented",
        "involved",
    ];
    IRREGULAR.contains(&word) || (word.len() > 4 && word.ends_with("ed") && !MEANT.contains(&word))
}

/// Whether a text in a script without spaces says something: its words cannot be looked up, so its length decides.
fn is_wide_statement(text: &str) -> bool {
    const FEWEST: usize = 5;
    let wide = text.chars().filter(|c| *c >= '\u{3000}' && c.is_alphabetic()).count();
    wide >= FEWEST && !text.ends_with([':', '：', '?', '？'])
}

/// Whether a sentence binds: it says what must, may not or always happens, or what happens under a condition.
pub(in crate::spec) fn binds(text: &str) -> bool {
    let lower = text.trim().to_lowercase();
    let words: Vec<&str> =
        lower.split(|c: char| !(c.is_alphanumeric() || c == '\'')).filter(|w| !w.is_empty()).collect();
    let modal = words.iter().any(|w| {
        matches!(
            *w,
            "must"
                | "shall"
                | "should"
                | "cannot"
                | "can't"
                | "never"
                | "always"
                | "mustn't"
                | "shouldn't"
                | "required"
        )
    }) || needs(&words);
    let condition = matches!(words.first(), Some(&("if" | "when" | "whenever" | "unless")));
    let bounded = [" if ", " when ", " unless "].iter().any(|word| lower.contains(word));
    let forbids = words.first() == Some(&"don't") || words.starts_with(&["do", "not"]);
    states_behaviour(text) && (modal || condition || bounded || forbids || binds_in_foreign_words(text))
}

/// Whether words say that something is needed: `needs to be sorted`, `has to be there`.
fn needs(words: &[&str]) -> bool {
    words.windows(2).any(|two| match two[0] {
        "needs" | "need" => matches!(two[1], "to" | "the" | "a" | "an"),
        "has" | "have" => two[1] == "to",
        _ => false,
    })
}

/// Whether a text orders something of the program: `Strip URLs`, `Raise if the list is empty`, `Auto-create the folder`. What
/// the people who build it do themselves (`Run the tests`) is not meant.
pub(in crate::spec) fn orders_behaviour(text: &str) -> bool {
    const ERRANDS: [&str; 18] = [
        "see", "install", "clone", "commit", "push", "visit", "contact", "discuss", "ask", "note", "please",
        "run", "test", "document", "fix", "refactor", "review", "share",
    ];
    const OBJECTS: [&str; 12] = [
        "unit test",
        "unit tests",
        "integration test",
        "integration tests",
        "tests",
        "test cases",
        "documentation",
        "docs",
        "linter",
        "ci",
        "pull request",
        "test suite",
    ];
    let lower = text.trim_start_matches(['*', '_', '`', ' ']).to_lowercase();
    let words: Vec<&str> = lower
        .split(|c: char| c.is_whitespace() || matches!(c, ',' | ';' | ':' | '(' | ')'))
        .map(|w| w.trim_matches(['*', '_', '.', '`']))
        .filter(|w| !w.is_empty())
        .collect();
    // `Automatically remove what is stale`
    let adverb = words.len() > 3 && words[0].len() > 4 && words[0].ends_with("ly");
    let first = words.get(usize::from(adverb)).map(|w| w.strip_prefix("auto-").unwrap_or(w));
    let Some(first) = first else { return false };
    let errand = ERRANDS.contains(&first)
        || OBJECTS.iter().any(|object| {
            let parts: Vec<&str> = object.split(' ').collect();
            words.iter().skip(1).take(5).copied().collect::<Vec<_>>().windows(parts.len()).any(|w| w == parts)
        });
    words.len() > 2 && !errand && !text.trim_end().ends_with(['?', ':']) && is_order(first)
}

/// Whether a clause of a text orders something of the program: `**Health**: add two routes`, `In main.hs, implement run`.
pub(in crate::spec) fn orders_in_a_clause(text: &str) -> bool {
    let text = text.trim();
    // `[5 points] Implement …`
    let text =
        text.strip_prefix('[').and_then(|rest| rest.split_once(']')).map_or(text, |(_, rest)| rest.trim());
    let opens_place = text.starts_with("In ") || text.starts_with("For ") || text.starts_with("On ");
    let behind_place = text.split_once(", ").filter(|_| opens_place).map(|(_, rest)| rest);
    let clauses = text.split([':', '—', '–', '→', ';']).chain(text.split(" - ").skip(1)).chain(behind_place);
    clauses.into_iter().any(orders_behaviour)
}

/// Whether a word is an imperative: a known verb of the third person without its ending.
pub(super) fn is_order(word: &str) -> bool {
    let third = [format!("{word}s"), format!("{word}es")];
    let changed = word.strip_suffix('y').map(|stem| format!("{stem}ies"));
    let is_deed = |form: &String| DEEDS.contains(form.as_str());
    word.len() > 2 && (ORDERS.contains(word) || third.iter().chain(&changed).any(is_deed))
}

/// Whether a text begins with an option of a command line: `-e`, `--max=N`.
fn is_option(text: &str) -> bool {
    let first = text.split_whitespace().next().unwrap_or_default().trim_matches(['`', '*', ',', ':']);
    let name = first.trim_start_matches('-');
    let dashes = first.len() - name.len();
    (1..=2).contains(&dashes) && name.starts_with(|c: char| c.is_ascii_alphanumeric())
}

/// Whether a sentence says what something is made with: a rule for the code, not behaviour.
pub(in crate::spec) fn names_technology(text: &str) -> bool {
    let lower = text.trim_start_matches(['*', '-', ' ']).to_lowercase();
    let labels = [
        "tech:",
        "tech stack:",
        "stack:",
        "technology:",
        "language:",
        "platform:",
        "runtime:",
        "sprache:",
        "built with",
    ];
    let phrases =
        ["written in ", "implemented in ", "built with ", "built using ", "runs on node", "we use "];
    // `Framework: Next.js 15`
    let is_choice = lower.split_once(": ").is_some_and(|(label, value)| {
        const CHOICES: &str = include_str!("../../words/technology_labels.txt");
        is_listed(CHOICES, label.trim_matches(['*', ' ']))
            && value.split_whitespace().count() < 9
            && !value.contains(" must ")
    });
    is_choice
        || labels.iter().any(|label| lower.starts_with(label))
        || phrases.iter().any(|phrase| lower.contains(phrase))
}

/// Whether a sentence binds everything that is built: where data is kept, what may not be used.
pub(in crate::spec) fn binds_everything(text: &str) -> bool {
    const KEPT: [&str; 12] = [
        "is stored in",
        "are stored in",
        "is stored as",
        "are stored as",
        "is kept in",
        "are kept in",
        "is saved in",
        "are saved in",
        "is saved as",
        "are saved as",
        "lives in",
        "live in",
    ];
    let lower = text.to_lowercase();
    let names_data =
        ["data", "file", "json", "sqlite", "csv", "database", "`"].iter().any(|w| lower.contains(w));
    forbids_means(text) || (names_data && KEPT.iter().any(|kept| lower.contains(kept)))
}

/// Whether a sentence says what may not be used: `No new dependencies, please.`
pub(in crate::spec) fn forbids_means(text: &str) -> bool {
    const LIMITS: [&str; 11] = [
        "dependencies",
        "dependency",
        "standard library",
        "stdlib",
        "third-party",
        "network",
        "database",
        "framework",
        "build step",
        "packages",
        "libraries",
    ];
    let lower = text.to_lowercase();
    let words: Vec<&str> = lower.split(|c: char| !c.is_alphanumeric() && c != '-').collect();
    let denies = words.iter().any(|w| matches!(*w, "no" | "without" | "only" | "never" | "nothing"));
    // `We don't want any dependencies`
    let denies = denies || ["don't want", "don’t want", "do not want"].iter().any(|w| lower.contains(w));
    denies && LIMITS.iter().any(|limit| lower.contains(limit))
}

/// The sentences of a text. A full stop in a path, a number or an abbreviation ends none.
pub(in crate::spec) fn sentences(text: &str) -> Vec<&str> {
    let mut found = Vec::new();
    let mut start = 0;
    let mut quoted = false;
    for (at, c) in text.char_indices() {
        if c == '`' {
            quoted = !quoted;
        }
        let next = text[at + c.len_utf8()..].chars().next();
        let ends = matches!(c, '.' | '!' | '?') && next.is_none_or(char::is_whitespace) && !quoted;
        let wide = matches!(c, '。' | '！' | '？');
        let before = text[start..at].rsplit(' ').next().unwrap_or_default();
        let before = before.trim_start_matches(['(', '[', '"', '“']);
        let short = matches!(before, "e.g" | "i.e" | "etc" | "vs" | "cf" | "approx" | "No" | "e" | "i");
        if (ends && !short) || wide {
            let end = at + c.len_utf8();
            found.push(text[start..end].trim());
            start = end;
        }
    }
    found.push(text[start..].trim());
    found.retain(|sentence| !sentence.is_empty());
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_binds_everything() {
        for text in [
            "All data lives in one JSON file; no dependencies beyond the standard library.",
            "Todos are stored in `todos.json`.",
            "It works without a network.",
            "Only the standard library may be used.",
        ] {
            assert!(binds_everything(text), "{text}");
        }
        for text in [
            "A small service for people who forget things.",
            "It talks to a database over the network.",
            "People live in many places.",
            "There is no such tool yet.",
        ] {
            assert!(!binds_everything(text), "{text}");
        }
    }

    #[test]
    fn what_stays_as_it_is() {
        for text in [
            "Existing endpoints keep working like today.",
            "Old files must not break",
            "All tests still pass",
        ] {
            assert!(is_regression(text), "{text}");
        }
        for text in ["The lamp works", "Break the line at 80"] {
            assert!(!is_regression(text), "{text}");
        }
    }

    #[test]
    fn behaviour_is_told_from_talk() {
        let behaviour = [
            "`POST /todos` accepts an optional `due` field",
            "An invalid date is answered with 400",
            "The program exits with code 2",
            "If the file is missing, an error is printed",
            "Titles with commas are quoted",
            "Users can sort by date",
            "`add 1 2` → `3`",
            "With `-n N` only the first N words of the sorted list are printed.",
            "The most frequent word comes first",
            "Sorted lists stay sorted; the header line is never repeated",
            "Line comments start with a hash and extend to the end",
            "Do not accept a second upload",
            "優先度によるルールの並べ替え",
            "Mixing currencies in one entry is an error",
            "The sum of all postings of an entry is zero.",
            "Names of accounts are not case-sensitive",
        ];
        let talk = [
            "Python 3.10",
            "We love todo lists",
            "Why is it slow?",
            "The following commands:",
            "A small tool for teams",
            "The fridge is empty",
            "This is the error that people make",
        ];
        for text in behaviour {
            assert!(states_behaviour(text), "{text}");
        }
        for text in talk {
            assert!(!states_behaviour(text), "{text}");
        }
    }

    #[test]
    fn orders_to_the_program_are_told_from_errands() {
        for text in [
            "Strip addresses of web pages",
            "Raise if no clip was found",
            "Auto-create the daily folder as needed",
            "**Display** three items.",
            "Verify the signature over the header",
            "Abort if fewer than 30 are left",
        ] {
            assert!(orders_behaviour(text), "{text}");
        }
        for text in [
            "Run the linter and fix what it says",
            "Write unit tests for the parser",
            "See the page about formats",
            "Update the documentation of the format",
            "Commit after each step",
            "Support:",
            "Three kinds of clips",
            "Save all",
        ] {
            assert!(!orders_behaviour(text), "{text}");
        }
    }

    #[test]
    fn what_binds_beside_criteria() {
        for text in [
            "Clips must keep their order.",
            "When the list is empty, nothing is printed.",
            "The program exits with 2 if the key is missing.",
            "Do not notify twice for one room.",
        ] {
            assert!(binds(text), "{text}");
        }
        for text in ["The service stores its results.", "We must hurry", "A small tool for teams"] {
            assert!(!binds(text), "{text}");
        }
    }

    #[test]
    fn sentences_end_where_they_end() {
        let text = "Reads `a.b c`. Version 1.2 (e.g. that) is fine. Done! 完成。好";
        let expected = ["Reads `a.b c`.", "Version 1.2 (e.g. that) is fine.", "Done!", "完成。", "好"];
        assert_eq!(sentences(text), expected);
    }
}
