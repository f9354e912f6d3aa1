//! `package.json`: what of it decides about tests, what it runs, and what it depends on.

use serde_json::{Map, Value};

use crate::detect::{MANIFEST, ManifestKeys, ManifestRow, in_dir, json, json_value, upwards};
use crate::repo::Tree;

/// The name of the manifest.
pub(crate) const PACKAGE: &str = "package.json";

/// Names of package scripts that run by themselves, or that checks call.
#[rustfmt::skip]
const SCRIPTS: &[&str] = &[
    "test", "pretest", "posttest", "prepare", "preinstall", "install", "postinstall", "prepublish", "preprepare",
    "postprepare", "lint", "typecheck",
];

pub(super) const MANIFESTS: &[ManifestRow] = &[ManifestRow {
    name: PACKAGE,
    read: json_value,
    test_keys: &[
        ("", &["jest", "vitest", "mocha", "ava", "c8", "nyc", "tap", "packageManager"]),
        ("scripts", SCRIPTS),
    ],
    further_test_keys: |manifest| {
        // `test:unit` and its hooks belong to the tests as well.
        let scripts = manifest.get("scripts").and_then(Value::as_object).into_iter().flatten();
        let tests = scripts.filter(|(name, _)| name.contains("test") && !SCRIPTS.contains(&name.as_str()));
        let tests: Map<String, Value> = tests.map(|(name, value)| (name.clone(), value.clone())).collect();
        ManifestKeys::from([("scripts.*test*".to_owned(), Value::Object(tests))])
    },
    identity: &[("", &["name", "exports", "imports", "main", "module", "bin"])],
    further_identity: build_scripts,
    lists_imports: true,
    commands: Some(|text| {
        let manifest = json_value(text).unwrap_or_default();
        ["scripts", "lint-staged"]
            .iter()
            .filter_map(|key| manifest.get(key))
            .map(ToString::to_string)
            .collect()
    }),
    in_members: true,
    ..MANIFEST
}];

/// The scripts that build a package, and those that they and the test script call: tests may import what they make.
fn build_scripts(manifest: &Value) -> ManifestKeys {
    let scripts = manifest.get("scripts").and_then(Value::as_object);
    let script = |name: &str| scripts?.get(name)?.as_str();
    let mut open: Vec<&str> = ["build", "prebuild", "postbuild", "compile"].to_vec();
    open.extend(["pretest", "test"].iter().filter_map(|name| script(name)).flat_map(str::split_whitespace));
    let mut keys = ManifestKeys::new();
    while let Some(name) = open.pop() {
        let frozen = SCRIPTS.contains(&name) || name.contains("test") || keys.contains_key(name);
        if let Some(command) = script(name).filter(|_| !frozen) {
            keys.insert(name.to_owned(), Value::String(command.to_owned()));
            open.extend(command.split_whitespace());
        }
    }
    keys
}

/// The `package.json` of a directory.
pub(crate) fn package(tree: &dyn Tree, dir: &str) -> Option<Value> {
    json(tree, &in_dir(dir, PACKAGE))
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
        .filter_map(|dir| package(tree, dir))
        .any(|package| names.iter().any(|name| depends_on(&package, name)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::repo::MemoryTree;

    #[test]
    fn dependencies_of_any_kind() {
        for kind in ["dependencies", "devDependencies", "peerDependencies", "optionalDependencies"] {
            let text = format!(r#"{{"{kind}":{{"x":"1"}}}}"#);
            let package: Value = serde_json::from_str(&text).unwrap();
            assert!(depends_on(&package, "x") && !depends_on(&package, "y"), "{kind}");
            let tree = MemoryTree::new([("package.json", text.as_str()), ("a/package.json", "{}")]);
            assert!(any_depends_on(&tree, "a/b.ts", &["y", "x"]) && !any_depends_on(&tree, "a/b.ts", &["y"]));
        }
    }
}
