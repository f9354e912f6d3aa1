//! Edits of a source text that keep its size where the text allows it.

use std::ops::Range;

use tree_sitter::Node;

use crate::syntax::source::{ParsedText, named_children};

/// A range of bytes and the text that takes its place.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SourceEdit {
    /// The bytes that go.
    pub range: Range<usize>,
    /// The text that comes.
    pub text: String,
}

impl SourceEdit {
    pub(super) fn new(range: Range<usize>, text: impl Into<String>) -> Self {
        Self { range, text: text.into() }
    }

    /// How many bytes the text grows by.
    fn growth(&self) -> isize {
        self.text.len().cast_signed() - self.range.len().cast_signed()
    }
}

/// A text with all of these edits; `None` if two of them touch the same bytes.
pub fn with_edits(bytes: &[u8], edits: &[&SourceEdit]) -> Option<Vec<u8>> {
    let mut edits = edits.to_vec();
    edits.sort_by_key(|edit| (edit.range.start, edit.range.end));
    let mut out = Vec::with_capacity(bytes.len());
    let mut at = 0;
    for edit in edits {
        out.extend_from_slice(bytes.get(at..edit.range.start)?);
        out.extend_from_slice(edit.text.as_bytes());
        at = edit.range.end;
    }
    out.extend_from_slice(bytes.get(at..)?);
    Some(out)
}

/// A text in a range that is at least as long: the rest is filled with blanks. A longer text takes the room of the blanks
/// between the statements of `body`, where `free` says that they mean nothing.
pub(super) fn fitted(
    source: &ParsedText<'_>,
    range: Range<usize>,
    text: &str,
    body: Option<Node<'_>>,
) -> Vec<SourceEdit> {
    let edit = SourceEdit::new(range.clone(), text);
    let growth = edit.growth();
    if growth <= 0 {
        let blanks = " ".repeat(growth.unsigned_abs());
        return vec![SourceEdit::new(range, format!("{text}{blanks}"))];
    }
    let mut missing = growth.unsigned_abs();
    let mut edits = vec![edit];
    for gap in body.map(|body| gaps(source, body)).unwrap_or_default() {
        if missing == 0 {
            break;
        }
        if gap.start < range.end && range.start < gap.end.max(gap.start + 1) {
            continue;
        }
        let taken = missing.min(gap.len());
        edits.push(SourceEdit::new(gap.start..gap.start + taken, ""));
        missing -= taken;
    }
    edits
}

/// The blanks in front of the statements of a block, without the line end before them.
fn gaps(source: &ParsedText<'_>, body: Node<'_>) -> Vec<Range<usize>> {
    let statements = named_children(body);
    let ends = std::iter::once(body.start_byte() + 1).chain(statements.iter().map(Node::end_byte));
    let between = ends.zip(statements.iter().map(Node::start_byte)).map(|(from, to)| from..to.max(from));
    let blank = |gap: Range<usize>| {
        let text = source.slice(gap.clone());
        let line_end = text.iter().rposition(|b| *b == b'\n')?;
        let blanks = &text[line_end + 1..];
        blanks.iter().all(|b| *b == b' ' || *b == b'\t').then(|| gap.start + line_end + 1..gap.end)
    };
    between.filter_map(blank).filter(|gap| !gap.is_empty()).collect()
}
