//! JSON Schemas in the forms that programs accept: the strict form of OpenAI's models (all keys required, no others
//! allowed, optional values may be `null`, few keywords), and one without `$schema`.

use serde_json::{Map, Value, json};

/// Words that the strict form refuses, or that mean nothing in it.
const UNKNOWN: [&str; 5] = ["$schema", "default", "format", "minimum", "title"];

/// A schema that does not name its draft: Claude Code looks the name up, does not find it, and refuses.
pub(super) fn nameless(schema: &Value) -> Value {
    let mut schema = schema.clone();
    if let Some(fields) = schema.as_object_mut() {
        fields.remove("$schema");
    }
    schema
}

/// The strict form of a schema.
pub(super) fn strict(schema: &Value) -> Value {
    match schema {
        Value::Object(fields) => object(fields),
        Value::Array(items) => Value::Array(items.iter().map(strict).collect()),
        other => other.clone(),
    }
}

fn object(fields: &Map<String, Value>) -> Value {
    // Nothing may stand beside a reference.
    if let Some(reference) = fields.get("$ref") {
        return json!({ "$ref": reference });
    }
    if let Some(words) = fields.get("oneOf").and_then(constants) {
        return json!({ "type": "string", "enum": words });
    }
    let mut strictly = Map::new();
    for (key, value) in fields.iter().filter(|(key, _)| !UNKNOWN.contains(&key.as_str())) {
        match key.as_str() {
            "properties" | "required" | "additionalProperties" => {}
            "oneOf" => drop(strictly.insert("anyOf".to_owned(), strict(value))),
            "$defs" => drop(strictly.insert(key.clone(), named(value))),
            _ => drop(strictly.insert(key.clone(), strict(value))),
        }
    }
    if let Some(properties) = fields.get("properties").and_then(Value::as_object) {
        let required: Vec<&str> = fields
            .get("required")
            .and_then(Value::as_array)
            .into_iter()
            .flatten()
            .filter_map(Value::as_str)
            .collect();
        let all = properties.iter().map(|(name, of)| {
            let of = strict(of);
            (name.clone(), if required.contains(&name.as_str()) { of } else { or_null(of) })
        });
        strictly.insert("properties".to_owned(), Value::Object(all.collect()));
        strictly.insert("required".to_owned(), properties.keys().cloned().collect());
        strictly.insert("additionalProperties".to_owned(), Value::Bool(false));
    }
    Value::Object(strictly)
}

/// Definitions: their names are no words of a schema.
fn named(definitions: &Value) -> Value {
    let each = definitions.as_object().into_iter().flatten();
    Value::Object(each.map(|(name, of)| (name.clone(), strict(of))).collect())
}

/// What may be absent: a list may be empty, everything else may be `null`.
fn or_null(of: Value) -> Value {
    match of.get("type") {
        Some(Value::String(kind)) if kind == "array" => of,
        Some(Value::Array(kinds)) if kinds.contains(&Value::from("null")) => of,
        _ => json!({ "anyOf": [of, { "type": "null" }] }),
    }
}

/// The words of a choice between constants.
fn constants(choices: &Value) -> Option<Vec<Value>> {
    choices.as_array()?.iter().map(|choice| choice.get("const").cloned()).collect()
}

#[cfg(test)]
mod tests {
    use windlass_core::team::schemas;

    use super::*;

    fn check(schema: &Value, path: &str) {
        if let Value::Object(fields) = schema {
            for word in UNKNOWN.iter().chain(&["oneOf"]) {
                assert!(!fields.contains_key(*word) || path.ends_with("properties"), "{path}: {word}");
            }
            if let Some(properties) = fields.get("properties").and_then(Value::as_object) {
                assert_eq!(fields["additionalProperties"], Value::Bool(false), "{path}");
                assert_eq!(fields["required"].as_array().unwrap().len(), properties.len(), "{path}");
            }
            assert!(!fields.contains_key("$ref") || fields.len() == 1, "{path}: {fields:?}");
            for (key, value) in fields {
                check(value, &format!("{path}/{key}"));
            }
        } else if let Value::Array(items) = schema {
            for item in items {
                check(item, path);
            }
        }
    }

    #[test]
    fn what_reviewers_and_integrators_answer_has_a_strict_form() {
        for (name, schema) in schemas() {
            let strictly = strict(&schema.to_value());
            check(&strictly, name);
            assert!(strictly["properties"].as_object().is_some_and(|p| !p.is_empty()), "{name}");
        }
    }

    #[test]
    fn a_choice_of_words_is_an_enumeration_and_what_may_be_absent_may_be_null() {
        let schema = json!({"type": "object", "required": ["a"], "properties": {
            "a": {"oneOf": [{"const": "x", "description": "…"}, {"const": "y"}]},
            "b": {"type": "string", "default": ""}, "c": {"type": "array", "items": {"type": "string"}},
        }});
        let strictly = strict(&schema);
        assert_eq!(strictly["properties"]["a"], json!({"type": "string", "enum": ["x", "y"]}));
        assert_eq!(strictly["properties"]["b"], json!({"anyOf": [{"type": "string"}, {"type": "null"}]}));
        assert_eq!(strictly["properties"]["c"]["type"], "array");
        assert_eq!(strictly["required"], json!(["a", "b", "c"]));
    }
}
