//! Whether a repository runs a tool by itself: in its continuous integration, its hooks, its scripts.
//!
//! A configuration alone does not say so: editors read it too.

use super::manifest::text;
use crate::repo::Tree;

/// Whether a project holds itself to a tool.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ProjectUse {
    /// Something in the repository runs it.
    Runs,
    /// Nothing in the repository runs any tool, so that its configuration is all there is to go by.
    Unknown,
    /// The repository runs tools, and not this one.
    Never,
}

/// Files at the root that run tools.
const FILES: [&str; 17] = [
    ".pre-commit-config.yaml",
    "tox.ini",
    "tox.toml",
    "noxfile.py",
    "Makefile",
    "GNUmakefile",
    "makefile",
    "justfile",
    "Justfile",
    "Taskfile.yml",
    ".gitlab-ci.yml",
    ".travis.yml",
    "azure-pipelines.yml",
    "lefthook.yml",
    ".circleci/config.yml",
    "appveyor.yml",
    "setup.cfg",
];

/// Whether the repository runs a tool of this name.
pub(super) fn project_use(tree: &dyn Tree, tool: &str) -> ProjectUse {
    let mut any = false;
    for path in tree.paths().iter().filter(|path| is_automation(path)) {
        let text = text(tree, path).unwrap_or_default();
        let said = match path.rsplit('/').next() {
            Some("package.json") => json_part(&text, "scripts"),
            Some("pyproject.toml") => python_scripts(&text),
            // Environments of tox; the settings of tools are in the same file.
            Some("setup.cfg" | "tox.ini") => environments(&text),
            _ => text,
        };
        any |= !said.trim().is_empty();
        if has_word(&said, tool) {
            return ProjectUse::Runs;
        }
    }
    if any { ProjectUse::Never } else { ProjectUse::Unknown }
}

fn is_automation(path: &str) -> bool {
    let name = path.rsplit('/').next().unwrap_or(path);
    let in_dir = |dir: &str| path.starts_with(dir);
    FILES.contains(&path)
        || matches!(name, "package.json" | "pyproject.toml")
        || in_dir(".github/workflows/")
        || in_dir(".husky/")
        || ((in_dir("scripts/") || in_dir("script/") || in_dir("ci/")) && !name.contains('.'))
        || (name.ends_with(".sh") && path.matches('/').count() <= 1)
}

/// The value of a key of a JSON object as text.
fn json_part(text: &str, key: &str) -> String {
    let value: serde_json::Value = serde_json::from_str(text).unwrap_or_default();
    let part = |key: &str| value.get(key).map(ToString::to_string).unwrap_or_default();
    part(key) + &part("lint-staged")
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

/// Whether a tool stands in a text as a word of its own.
fn has_word(text: &str, tool: &str) -> bool {
    let part_of_word = |c: char| c.is_ascii_alphanumeric() || c == '_';
    text.match_indices(tool).any(|(at, _)| {
        let before = text[..at].chars().next_back();
        let after = text[at + tool.len()..].chars().next();
        !before.is_some_and(part_of_word) && !after.is_some_and(part_of_word)
    })
}

#[cfg(test)]
mod tests;
