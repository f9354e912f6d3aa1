//! What a `$ref` of a schema leads to, inside the same document.

use serde_json::{Map, Value};

use super::{Judge, Stop, unjudged};

/// Whether the schema is of a draft in which a `$ref` hides everything beside it.
pub(super) fn refs_stand_alone(root: &Value) -> bool {
    let draft = root.get("$schema").and_then(Value::as_str).unwrap_or_default();
    ["draft-03", "draft-04", "draft-06", "draft-07"].iter().any(|old| draft.contains(old))
}

impl<'a> Judge<'a> {
    /// The schema that these rules refer to.
    pub(super) fn referred(&self, rules: &Map<String, Value>) -> Result<Option<&'a Value>, Stop> {
        for dynamic in ["$dynamicRef", "$recursiveRef"] {
            if rules.contains_key(dynamic) {
                return unjudged(format!("it uses `{dynamic}`"));
            }
        }
        match rules.get("$ref") {
            None => Ok(None),
            Some(Value::String(reference)) => self.target(reference).map(Some),
            Some(_) => unjudged("`$ref` is not a string"),
        }
    }

    fn target(&self, reference: &str) -> Result<&'a Value, Stop> {
        let (document, fragment) = reference.split_once('#').unwrap_or((reference, ""));
        let Some(document) = self.document(document) else {
            return unjudged(format!("it refers to `{reference}`, which is another document"));
        };
        let fragment = percent_decoded(fragment);
        let found = if fragment.is_empty() {
            Some(document)
        } else if fragment.starts_with('/') {
            document.pointer(&fragment)
        } else {
            find(document, &|rules| has_anchor(rules, &fragment))
        };
        found.map_or_else(|| unjudged(format!("it refers to `{reference}`, which it does not have")), Ok)
    }

    /// This document, or a schema inside it that has the name.
    fn document(&self, name: &str) -> Option<&'a Value> {
        if name.is_empty() {
            return Some(self.root);
        }
        // A relative name is resolved against the name of the whole: only its last part differs.
        let base = id(self.root.as_object()?).unwrap_or_default();
        let folder = base.rfind('/').map_or("", |end| &base[..=end]);
        let whole = format!("{folder}{name}");
        find(self.root, &|rules| {
            id(rules).is_some_and(|id| {
                let id = id.trim_end_matches('#');
                id == name || id == whole
            })
        })
    }
}

fn id(rules: &Map<String, Value>) -> Option<&str> {
    rules.get("$id").or_else(|| rules.get("id")).and_then(Value::as_str)
}

fn has_anchor(rules: &Map<String, Value>, name: &str) -> bool {
    rules.get("$anchor").and_then(Value::as_str) == Some(name)
        || id(rules).and_then(|id| id.strip_prefix('#')) == Some(name)
}

/// The first schema, from the outside in, that answers yes.
fn find<'v>(value: &'v Value, is_it: &dyn Fn(&Map<String, Value>) -> bool) -> Option<&'v Value> {
    match value {
        Value::Object(rules) if is_it(rules) => Some(value),
        Value::Object(rules) => rules
            .iter()
            .filter(|(key, _)| !matches!(key.as_str(), "enum" | "const" | "default" | "examples"))
            .find_map(|(_, inner)| find(inner, is_it)),
        Value::Array(all) => all.iter().find_map(|inner| find(inner, is_it)),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => None,
    }
}

/// The fragment of a URL as text: `%25` is `%`.
fn percent_decoded(fragment: &str) -> String {
    let mut bytes = Vec::with_capacity(fragment.len());
    let mut rest = fragment.as_bytes();
    while let Some((&first, after)) = rest.split_first() {
        let hex = after.get(..2).filter(|_| first == b'%').and_then(|hex| std::str::from_utf8(hex).ok());
        if let Some(byte) = hex.and_then(|hex| u8::from_str_radix(hex, 16).ok()) {
            bytes.push(byte);
            rest = &after[2..];
        } else {
            bytes.push(first);
            rest = after;
        }
    }
    String::from_utf8_lossy(&bytes).into_owned()
}
