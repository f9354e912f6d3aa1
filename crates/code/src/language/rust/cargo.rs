//! Cargo's manifest: what of it decides about tests, and the packages and workspaces that it makes.

use serde_json::Value;

use crate::detect::{
    MANIFEST, ManifestKeys, ManifestRow, in_dir, is_below, relative, toml, toml_value, upwards,
};
use crate::repo::Tree;

pub(super) const MANIFESTS: &[ManifestRow] = &[ManifestRow {
    name: "Cargo.toml",
    read: toml_value,
    test_keys: &[
        ("package", &["build", "autotests", "links", "workspace", "metadata"]),
        ("lib", &["test", "harness", "path", "proc-macro"]),
        ("profile", &["test", "dev"]),
        ("workspace", &["exclude", "default-members", "metadata"]),
        ("", &["test", "bench", "patch", "replace", "cargo-features", "build-dependencies"]),
    ],
    further_test_keys: |manifest| {
        // Only keys of programs that decide whether their tests run: a task may add a program.
        let programs = manifest.get("bin").and_then(Value::as_array).into_iter().flatten();
        let off = programs.filter(|bin| bin.get("test").is_some() || bin.get("harness").is_some());
        ManifestKeys::from([("bin".to_owned(), off.cloned().collect())])
    },
    identity: &[("package", &["name"])],
    tests_off,
    lists_imports: true,
    ..MANIFEST
}];

fn tests_off(manifest: &Value) -> Vec<&'static str> {
    let off = |table: Option<&Value>, key: &str| {
        table.and_then(|t| t.get(key)).and_then(Value::as_bool) == Some(false)
    };
    let mut found = Vec::new();
    if off(manifest.get("package"), "autotests") {
        found.push("autotests");
    }
    // A library without documentation tests is ordinary; one without tests is not.
    found.extend(["test", "harness"].into_iter().filter(|key| off(manifest.get("lib"), key)));
    for test in manifest.get("test").and_then(Value::as_array).into_iter().flatten() {
        found.extend(["test", "harness"].into_iter().filter(|key| off(Some(test), key)));
        found.extend(test.get("required-features").map(|_| "required-features"));
    }
    let profiles = ["dev", "test"].into_iter().map(|name| manifest.get("profile")?.get(name));
    found.extend(profiles.filter(|profile| off(*profile, "debug-assertions")).map(|_| "debug-assertions"));
    found
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
        if tree.has(&manifest) {
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
