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

/// The nearest C# project at or above a path.
pub(crate) fn csharp_project(tree: &dyn Tree, file: &str) -> Option<String> {
    let projects: Vec<&String> = tree.paths().iter().filter(|path| path.ends_with(".csproj")).collect();
    upwards(file).find_map(|dir| projects.iter().find(|path| dir_of(path) == dir).map(|path| (*path).clone()))
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

/// Whether the tree has this file.
pub(crate) fn exists(tree: &dyn Tree, path: &str) -> bool {
    tree.has(path)
}

/// The first of these names in one directory.
pub(crate) fn first_in(tree: &dyn Tree, dir: &str, names: &[&str]) -> Option<String> {
    names.iter().map(|name| in_dir(dir, name)).find(|path| exists(tree, path))
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

/// Whether a `package.json` lists this package as a dependency of any kind.
pub(crate) fn depends_on(package: &Value, name: &str) -> bool {
    ["dependencies", "devDependencies", "peerDependencies", "optionalDependencies"]
        .iter()
        .any(|kind| package.get(kind).is_some_and(|list| list.get(name).is_some()))
}

/// Whether any `package.json` at or above a path lists one of these packages.
pub(crate) fn any_depends_on(tree: &dyn Tree, path: &str, names: &[&str]) -> bool {
    upwards(path)
        .filter_map(|dir| json(tree, &in_dir(dir, "package.json")))
        .any(|package| names.iter().any(|name| depends_on(&package, name)))
}

/// The package that a Rust file belongs to.
pub(crate) struct CargoPackage {
    /// Its directory.
    pub(crate) dir: String,
    /// Its name.
    pub(crate) name: String,
    /// Its edition.
    pub(crate) edition: String,
    /// Its manifest.
    pub(crate) manifest: toml::Table,
}

/// The nearest Cargo package at or above a path.
pub(crate) fn cargo_package(tree: &dyn Tree, path: &str) -> Option<CargoPackage> {
    upwards(path).find_map(|dir| {
        let manifest = toml(tree, &in_dir(dir, "Cargo.toml"))?;
        let package = manifest.get("package")?.as_table()?;
        let name = package.get("name")?.as_str()?.to_owned();
        let edition = match package.get("edition") {
            Some(toml::Value::String(edition)) => edition.clone(),
            Some(_) => workspace_edition(tree, path).unwrap_or_else(|| "2021".to_owned()),
            None => "2015".to_owned(),
        };
        Some(CargoPackage { dir: dir.to_owned(), name, edition, manifest })
    })
}

fn workspace_edition(tree: &dyn Tree, path: &str) -> Option<String> {
    upwards(path).find_map(|dir| {
        let manifest = toml(tree, &in_dir(dir, "Cargo.toml"))?;
        let edition = manifest.get("workspace")?.get("package")?.get("edition")?;
        edition.as_str().map(str::to_owned)
    })
}

/// The outermost directory with a `Cargo.toml` at or above a path: where cargo is best started. A workspace that excludes the package
/// is another one's.
pub(crate) fn cargo_root(tree: &dyn Tree, path: &str) -> Option<String> {
    let mut root: Option<String> = None;
    for dir in upwards(path) {
        let manifest = in_dir(dir, "Cargo.toml");
        if exists(tree, &manifest) {
            let table = toml(tree, &manifest).unwrap_or_default();
            let workspace = table.get("workspace");
            let package = root.as_deref().unwrap_or(dir);
            if root.is_none() || workspace.is_some_and(|own| !excludes(own, relative(dir, package))) {
                root = Some(dir.to_owned());
            }
        }
    }
    root
}

/// Whether a workspace excludes the package in a directory, which is seen from the workspace's own. What it names as a member by a
/// path without a pattern stays one.
fn excludes(workspace: &toml::Value, package: &str) -> bool {
    let named = |key: &str, is_it: &dyn Fn(&str) -> bool| {
        let list = workspace.get(key).and_then(toml::Value::as_array);
        let mut paths = list.into_iter().flatten().filter_map(toml::Value::as_str);
        paths.any(|path| is_it(path.trim_start_matches("./").trim_end_matches('/')))
    };
    named("exclude", &|path| path == package || is_below(path, package))
        && !named("members", &|path| path == package)
}

#[cfg(test)]
mod tests;
