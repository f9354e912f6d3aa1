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
    item: Option<u32>,
    span: Span,
}

impl NotedSpan {
    fn is(&self, key: &str) -> bool {
        let Some(item) = self.item else { return self.field == key };
        let number = key.strip_prefix(self.field).and_then(|k| k.strip_prefix('[')?.strip_suffix(']'));
        number.and_then(|n| n.parse().ok()) == Some(item)
    }
}

impl FieldSpans {
    /// Notes the span of a field with any name.
    pub fn insert(&mut self, field: String, span: Span) {
        self.named.push((field, span));
    }

    /// Notes the span of a field. A name that is known beforehand costs no allocation.
    pub fn note(&mut self, field: &'static str, span: Span) {
        self.fields.push(NotedSpan { field, item: None, span });
    }

    /// Notes the span of an item of a field, counted from 0.
    pub fn note_item(&mut self, field: &'static str, item: usize, span: Span) {
        self.fields.push(NotedSpan { field, item: u32::try_from(item).ok(), span });
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
