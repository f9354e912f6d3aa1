//! Checks that replace tests, one for each of the five reasons to have none.

use serde_json::Value;
use windlass_code::repo::Tree;
use windlass_code::{detect, json_schema};
use windlass_core::failure::Gate;
use windlass_core::plan::NoTestReason;

use super::proof::{GateRecord, ProofStrength};

/// Checks a tree by its reason. `Err` says in one line what is missing or wrong.
pub(super) fn check(
    reason: NoTestReason,
    tree: &dyn Tree,
    changed: &[String],
    has_suite: bool,
) -> Result<String, String> {
    match reason {
        NoTestReason::DocumentationOnly => Ok("documentation: a person approves it".into()),
        NoTestReason::ConfigStatic => static_files_parse(tree, changed),
        NoTestReason::TypeDefinitionsOnly => {
            if detect::type_check(tree, changed).is_empty() {
                Err("no type checker is set up that could check type definitions".into())
            } else {
                Ok("the type checker passed".into())
            }
        }
        NoTestReason::DependencyUpdate | NoTestReason::DeleteDeadCode => {
            if has_suite {
                Ok("the existing tests pass".into())
            } else {
                Err("no existing test was found, and `verify.suite` is not set".into())
            }
        }
    }
}

/// A record of a check without a command.
pub(super) fn note(gate: Gate, note: &str) -> GateRecord {
    GateRecord {
        gate,
        command: note.to_owned(),
        exit: None,
        millis: 0,
        build_millis: None,
        output: None,
        report: None,
        strength: ProofStrength::Alternative,
        left: Vec::new(),
        failing_before: Vec::new(),
    }
}

/// The record of a task that is completed without any proof of its own.
pub(super) fn waived() -> GateRecord {
    let said = "unproved: the plan says that this task needs no testing";
    GateRecord { strength: ProofStrength::Unproved, ..note(Gate::Tests, said) }
}

fn static_files_parse(tree: &dyn Tree, changed: &[String]) -> Result<String, String> {
    let (mut known, mut fitting) = (0, 0);
    for path in changed {
        let Some(bytes) = tree.read(path) else { continue };
        let Ok(text) = String::from_utf8(bytes) else {
            return Err(format!("`{path}` is not text"));
        };
        let extension = path.rsplit_once('.').map_or("", |(_, e)| e);
        let parsed = match extension {
            "json" => serde_json::from_str::<Value>(&text).map_err(|e| e.to_string()),
            "toml" => text
                .parse::<toml::Table>()
                .map_err(|e| e.message().to_owned())
                .and_then(|table| serde_json::to_value(table).map_err(|e| e.to_string())),
            "yaml" | "yml" if is_template(&text) => continue,
            "yaml" | "yml" => windlass_formats::yaml_documents(&text).map(|mut all| match all.len() {
                1 => all.remove(0),
                _ => Value::Array(all),
            }),
            _ => continue,
        };
        let value = parsed.map_err(|e| format!("`{path}` does not parse: {e}"))?;
        known += 1;
        fitting += usize::from(fits_schema(tree, path, &value)?);
    }
    let fit = if fitting > 0 { format!(", {fitting} of them fit their schema") } else { String::new() };
    Ok(format!("{known} static files parse{fit}"))
}

/// Whether a program fills the text in before anything reads it as YAML: charts of Helm, templates of Ansible and Jinja.
fn is_template(text: &str) -> bool {
    text.contains("{{") || text.contains("{%")
}

/// Whether a file has a schema in the repository, which it must fit: the one that `$schema` names, or `x.schema.json`
/// beside `x.json`.
fn fits_schema(tree: &dyn Tree, path: &str, value: &Value) -> Result<bool, String> {
    let folder = detect::dir_of(path);
    let named = value.get("$schema").and_then(Value::as_str).filter(|name| !name.contains("://"));
    let beside = || Some(format!("{}.schema.json", path.rsplit_once('.')?.0));
    let at = |name: &str| {
        let name = name.trim_start_matches("./");
        if folder.is_empty() { name.to_owned() } else { format!("{folder}/{name}") }
    };
    let Some(schema) = named.map(at).or_else(beside).filter(|schema| *schema != path && tree.has(schema))
    else {
        return Ok(false);
    };
    let text = tree.read(&schema).unwrap_or_default();
    let parsed: Value =
        serde_json::from_slice(&text).map_err(|e| format!("the schema `{schema}` does not parse: {e}"))?;
    match json_schema::misfit(&parsed, value) {
        Ok(None) => Ok(true),
        Ok(Some(what)) => Err(format!("`{path}` does not fit `{schema}`: {what}")),
        Err(why) => Err(format!("`{path}` cannot be checked against `{schema}`: {why}")),
    }
}

#[cfg(test)]
mod tests;
