//! A change in words: what was expected, and what is.

use std::ops::Range;

use super::edit::SourceEdit;
use super::find::TestReader;

impl TestReader<'_, '_> {
    /// A condition, and its opposite.
    pub(super) fn turned_words(&self, edit: &SourceEdit, turned: Option<Range<usize>>) -> (String, String) {
        let whole = turned.unwrap_or(edit.range.clone());
        let (head, tail) = (whole.start..edit.range.start, edit.range.end..whole.end);
        let part = |range: Range<usize>| {
            if range.is_empty() { String::new() } else { self.source.one_line(range) }
        };
        let now = format!("{} {} {}", part(head), edit.text.trim(), part(tail));
        (shortened(&self.source.one_line(whole)), shortened(now.trim()))
    }

    /// The expression that a change of a computed value stands around.
    pub(super) fn expected_words(&self, edit: &SourceEdit) -> String {
        let (before, behind) = self.rules.other_value;
        let inner = edit.text.split_once(before).map_or("", |(_, inner)| inner);
        let inner = inner.trim_end().trim_end_matches(';');
        shortened(inner.strip_suffix(behind).unwrap_or(inner))
    }

    pub(super) fn line_at(&self, byte: usize) -> usize {
        self.source.slice(0..byte).split(|b| *b == b'\n').count()
    }

    /// The word around a change, before and after it.
    pub(super) fn in_words(&self, edit: &SourceEdit) -> (String, String) {
        let bytes = self.source.bytes;
        let is_end = |b: &u8| b" \n\t\"'`,;=()[]{}".contains(b);
        let start = bytes[..edit.range.start].iter().rposition(is_end).map_or(0, |at| at + 1);
        let after = &bytes[edit.range.end..];
        let end = edit.range.end + after.iter().position(is_end).unwrap_or(after.len());
        let text = |range: Range<usize>| String::from_utf8_lossy(&bytes[range]).into_owned();
        let now = format!("{}{}{}", text(start..edit.range.start), edit.text, text(edit.range.end..end));
        (shortened(text(start..end).trim_end_matches(':')), shortened(now.trim_end().trim_end_matches(':')))
    }
}

pub(super) fn shortened(text: &str) -> String {
    const LONGEST: usize = 80;
    if text.chars().count() <= LONGEST {
        return text.to_owned();
    }
    let head: String = text.chars().take(LONGEST).collect();
    format!("{head}…")
}
