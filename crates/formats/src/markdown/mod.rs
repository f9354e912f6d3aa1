//! Markdown as plans use it: front matter, headings, fenced code and lines between them, each with its place.
//!
//! Knows nothing of tasks. Every text it returns is a slice of the input, so its place is known.

mod document;
mod fence;

pub(crate) use document::{RawSection, SectionedText, TextSlice};
pub(crate) use fence::{BodyBlock, FencedCode, blocks, fenced};

/// A line without its end, and where it starts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct SourceLine<'a> {
    /// Offset of its first byte in the file.
    pub(crate) at: usize,
    /// Its text, without `\n` or `\r\n`.
    pub(crate) text: &'a str,
}

impl SourceLine<'_> {
    /// One past its last byte.
    pub(crate) fn end(&self) -> usize {
        self.at + self.text.len()
    }
}

/// The lines of `text`, which begins at byte `base` of its file.
pub(crate) fn lines(text: &str, base: usize) -> impl Iterator<Item = SourceLine<'_>> + Clone {
    let mut at = base;
    text.split_inclusive('\n').map(move |line| {
        let start = at;
        at += line.len();
        let text = line.strip_suffix('\n').map_or(line, |line| line.strip_suffix('\r').unwrap_or(line));
        SourceLine { at: start, text }
    })
}

/// Lines as one text: joined, without blank lines at either end.
pub(crate) fn join<'a>(lines: impl IntoIterator<Item = &'a str>) -> String {
    let mut out = String::new();
    let mut blank = 0;
    for line in lines {
        if line.trim().is_empty() {
            blank += usize::from(!out.is_empty());
            continue;
        }
        if !out.is_empty() {
            out.extend(std::iter::repeat_n('\n', blank + 1));
        }
        blank = 0;
        out.push_str(line.trim_end());
    }
    out
}

/// The text after a list mark (`- `, `* `, `+ `, `1. `, `1) `), and the indent of the mark.
pub(crate) fn list_item(line: &str) -> Option<(usize, &str)> {
    let trimmed = line.trim_start();
    let indent = line.len() - trimmed.len();
    let rest = match trimmed.strip_prefix(['-', '*', '+']) {
        Some(rest) => rest,
        None => trimmed.trim_start_matches(|c: char| c.is_ascii_digit()).strip_prefix(['.', ')'])?,
    };
    let numbered_without_number = trimmed.starts_with(['.', ')']);
    if numbered_without_number || !(rest.is_empty() || rest.starts_with([' ', '\t'])) {
        return None;
    }
    Some((indent, rest.trim()))
}

/// The text after a check box, if there is one; otherwise the text itself.
pub(crate) fn without_checkbox(item: &str) -> &str {
    let boxes = ["[ ]", "[x]", "[X]"];
    boxes.iter().find_map(|b| item.strip_prefix(b)).map_or(item, str::trim_start)
}

/// The text inside a pair of backticks around the whole of it; otherwise the text itself.
pub(crate) fn without_backticks(text: &str) -> &str {
    let inner = text.strip_prefix('`').and_then(|t| t.strip_suffix('`'));
    inner.filter(|t| !t.contains('`') && !t.is_empty()).unwrap_or(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_lose_their_ends_and_keep_their_places() {
        let found: Vec<(usize, &str)> = lines("a\r\nb\n\nc", 10).map(|l| (l.at, l.text)).collect();
        assert_eq!(found, [(10, "a"), (13, "b"), (15, ""), (16, "c")]);
    }

    #[test]
    fn list_marks_are_told_from_words() {
        let table = [
            ("- a", Some((0, "a"))),
            ("  * b c", Some((2, "b c"))),
            ("12. d", Some((0, "d"))),
            ("3) e", Some((0, "e"))),
            ("-", Some((0, ""))),
            ("-a", None),
            ("**bold**", None),
            (". x", None),
            ("3.5 x", None),
            ("plain", None),
        ];
        for (line, expected) in table {
            assert_eq!(list_item(line), expected, "{line}");
        }
    }

    #[test]
    fn joined_lines_keep_inner_blank_lines_only() {
        assert_eq!(join(["", "a ", "", "", "b", " "]), "a\n\n\nb");
    }
}
