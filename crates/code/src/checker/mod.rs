//! What type checkers and linters report, as data, and which of it a change brought.
//!
//! A finding is the same before and after a change if its file, its rule, its message and the text of its line are the
//! same; line numbers move. How a tool is called stands in `detect`.

mod compare;
mod read;

pub use compare::{Comparison, PlannedWork, UnseenOnBase, compare};
pub use read::{CheckerFormat, has_fixes, read_findings};

/// One thing that a checker reports.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CheckerFinding {
    /// The file, relative to the root of the tree.
    pub path: String,
    /// The line, counted from 1; 0 for a finding about the whole file.
    pub line: usize,
    /// The rule or the number of the error; empty where the tool names none.
    pub rule: String,
    /// What it says.
    pub message: String,
}

impl std::fmt::Display for CheckerFinding {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}:{}: {}", self.path, self.line, self.message)?;
        if self.rule.is_empty() { Ok(()) } else { write!(f, " [{}]", self.rule) }
    }
}

#[cfg(test)]
mod tests;
