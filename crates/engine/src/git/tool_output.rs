//! Recognises what tools leave behind when a test, a linter or a build runs: caches, byte code, coverage data.
//!
//! Such files are no part of a change, whether or not the repository ignores them. Only names that no source file has
//! are listed; a directory may also say itself that it is a cache.

use std::fs;
use std::path::Path;

/// Directories that only tools make.
const DIRECTORIES: [&str; 22] = [
    "__pycache__",
    ".pytest_cache",
    ".mypy_cache",
    ".ruff_cache",
    ".pytype",
    ".hypothesis",
    ".tox",
    ".nox",
    ".eggs",
    ".ipynb_checkpoints",
    "htmlcov",
    ".nyc_output",
    "node_modules",
    ".vite",
    ".vitest",
    ".parcel-cache",
    ".turbo",
    ".gradle",
    ".kotlin",
    ".phpunit.cache",
    ".phpstan.cache",
    ".cache",
];

/// Files that only tools make.
const FILES: [&str; 12] = [
    ".coverage",
    "lcov.info",
    "coverage-final.json",
    ".eslintcache",
    ".stylelintcache",
    ".phpunit.result.cache",
    ".rspec_status",
    ".DS_Store",
    "nohup.out",
    "npm-debug.log",
    "yarn-error.log",
    ".node_repl_history",
];

/// Endings of such files and directories.
const FILE_ENDINGS: [&str; 5] = [".pyc", ".pyo", ".tsbuildinfo", ".swp", ".profraw"];
const DIRECTORY_ENDINGS: [&str; 2] = [".egg-info", ".dist-info"];

/// Whether a file of this name is left by a tool.
pub(super) fn is_left_by_a_tool(name: &str) -> bool {
    FILES.contains(&name)
        || name.starts_with(".coverage.") && name != ".coverage.toml"
        || FILE_ENDINGS.iter().any(|ending| name.ends_with(ending))
}

/// Whether a directory that the base does not have is a tool's: by its name, or because it says so itself.
pub(super) fn is_a_tools_directory(name: &str, dir: &Path) -> bool {
    DIRECTORIES.contains(&name)
        || DIRECTORY_ENDINGS.iter().any(|ending| name.ends_with(ending))
        || dir.join("CACHEDIR.TAG").is_file()
        || name == "coverage" && FILES.iter().any(|file| dir.join(file).is_file())
        || ignores_itself(dir)
}

/// Whether the directory's own `.gitignore` ignores all of it, as caches do that keep themselves out of `git status`.
fn ignores_itself(dir: &Path) -> bool {
    let rules = dir.join(".gitignore");
    // A link or a pipe is the agent's, not a tool's: it is not opened.
    let is_small_file = fs::symlink_metadata(&rules).is_ok_and(|meta| meta.is_file() && meta.len() < 4096);
    let text = if is_small_file { fs::read_to_string(&rules).unwrap_or_default() } else { String::new() };
    let mut patterns = text.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with('#'));
    let first = patterns.next();
    matches!(first, Some("*" | "/*" | "**"))
        && patterns.all(|pattern| !pattern.starts_with('!') || pattern == "!.gitignore")
}

#[cfg(test)]
mod tests;
