//! The change of one value carried over to another: what people edited stays.

use std::collections::BTreeSet;

use serde_json::{Map, Value};

/// A change of documents, and the plan it is carried over to.
pub(super) struct ThreeWay<'a> {
    /// As derived from the old documents, now.
    pub(super) was: &'a Value,
    /// As derived from the new documents.
    pub(super) now: &'a Value,
    /// As it was written when the plan was made.
    pub(super) base: &'a Value,
}

static NOTHING: Value = Value::Null;

impl ThreeWay<'_> {
    /// The value after the change. What cannot be taken over because a person edited it is named in `kept`.
    pub(super) fn onto(&self, ours: &Value, path: &str, kept: &mut Vec<String>) -> Value {
        let Self { was, now, base } = *self;
        if was == now {
            return ours.clone();
        }
        if ours == was || ours == base || is_empty(ours) && is_empty(base) {
            return now.clone();
        }
        match (was, now, ours) {
            (_, Value::Object(_), Value::Object(ours)) => self.fields(ours, path, kept),
            (_, Value::Array(now), Value::Array(ours)) => {
                Value::Array(items(was.as_array().map_or(&[], Vec::as_slice), now, ours, path, kept))
            }
            _ if ours == now => ours.clone(),
            _ => {
                kept.push(path.to_owned());
                ours.clone()
            }
        }
    }

    fn fields(&self, ours: &Map<String, Value>, path: &str, kept: &mut Vec<String>) -> Value {
        let mut result = ours.clone();
        let both = [self.was, self.now].into_iter().filter_map(Value::as_object);
        let names: BTreeSet<&String> = both.flat_map(Map::keys).collect();
        for name in names {
            let at = |value: &'_ Value| -> Value { value.get(name).cloned().unwrap_or_default() };
            let (was, now, base) = (at(self.was), at(self.now), at(self.base));
            let inner = ThreeWay { was: &was, now: &now, base: &base };
            let path = if path.is_empty() { name.clone() } else { format!("{path}.{name}") };
            let value = inner.onto(ours.get(name).unwrap_or(&NOTHING), &path, kept);
            if value.is_null() {
                result.remove(name);
            } else {
                result.insert(name.clone(), value);
            }
        }
        Value::Object(result)
    }
}

/// A list with what was added and without what was removed. Items with an id are changed in their place.
fn items(was: &[Value], now: &[Value], ours: &[Value], path: &str, kept: &mut Vec<String>) -> Vec<Value> {
    let mut result = Vec::with_capacity(ours.len());
    for item in ours {
        let known = was.iter().find(|old| is_same(old, item));
        let next = now.iter().find(|new| is_same(new, item));
        match (known, next) {
            // It is gone from the documents.
            (Some(_), None) => {}
            (Some(known), Some(next)) if said(known) == said(item) => result.push(next.clone()),
            (Some(known), Some(next)) => {
                if known != next {
                    let id = item.get("id").and_then(Value::as_str).unwrap_or_default();
                    kept.push(format!("{path} {id}"));
                }
                result.push(item.clone());
            }
            (None, _) => result.push(item.clone()),
        }
    }
    for item in now.iter().filter(|item| !was.iter().any(|old| is_same(old, item))) {
        if !result.iter().any(|own| is_same(own, item)) {
            result.push(item.clone());
        }
    }
    result
}

/// What an item says: its text, or the whole of it.
fn said(item: &Value) -> &Value {
    item.get("text").unwrap_or(item)
}

/// Whether two items are the same one: by their ids, or as a whole.
fn is_same(one: &Value, other: &Value) -> bool {
    let id = |value: &'_ Value| value.get("id").and_then(Value::as_str).map(str::to_owned);
    match (id(one), id(other)) {
        (Some(one), Some(other)) => one == other,
        _ => one == other,
    }
}

fn is_empty(value: &Value) -> bool {
    match value {
        Value::Null => true,
        Value::String(text) => text.is_empty(),
        Value::Array(items) => items.is_empty(),
        Value::Object(map) => map.is_empty(),
        Value::Bool(_) | Value::Number(_) => false,
    }
}
