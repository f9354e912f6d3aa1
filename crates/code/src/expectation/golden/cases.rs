//! Files with cases: another value in every entry of a key, or in every line of a column.

use super::super::alter::{self, Choice};

/// The text, what an entry was, and what it is.
type AlteredText = (Vec<u8>, String, String);

/// A text with another value in every entry of a key. `None` if there is none that can be changed.
pub(super) fn altered(file: &str, text: &str, key: &str, choice: &mut Choice) -> Option<AlteredText> {
    match file.rsplit('.').next()? {
        "csv" => altered_by_head(text, ',', key, choice),
        "tsv" => altered_by_head(text, '\t', key, choice),
        "yaml" | "yml" => altered_pairs(text, key, ":", choice),
        "toml" => altered_pairs(text, key, "=", choice),
        _ => altered_entries(text, key, choice),
    }
}

fn altered_by_head(text: &str, mark: char, key: &str, choice: &mut Choice) -> Option<AlteredText> {
    let head = text.lines().next()?;
    let at = head.split(mark).position(|cell| cell.trim().trim_matches('"') == key)?;
    altered_lines(text, mark, at, 1, choice)
}

/// A text with another value in a column of every line. A first line of words above numbers is a head.
pub(super) fn altered_column(text: &str, mark: char, at: usize, choice: &mut Choice) -> Option<AlteredText> {
    let is_number = |line: Option<&str>| {
        line.and_then(|line| line.split(mark).nth(at)).is_some_and(|cell| cell.trim().parse::<f64>().is_ok())
    };
    let mut lines = text.lines();
    let head = !is_number(lines.next()) && is_number(lines.next());
    altered_lines(text, mark, at, usize::from(head), choice)
}

fn altered_lines(
    text: &str,
    mark: char,
    at: usize,
    skipped: usize,
    choice: &mut Choice,
) -> Option<AlteredText> {
    let mut shown = None;
    let mut out = String::with_capacity(text.len());
    for (nth, line) in text.split_inclusive('\n').enumerate() {
        let cell = line.split(mark).nth(at).filter(|_| nth >= skipped && !line.contains('"'));
        let changed = cell.and_then(|cell| Some((cell, other_cell(cell.trim(), choice)?)));
        let Some((cell, now)) = changed else {
            out.push_str(line);
            continue;
        };
        let start: usize = line.split(mark).take(at).map(|cell| cell.len() + mark.len_utf8()).sum();
        let start = start + cell.len() - cell.trim_start().len();
        let was = cell.trim();
        out.extend([&line[..start], now.as_str(), &line[start + was.len()..]]);
        shown.get_or_insert_with(|| (was.to_owned(), now));
    }
    let (was, now) = shown?;
    Some((out.into_bytes(), was, now))
}

/// `key: value` and `key = value`, on lines of their own or inside braces.
fn altered_pairs(text: &str, key: &str, mark: &str, choice: &mut Choice) -> Option<AlteredText> {
    let mut shown = None;
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find(key) {
        let before = rest[..at].trim_end_matches([' ', '"', '\'']);
        let opens = before.is_empty() && out.is_empty() || before.ends_with(['\n', '-', '{', ',', ' ']);
        let (head, behind) = rest.split_at(at + key.len());
        out.push_str(head);
        rest = behind;
        let Some(value) = rest.trim_start_matches([' ', '"', '\'']).strip_prefix(mark) else { continue };
        let value = value.trim_start_matches(' ');
        let end = value.find(['\n', ',', '}', '#', '\r']).unwrap_or(value.len());
        let was = value[..end].trim_end();
        let Some(now) = other_cell(was, choice).filter(|_| opens) else { continue };
        let start = rest.len() - value.len();
        out.extend([&rest[..start], now.as_str()]);
        rest = &rest[start + was.len()..];
        shown.get_or_insert_with(|| (was.to_owned(), now));
    }
    out.push_str(rest);
    let (was, now) = shown?;
    Some((out.into_bytes(), format!("{key}{mark} {was}"), format!("{key}{mark} {now}")))
}

/// Another value of the kind of a bare or quoted word.
fn other_cell(was: &str, choice: &mut Choice) -> Option<String> {
    for (word, other) in [("true", "false"), ("false", "true"), ("True", "False"), ("False", "True")] {
        if was == word {
            return Some(other.to_owned());
        }
    }
    if was.is_empty() || was.starts_with(['[', '{', '|', '>', '&', '*', '!']) {
        return None;
    }
    if was.parse::<f64>().is_ok() {
        let whole = !was.contains(['.', 'e', 'E']);
        return if whole { alter::integer(was, choice) } else { alter::float(was, choice) };
    }
    let (at, size, other) = alter::text(was, &|_, c| c.is_ascii_alphanumeric(), choice)?;
    Some(format!("{}{other}{}", &was[..at], &was[at + size..]))
}

/// A JSON text with another value in every entry of a key: a number, a text, yes or no. `None` if there is none of these.
fn altered_entries(text: &str, key: &str, choice: &mut Choice) -> Option<AlteredText> {
    let quoted = format!("\"{key}\"");
    let mut out = String::with_capacity(text.len());
    let mut shown = None;
    let mut rest = text;
    while let Some(at) = rest.find(&quoted) {
        let (before, behind) = rest.split_at(at + quoted.len());
        out.push_str(before);
        rest = behind;
        let Some(value) = rest.trim_start().strip_prefix(':').map(str::trim_start) else { continue };
        let start = rest.len() - value.len();
        let Some((was, now)) = other_scalar(value, choice) else { continue };
        out.push_str(&rest[..start]);
        out.push_str(&now);
        shown.get_or_insert_with(|| (was.to_owned(), now.clone()));
        rest = &rest[start + was.len()..];
    }
    out.push_str(rest);
    let (was, now) = shown?;
    Some((out.into_bytes(), format!("{quoted}: {was}"), format!("{quoted}: {now}")))
}

/// The value that a JSON text begins with, and another one of its kind.
fn other_scalar<'a>(text: &'a str, choice: &mut Choice) -> Option<(&'a str, String)> {
    for (word, other) in [("true", "false"), ("false", "true")] {
        if text.starts_with(word) {
            return Some((&text[..word.len()], other.to_owned()));
        }
    }
    if let Some(inner) = text.strip_prefix('"') {
        let end = inner.find(['"', '\\']).filter(|end| inner[*end..].starts_with('"'))?;
        let (at, size, other) = alter::text(&inner[..end], &|_, _| true, choice)?;
        let now = format!("\"{}{other}{}\"", &inner[..at], &inner[at + size..end]);
        return Some((&text[..end + 2], now));
    }
    let size = text.find(|c: char| !(c.is_ascii_digit() || matches!(c, '-' | '+' | '.' | 'e' | 'E')));
    let was = &text[..size.unwrap_or(text.len())];
    let now =
        if was.contains(['.', 'e', 'E']) { alter::float(was, choice) } else { alter::integer(was, choice) };
    now.map(|now| (was, now))
}

#[cfg(test)]
mod tests;
