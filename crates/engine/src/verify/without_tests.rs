//! Checks that replace tests, one for each of the five reasons to have none.

use windlass_code::detect;
use windlass_code::repo::Tree;
use windlass_core::failure::Gate;
use windlass_core::plan::NoTestReason;

use super::proof::GateRecord;

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
                Err("`verify.suite` is not set, so the existing tests cannot be run".into())
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
        output: None,
        report: None,
        strength: "alternative".into(),
        left: Vec::new(),
    }
}

fn static_files_parse(tree: &dyn Tree, changed: &[String]) -> Result<String, String> {
    let mut known = 0;
    for path in changed {
        let Some(bytes) = tree.read(path) else { continue };
        let Ok(text) = String::from_utf8(bytes) else {
            return Err(format!("`{path}` is not text"));
        };
        let extension = path.rsplit_once('.').map_or("", |(_, e)| e);
        let parsed = match extension {
            "json" => serde_json::from_str::<serde_json::Value>(&text).map(drop).map_err(|e| e.to_string()),
            "toml" => text.parse::<toml::Table>().map(drop).map_err(|e| e.message().to_owned()),
            _ => continue,
        };
        parsed.map_err(|e| format!("`{path}` does not parse: {e}"))?;
        known += 1;
    }
    Ok(format!("{known} static files parse"))
}

#[cfg(test)]
mod tests;
