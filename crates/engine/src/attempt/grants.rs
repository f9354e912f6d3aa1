//! Files beyond a task's own that it gets without a person: a short list.
//!
//! New source files beside its own, and, for a task that names no files, new source files and the existing ones that its
//! tests reach by imports; all but tests and settings for one that needs no testing either. What configures something, what stands with tests and what is no source code waits for
//! `windlass approve --files`: a rule about code does not read it, so a grant would be a way around the verdict.

use std::collections::BTreeSet;

use windlass_code::detect::{dir_of, is_among_tests, is_settings, is_test_path, runner_config};
use windlass_code::survey::Survey;
use windlass_planner::is_source;

use crate::error::EngineError;
use crate::git_tree::GitTree;

/// What decides over a task's wish for a file.
pub(super) struct GrantGround<'a> {
    /// Whether a path was there when the turn began.
    pub(super) exists: &'a dyn Fn(&str) -> bool,
    /// The task's files.
    pub(super) owned: &'a [String],
    /// The files that its tests reach by imports, for a task that names none of its own.
    pub(super) imported: Option<BTreeSet<String>>,
    /// Whether the task is one that names no files and needs no testing: what it touches is what it is about.
    pub(super) untested: bool,
}

impl GrantGround<'_> {
    /// Why a person has to give this file; `None` if the task may have it.
    pub(super) fn needs_person(&self, path: &str) -> Option<&'static str> {
        if !is_inside(path) {
            return Some("not a path inside the repository");
        }
        if configures(path) {
            return Some("it configures tools, the runner or the build");
        }
        // A task that needs no testing may write the tests of a later one, but change none that are there.
        let writes_tests = self.untested && is_test_path(path) && !(self.exists)(path);
        if is_among_tests(path) && !writes_tests {
            return Some("it is among the tests");
        }
        if self.untested {
            return None;
        }
        if !is_source(path) {
            return Some("it is not source code");
        }
        if (self.exists)(path) {
            let imported = self.imported.as_ref().is_some_and(|files| files.contains(path));
            return (!imported).then_some("it exists, and the task does not name it");
        }
        let below =
            |dir: &str| dir.is_empty() || path.strip_prefix(dir).is_some_and(|rest| rest.starts_with('/'));
        let beside = || self.owned.iter().any(|own| below(dir_of(own)));
        (self.imported.is_none() && !beside()).then_some("no file of the task is in its directory")
    }
}

fn configures(path: &str) -> bool {
    is_settings(path) || runner_config(path)
}

/// Whether a path is source code, and neither a test nor configuration.
pub(super) fn is_plain_code(path: &str) -> bool {
    is_inside(path) && is_source(path) && !configures(path) && !is_among_tests(path)
}

/// Whether a new file is data of a test: it stands among tests, below the directory of the test, is no code and configures
/// nothing, and the test names it, its directory, or has its name (a snapshot).
pub(super) fn is_data_of(path: &str, (test, text): &(String, Vec<u8>)) -> bool {
    let is_data = is_inside(path) && is_among_tests(path) && !is_source(path) && !configures(path);
    let dir = dir_of(test);
    let below =
        if dir.is_empty() { Some(path) } else { path.strip_prefix(dir).and_then(|p| p.strip_prefix('/')) };
    let Some(below) = below.filter(|_| is_data) else { return false };
    let text = String::from_utf8_lossy(text);
    let stem =
        |path: &str| path.rsplit('/').next().and_then(|name| name.split('.').next()).map(str::to_owned);
    let is_named = below.split('/').any(|part| names_path(&text, part))
        || stem(below).is_some_and(|own| own.len() > 2 && names_path(&text, &own));
    is_named
        || stem(test).is_some_and(|own| !own.is_empty() && stem(below).is_some_and(|s| s.starts_with(&own)))
}

/// Whether a path can be one of the repository's files.
pub(crate) fn is_inside(path: &str) -> bool {
    let parts = || path.split('/').all(|part| !matches!(part, "" | "." | ".." | ".git"));
    parts() && !path.chars().any(char::is_control)
}

/// The existing files that tests reach: what they import, and what that imports in turn.
pub(super) fn imported_by_tests(
    survey: &Survey,
    paths: &[String],
    tests: &[(String, Vec<u8>)],
) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    let mut open: Vec<String> = Vec::new();
    for (test, bytes) in tests {
        open.extend(survey.imported_by(test));
        // A script names the program it runs by its path.
        let text = String::from_utf8_lossy(bytes);
        open.extend(paths.iter().filter(|path| names_path(&text, path)).cloned());
    }
    while let Some(path) = open.pop() {
        if !found.contains(&path) {
            open.extend(survey.imported_by(&path));
            found.insert(path);
        }
    }
    found
}

/// Whether a text names a path as a whole word.
fn names_path(text: &str, path: &str) -> bool {
    let part = |c: char| c.is_alphanumeric() || matches!(c, '_' | '-');
    text.match_indices(path).any(|(at, _)| {
        let before = text[..at].chars().next_back();
        let after = text[at + path.len()..].chars().next();
        !before.is_some_and(part) && !after.is_some_and(part)
    })
}

/// The texts of the tests in a tree.
pub(super) fn texts_of(tree: &GitTree, tests: &[String]) -> Result<Vec<(String, Vec<u8>)>, EngineError> {
    let mut texts = Vec::new();
    for path in tests {
        texts.extend(tree.bytes(path)?.map(|bytes| (path.clone(), bytes)));
    }
    Ok(texts)
}

#[cfg(test)]
mod tests;
