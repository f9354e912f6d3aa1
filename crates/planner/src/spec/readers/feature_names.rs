//! What features are called: headings and items without the numbers, codes and remarks around their names.

use crate::spec::document::RunningText;
use crate::spec::vocabulary::{first_clause, ids, without_number};

/// A heading that begins with a path or code, without what it says of it: `internal/door - the door`.
pub(super) fn without_remark(title: &str) -> &str {
    let parts = [" - ", " — ", " – "].iter().find_map(|mark| title.split_once(mark));
    parts.map(|(name, _)| name).filter(|name| name.contains('/') && !name.contains(' ')).unwrap_or(title)
}

/// Whether a heading says nothing about what is below it: `Description`, `Requirement 2`.
pub(super) fn is_generic(title: &str) -> bool {
    let lower = title.trim_end_matches([':', ' ']).to_lowercase();
    let numbered = lower.strip_prefix("requirement ").is_some_and(|n| n.chars().all(|c| c.is_ascii_digit()));
    numbered || matches!(lower.as_str(), "description" | "story" | "user story" | "feature request")
}

/// A heading without the short code it begins with: `R1 Reading`, `F-2 Search`.
pub(super) fn without_code(title: &str) -> &str {
    let Some((first, rest)) = title.split_once(' ') else { return title };
    let first = first.trim_end_matches(['.', ':', ')']);
    let letters = first.chars().take_while(char::is_ascii_uppercase).count();
    let number = first[letters..].trim_start_matches('-');
    let is_code = (1..=4).contains(&letters)
        && number.starts_with(|c: char| c.is_ascii_digit())
        && number.chars().all(|c| c.is_ascii_digit() || c == '.');
    let rest = rest.trim_start_matches(['-', '–', '—', ' ']);
    if is_code && !rest.is_empty() { rest } else { title }
}

/// A name without the letter or number it is listed with: `A. Checklist`.
pub(super) fn without_letter(name: &str) -> &str {
    let bare = without_number(name);
    match bare.split_once(". ") {
        Some((letter, rest)) if letter.len() == 1 => rest,
        Some(_) | None => bare,
    }
}

/// The name of an item: the bold words or the line it begins with. The id of a requirement is no name.
pub(super) fn item_name(text: &RunningText) -> String {
    let without_id =
        |words: &str| ids::requirement(words).map_or(words.to_owned(), |(_, rest)| rest.to_owned());
    let bold = text.bold.as_deref().map(without_id);
    let bold = bold.as_deref().map(|b| b.trim_end_matches([':', '.', ' '])).filter(|b| !b.is_empty());
    let line = without_id(&text.lines()[0]);
    let named = || line.split_once(": ").map(|(name, _)| name).filter(|name| name.split(' ').count() <= 6);
    bold.or_else(named).unwrap_or(&line).to_owned()
}

/// A title of at most 72 characters, without what is in brackets.
pub(super) fn short_title(text: &str) -> String {
    const LONGEST: usize = 72;
    let text = without_brackets(&text.replace(['*', '`'], ""));
    // Signs in front of a title are no part of it.
    let text = text.trim_start_matches(|c: char| !c.is_ascii() && !c.is_alphanumeric());
    let mut title = String::new();
    // A script without spaces has one long word.
    let first = text.split_whitespace().next().unwrap_or_default();
    if first.chars().count() > LONGEST {
        return first_clause(first).chars().take(LONGEST).collect();
    }
    for word in text.trim().trim_end_matches(['.', ':', ',']).split_whitespace() {
        if title.chars().count() + word.chars().count() > LONGEST {
            break;
        }
        if !title.is_empty() {
            title.push(' ');
        }
        title.push_str(word);
    }
    title
}

fn without_brackets(text: &str) -> String {
    let mut depth = 0usize;
    let mut out = String::new();
    for c in text.chars() {
        match c {
            '(' => depth += 1,
            ')' if depth > 0 => depth -= 1,
            _ if depth == 0 => out.push(c),
            _ => {}
        }
    }
    out
}
