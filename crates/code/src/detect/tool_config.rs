//! Where formatters, linters and type checkers are configured, for one file. Those of one language stand beside its row.
//!
//! A tool that no file asks for has no configuration, and does not run.

use super::manifest::{dir_of, nearest};
use crate::repo::Tree;

/// The configuration of a tool for one file.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct ToolConfig {
    /// The file that asks for the tool.
    pub(crate) from: String,
    /// The directory to run it in.
    pub(crate) dir: String,
    /// A part of the command that depends on the file: an edition, a package, a project.
    pub(crate) detail: String,
}

impl ToolConfig {
    /// The configuration in a file.
    pub(crate) fn new(from: String) -> Self {
        Self { dir: dir_of(&from).to_owned(), from, detail: String::new() }
    }
}

/// The nearest file of one of these names.
pub(crate) fn own_file(tree: &dyn Tree, file: &str, names: &[&str]) -> Option<ToolConfig> {
    nearest(tree, file, names).map(ToolConfig::new)
}
