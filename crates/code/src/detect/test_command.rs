//! The exact command that runs one test file.

use windlass_core::report::Runner;

use crate::repo::Tree;

/// A command for one test file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TestCommand {
    /// The script, for `bash`, from the root of the tree.
    pub script: String,
    /// The runner it starts, where that is known.
    pub runner: Option<Runner>,
    /// What led to it.
    pub why: String,
}

/// The command that runs exactly `test_file`, which need not exist yet.
pub fn test_command(tree: &dyn Tree, test_file: &str) -> Option<TestCommand> {
    let _ = (tree, test_file);
    None
}

/// The command for a super-planner task without one: pytest convention, make target, file-based, in this order.
pub fn superplanner_command(tree: &dyn Tree, task_id: &str) -> Option<TestCommand> {
    let _ = (tree, task_id);
    None
}
