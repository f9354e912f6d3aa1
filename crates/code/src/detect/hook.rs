//! Commit hooks kept in the repository.

use crate::repo::Tree;

/// One hook system and how to run it on given files.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HookPlan {
    /// `pre-commit`, `husky` or `lint-staged`.
    pub name: String,
    /// The command; when `takes_files`, the files are appended to it.
    pub argv: Vec<String>,
    /// Whether the file names are appended (otherwise the hook looks at the index).
    pub takes_files: bool,
    /// Where to run it.
    pub dir: String,
    /// The file that asked for it.
    pub from: String,
}

/// The hook systems of the repository.
pub fn hooks(tree: &dyn Tree) -> Vec<HookPlan> {
    let _ = tree;
    Vec::new()
}
