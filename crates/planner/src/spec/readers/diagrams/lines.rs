//! Lines of a diagram: two names with an arrow between them, and a label.

use crate::spec::model::UseStrength;

/// What a line of a diagram says: the first thing builds on the second.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct DrawnUse {
    pub(super) user: String,
    pub(super) used: String,
    pub(super) strength: UseStrength,
}

/// Two names with an arrow between them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct DrawnLine<'l> {
    pub(super) left: &'l str,
    /// The arrow as drawn: `<|--`, `-->`, `->>`.
    pub(super) arrow: &'l str,
    pub(super) right: &'l str,
    pub(super) label: &'l str,
}

/// Cuts a line at its arrow. Multiplicities and labels in quotes or bars beside the arrow are left out.
pub(super) fn drawn_line(line: &str) -> Option<DrawnLine<'_>> {
    let line = line.trim().trim_end_matches(';');
    let is_arrow = |c: char| matches!(c, '-' | '.' | '=' | '<' | '>' | '|' | '*' | '/' | '\\' | '+');
    let is_stroke = |c: char| matches!(c, '-' | '.' | '=');
    let bytes = line.as_bytes();
    // The first run of at least two strokes, or of a stroke and a head, outside of brackets and quotes.
    let mut depth = 0usize;
    let mut quoted = false;
    let mut at = 0;
    while at < bytes.len() {
        let c = char::from(bytes[at]);
        match c {
            '"' => quoted = !quoted,
            '[' | '{' | '(' if !quoted => depth += 1,
            ']' | '}' | ')' if !quoted => depth = depth.saturating_sub(1),
            _ if depth == 0 && !quoted && is_stroke(c) && starts_arrow(&line[at..]) => break,
            _ => {}
        }
        at += 1;
    }
    if at >= bytes.len() {
        return None;
    }
    let before = line[..at].trim_end_matches(['<', '|', '*', '+', '^', '#']);
    let before = before.strip_suffix(" o").unwrap_or(before);
    let after = line[at..].trim_start_matches(is_arrow);
    let after = DIRECTIONS
        .iter()
        .find_map(|way| after.strip_prefix(way))
        .map_or(after, |rest| rest.trim_start_matches(is_arrow));
    // A round or crossed head is a letter.
    let after = ["o ", "x ", ") "].iter().find_map(|head| after.strip_prefix(head)).unwrap_or(after);
    let arrow = line[before.len()..line.len() - after.len()].trim();
    let (right, label) = named_and_label(after);
    let (right, inner) = without_bar_label(right);
    let left = without_quotes(before.trim());
    let right = without_quotes(right.trim());
    let label = if label.is_empty() { inner } else { label };
    (!left.is_empty() && !right.is_empty()).then_some(DrawnLine { left, arrow, right, label })
}

/// Directions inside an arrow of PlantUML.
const DIRECTIONS: [&str; 8] = ["up", "down", "left", "right", "u", "d", "l", "r"];

/// Whether a stroke begins an arrow: another stroke or a head follows, or PlantUML's direction (`-up->`).
fn starts_arrow(rest: &str) -> bool {
    let mut chars = rest.chars().skip(1);
    match chars.next() {
        Some('-' | '.' | '=' | '>' | '|' | ')') => true,
        _ => DIRECTIONS.iter().any(|way| rest[1..].strip_prefix(way).is_some_and(|r| r.starts_with('-'))),
    }
}

/// The name behind an arrow and the label behind a colon.
fn named_and_label(text: &str) -> (&str, &str) {
    let mut from = 0;
    while let Some(at) = text[from..].find(':').map(|n| from + n) {
        // `std::string` is no label.
        if text[at + 1..].starts_with(':') {
            from = at + 2;
            continue;
        }
        return (&text[..at], text[at + 1..].trim());
    }
    (text, "")
}

/// `|label| B` → `B` and the label, as flow charts write it.
fn without_bar_label(text: &str) -> (&str, &str) {
    let text = text.trim();
    let Some(rest) = text.strip_prefix('|') else { return (text, "") };
    rest.split_once('|').map_or((text, ""), |(label, name)| (name.trim(), label.trim()))
}

/// `"1" A`, `A "0..*"` → `A`.
fn without_quotes(text: &str) -> &str {
    let text = text.trim();
    if let Some(rest) = text.strip_prefix('"') {
        let Some((inner, after)) = rest.split_once('"') else { return text };
        // A name may be quoted itself.
        return if after.trim().is_empty() { inner } else { after.trim() };
    }
    text.split_once(" \"").map_or(text, |(name, _)| name.trim())
}

/// A name without type parameters, stereotypes and activation marks: `Queue~T~`, `List<int>`, `+ALG`.
pub(super) fn bare_name(text: &str) -> String {
    let text = text.trim().trim_start_matches(['+', '-', '[', '(', ':']).trim_end_matches([']', ')', ':']);
    let end = text.find(['~', '<', '{']).unwrap_or(text.len());
    text[..end].trim().trim_matches(['"', '`']).to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_cut_at_their_arrow() {
        let table = [
            ("A --> B", Some(("A", "-->", "B", ""))),
            ("A <|-- B : is a", Some(("A", "<|--", "B", "is a"))),
            ("A \"1\" -- \"0..*\" B", Some(("A", "--", "B", ""))),
            ("book o-- order: holds", Some(("book", "o--", "order", "holds"))),
            ("A -up-> B", Some(("A", "-up->", "B", ""))),
            ("main->>+ALG: new Graph(a, b)", Some(("main", "->>+", "ALG", "new Graph(a, b)"))),
            ("user-service -> db", Some(("user-service", "->", "db", ""))),
            ("A -->|asks| B", Some(("A", "-->|", "asks| B", ""))),
            ("+add(a: int) : std::vector<int>", None),
            ("class Cart {", None),
            ("", None),
        ];
        for (line, expected) in table {
            let found = drawn_line(line);
            let found = found.as_ref().map(|l| (l.left, l.arrow, l.right, l.label));
            assert_eq!(found, expected, "{line}");
        }
    }
}
