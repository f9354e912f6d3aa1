//! Where the fields of a plan or a task were read. A large plan has hundreds of thousands of them, so the usual field
//! names cost nothing to keep.

use crate::diagnostic::Span;

/// Spans by field name (`depends_on`, `files.create`, `depends_on[2]`, …); of one noted twice, the later counts.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Places {
    usual: Vec<Place>,
    named: Vec<(String, Span)>,
}

/// Memory that the places of one task after another are gathered in.
#[derive(Debug, Default)]
pub struct Scratch(Vec<Place>);

/// Marks a place that is a whole field, not an item of one.
const WHOLE: u32 = u32::MAX;

#[derive(Debug, Clone, Copy, PartialEq)]
struct Place {
    field: &'static str,
    item: u32,
    span: Span,
}

impl Place {
    fn is(&self, key: &str) -> bool {
        if self.item == WHOLE {
            return self.field == key;
        }
        let number = key.strip_prefix(self.field).and_then(|k| k.strip_prefix('[')?.strip_suffix(']'));
        number.and_then(|n| n.parse().ok()) == Some(self.item)
    }
}

impl Places {
    /// Notes where a field stands.
    pub fn insert(&mut self, field: String, span: Span) {
        self.named.push((field, span));
    }

    /// Notes where a field stands whose name is known beforehand.
    pub fn note(&mut self, field: &'static str, span: Span) {
        self.usual.push(Place { field, item: WHOLE, span });
    }

    /// Notes where an item of a field stands, counted from 0.
    pub fn note_item(&mut self, field: &'static str, item: usize, span: Span) {
        self.usual.push(Place { field, item: u32::try_from(item).unwrap_or(WHOLE), span });
    }

    /// Begins with the memory of others, so that it does not have to grow.
    pub fn begin(scratch: &mut Scratch) -> Self {
        Self { usual: std::mem::take(&mut scratch.0), named: Vec::new() }
    }

    /// Keeps exactly what it needs, and gives the memory back.
    pub fn end(&mut self, scratch: &mut Scratch) {
        let exact = self.usual.as_slice().to_vec();
        scratch.0 = std::mem::replace(&mut self.usual, exact);
        scratch.0.clear();
    }

    /// Where a field stands.
    pub fn get(&self, field: &str) -> Option<&Span> {
        let named = self.named.iter().rev().find(|(name, _)| name == field).map(|(_, span)| span);
        named.or_else(|| self.usual.iter().rev().find(|p| p.is(field)).map(|p| &p.span))
    }

    /// Whether the field was read.
    pub fn contains_key(&self, field: &str) -> bool {
        self.get(field).is_some()
    }

    /// Every span.
    pub fn values(&self) -> impl Iterator<Item = &Span> {
        self.usual.iter().map(|p| &p.span).chain(self.named.iter().map(|(_, span)| span))
    }

    /// Forgets everything.
    pub fn clear(&mut self) {
        self.usual.clear();
        self.named.clear();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::diagnostic::FileIx;

    #[test]
    fn fields_and_items_are_found_by_name() {
        let at = |start| Span { file: FileIx(0), start, end: start };
        let mut places = Places::default();
        places.note("depends_on", at(1));
        places.note_item("depends_on", 2, at(2));
        places.insert("files.create[0]".to_owned(), at(3));
        places.note("depends_on", at(4));
        assert_eq!(places.get("depends_on"), Some(&at(4)));
        assert_eq!(places.get("depends_on[2]"), Some(&at(2)));
        assert_eq!(places.get("files.create[0]"), Some(&at(3)));
        for absent in ["", "depends", "depends_on[1]", "depends_on[2", "depends_on[+2x]", "files.create"] {
            assert_eq!(places.get(absent), None, "{absent}");
        }
    }
}
