//! Spans of fields.

use super::*;
use crate::diagnostic::FileIx;

#[test]
fn fields_and_items_are_found_by_name() {
    let at = |start| Span { file: FileIx(0), start, end: start };
    let mut spans = FieldSpans::default();
    spans.note("depends_on", at(1));
    spans.note_item("depends_on", 2, at(2));
    spans.insert("files.create[0]".to_owned(), at(3));
    spans.note("depends_on", at(4));
    assert_eq!(spans.get("depends_on"), Some(&at(4)));
    assert_eq!(spans.get("depends_on[2]"), Some(&at(2)));
    assert_eq!(spans.get("files.create[0]"), Some(&at(3)));
    for absent in ["", "depends", "depends_on[1]", "depends_on[2", "depends_on[+2x]", "files.create"] {
        assert_eq!(spans.get(absent), None, "{absent}");
    }
}

#[test]
fn spans_are_listed_and_cleared() {
    let at = |start| Span { file: FileIx(1), start, end: start };
    let mut spans = FieldSpans::default();
    assert!(!spans.contains_key("id"));
    spans.note("id", at(1));
    spans.insert("id".to_owned(), at(2));
    assert_eq!(spans.get("id"), Some(&at(2)), "a span by any name comes before one by a known name");
    assert_eq!(spans.values().copied().collect::<Vec<_>>(), [at(1), at(2)]);
    spans.clear();
    assert_eq!((spans.contains_key("id"), spans.values().count()), (false, 0));
    assert_eq!(spans, FieldSpans::default());
}

#[test]
fn hostile_keys_find_nothing() {
    let at = Span { file: FileIx(0), start: 0, end: 1 };
    let mut spans = FieldSpans::default();
    spans.note_item("depends_on", 0, at);
    for key in [
        "depends_on",
        "depends_on[]",
        "depends_on[-0]",
        "depends_on[0]]",
        "depends_on[[0]",
        "depends_on[99999999999]",
        "é[0]",
    ] {
        assert_eq!(spans.get(key), None, "{key}");
    }
    assert_eq!(spans.get("depends_on[0]"), Some(&at));
}
