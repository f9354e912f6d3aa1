//! Type checkers and linters that the repository is set up for.

use crate::repo::Tree;

/// One gate: a command that must exit 0.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GatePlan {
    /// The tool's name.
    pub name: String,
    /// The command.
    pub argv: Vec<String>,
    /// Where to run it, relative to the root of the tree (empty for the root itself).
    pub dir: String,
    /// The configuration file that asked for it.
    pub why: String,
}

/// Type checks for the changed `files`.
pub fn type_check(tree: &dyn Tree, files: &[String]) -> Vec<GatePlan> {
    let _ = (tree, files);
    Vec::new()
}

/// Linters for the changed `files`.
pub fn lint(tree: &dyn Tree, files: &[String]) -> Vec<GatePlan> {
    let _ = (tree, files);
    Vec::new()
}
