//! Ids as people write them: of requirements (`FR-1`, `AC-001a`) and of tasks (`TASK-001`, `BITE-L2-001`, `T012`).

/// Beginnings of ids that name a requirement or criterion.
const REQUIREMENTS: [&str; 12] = ["NFR", "REQ", "FR", "AC", "SC", "BR", "TR", "UR", "SR", "NF", "CR", "R"];

/// The id a text begins with, if it names a requirement, and what follows it.
pub(super) fn requirement(text: &str) -> Option<(String, &str)> {
    let quoted = text.trim_start_matches(['*', ' ', '[', '(']).starts_with('`');
    let text = text.trim_start_matches(['*', ' ', '[', '(', '`']);
    let upper = text.get(..text.len().min(4))?;
    let prefix = REQUIREMENTS.iter().find(|p| upper.starts_with(**p))?;
    let rest = &text[prefix.len()..];
    let digits = rest.trim_start_matches(['-', '_', '.', ' ']);
    // A space is no part of an id, except in `Requirement 1`, which is another matter.
    if rest.starts_with(' ') {
        return None;
    }
    let (id, after) = number_and_rest(prefix, &text[..text.len() - digits.len()], digits)?;
    // A backtick that closes the id is not one that opens what is said.
    let after = after.strip_prefix('`').filter(|_| quoted).unwrap_or(after);
    Some((id, after.trim_start_matches(['*', ':', '：', '.', ')', ']', ' ', '-', '—', '–'])))
}

/// The requirement a heading names: `FR-1: Search`, `3.1 FR-1: Search` or `3.1 Search (FR-1)`; its id and its name.
pub(super) fn titled(title: &str) -> Option<(String, String)> {
    let bare = title.trim_start_matches(|c: char| c.is_ascii_digit() || matches!(c, '.' | ')' | ' '));
    if let Some((id, rest)) = requirement(title).or_else(|| requirement(bare)) {
        return Some((id, rest.to_owned()));
    }
    let (name, inner) = bare.trim_end_matches([':', ' ']).rsplit_once(['(', '['])?;
    let id = only_requirement(inner.strip_suffix([')', ']'])?)?;
    Some((id, name.trim().to_owned()))
}

/// The id of a requirement, where a word is nothing else.
pub(super) fn only_requirement(word: &str) -> Option<String> {
    requirement(&format!("{word}:")).filter(|(_, rest)| rest.is_empty()).map(|(id, _)| id)
}

/// The words of a text that could be ids.
pub(super) fn words(text: &str) -> impl Iterator<Item = &str> {
    let apart = |c: char| c.is_whitespace() || matches!(c, ',' | ';' | '/' | '(' | ')' | '`' | ':');
    text.split(apart).map(|word| word.trim_matches(['.', '*', '[', ']']))
}

/// Every id of a requirement that a text names.
pub(super) fn requirements(text: &str) -> Vec<String> {
    words(text).filter_map(only_requirement).collect()
}

fn number_and_rest<'a>(prefix: &str, head: &str, digits: &'a str) -> Option<(String, &'a str)> {
    let end = digits.find(|c: char| !(c.is_ascii_digit() || c == '.' || c == '-')).unwrap_or(digits.len());
    let number = digits[..end].trim_end_matches(['.', '-']);
    if number.is_empty() || !number.starts_with(|c: char| c.is_ascii_digit()) || number.len() > 8 {
        return None;
    }
    let mut after = &digits[number.len()..];
    let mut id = format!("{head}{number}");
    let letter = after.chars().next().filter(char::is_ascii_lowercase);
    if let Some(c) = letter.filter(|_| !after[1..].starts_with(|c: char| c.is_alphanumeric())) {
        id.push(c);
        after = &after[1..];
    }
    let ends = after.chars().next().is_none_or(|c| !(c.is_alphanumeric() || c == '_'));
    // `R1` is an id only where something is said of it.
    let bare = prefix != "R" || after.trim_start().starts_with([':', '-', '—', '–', '.', ')']);
    (ends && bare).then_some((id, after))
}

/// The id of a user story a text begins with, and what follows it.
pub(super) fn story(text: &str) -> Option<(String, &str)> {
    let text = text.trim();
    let text = text.trim_start_matches(|c: char| c.is_ascii_digit() || matches!(c, '.' | ')' | ' '));
    for prefix in ["US", "User Story", "Story", "USER STORY"] {
        let Some(rest) = text.strip_prefix(prefix) else { continue };
        let digits = rest.trim_start_matches(['-', '_', ' ', '#']);
        let end = digits.find(|c: char| !(c.is_ascii_digit() || c == '.')).unwrap_or(digits.len());
        let number = digits[..end].trim_end_matches('.');
        if number.is_empty() {
            continue;
        }
        let after = digits[number.len()..].trim_start_matches([':', '：', '.', ')', ' ', '-', '—', '–']);
        let id = if prefix == "US" {
            text[..text.len() - digits.len() + number.len()].to_owned()
        } else {
            format!("US-{number}")
        };
        return Some((id, after));
    }
    None
}

/// Whether a word could be a task's id. Only asked where ids are expected.
pub(super) fn is_task_id(word: &str) -> bool {
    let fits = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '.' | '_');
    let digits = word.bytes().filter(u8::is_ascii_digit).count();
    let numbered = word.bytes().all(|b| b.is_ascii_digit() || b.is_ascii_lowercase());
    let tail = word.trim_end_matches(|c: char| c.is_ascii_lowercase());
    (2..=24).contains(&word.len())
        && word.chars().all(fits)
        && digits > 0
        && tail.ends_with(|c: char| c.is_ascii_digit())
        && word.len() - tail.len() <= 1
        && (word.starts_with(|c: char| c.is_ascii_uppercase())
            || (numbered && digits >= 2 && word.len() <= 4))
        && !word.contains("--")
}

/// The words of a text that could be task ids.
pub(super) fn task_ids(text: &str) -> Vec<&str> {
    let mut found: Vec<&str> = Vec::new();
    let cut =
        |c: char| c.is_whitespace() || matches!(c, ',' | ';' | '+' | '/' | '(' | ')' | '`' | '&' | '[' | ']');
    for word in text.split(cut) {
        let word = word.trim_matches(['.', ':', '*', '_', '-', '→', '"']);
        if is_task_id(word) && !found.contains(&word) {
            found.push(word);
        }
    }
    found
}

/// What ids of one plan have in common: letters before the digits, and how many parts there are.
pub(super) fn shape(id: &str) -> (String, usize) {
    let prefix = id.chars().take_while(char::is_ascii_alphabetic).collect();
    (prefix, id.split('-').count())
}

/// A level written into an id (`BITE-L2-001`).
pub(super) fn level_of(id: &str) -> Option<u32> {
    let mut parts = id.split('-').rev().skip(1);
    parts.find_map(|p| p.strip_prefix('L').and_then(|n| n.parse().ok()))
}

/// Finds the known id that a shortened one stands for: `T001` for `TASK-001`, `L1-001` for `DF-L1-001`.
pub(super) fn resolve<'a>(word: &str, known: &'a [String]) -> Option<&'a String> {
    let exact = known.iter().find(|k| *k == word);
    let tail = || {
        let mut ends = known.iter().filter(|k| k.strip_suffix(word).is_some_and(|head| head.ends_with('-')));
        ends.next().filter(|_| ends.next().is_none())
    };
    let number = || {
        let digits: String = word.chars().filter(char::is_ascii_digit).collect();
        let letters: String = word.chars().take_while(char::is_ascii_alphabetic).collect();
        let short = letters.len() + digits.len() == word.len() && (1..=2).contains(&letters.len());
        let value: u32 = digits.parse().ok().filter(|_| short)?;
        let mut same = known.iter().filter(|k| {
            let own: String = k.chars().filter(char::is_ascii_digit).collect();
            k.starts_with(&letters) && own.parse() == Ok(value)
        });
        same.next().filter(|_| same.next().is_none())
    };
    exact.or_else(tail).or_else(number)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn requirements_are_told_from_words() {
        let table = [
            ("FR-1: Detail flag", Some(("FR-1", "Detail flag"))),
            ("**FR-001**: System MUST", Some(("FR-001", "System MUST"))),
            ("AC-001a — works", Some(("AC-001a", "works"))),
            ("R1: Ruff", Some(("R1", "Ruff"))),
            ("NFR-2", Some(("NFR-2", ""))),
            ("AC-1: `total` prints", Some(("AC-1", "`total` prints"))),
            ("`AC-1`: total prints", Some(("AC-1", "total prints"))),
            ("R1 and R2 are chips", None),
            ("Redis 6", None),
            ("PR 1: x", None),
            ("FRx", None),
            ("", None),
        ];
        for (text, expected) in table {
            let found = requirement(text);
            assert_eq!(found.as_ref().map(|(id, rest)| (id.as_str(), *rest)), expected, "{text}");
        }
    }

    #[test]
    fn requirements_are_told_from_headings() {
        let table = [
            ("FR-1: Search", Some(("FR-1", "Search"))),
            ("3.1 FR-1: Search", Some(("FR-1", "Search"))),
            ("3.1 Search (FR-001)", Some(("FR-001", "Search"))),
            ("Search [NFR-2]", Some(("NFR-2", "Search"))),
            ("Search (fast)", None),
            ("3.1 Search", None),
        ];
        for (title, expected) in table {
            let found = titled(title);
            assert_eq!(found.as_ref().map(|(id, name)| (id.as_str(), name.as_str())), expected, "{title}");
        }
    }

    #[test]
    fn task_ids_are_told_from_words() {
        for yes in ["TASK-001", "BITE-L2-001", "T-001", "T012", "L1-001", "IMPL-1.2", "001", "002a"] {
            assert!(is_task_id(yes), "{yes}");
        }
        for no in ["modify", "README.md", "TASK", "1", "-L1", "v1.2.3-beta"] {
            assert!(!is_task_id(no), "{no}");
        }
        let known: Vec<String> = ["TASK-001", "DF-L1-002", "TASK-010"].map(str::to_owned).into();
        assert_eq!(resolve("T001", &known).map(String::as_str), Some("TASK-001"));
        assert_eq!(resolve("L1-002", &known).map(String::as_str), Some("DF-L1-002"));
        assert_eq!(resolve("T002", &known), None);
        assert_eq!(level_of("BITE-L2-001"), Some(2));
    }

    #[test]
    fn stories_are_told() {
        assert_eq!(story("US-1: Sign in"), Some(("US-1".to_owned(), "Sign in")));
        assert_eq!(story("User Story 2 - Sign out (Priority: P1)").unwrap().0, "US-2");
        assert_eq!(story("Users see"), None);
    }
}
