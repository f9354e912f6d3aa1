//! The way back: an object is built from its fields, keeps what was beside them, and keeps the order it had.

use serde_json::{Map, Number, Value};

use super::node::Node;

/// Where the order of an object's keys is remembered, as one text with blanks between them.
pub(crate) const KEYS: &str = "keys";

/// The keys of an object, in the order written.
pub(crate) fn key_list(node: &Node<'_>) -> String {
    let mut list = String::new();
    for member in node.members() {
        if !list.is_empty() {
            list.push(' ');
        }
        list.push_str(&member.key);
    }
    list
}

/// A number the way people write it: whole ones without a fraction.
pub(crate) fn number(n: f64) -> Value {
    #[expect(
        clippy::cast_possible_truncation,
        reason = "the range is checked, and only whole numbers get here"
    )]
    if n.fract() == 0.0 && n.abs() < 9.0e15 {
        return Value::from(n as i64);
    }
    Number::from_f64(n).map_or(Value::Null, Value::Number)
}

/// The text of a JSON file: two blanks of indent, a line feed at the end.
pub(crate) fn to_text(value: &Value) -> Vec<u8> {
    let mut text = serde_json::to_vec_pretty(value).unwrap_or_default();
    text.push(b'\n');
    text
}

/// An object being written.
pub(crate) struct Record<'t> {
    map: Map<String, Value>,
    kept: &'t Map<String, Value>,
    keys: &'t str,
    is_new: bool,
}

static NOTHING: std::sync::LazyLock<Map<String, Value>> = std::sync::LazyLock::new(Map::new);

impl<'t> Record<'t> {
    /// An object beside whose fields `kept` was found, and whose keys were in the order `keys`.
    pub(crate) fn new(kept: &'t Map<String, Value>, keys: &'t str) -> Self {
        Self { map: Map::new(), kept, keys, is_new: false }
    }

    /// An object that has no original.
    pub(crate) fn fresh() -> Self {
        Self { map: Map::new(), kept: &NOTHING, keys: "", is_new: true }
    }

    /// Whether the original had this key.
    pub(crate) fn had(&self, key: &str) -> bool {
        self.keys.split(' ').any(|k| k == key)
    }

    /// Writes a field. `unchanged` says that reading the kept original gives the field's value of today: then the
    /// original is written. Otherwise keys of the original that the field does not know are carried over.
    pub(crate) fn put(&mut self, key: &str, value: Value, unchanged: bool) {
        let value = match self.kept.get(key) {
            Some(original) if unchanged => original.clone(),
            Some(Value::Object(original)) => overlay(original, value),
            Some(_) | None => value,
        };
        self.map.insert(key.to_owned(), value);
    }

    /// Writes a field that may be left out when it says nothing; it stays where the original had it.
    pub(crate) fn put_if(&mut self, says_something: bool, key: &str, value: Value, unchanged: bool) {
        let kept = self.kept.contains_key(key);
        if says_something || (kept && unchanged) || (!kept && self.had(key)) {
            self.put(key, value, unchanged);
        }
    }

    /// Writes a field the format asks for: a new object has it always, an original is not given what it did without.
    pub(crate) fn put_needed(&mut self, says_something: bool, key: &str, value: Value, unchanged: bool) {
        self.put_if(says_something || self.is_new, key, value, unchanged);
    }

    /// Writes what no field has claimed, then everything in the order the original had.
    pub(crate) fn finish(mut self, unclaimed: impl Fn(&str) -> bool) -> Map<String, Value> {
        for (key, value) in self.kept {
            if !self.map.contains_key(key) && unclaimed(key) {
                self.map.insert(key.clone(), value.clone());
            }
        }
        if self.keys.is_empty() {
            return self.map;
        }
        let mut ordered = Map::with_capacity(self.map.len());
        for key in self.keys.split(' ') {
            if let Some((key, value)) = self.map.remove_entry(key) {
                ordered.insert(key, value);
            }
        }
        ordered.extend(self.map);
        ordered
    }
}

/// `value` over the original, if both are objects.
fn overlay(original: &Map<String, Value>, value: Value) -> Value {
    match value {
        Value::Object(fields) => {
            let mut merged = original.clone();
            merged.extend(fields);
            Value::Object(merged)
        }
        other => other,
    }
}
