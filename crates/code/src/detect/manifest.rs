//! Configuration files near a path: the nearest one and its content; and paths seen from directories.

use serde_json::Value;

use crate::repo::Tree;
use crate::script::quote;
pub use windlass_core::path_text::dir_of;

/// Joins a directory and a name.
pub(crate) fn in_dir(dir: &str, name: &str) -> String {
    if dir.is_empty() { name.to_owned() } else { format!("{dir}/{name}") }
}

/// A path as seen from a directory above it.
pub(crate) fn relative<'a>(dir: &str, path: &'a str) -> &'a str {
    if dir.is_empty() {
        path
    } else {
        path.strip_prefix(dir).and_then(|rest| rest.strip_prefix('/')).unwrap_or(path)
    }
}

/// Puts a `cd` in front where the command has to run further in.
pub(crate) fn from_dir(dir: &str, script: &str) -> String {
    if dir.is_empty() { script.to_owned() } else { format!("cd {} && {script}", quote(dir)) }
}

/// Whether a path lies below a directory.
pub(crate) fn is_below(dir: &str, path: &str) -> bool {
    dir.is_empty() || path.strip_prefix(dir).is_some_and(|rest| rest.starts_with('/'))
}

/// The directories from that of `path` up to the root.
pub(crate) fn upwards(path: &str) -> impl Iterator<Item = &str> {
    let mut next = Some(dir_of(path));
    std::iter::from_fn(move || {
        let dir = next?;
        next = (!dir.is_empty()).then(|| dir_of(dir));
        Some(dir)
    })
}

/// The first of these names in one directory.
pub(crate) fn first_in(tree: &dyn Tree, dir: &str, names: &[&str]) -> Option<String> {
    names.iter().map(|name| in_dir(dir, name)).find(|path| tree.has(path))
}

/// The nearest file of one of these names at or above a path.
pub(crate) fn nearest(tree: &dyn Tree, path: &str, names: &[&str]) -> Option<String> {
    upwards(path).find_map(|dir| first_in(tree, dir, names))
}

/// The text of a file.
pub fn text(tree: &dyn Tree, path: &str) -> Option<String> {
    tree.read(path).map(|bytes| String::from_utf8_lossy(&bytes).into_owned())
}

/// A TOML file, if it is there and can be read.
pub fn toml(tree: &dyn Tree, path: &str) -> Option<toml::Table> {
    text(tree, path)?.parse().ok()
}

/// A JSON file, if it is there and can be read.
pub fn json(tree: &dyn Tree, path: &str) -> Option<Value> {
    serde_json::from_slice(&tree.read(path)?).ok()
}

/// Whether a TOML table has this chain of keys.
pub(crate) fn has_key(table: &toml::Table, keys: &[&str]) -> bool {
    let Some((last, path)) = keys.split_last() else { return true };
    let mut current = table;
    for key in path {
        match current.get(*key).and_then(toml::Value::as_table) {
            Some(inner) => current = inner,
            None => return false,
        }
    }
    current.contains_key(*last)
}

#[cfg(test)]
mod tests;
