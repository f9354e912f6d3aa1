//! The published JSON Schemas of the native keys and of a plan as JSON, generated from the types and key tables.

use schemars::generate::SchemaSettings;
use serde_json::{Map, Value, json};

use super::native::PLAN_KEYS;
use super::taskfile::TASK_KEYS;
use windlass_core::plan::{Plan, Task};

/// The name of the JSON form of a plan.
const PLAN_SCHEMA: &str = "windlass.plan/1";

/// A plan as one JSON object: `{"schema": "windlass.plan/1", …}`.
pub fn plan_json(plan: &Plan) -> Value {
    let mut object = Map::new();
    object.insert("schema".to_owned(), PLAN_SCHEMA.into());
    if let Ok(Value::Object(fields)) = serde_json::to_value(plan) {
        object.extend(fields);
    }
    Value::Object(object)
}

/// Every schema with its file name, as committed in `docs/schemas`.
pub fn schemas() -> Vec<(&'static str, String)> {
    let pretty = |schema: &Value| format!("{schema:#}\n");
    vec![
        ("plan.json", pretty(&plan_schema())),
        ("plan.toml.schema.json", pretty(&plan_file_schema())),
        ("task.schema.json", pretty(&task_schema())),
    ]
}

fn of<T: schemars::JsonSchema>() -> Value {
    let settings = SchemaSettings::draft2020_12().for_serialize();
    settings.into_generator().into_root_schema_for::<T>().into()
}

fn plan_schema() -> Value {
    let mut schema = of::<Plan>();
    schema["title"] = "A plan as JSON".into();
    schema["properties"]["schema"] = json!({ "const": PLAN_SCHEMA });
    schema["required"] = json!(["schema", "name", "tasks"]);
    schema
}

/// The keys of a task's front matter.
fn task_schema() -> Value {
    let root = of::<Task>();
    let mut properties = Map::new();
    for key in &TASK_KEYS {
        let Some(field) = at(&root, key.field) else { continue };
        for alias in key.aliases {
            let description = format!("Another name of `{}`.", key.name);
            properties.insert((*alias).to_owned(), json!({ "description": description }));
        }
        properties.insert(key.name.to_owned(), field);
    }
    file_schema("The front matter of a task file", &root, &properties)
}

fn plan_file_schema() -> Value {
    let root = of::<Plan>();
    let mut properties = Map::new();
    for key in &PLAN_KEYS {
        let text =
            json!({ "type": "string", "description": "Unknown keys TOML cannot hold, as a JSON object." });
        properties.insert(key.name.to_owned(), at(&root, key.name).unwrap_or(text));
    }
    let description = "Task keys that hold where a task does not set them.";
    properties
        .insert("defaults".to_owned(), json!({ "description": description, "$ref": "task.schema.json" }));
    file_schema("plan.toml", &root, &properties)
}

fn file_schema(title: &str, root: &Value, properties: &Map<String, Value>) -> Value {
    json!({
        "$schema": root["$schema"],
        "title": title,
        "description": "Keys that are not listed are kept, and mean nothing to Windlass.",
        "type": "object",
        "properties": properties,
        "$defs": used_definitions(root, properties),
    })
}

/// The definitions that the properties refer to, directly or through one another.
fn used_definitions(root: &Value, properties: &Map<String, Value>) -> Map<String, Value> {
    let mut used = Map::new();
    let mut open = vec![Value::Object(properties.clone()).to_string()];
    while let Some(text) = open.pop() {
        for name in text.split("\"#/$defs/").skip(1).filter_map(|rest| rest.split('"').next()) {
            if !used.contains_key(name)
                && let Some(definition) = root["$defs"].get(name)
            {
                used.insert(name.to_owned(), definition.clone());
                open.push(definition.to_string());
            }
        }
    }
    used.sort_keys();
    used
}

/// The schema of a field, through references; `test.file` is the `file` of what `test` refers to.
fn at(root: &Value, field: &str) -> Option<Value> {
    let mut parts = field.split('.');
    let mut schema = root.get("properties")?.get(parts.next()?)?.clone();
    for part in parts {
        let direct = schema
            .get("$ref")
            .or_else(|| schema.get("anyOf")?.as_array()?.iter().find_map(|s| s.get("$ref")));
        let name = direct?.as_str()?.strip_prefix("#/$defs/")?;
        schema = root["$defs"].get(name)?.get("properties")?.get(part)?.clone();
    }
    Some(schema)
}
