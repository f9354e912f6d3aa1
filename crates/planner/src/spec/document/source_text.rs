//! Markdown that was written from another text, and where each of its lines comes from.

use std::borrow::Cow;
use std::ops::Range;

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

    /// The place in the original of a place in the text.
    pub(super) fn place(&self, at: &Range<usize>) -> Range<usize> {
        if self.moved.is_empty() {
            // A mark that was overwritten may have been one long character.
            let start = self.original.floor_char_boundary(at.start);
            return start..self.original.ceil_char_boundary(at.end.max(start));
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

/// Markdown while it is written from another text.
#[derive(Debug, Default)]
pub(super) struct MarkdownDraft {
    pub(super) text: String,
    moved: Vec<MovedLine>,
}

impl MarkdownDraft {
    /// Writes a line: marks, and words that begin at a place of the original.
    pub(super) fn line(&mut self, before: &str, words: &str, at: usize) {
        self.piece(before, words, at);
        self.text.push('\n');
    }

    /// Writes marks and words without ending the line.
    pub(super) fn piece(&mut self, before: &str, words: &str, at: usize) {
        let new = self.text.len();
        self.moved.push(MovedLine { new, lead: before.len(), old: at, length: words.len().max(1) });
        self.text.push_str(before);
        self.text.push_str(words);
    }

    /// Marks that are written next have this place.
    pub(super) fn begins(&mut self, at: usize) {
        self.moved.push(MovedLine { new: self.text.len(), lead: 0, old: at, length: 1 });
    }

    /// Ends a paragraph.
    pub(super) fn blank(&mut self) {
        if !self.text.is_empty() && !self.text.ends_with("\n\n") {
            self.text.push('\n');
        }
    }

    /// The text with its places in the original.
    pub(super) fn finish(self, original: &str) -> SourceText<'_> {
        SourceText { text: Cow::Owned(self.text), moved: self.moved, original }
    }
}
