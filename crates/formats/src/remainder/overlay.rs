//! The difference between two documents, and laying it over the smaller one again.
//!
//! A list whose items both documents have is compared item by item: `{"*": 3, "1": {…}}` is a change to the second of three.
//! Where both documents have a value, the difference keeps a mark of the one it replaces. If the value is another one when the
//! difference is laid over, it was changed since, and it stays.

use serde::Serialize;
use serde_json::{Map, Value};

use windlass_core::ids::BlobName;

/// The key of the marks in a difference.
const MARKS: &str = "over";
/// The key of the number of items in the difference of two lists.
const ITEMS: &str = "*";

/// The fields that turn `back` into `whole`, whatever either says later.
pub(super) fn unmarked(whole: Map<String, Value>, back: &Map<String, Value>) -> Map<String, Value> {
    between(whole, back, "", &mut Map::new())
}

/// The fields that turn `back` into `whole`, with the marks of what they replace; empty if there are none.
pub(super) fn difference(whole: Map<String, Value>, back: &Map<String, Value>) -> Map<String, Value> {
    let mut marks = Map::new();
    let mut rest = between(whole, back, "", &mut marks);
    if !marks.is_empty() {
        rest.insert(MARKS.to_owned(), Value::Object(marks));
    }
    rest
}

fn between(
    whole: Map<String, Value>,
    back: &Map<String, Value>,
    at: &str,
    marks: &mut Map<String, Value>,
) -> Map<String, Value> {
    let mut rest = Map::new();
    for (key, value) in back {
        if key != "extra" && !whole.contains_key(key) {
            if !is_place(at, key) {
                marks.insert(format!("{at}{key}"), mark(value));
            }
            rest.insert(key.clone(), nothing(key, value));
        }
    }
    for (key, value) in whole {
        let is_place = is_place(at, &key);
        let at = format!("{at}{key}");
        match (value, back.get(&key)) {
            (Value::Object(inner), Some(Value::Object(base))) if key == "extra" => {
                let inner = changed(inner, base);
                if !inner.is_empty() {
                    rest.insert(key, Value::Object(inner));
                }
            }
            (Value::Object(inner), Some(Value::Object(base))) => {
                let inner = between(inner, base, &format!("{at}/"), marks);
                if !inner.is_empty() {
                    rest.insert(key, Value::Object(inner));
                }
            }
            (Value::Array(items), Some(Value::Array(base))) if items != *base && paired(&items, base) => {
                rest.insert(key, Value::Object(between_items(items, base, &at, marks)));
            }
            (value, base) if base != Some(&value) => {
                if let Some(base) = base.filter(|_| !is_place) {
                    marks.insert(at, mark(base));
                }
                rest.insert(key, value);
            }
            _ => {}
        }
    }
    rest
}

/// Whether a field says where a task stands in its plan. A file may imply it from the tasks around, whose change is not one
/// of this task.
fn is_place(at: &str, key: &str) -> bool {
    at.is_empty() && matches!(key, "id" | "parent" | "depends_on" | "phase" | "level")
}

/// Whether two lists have the same number of items, all of them objects.
fn paired(items: &[Value], base: &[Value]) -> bool {
    items.len() == base.len() && items.iter().chain(base).all(Value::is_object)
}

fn between_items(
    items: Vec<Value>,
    base: &[Value],
    at: &str,
    marks: &mut Map<String, Value>,
) -> Map<String, Value> {
    let mut rest = Map::from_iter([(ITEMS.to_owned(), items.len().into())]);
    for (index, (item, base)) in items.into_iter().zip(base).enumerate() {
        let (Value::Object(item), Value::Object(base)) = (item, base) else { continue };
        let inner = between(item, base, &format!("{at}/{index}/"), marks);
        if !inner.is_empty() {
            rest.insert(index.to_string(), Value::Object(inner));
        }
    }
    rest
}

/// The keys of `extra` that changed. Keys that a file added stay.
fn changed(whole: Map<String, Value>, back: &Map<String, Value>) -> Map<String, Value> {
    whole.into_iter().filter(|(key, value)| back.get(key) != Some(value)).collect()
}

/// The empty value for a field that came back with a value it did not have.
fn nothing(key: &str, value: &Value) -> Value {
    match value {
        Value::Array(_) => Value::Array(Vec::new()),
        Value::Object(_) if matches!(key, "session" | "verification") => Value::Null,
        Value::Object(fields) => {
            Value::Object(fields.iter().map(|(k, v)| (k.clone(), nothing(k, v))).collect())
        }
        Value::String(_) if matches!(key, "objective" | "description" | "notes") => "".into(),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => Value::Null,
    }
}

/// A short name of a value.
fn mark(value: &Value) -> Value {
    let name = BlobName::of(value.to_string().as_bytes());
    name.checked().unwrap_or_default().chars().take(8).collect::<String>().into()
}

/// Lays a difference over a document. What was changed in the document since stays as it is.
pub(super) fn lay_over<T: Serialize + serde::de::DeserializeOwned>(
    below: &T,
    mut above: Value,
) -> serde_json::Result<T> {
    let mut whole = serde_json::to_value(below)?;
    if let Some(Value::Object(marks)) = above.as_object_mut().and_then(|o| o.shift_remove(MARKS)) {
        for (path, marked) in marks {
            let now = path.split('/').try_fold(&whole, |value, key| member(value, key));
            if now.map(mark) != Some(marked) {
                remove(&mut above, &path);
            }
        }
    }
    merge(&mut whole, above);
    serde_json::from_value(whole)
}

fn member<'v>(value: &'v Value, key: &str) -> Option<&'v Value> {
    match value {
        Value::Object(fields) => fields.get(key),
        Value::Array(items) => items.get(key.parse::<usize>().ok()?),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => None,
    }
}

fn remove(value: &mut Value, path: &str) {
    let (inner, key) = path.rsplit_once('/').map_or(("", path), |(inner, key)| (inner, key));
    let mut keys = inner.split('/').filter(|key| !key.is_empty());
    let holder = keys.try_fold(value, |value, key| value.get_mut(key));
    if let Some(Value::Object(fields)) = holder {
        fields.shift_remove(key);
    }
}

fn merge(below: &mut Value, above: Value) {
    match (below, above) {
        (Value::Object(below), Value::Object(above)) => {
            for (key, value) in above {
                match items_of(&value) {
                    Some(count) => merge_items(below.get_mut(&key), value, count),
                    None => merge(below.entry(key).or_insert(Value::Null), value),
                }
            }
        }
        (below, above) => *below = above,
    }
}

/// The number of items of the lists that a value is the difference of.
fn items_of(value: &Value) -> Option<usize> {
    usize::try_from(value.get(ITEMS)?.as_u64()?).ok()
}

/// Lays the difference of two lists over a list that still has as many items.
fn merge_items(list: Option<&mut Value>, above: Value, count: usize) {
    let (Some(Value::Array(items)), Value::Object(above)) = (list, above) else { return };
    if items.len() != count {
        return;
    }
    for (key, value) in above {
        if let Some(item) = key.parse::<usize>().ok().and_then(|at| items.get_mut(at)) {
            merge(item, value);
        }
    }
}

#[cfg(test)]
mod tests;
