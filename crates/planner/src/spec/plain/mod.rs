//! Plain text → Markdown that says the same, with the place of every line: numbered and underlined headings, lines in
//! capitals, bullets of every kind, rows apart by tabs, drawn trees. There is one reader of documents, behind this.
//!
//! Knows nothing of what a specification is, except which words make a short line a heading. A document that has
//! headings of Markdown is left as it is.

mod headings;
mod line;
mod regions;
mod tags;
mod written;

use std::borrow::Cow;
use std::ops::Range;

pub(super) use tags::without_tags;

use headings::Headings;
use written::Written;

/// A text to be read as Markdown, and where its lines come from.
#[derive(Debug)]
pub(super) struct Front<'t> {
    pub(super) text: Cow<'t, str>,
    moved: Vec<Moved>,
    source: &'t str,
}

/// A line that was written anew.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Moved {
    /// Where it begins in the new text, and how many bytes stand before its words there.
    new: usize,
    lead: usize,
    /// Where its words begin in the old text.
    old: usize,
    /// How long it is in the old text.
    length: usize,
}

impl<'t> Front<'t> {
    /// A text as it is.
    pub(super) fn as_it_is(text: Cow<'t, str>, source: &'t str) -> Front<'t> {
        Front { text, moved: Vec::new(), source }
    }

    /// The Markdown of a plain text; `None` where it has no structure to speak of. `wary` asks for more of it.
    pub(super) fn of_plain(text: &'t str, wary: Wary) -> Option<Front<'t>> {
        let lines = line::lines(text);
        let headings = Headings::of(&lines);
        let enough = match wary {
            Wary::No => headings.count() > 0,
            Wary::Yes => headings.telling() > 1,
        };
        enough.then(|| {
            let (markdown, moved) = Written::of(&lines, &headings);
            Front { text: Cow::Owned(markdown), moved, source: text }
        })
    }

    /// The place in the old text of a place in the new one.
    pub(super) fn place(&self, at: &Range<usize>) -> Range<usize> {
        if self.moved.is_empty() {
            return at.clone();
        }
        let start = self.old(at.start);
        // The end is taken from the last byte, so that it does not fall into the next line.
        let end = if at.end > at.start { self.old(at.end - 1) + 1 } else { start };
        let start = floor(self.source, start);
        start..ceil(self.source, end.max(start))
    }

    fn old(&self, new: usize) -> usize {
        let behind = self.moved.partition_point(|m| m.new <= new);
        match behind.checked_sub(1).and_then(|at| self.moved.get(at)) {
            Some(m) => m.old + (new - m.new).saturating_sub(m.lead).min(m.length.saturating_sub(1)),
            None => self.moved.first().map_or(0, |m| m.old),
        }
    }
}

/// How much structure a text must have to be taken for a plain one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Wary {
    /// Its name says that it is plain.
    No,
    /// It could be Markdown without headings.
    Yes,
}

impl Wary {
    /// By the name of the document.
    pub(super) fn of(path: &str) -> Wary {
        let ending = path.rsplit_once('.').map(|(_, e)| e.to_ascii_lowercase());
        if matches!(ending.as_deref(), Some("txt" | "text")) { Wary::No } else { Wary::Yes }
    }
}

fn floor(text: &str, at: usize) -> usize {
    (0..=at.min(text.len())).rev().find(|i| text.is_char_boundary(*i)).unwrap_or(0)
}

fn ceil(text: &str, at: usize) -> usize {
    (at.min(text.len())..=text.len()).find(|i| text.is_char_boundary(*i)).unwrap_or(text.len())
}

#[cfg(test)]
mod tests;
