//! Where the fields of a plan or a task were read.

use crate::diagnostic::Span;

/// Spans by field name (`depends_on`, `files.create`, `depends_on[2]`, …). If a field is noted twice, the later span
/// counts.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct FieldSpans {
    fields: Vec<NotedSpan>,
    named: Vec<(String, Span)>,
}

/// The span of a field, or of one item of it.
#[derive(Debug, Clone, Copy, PartialEq)]
struct NotedSpan {
    field: &'static str,
    /// The index of the item, [`WHOLE`] for the field itself. A large plan has a quarter of a million of these, so they are small.
    item: u32,
    span: Span,
}

/// In place of an index: the whole field.
const WHOLE: u32 = u32::MAX;

impl NotedSpan {
    fn is(&self, key: &str) -> bool {
        if self.item == WHOLE {
            return self.field == key;
        }
        let number = key.strip_prefix(self.field).and_then(|k| k.strip_prefix('[')?.strip_suffix(']'));
        number.and_then(|n| n.parse().ok()) == Some(self.item)
    }
}

impl FieldSpans {
    /// Makes room for the spans of fields with known names.
    pub fn reserve(&mut self, fields: usize) {
        self.fields.reserve_exact(fields);
    }

    /// Notes the span of a field with any name.
    pub fn insert(&mut self, field: String, span: Span) {
        self.named.push((field, span));
    }

    /// Notes the span of a field. A name that is known beforehand costs no allocation.
    pub fn note(&mut self, field: &'static str, span: Span) {
        self.fields.push(NotedSpan { field, item: WHOLE, span });
    }

    /// Notes the span of an item of a field, counted from 0.
    pub fn note_item(&mut self, field: &'static str, item: usize, span: Span) {
        self.fields.push(NotedSpan { field, item: u32::try_from(item).unwrap_or(WHOLE), span });
    }

    /// The span of a field.
    pub fn get(&self, field: &str) -> Option<&Span> {
        let named = self.named.iter().rev().find(|(name, _)| name == field).map(|(_, span)| span);
        named.or_else(|| self.fields.iter().rev().find(|p| p.is(field)).map(|p| &p.span))
    }

    /// Whether the field was read.
    pub fn contains_key(&self, field: &str) -> bool {
        self.get(field).is_some()
    }

    /// Every span.
    pub fn values(&self) -> impl Iterator<Item = &Span> {
        self.fields.iter().map(|p| &p.span).chain(self.named.iter().map(|(_, span)| span))
    }

    /// Removes every span.
    pub fn clear(&mut self) {
        self.fields.clear();
        self.named.clear();
    }
}

#[cfg(test)]
mod tests;
