//! What matters of a manifest: the keys that decide whether and how tests run, what the package is, what it runs. A task may own the
//! manifest; the first two it may not change.
//!
//! One row per file, in the table of its language. Knows names of keys, not what a change of one would do.

use std::collections::BTreeMap;

use serde_json::Value;
use windlass_core::path_text::file_name;

use crate::language::Language;

/// A table of a manifest, empty for its top level, and keys in it.
type KeysOfTable = (&'static str, &'static [&'static str]);
/// Keys by the names that findings call them.
pub(crate) type ManifestKeys = BTreeMap<String, Value>;

/// A manifest or another file at the top of a project, and what of it matters.
pub(crate) struct ManifestRow {
    pub(crate) name: &'static str,
    /// Its content as tables; `None` where it has no keys.
    pub(crate) read: fn(&str) -> Option<Value>,
    /// Keys that decide whether and how tests run.
    pub(crate) test_keys: &'static [KeysOfTable],
    /// Further ones, which no table names.
    pub(crate) further_test_keys: fn(&Value) -> ManifestKeys,
    /// Keys that say what the package is: its name and the ways into it.
    pub(crate) identity: &'static [KeysOfTable],
    /// Further ones, which no table names.
    pub(crate) further_identity: fn(&Value) -> ManifestKeys,
    /// What a new one says to turn tests off.
    pub(crate) tests_off: fn(&Value) -> Vec<&'static str>,
    /// Whether it lists packages under the names by which code imports them.
    pub(crate) lists_imports: bool,
    /// The part of its text that runs tools.
    pub(crate) commands: Option<fn(&str) -> String>,
    /// The program that runs the tests which it lists.
    pub(crate) run_by: Option<&'static str>,
    /// Whether its commands count in every directory, and not at the root alone.
    pub(crate) in_members: bool,
}

/// A file of which nothing matters.
pub(crate) const MANIFEST: ManifestRow = ManifestRow {
    name: "",
    read: |_| None,
    test_keys: &[],
    further_test_keys: |_| ManifestKeys::new(),
    identity: &[],
    further_identity: |_| ManifestKeys::new(),
    tests_off: |_| Vec::new(),
    lists_imports: false,
    commands: None,
    run_by: None,
    in_members: false,
};

impl ManifestRow {
    /// Every known file.
    pub(crate) fn all() -> impl Iterator<Item = &'static Self> {
        Language::families().flat_map(|language| language.row().tooling.manifests)
    }

    /// The row of the file at a path.
    pub(crate) fn of(path: &str) -> Option<&'static Self> {
        Self::all().find(|row| row.name == file_name(path))
    }
}

/// Content hash by key of everything in a manifest that tests depend on; `None` for a file that is no such manifest or
/// does not parse. A key that is not there has a hash too: adding it is a change.
pub fn runner_keys(path: &str, bytes: &[u8]) -> Option<BTreeMap<String, String>> {
    let row = ManifestRow::of(path)?;
    let manifest = (row.read)(std::str::from_utf8(bytes).ok()?)?;
    let mut keys = (row.further_test_keys)(&manifest);
    for (table, names) in row.test_keys {
        let label = |name: &str| if table.is_empty() { name.to_owned() } else { format!("{table}.{name}") };
        keys.extend(names.iter().map(|name| (label(name), key(&manifest, table, name))));
    }
    let keys = keys.into_iter().map(|(key, value)| (format!("{key} (key)"), value));
    let hashed = |value: Value| blake3::hash(sorted(value).to_string().as_bytes()).to_hex().to_string();
    Some(keys.chain(identity(row, &manifest)).map(|(key, value)| (key, hashed(value))).collect())
}

/// What a key of an owned manifest is called if it says what the package is, and not how its tests run: a task that speaks
/// of it may change it.
pub fn identity_word(key: &str) -> Option<&str> {
    key.strip_suffix(IDENTITY)
}

const IDENTITY: &str = " (identity)";

/// The name of a package and the ways into it. A package that takes the name of another one, or that leads an import
/// elsewhere, decides what tests import. One that is not there may be added, except the name.
fn identity(row: &ManifestRow, manifest: &Value) -> Vec<(String, Value)> {
    let all = row.identity.iter().flat_map(|(table, names)| names.iter().map(move |name| (*table, *name)));
    let known = all.map(|(table, name)| (name.to_owned(), key(manifest, table, name)));
    let known = known.filter(|(name, value)| name == "name" || !value.is_null());
    let all = known.chain((row.further_identity)(manifest));
    all.map(|(name, value)| (format!("{name}{IDENTITY}"), value)).collect()
}

/// The value of a key in a table; null where it is not there.
fn key(manifest: &Value, table: &str, name: &str) -> Value {
    let table = if table.is_empty() { Some(manifest) } else { manifest.get(table) };
    table.and_then(|table| table.get(name)).cloned().unwrap_or(Value::Null)
}

/// A JSON manifest.
pub(crate) fn json_value(text: &str) -> Option<Value> {
    serde_json::from_str(text).ok()
}

/// A TOML manifest.
pub(crate) fn toml_value(text: &str) -> Option<Value> {
    serde_json::to_value(text.parse::<toml::Table>().ok()?).ok()
}

/// An INI file: whole sections, without comments.
pub(crate) fn ini_value(text: &str) -> Option<Value> {
    let mut sections: BTreeMap<&str, String> = BTreeMap::new();
    let mut current = None;
    for line in text.lines().map(str::trim_end) {
        if let Some(name) = line.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')) {
            current = Some(name);
        } else if let Some(name) = current
            && !line.is_empty()
            && !line.starts_with(['#', ';'])
        {
            let section = sections.entry(name).or_default();
            section.push_str(line);
            section.push('\n');
        }
    }
    serde_json::to_value(sections).ok()
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
