//! Ids as people write them: of requirements (`FR-1`, `AC-001a`) and of tasks (`TASK-001`, `BITE-L2-001`, `T012`).

use std::borrow::Cow;
use std::ops::Range;

use super::headings::without_number;

/// Beginnings of ids that name a requirement or criterion.
const REQUIREMENTS: [&str; 12] = ["NFR", "REQ", "FR", "AC", "SC", "BR", "TR", "UR", "SR", "NF", "CR", "R"];

/// The id a text begins with, if it names a requirement, and what follows it.
pub(in crate::spec) fn requirement(text: &str) -> Option<(String, &str)> {
    let quoted = text.trim_start_matches(['*', ' ', '[', '(']).starts_with('`');
    let text = text.trim_start_matches(['*', ' ', '[', '(', '`']);
    let upper = text.get(..text.len().min(4))?;
    let prefix = REQUIREMENTS.iter().find(|p| upper.starts_with(**p))?;
    let rest = &text[prefix.len()..];
    let digits = rest.trim_start_matches(['-', '_', '.', ' ']);
    // `R 1` is not an id.
    if rest.starts_with(' ') {
        return None;
    }
    let (id, after) = number_and_rest(prefix, &text[..text.len() - digits.len()], digits)?;
    // A backtick that closes the id does not belong to the text behind it.
    let after = after.strip_prefix('`').filter(|_| quoted).unwrap_or(after);
    Some((id, after.trim_start_matches(['*', ':', '：', '.', ')', ']', ' ', '-', '—', '–'])))
}

/// The id of a requirement, if a word is nothing else.
pub(in crate::spec) fn only_requirement(word: &str) -> Option<String> {
    requirement(&format!("{word}:")).filter(|(_, rest)| rest.is_empty()).map(|(id, _)| id)
}

/// The words of a text that could be ids.
pub(in crate::spec) fn words(text: &str) -> impl Iterator<Item = &str> {
    let apart = |c: char| c.is_whitespace() || matches!(c, ',' | ';' | '/' | '(' | ')' | '`' | ':');
    text.split(apart).map(|word| word.trim_matches(['.', '*', '[', ']']))
}

/// Every id of a requirement that a text names.
pub(in crate::spec) fn requirements(text: &str) -> Vec<String> {
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
    // `R1` is an id only if a text follows it.
    let bare = prefix != "R" || after.trim_start().starts_with([':', '-', '—', '–', '.', ')']);
    (ends && bare).then_some((id, after))
}

/// The id of a user story a text begins with, and what follows it.
pub(in crate::spec) fn story(text: &str) -> Option<(String, &str)> {
    let text = without_number(text.trim());
    for prefix in ["US", "User Story", "Story", "USER STORY"] {
        let opens = text
            .get(..prefix.len())
            .filter(|own| *own == prefix || prefix == "User Story" && own.eq_ignore_ascii_case(prefix));
        let Some(rest) = opens.map(|own| &text[own.len()..]) else { continue };
        let digits = rest.trim_start_matches(['-', '_', ' ', '#']);
        // `US-CAL1`: the letters of an area stand in front of the number.
        let area = digits.chars().take_while(char::is_ascii_uppercase).count();
        let digits = if prefix == "US" && rest.starts_with('-') { &digits[area..] } else { digits };
        let digits = digits.trim_start_matches(['-', '_']);
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

/// Whether a word could be the id of a task. Only meaningful where ids are expected.
pub(in crate::spec) fn is_task_id(word: &str) -> bool {
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

/// What stands between the first and the last id of a range.
const RANGE_SIGNS: [&str; 8] = ["...", "..", "…", "–", "—", " - ", " through ", " to "];
/// The most tasks of a range.
const RANGE: u32 = 60;

/// A text in which ranges of ids are written out: `TASK-001..003` is `TASK-001, TASK-002, TASK-003`.
pub(in crate::spec) fn without_ranges(text: &str) -> Cow<'_, str> {
    let mut text = Cow::Borrowed(text);
    for sign in RANGE_SIGNS {
        let mut from = 0;
        while let Some(at) = text[from..].find(sign).map(|at| from + at) {
            from = at + sign.len();
            let Some((place, list)) = range_around(&text, at..from) else { continue };
            from = place.start + list.len();
            text = Cow::Owned(format!("{}{list}{}", &text[..place.start], &text[place.end..]));
        }
    }
    text
}

/// The range whose sign is here: its place and the ids that it stands for.
fn range_around(text: &str, sign: Range<usize>) -> Option<(Range<usize>, String)> {
    let part = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_');
    let number = |id: &str| id.len() - id.bytes().rev().take_while(u8::is_ascii_digit).count();
    let before = text[..sign.start].trim_end();
    let first = &before[before.trim_end_matches(part).len()..];
    let behind = text[sign.end..].trim_start();
    let last = &behind[..behind.len() - behind.trim_start_matches(part).len()];
    let (head, from) = first.split_at(number(first));
    let (other, to) = last.split_at(number(last));
    let same = other == head || (other.is_empty() && to.len() == from.len());
    let (low, high): (u32, u32) = (from.parse().ok()?, to.parse().ok()?);
    let fits = head.starts_with(|c: char| c.is_ascii_uppercase()) && same && low < high && high - low < RANGE;
    let ids = || (low..=high).map(|n| format!("{head}{n:0width$}", width = from.len()));
    let start = before.len() - first.len();
    let end = text.len() - behind.len() + last.len();
    fits.then(|| (start..end, ids().collect::<Vec<_>>().join(", ")))
}

/// The words of a text that could be task ids.
pub(in crate::spec) fn task_ids(text: &str) -> Vec<&str> {
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

/// Whether a word is the number of a task: `3`, `2.1`.
pub(in crate::spec) fn is_number(word: &str) -> bool {
    word.split('.').all(|part| !part.is_empty() && part.bytes().all(|b| b.is_ascii_digit()))
}

/// What the ids of one plan have in common: the letters before the digits, and the number of parts.
pub(in crate::spec) fn shape(id: &str) -> (String, usize) {
    let prefix = id.chars().take_while(char::is_ascii_alphabetic).collect();
    (prefix, id.split('-').count())
}

/// The level that an id contains (`BITE-L2-001`).
pub(in crate::spec) fn level_of(id: &str) -> Option<u32> {
    let mut parts = id.split('-').rev().skip(1);
    parts.find_map(|p| p.strip_prefix('L').and_then(|n| n.parse().ok()))
}

/// The known id that a short form stands for: `T001` for `TASK-001`, `L1-001` for `DF-L1-001`.
pub(in crate::spec) fn resolve<'a>(word: &str, known: &'a [String]) -> Option<&'a String> {
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
    fn ranges_are_written_out() {
        let table = [
            ("TASK-001..003", "TASK-001, TASK-002, TASK-003"),
            ("T-9..T-11 and T-14", "T-9, T-10, T-11 and T-14"),
            ("BITE-L1-001 through BITE-L1-002", "BITE-L1-001, BITE-L1-002"),
            ("TASK-001 – TASK-002", "TASK-001, TASK-002"),
            ("TASK-001 - do 003 things", "TASK-001 - do 003 things"),
            ("TASK-003..001", "TASK-003..001"),
            ("A-001 to B-002", "A-001 to B-002"),
            ("versions 1..3", "versions 1..3"),
        ];
        for (text, expected) in table {
            assert_eq!(without_ranges(text), expected, "{text}");
        }
    }
}
