//! Set-up commands that lock files ask for.

use crate::repo::Tree;

/// One set-up command.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SetupPlan {
    /// Where to run it, relative to the root of the tree (empty for the root itself).
    pub dir: String,
    /// The command, for `bash`.
    pub command: String,
    /// The files that decide its result.
    pub inputs: Vec<String>,
    /// What it leaves behind.
    pub outputs: Vec<String>,
}

/// The set-up commands of the repository.
pub fn setup(tree: &dyn Tree) -> Vec<SetupPlan> {
    let _ = tree;
    Vec::new()
}
