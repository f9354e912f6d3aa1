//! What a path shows by itself: test, runner configuration, lock file; and paths written in comments.
//!
//! Reads no file.

use std::collections::HashSet;
use std::sync::LazyLock;

use windlass_core::path_text::file_name;

use crate::language::{Language, name_fits};
use crate::runner::RUNNERS;

/// Lock files of manifests whose language has no grammar here.
const OTHER_LOCK_FILES: &[(&str, &[&str])] = &[
    ("flake.nix", &["flake.lock"]),
    ("mix.exs", &["mix.lock"]),
    ("pubspec.yaml", &["pubspec.lock"]),
    ("Package.swift", &["Package.resolved"]),
];

/// The lock files that belong to a manifest, by its file name.
pub fn lockfiles_of(manifest: &str) -> &'static [&'static str] {
    let name = file_name(manifest);
    let known = Language::families().flat_map(|language| language.row().tooling.lock_files);
    let mut all = known.chain(OTHER_LOCK_FILES);
    all.find(|(known, _)| name_fits(known, name)).map_or(&[], |(_, locks)| locks)
}

/// Whether a tool writes a file when the manifest beside it changes.
pub fn is_lockfile(path: &str) -> bool {
    let known = Language::families().flat_map(|language| language.row().tooling.lock_files);
    known.chain(OTHER_LOCK_FILES).any(|(_, locks)| locks.contains(&file_name(path)))
}

const TEST_DIRS: [&str; 6] = ["tests", "test", "__tests__", "testdata", "e2e", "spec"];

/// Whether the path is that of a test by the conventions of its language.
pub fn is_test_path(path: &str) -> bool {
    let (folders, name) = path.rsplit_once('/').unwrap_or(("", path));
    // The directory last: checks of large plans call this for every path.
    is_test_name(name, || Folder::of(folders))
}

/// What a directory shows about the files in it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Folder {
    /// Nothing.
    Plain,
    /// Tests, or documents: `spec/` holds the one in some languages and the other in others.
    Spec,
    /// Tests.
    Tests,
}

impl Folder {
    /// What the directory with this path shows.
    pub(crate) fn of(folders: &str) -> Self {
        let mut found = Self::Plain;
        for dir in folders.split('/').filter(|dir| TEST_DIRS.contains(dir)) {
            if dir != "spec" {
                return Self::Tests;
            }
            found = Self::Spec;
        }
        found
    }
}

/// Whether a file of this name in such a directory is a test.
pub(crate) fn is_test_name(name: &str, folder: impl Fn() -> Folder) -> bool {
    let (stem, ending) = name.rsplit_once('.').unwrap_or((name, ""));
    if let Some(language) = Language::of_ending(ending) {
        return (language.row().is_test)(stem, &folder);
    }
    match ending {
        "kt" | "swift" | "scala" => is_class_test(stem, &folder),
        "sh" | "bash" => stem.starts_with("test") || stem.ends_with("test") || folder() != Folder::Plain,
        "bats" => true,
        _ => folder() == Folder::Tests,
    }
}

/// Whether a file that is named after a class is a test.
pub(crate) fn is_class_test(stem: &str, folder: &dyn Fn() -> Folder) -> bool {
    ["Test", "Tests", "IT", "Spec"].iter().any(|mark| stem.ends_with(mark)) || folder() != Folder::Plain
}

/// Files of build tools that serve several languages.
#[rustfmt::skip]
const RUNNER_FILES: [&str; 12] = [
    "Makefile", "makefile", "GNUmakefile", "*.mk", "justfile", "Justfile", ".justfile", "Taskfile.yml",
    "Taskfile.yaml", "meson.build", "BUILD.bazel", ".tool-versions",
];

/// Whether the path is that of a test, or stands in a directory of tests.
pub fn is_among_tests(path: &str) -> bool {
    is_test_path(path) || is_test_dir(path)
}

/// Whether the file configures Windlass, git, CI, hooks, editors, agents, linters or formatters: by convention in a file or
/// directory that begins with a dot, in `NAME.config.ENDING`, or under one of a few names.
pub fn is_settings(path: &str) -> bool {
    #[rustfmt::skip]
    const NAMES: [&str; 12] = [
        "windlass.toml", "Jenkinsfile", "azure-pipelines.yml", "bitbucket-pipelines.yml", "AGENTS.md", "CLAUDE.md",
        "GEMINI.md", "QWEN.md", "biome.json", "biome.jsonc", "ruff.toml", "pyrightconfig.json",
    ];
    const STEMS: [&str; 4] = ["lefthook", "gulpfile", "Gruntfile", "mypy"];
    let name = file_name(path);
    let stem = name.split('.').next().unwrap_or(name);
    path.split('/').any(|part| part.starts_with('.'))
        || name.contains(".config.")
        || NAMES.contains(&name)
        || STEMS.contains(&stem)
}

/// Whether the file configures a test runner or a build, so that an agent that owns neither may not change it.
pub fn runner_config(path: &str) -> bool {
    // Asked of every file of a repository, so a look-up of whole names and no search.
    static FILES: LazyLock<(HashSet<&str>, Vec<&str>)> = LazyLock::new(|| {
        let configs = RUNNERS.iter().flat_map(|row| row.detect.configs);
        let builds = Language::families().flat_map(|language| language.row().tooling.build_files);
        let all = RUNNER_FILES.iter().chain(configs).chain(builds).copied();
        let (patterns, names): (Vec<&str>, Vec<&str>) = all.partition(|name| name.contains('*'));
        (names.into_iter().collect(), patterns)
    });
    const FOLDERS: [&str; 5] = [".cargo", ".config", ".mvn", ".bundle", "node_modules"];
    let name = file_name(path);
    let (names, patterns) = &*FILES;
    names.contains(name)
        || patterns.iter().any(|known| name_fits(known, name))
        || path.split('/').rev().skip(1).any(|dir| FOLDERS.contains(&dir))
        || (Language::row_of(path).tooling.shadows_runner)(path)
}

/// Whether the file holds what tests expect: a snapshot, a golden file, a fixture.
pub fn holds_expected_results(path: &str) -> bool {
    #[rustfmt::skip]
    const DIRS: [&str; 10] = [
        "__snapshots__", "snapshots", "golden", "goldens", "fixtures", "__fixtures__", "testdata", "expected",
        "cassettes", "approvals",
    ];
    let in_dir = path.split('/').rev().skip(1).any(|dir| DIRS.contains(&dir));
    let code = Language::of_path(path).is_some();
    matches!(ending(path), Some("snap" | "golden" | "approved")) || (in_dir && is_test_dir(path) && !code)
}

fn is_test_dir(path: &str) -> bool {
    let dirs = || path.split('/').rev().skip(1);
    dirs().any(|dir| TEST_DIRS.contains(&dir))
        || dirs().any(|dir| matches!(dir, "__snapshots__" | "__fixtures__"))
}

fn ending(name: &str) -> Option<&str> {
    name.rsplit_once('.').map(|(_, ending)| ending)
}

/// The path named by the first line of a code block: `// src/a.ts`, `# a.py`, `<!-- a.html -->`, `-- a.sql`, or
/// `ADD to src/a.ts` inside such a comment.
pub fn comment_path(first_line: &str) -> Option<String> {
    let line = first_line.trim();
    let orders = ["ADD to ", "APPEND to ", "MODIFY ", "WRITE: ", "CREATE "];
    let mut marks = ["//", "#", "<!--", "--", ";", "/*", "%"].iter();
    let body = match marks.find_map(|mark| line.strip_prefix(mark)) {
        Some(body) => body,
        None => orders.iter().any(|order| line.starts_with(order)).then_some(line)?,
    };
    let body = body.trim_start_matches(['/', '!', '#', '*']).trim();
    let body = body.trim_end_matches("-->").trim_end_matches("*/").trim();
    let body = strip_words(body, &["File:", "file:", "Path:", "path:", "Filename:", "filename:"]);
    let body = strip_words(
        body,
        &["ADD to", "Add to", "add to", "APPEND to", "MODIFY", "Modify", "WRITE:", "CREATE"],
    );
    // What follows in brackets or after a dash is a remark.
    let path =
        body.split([' ', '\t', '(']).next()?.trim_end_matches([':', ',']).trim_matches(['`', '"', '\'']);
    looks_like_path(path).then(|| path.trim_start_matches("./").to_owned())
}

fn strip_words<'a>(text: &'a str, words: &[&str]) -> &'a str {
    words.iter().find_map(|word| text.strip_prefix(word)).unwrap_or(text).trim_start_matches([':', ' '])
}

fn looks_like_path(text: &str) -> bool {
    let allowed = |c: char| c.is_alphanumeric() || "/._-+@[]$~".contains(c);
    let name = file_name(text);
    let dotted = name.rsplit_once('.').is_some_and(|(stem, ending)| {
        !ending.is_empty() && ending.len() <= 10 && ending.bytes().all(|b| b.is_ascii_alphanumeric()) && {
            // A number or a sentence's full stop is no file name.
            !stem.is_empty() && ending.bytes().any(|b| b.is_ascii_alphabetic())
        }
    });
    let known = matches!(name, "Makefile" | "Dockerfile" | "justfile")
        || Language::of_manifest(name).is_some()
        || name.starts_with('.');
    !text.is_empty()
        && text.chars().all(allowed)
        && !text.contains("//")
        && !text.split('/').any(|part| part == "..")
        && (dotted || (known && name.len() > 1))
}

#[cfg(test)]
mod tests;
