//! Packages that a manifest names.

use serde_json::Value;

use super::{Rule, Trick};

pub(super) fn look(path: &str, bytes: &[u8], out: &mut Vec<Trick>) {
    let name = path.rsplit('/').next().unwrap_or(path);
    let Ok(text) = std::str::from_utf8(bytes) else { return };
    for package in packages(name, text) {
        let line = 1 + text.lines().position(|line| line.contains(&package)).unwrap_or(0);
        out.push(Trick { rule: Rule::NewDependency, path: path.to_owned(), line, code: package });
    }
}

fn packages(file: &str, text: &str) -> Vec<String> {
    let toml = || -> Option<Value> { serde_json::to_value(text.parse::<toml::Table>().ok()?).ok() };
    match file {
        "package.json" => {
            let manifest = serde_json::from_str(text).unwrap_or(Value::Null);
            let tables = [
                "dependencies",
                "devDependencies",
                "peerDependencies",
                "optionalDependencies",
                "bundledDependencies",
            ];
            tables.iter().flat_map(|table| keys(manifest.get(*table))).collect()
        }
        "Cargo.toml" => toml().map(|manifest| in_cargo(&manifest)).unwrap_or_default(),
        "pyproject.toml" => toml().map(|manifest| in_pyproject(&manifest)).unwrap_or_default(),
        "go.mod" => in_go(text),
        _ if file.starts_with("requirements") && file.ends_with(".txt") => {
            let lines = text.lines().map(str::trim).filter(|line| !line.starts_with(['#', '-']));
            lines.filter_map(requirement).collect()
        }
        _ => Vec::new(),
    }
}

/// The names in an object, or the strings in a list.
fn keys(value: Option<&Value>) -> Vec<String> {
    match value {
        Some(Value::Object(map)) => map.keys().cloned().collect(),
        Some(Value::Array(items)) => {
            items.iter().filter_map(|item| item.as_str().map(str::to_owned)).collect()
        }
        Some(Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_)) | None => Vec::new(),
    }
}

fn in_cargo(manifest: &Value) -> Vec<String> {
    const TABLES: [&str; 3] = ["dependencies", "dev-dependencies", "build-dependencies"];
    let of = |table: &Value| TABLES.iter().flat_map(|name| keys(table.get(*name))).collect::<Vec<_>>();
    let targets = manifest.get("target").and_then(Value::as_object);
    let targets = targets.into_iter().flat_map(|map| map.values()).flat_map(of);
    of(manifest).into_iter().chain(targets).chain(keys(manifest.pointer("/workspace/dependencies"))).collect()
}

fn in_pyproject(manifest: &Value) -> Vec<String> {
    let groups = ["/project/optional-dependencies", "/dependency-groups"]
        .iter()
        .filter_map(|place| manifest.pointer(place)?.as_object())
        .flat_map(|map| map.values())
        .flat_map(|list| keys(Some(list)));
    let listed = keys(manifest.pointer("/project/dependencies")).into_iter().chain(groups);
    let poetry = keys(manifest.pointer("/tool/poetry/dependencies"));
    listed
        .filter_map(|line| requirement(&line))
        .chain(poetry.into_iter().filter(|name| name != "python"))
        .collect()
}

/// The name at the beginning of `name[extra]>=1.0; marker`.
fn requirement(line: &str) -> Option<String> {
    let name: String = line
        .trim()
        .chars()
        .take_while(|c| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.'))
        .collect();
    (!name.is_empty()).then_some(name)
}

fn in_go(text: &str) -> Vec<String> {
    let mut inside = false;
    let mut found = Vec::new();
    for line in text.lines().map(str::trim) {
        let rest = line.strip_prefix("require ").map(str::trim);
        match rest {
            Some("(") => inside = true,
            Some(one) => found.extend(one.split_whitespace().next().map(str::to_owned)),
            None if line == ")" => inside = false,
            None if inside && !line.starts_with("//") => {
                found.extend(line.split_whitespace().next().map(str::to_owned));
            }
            None => {}
        }
    }
    found
}
