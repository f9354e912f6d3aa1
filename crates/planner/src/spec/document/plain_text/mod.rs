//! Plain text → Markdown that says the same, with the place of every line: numbered and underlined headings, lines in
//! capitals, bullets of every kind, rows separated by tabs, drawn trees. The Markdown is read by the one parser.
//!
//! The rewriting knows which words make a short line a heading, and nothing else about specifications. A document with
//! Markdown headings is left as it is.

mod headings;
mod lines;
mod regions;
mod rewrite;
#[cfg(test)]
mod tests;

use std::borrow::Cow;
use std::ops::Range;

use headings::Headings;

/// A text to parse as Markdown, and where its lines come from.
#[derive(Debug)]
pub(super) struct SourceText<'t> {
    pub(super) text: Cow<'t, str>,
    moved: Vec<MovedLine>,
    original: &'t str,
}

/// A line that was rewritten.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct MovedLine {
    /// Where it begins in the new text, and how many bytes of marks it begins with.
    new: usize,
    lead: usize,
    /// Where its words begin in the original.
    old: usize,
    /// Its length in the original.
    length: usize,
}

impl<'t> SourceText<'t> {
    /// A text that keeps its places.
    pub(super) fn unchanged(text: &'t str, original: &'t str) -> SourceText<'t> {
        SourceText { text: Cow::Borrowed(text), moved: Vec::new(), original }
    }

    /// The Markdown of a plain text; `None` if the text has too little structure for what its name hints at.
    pub(super) fn rewritten(text: &'t str, hint: PlainTextHint) -> Option<SourceText<'t>> {
        let lines = lines::text_lines(text);
        let headings = Headings::find(&lines);
        let enough = match hint {
            PlainTextHint::Plain => headings.count() > 0,
            PlainTextHint::MaybeMarkdown => headings.certain() > 1,
        };
        enough.then(|| {
            let (markdown, moved) = rewrite::as_markdown(&lines, &headings);
            SourceText { text: Cow::Owned(markdown), moved, original: text }
        })
    }

    /// The place in the original of a place in the text.
    pub(super) fn place(&self, at: &Range<usize>) -> Range<usize> {
        if self.moved.is_empty() {
            return at.clone();
        }
        let start = self.original_offset(at.start);
        // The end is taken from the last byte, so that it does not fall into the next line.
        let end = if at.end > at.start { self.original_offset(at.end - 1) + 1 } else { start };
        let start = self.original.floor_char_boundary(start);
        start..self.original.ceil_char_boundary(end.max(start))
    }

    fn original_offset(&self, new: usize) -> usize {
        let behind = self.moved.partition_point(|m| m.new <= new);
        match behind.checked_sub(1).and_then(|at| self.moved.get(at)) {
            Some(m) => m.old + (new - m.new).saturating_sub(m.lead).min(m.length.saturating_sub(1)),
            None => self.moved.first().map_or(0, |m| m.old),
        }
    }
}

/// What the name of a document says about how it is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::spec) enum PlainTextHint {
    /// It is plain text.
    Plain,
    /// It may be Markdown without headings; more structure is needed to read it as plain text.
    MaybeMarkdown,
}

impl PlainTextHint {
    /// The hint that the ending of a path gives.
    pub(in crate::spec) fn from_path(path: &str) -> PlainTextHint {
        let ending = path.rsplit_once('.').map(|(_, e)| e.to_ascii_lowercase());
        match ending.as_deref() {
            Some("txt" | "text") => PlainTextHint::Plain,
            _ => PlainTextHint::MaybeMarkdown,
        }
    }
}
