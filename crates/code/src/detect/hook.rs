//! Commit hooks kept in the repository: the commit should pass them.

use super::manifest::{first_in, text};
use crate::language::{PACKAGE, name_fits, package};
use crate::repo::Tree;

/// How a hook learns which files it is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum HookFiles {
    /// They are appended to the command.
    AsArguments,
    /// It looks at what is staged in the index of the repository it runs in.
    FromIndex,
}

/// One hook system and how to run it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HookPlan {
    /// `pre-commit`, `husky` or `lint-staged`.
    pub name: String,
    /// The command, to which the files are appended where it takes them.
    pub argv: Vec<String>,
    /// How it learns of the files.
    pub files: HookFiles,
    /// Where to run it, relative to the root of the tree.
    pub dir: String,
    /// The file that asked for it.
    pub from: String,
    /// Whether it fetches hooks from elsewhere before it runs them.
    pub fetches: bool,
}

/// Configurations of lint-staged.
const LINT_STAGED: [&str; 2] = [".lintstagedrc*", "lint-staged.config.*"];

/// The hook systems at the root of the repository.
pub fn hooks(tree: &dyn Tree) -> Vec<HookPlan> {
    let plan = |name: &str, argv: &[&str], files: HookFiles, from: &str| HookPlan {
        name: name.to_owned(),
        argv: argv.iter().map(|word| (*word).to_owned()).collect(),
        files,
        dir: String::new(),
        from: from.to_owned(),
        fetches: name == "pre-commit" && text(tree, from).is_some_and(|config| has_foreign_hooks(&config)),
    };
    let mut plans = Vec::new();
    if let Some(from) = first_in(tree, "", &[".pre-commit-config.yaml", ".pre-commit-config.yml"]) {
        plans.push(plan("pre-commit", &["pre-commit", "run", "--files"], HookFiles::AsArguments, &from));
    }
    let husky = ".husky/pre-commit";
    let mut runs_lint_staged = false;
    if tree.has(husky) {
        runs_lint_staged = text(tree, husky).is_some_and(|script| script.contains("lint-staged"));
        plans.push(plan("husky", &["sh", husky], HookFiles::FromIndex, husky));
    }
    let own_config = || {
        let is_config = |path: &&String| LINT_STAGED.iter().any(|known| name_fits(known, path));
        tree.paths().iter().find(is_config).cloned()
    };
    let in_package = || {
        let asks = package(tree, "").is_some_and(|package| package.get("lint-staged").is_some());
        asks.then(|| PACKAGE.to_owned())
    };
    // Husky's hook often only starts lint-staged, which should then run once.
    if !runs_lint_staged && let Some(from) = own_config().or_else(in_package) {
        plans.push(plan("lint-staged", &["npx", "--no-install", "lint-staged"], HookFiles::FromIndex, &from));
    }
    plans
}

/// Whether a configuration of pre-commit names a repository: hooks that are part of the project are `local`, checks of the
/// configuration `meta`.
fn has_foreign_hooks(config: &str) -> bool {
    let value = |line: &str| {
        let line = line.trim_start().trim_start_matches("- ").trim_start();
        let value = line.strip_prefix("repo:")?.split(" #").next()?.trim().trim_matches(['\'', '"']);
        Some(value.to_owned())
    };
    config.lines().filter_map(value).any(|repo| repo != "local" && repo != "meta")
}

#[cfg(test)]
mod tests;
