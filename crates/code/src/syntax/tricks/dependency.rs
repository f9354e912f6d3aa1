//! Packages that a manifest names.

use serde_json::Value;
use windlass_core::path_text::file_name;

use super::{Rule, Trick};
use crate::language::Language;

pub(super) fn look(path: &str, bytes: &[u8], out: &mut Vec<Trick>) {
    let name = file_name(path);
    let Ok(text) = std::str::from_utf8(bytes) else { return };
    for package in Language::families().flat_map(|language| (language.row().tooling.packages)(name, text)) {
        let line = 1 + text.lines().position(|line| line.contains(&package)).unwrap_or(0);
        out.push(Trick { rule: Rule::NewDependency, path: path.to_owned(), line, code: package });
    }
}

/// The names in an object, or the strings in a list.
pub(crate) fn package_names(value: Option<&Value>) -> Vec<String> {
    match value {
        Some(Value::Object(map)) => map.keys().cloned().collect(),
        Some(Value::Array(items)) => {
            items.iter().filter_map(|item| item.as_str().map(str::to_owned)).collect()
        }
        Some(Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_)) | None => Vec::new(),
    }
}
