//! Python's manifests and the files of its test environments: what of them decides about tests, and what they run.

use serde_json::Value;

use crate::detect::{MANIFEST, ManifestKeys, ManifestRow, ini_value, toml_value};

pub(super) const MANIFESTS: &[ManifestRow] = &[
    // The settings of tools are in the same file.
    ManifestRow { name: "tox.ini", commands: Some(environments), run_by: Some("tox"), ..MANIFEST },
    ManifestRow { name: "tox.toml", commands: Some(str::to_owned), run_by: Some("tox"), ..MANIFEST },
    ManifestRow {
        name: "setup.cfg",
        read: ini_value,
        test_keys: &[("", &["tool:pytest", "pytest", "aliases", "coverage:run", "options.entry_points"])],
        lists_imports: true,
        commands: Some(environments),
        run_by: Some("tox"),
        ..MANIFEST
    },
    ManifestRow {
        name: "pyproject.toml",
        read: toml_value,
        test_keys: &[
            ("tool", &["pytest", "coverage", "tox", "nox", "hatch", "pdm", "poe", "taskipy"]),
            ("", &["build-system"]),
        ],
        further_test_keys: |manifest| {
            let plugins = [
                ("pytest plugins", "/project/entry-points/pytest11"),
                ("poetry plugins", "/tool/poetry/plugins"),
            ];
            let value = |place| manifest.pointer(place).cloned().unwrap_or(Value::Null);
            plugins.into_iter().map(|(name, place)| (name.to_owned(), value(place))).collect::<ManifestKeys>()
        },
        identity: &[("project", &["name", "scripts", "gui-scripts", "entry-points"])],
        lists_imports: true,
        commands: Some(python_scripts),
        run_by: Some("tox"),
        in_members: true,
        ..MANIFEST
    },
    ManifestRow { name: "noxfile.py", commands: Some(str::to_owned), run_by: Some("nox"), ..MANIFEST },
    listing("setup.py"),
    listing("requirements.txt"),
    listing("requirements-dev.txt"),
    listing("Pipfile"),
];

const fn listing(name: &'static str) -> ManifestRow {
    ManifestRow { name, lists_imports: true, ..MANIFEST }
}

/// The parts of a `pyproject.toml` that are commands.
fn python_scripts(text: &str) -> String {
    const PARTS: [&[&str]; 6] = [
        &["tool", "tox"],
        &["tool", "hatch", "envs"],
        &["tool", "poe"],
        &["tool", "pdm", "scripts"],
        &["tool", "taskipy"],
        &["tool", "nox"],
    ];
    let table: toml::Table = text.parse().unwrap_or_default();
    let part = |keys: &[&str]| {
        let (first, rest) = keys.split_first()?;
        rest.iter().try_fold(table.get(*first)?, |value, key| value.get(*key)).map(ToString::to_string)
    };
    PARTS.iter().filter_map(|keys| part(keys)).collect()
}

/// The sections of environments.
fn environments(text: &str) -> String {
    let sections = text.split("\n[").map(|section| section.trim_start_matches('['));
    sections.filter(|section| section.starts_with("testenv")).collect()
}
