//! Whether a repository runs a tool by itself: in its continuous integration, its hooks, its scripts.
//!
//! A configuration alone does not say so: editors read it too.

use super::manifest::{dir_of, in_dir, text};
use super::runner_keys::ManifestRow;
use crate::repo::Tree;
use windlass_core::path_text::file_name;

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

/// The hooks of pre-commit.
const HOOKS: &str = ".pre-commit-config.yaml";

/// Files at the root that run tools, of no language.
#[rustfmt::skip]
const FILES: [&str; 13] = [
    HOOKS, "Makefile", "GNUmakefile", "makefile", "justfile", "Justfile", "Taskfile.yml", ".gitlab-ci.yml",
    ".travis.yml", "azure-pipelines.yml", "lefthook.yml", ".circleci/config.yml", "appveyor.yml",
];

/// Whether the repository runs a tool of this name.
pub(super) fn project_use(tree: &dyn Tree, tool: &str) -> ProjectUse {
    let mut any = false;
    for (.., said) in automation(tree) {
        any |= !said.trim().is_empty();
        if has_word(&said, tool) {
            return ProjectUse::Runs;
        }
    }
    if any { ProjectUse::Never } else { ProjectUse::Unknown }
}

/// What runs tools, in a manifest or in a file of no language: its path, where its commands run, and these.
fn automation(tree: &dyn Tree) -> impl Iterator<Item = (&str, &str, String)> {
    tree.paths().iter().filter_map(move |path| {
        let counts = |row: &&ManifestRow| row.in_members || !path.contains('/');
        let commands = ManifestRow::of(path).filter(counts).and_then(|row| row.commands);
        if commands.is_none() && !is_automation(path) {
            return None;
        }
        let text = text(tree, path).unwrap_or_default();
        Some(match commands {
            Some(part) => (path.as_str(), dir_of(path), part(&text)),
            None => (path.as_str(), "", text),
        })
    })
}

/// Whether a line of what the repository runs has all of these words.
pub(crate) fn runs_with(tree: &dyn Tree, words: &[&str]) -> bool {
    let has_all = |line: &str| words.iter().all(|word| line.split_whitespace().any(|said| said == *word));
    automation(tree).any(|(.., said)| said.lines().any(has_all))
}

/// The files and directories that the repository gives to a tool wherever it runs it; `None` if it is run without any, or on
/// everything. `mypy src` says nothing about tests.
pub(super) fn reach(tree: &dyn Tree, tool: &str) -> Option<Vec<String>> {
    let mut all = Vec::new();
    for (path, dir, said) in automation(tree) {
        if path == HOOKS && hook_gets_files(&said, tool) {
            return None;
        }
        let scripts = said.replace("\\\n", " ");
        for command in scripts.split(['\n', ';', '&', '|', '"', '#']) {
            match given(tree, dir, command, tool) {
                Given::Nothing => {}
                Given::Everything => return None,
                Given::Paths(paths) => all.extend(paths),
            }
        }
    }
    (!all.is_empty()).then_some(all)
}

/// Whether a hook of pre-commit gives every changed file to a tool.
fn hook_gets_files(hooks: &str, tool: &str) -> bool {
    hooks.split("- id:").skip(1).any(|hook| {
        let id = hook.split_whitespace().next().unwrap_or_default();
        let runs = id.strip_prefix(tool).is_some_and(|rest| rest.is_empty() || rest.starts_with('-'));
        runs && !hook.contains("pass_filenames: false")
    })
}

/// What a command gives to a tool.
enum Given {
    /// The tool is not run by it, as far as can be told.
    Nothing,
    /// Everything, or what its own configuration says.
    Everything,
    Paths(Vec<String>),
}

fn given(tree: &dyn Tree, dir: &str, command: &str, tool: &str) -> Given {
    let mut words = command.split_whitespace();
    let mut before = "";
    loop {
        match words.next() {
            None => return Given::Nothing,
            Some(word) if word == tool => break,
            Some(word) => before = word,
        }
    }
    // `pip install mypy`, `- id: mypy`, `name: Run mypy`
    if matches!(before, "install" | "add" | "id:" | "name:" | "repo:") || command.contains("name:") {
        return Given::Nothing;
    }
    let mut paths = Vec::new();
    for word in words.filter(|word| !word.starts_with('-')) {
        let plain = word.trim_matches('\'').trim_start_matches("./");
        let plain = plain.split_once('*').map_or(plain, |(front, _)| front).trim_end_matches('/');
        let path = in_dir(dir, plain);
        let is_there = |known: &String| {
            *known == path || known.strip_prefix(&path).is_some_and(|rest| rest.starts_with('/'))
        };
        match plain {
            "" | "." => return Given::Everything,
            _ if tree.paths().iter().any(is_there) => paths.push(path),
            // The word of an option, a subcommand, or prose.
            _ => {}
        }
    }
    if paths.is_empty() { Given::Everything } else { Given::Paths(paths) }
}

fn is_automation(path: &str) -> bool {
    let name = file_name(path);
    let in_dir = |dir: &str| path.starts_with(dir);
    FILES.contains(&path)
        || in_dir(".github/workflows/")
        || in_dir(".husky/")
        || ((in_dir("scripts/") || in_dir("script/") || in_dir("ci/")) && !name.contains('.'))
        || (name.ends_with(".sh") && path.matches('/').count() <= 1)
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
