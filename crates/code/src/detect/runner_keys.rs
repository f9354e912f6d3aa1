//! The keys of a manifest that decide whether and how tests run. A task may own the manifest; these it may not change.
//!
//! Knows names of keys, not what a change of one would do.

use std::collections::BTreeMap;
use windlass_core::path_text::file_name;

use serde_json::{Map, Value};

/// Names of package scripts that run by themselves, or that checks call.
const SCRIPTS: [&str; 12] = [
    "test",
    "pretest",
    "posttest",
    "prepare",
    "preinstall",
    "install",
    "postinstall",
    "prepublish",
    "preprepare",
    "postprepare",
    "lint",
    "typecheck",
];

const PACKAGE: [&str; 8] = ["jest", "vitest", "mocha", "ava", "c8", "nyc", "tap", "packageManager"];
const PACKAGE_TOML: [&str; 5] = ["build", "autotests", "links", "workspace", "metadata"];
const LIB: [&str; 4] = ["test", "harness", "path", "proc-macro"];

/// Content hash by key of everything in a manifest that tests depend on; `None` for a file that is no such manifest or
/// does not parse. A key that is not there has a hash too: adding it is a change.
pub fn runner_keys(path: &str, bytes: &[u8]) -> Option<BTreeMap<String, String>> {
    let name = file_name(path);
    let text = std::str::from_utf8(bytes).ok()?;
    let keys = match name {
        "Cargo.toml" => cargo(&toml_value(text)?),
        "package.json" => package(&serde_json::from_str(text).ok()?),
        "pyproject.toml" => pyproject(&toml_value(text)?),
        "setup.cfg" => {
            sections(text, &["tool:pytest", "pytest", "aliases", "coverage:run", "options.entry_points"])
        }
        _ => return None,
    };
    let keys =
        keys.into_iter().map(|(key, value)| (format!("{key} (key)"), value)).chain(identity(name, text));
    let hashed = |value: Value| blake3::hash(sorted(value).to_string().as_bytes()).to_hex().to_string();
    Some(keys.map(|(key, value)| (key, hashed(value))).collect())
}

/// What a key of an owned manifest is called if it says what the package is, and not how its tests run: a task that speaks
/// of it may change it.
pub fn identity_word(key: &str) -> Option<&str> {
    key.strip_suffix(IDENTITY)
}

const IDENTITY: &str = " (identity)";

/// The name of a package and the ways into it. A package that takes the name of another one, or that leads an import
/// elsewhere, decides what tests import. One that is not there may be added, except the name.
fn identity(file: &str, text: &str) -> Vec<(String, Value)> {
    const PACKAGE: [&str; 6] = ["name", "exports", "imports", "main", "module", "bin"];
    const PROJECT: [&str; 4] = ["name", "scripts", "gui-scripts", "entry-points"];
    let (manifest, keys): (Option<Value>, Vec<(&str, Vec<&str>)>) = match file {
        "package.json" => {
            let keys = PACKAGE.iter().map(|key| (*key, vec![*key]));
            (serde_json::from_str(text).ok(), keys.collect())
        }
        "pyproject.toml" => {
            let keys = PROJECT.iter().map(|key| (*key, vec!["project", *key]));
            (toml_value(text), keys.collect())
        }
        "Cargo.toml" => (toml_value(text), vec![("name", vec!["package", "name"])]),
        _ => (None, Vec::new()),
    };
    let Some(manifest) = manifest else { return Vec::new() };
    let built = if file == "package.json" { build_scripts(&manifest) } else { Keys::new() };
    let built = built.into_iter().map(|(word, value)| (format!("{word}{IDENTITY}"), value));
    let value = |(word, path): (&str, Vec<&str>)| (word.to_owned(), at(&manifest, &path));
    let known = keys.into_iter().map(value).filter(|(word, value)| word == "name" || !value.is_null());
    known.map(|(word, value)| (format!("{word}{IDENTITY}"), value)).chain(built).collect()
}

/// The scripts that build a package, and those that they and the test script call: tests may import what they make.
fn build_scripts(manifest: &Value) -> Keys {
    let scripts = manifest.get("scripts").and_then(Value::as_object);
    let script = |name: &str| scripts?.get(name)?.as_str();
    let mut open: Vec<&str> = ["build", "prebuild", "postbuild", "compile"].to_vec();
    open.extend(["pretest", "test"].iter().filter_map(|name| script(name)).flat_map(str::split_whitespace));
    let mut keys = Keys::new();
    while let Some(name) = open.pop() {
        let frozen = SCRIPTS.contains(&name) || name.contains("test") || keys.contains_key(name);
        if let Some(command) = script(name).filter(|_| !frozen) {
            keys.insert(name.to_owned(), Value::String(command.to_owned()));
            open.extend(command.split_whitespace());
        }
    }
    keys
}

fn toml_value(text: &str) -> Option<Value> {
    serde_json::to_value(text.parse::<toml::Table>().ok()?).ok()
}

fn at(value: &Value, keys: &[&str]) -> Value {
    keys.iter().try_fold(value, |value, key| value.get(key)).cloned().unwrap_or(Value::Null)
}

type Keys = BTreeMap<String, Value>;

fn cargo(manifest: &Value) -> Keys {
    let mut keys = Keys::new();
    for key in PACKAGE_TOML {
        keys.insert(format!("package.{key}"), at(manifest, &["package", key]));
    }
    for key in LIB {
        keys.insert(format!("lib.{key}"), at(manifest, &["lib", key]));
    }
    for key in ["test", "bench", "patch", "replace", "cargo-features", "build-dependencies"] {
        keys.insert(key.to_owned(), at(manifest, &[key]));
    }
    for (table, key) in [
        ("profile", "test"),
        ("profile", "dev"),
        ("workspace", "exclude"),
        ("workspace", "default-members"),
        ("workspace", "metadata"),
    ] {
        keys.insert(format!("{table}.{key}"), at(manifest, &[table, key]));
    }
    // Only keys of programs that decide whether their tests run: a task may add a program.
    let programs = at(manifest, &["bin"]);
    let off = |bin: &&Value| bin.get("test").is_some() || bin.get("harness").is_some();
    let programs: Vec<Value> = programs.as_array().into_iter().flatten().filter(off).cloned().collect();
    keys.insert("bin".to_owned(), Value::Array(programs));
    keys
}

fn package(manifest: &Value) -> Keys {
    let mut keys = Keys::new();
    for key in PACKAGE {
        keys.insert(key.to_owned(), at(manifest, &[key]));
    }
    for key in SCRIPTS {
        keys.insert(format!("scripts.{key}"), at(manifest, &["scripts", key]));
    }
    // `test:unit` and its hooks belong to the tests as well.
    let scripts = at(manifest, &["scripts"]);
    let tests: Map<String, Value> = scripts
        .as_object()
        .into_iter()
        .flatten()
        .filter(|(name, _)| name.contains("test") && !SCRIPTS.contains(&name.as_str()))
        .map(|(name, value)| (name.clone(), value.clone()))
        .collect();
    keys.insert("scripts.*test*".to_owned(), Value::Object(tests));
    keys
}

fn pyproject(manifest: &Value) -> Keys {
    let mut keys = Keys::new();
    for tool in ["pytest", "coverage", "tox", "nox", "hatch", "pdm", "poe", "taskipy"] {
        keys.insert(format!("tool.{tool}"), at(manifest, &["tool", tool]));
    }
    keys.insert("build-system".to_owned(), at(manifest, &["build-system"]));
    keys.insert("pytest plugins".to_owned(), at(manifest, &["project", "entry-points", "pytest11"]));
    keys.insert("poetry plugins".to_owned(), at(manifest, &["tool", "poetry", "plugins"]));
    keys
}

/// Whole sections of an ini file.
fn sections(text: &str, wanted: &[&str]) -> Keys {
    let mut keys: Keys = wanted.iter().map(|name| ((*name).to_owned(), Value::Null)).collect();
    let mut current: Option<String> = None;
    for line in text.lines() {
        let trimmed = line.trim_end();
        if let Some(name) = trimmed.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')) {
            current = wanted.contains(&name).then(|| name.to_owned());
        } else if let Some(name) = &current
            && !trimmed.is_empty()
            && !trimmed.starts_with(['#', ';'])
        {
            let known = keys.entry(name.clone()).or_default();
            let before = known.as_str().unwrap_or_default().to_owned();
            *known = Value::String(format!("{before}{trimmed}\n"));
        }
    }
    keys
}

/// The order of keys does not count.
fn sorted(value: Value) -> Value {
    match value {
        Value::Object(map) => {
            let mut pairs: Vec<(String, Value)> = map.into_iter().map(|(k, v)| (k, sorted(v))).collect();
            pairs.sort_by(|a, b| a.0.cmp(&b.0));
            Value::Object(pairs.into_iter().collect())
        }
        Value::Array(items) => Value::Array(items.into_iter().map(sorted).collect()),
        other => other,
    }
}

#[cfg(test)]
mod tests;
