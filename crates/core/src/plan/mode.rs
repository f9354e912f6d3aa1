//! The shape of a task's proof, and how it is inferred if the plan does not state it.
//!
//! Judges paths by their names only; the code crate decides at run time what is a test.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{Methodology, NoTestReason, Task};

/// The shape of a task's proof.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Mode {
    /// A test that fails first, then passes.
    Tdd,
    /// Tests for code that exists already.
    TestsOnly,
    /// Existing tests are green before and after.
    Refactor,
    /// Owns nothing: its verification runs on the tip.
    Gate,
    /// No test, for one of the five reasons, with another check.
    None,
}

impl Mode {
    /// Its name in files and output.
    pub fn as_str(self) -> &'static str {
        match self {
            Mode::Tdd => "tdd",
            Mode::TestsOnly => "tests-only",
            Mode::Refactor => "refactor",
            Mode::Gate => "gate",
            Mode::None => "none",
        }
    }
}

/// What a task has to prove itself with.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Proof {
    /// A script of its own.
    Script,
    /// A test command.
    Command,
    /// A test file, whose command is detected.
    TestFile,
    /// A reason why there is no test.
    Reason(NoTestReason),
    /// Nothing: the run refuses to start.
    Nothing,
}

impl Task {
    /// What the task has to prove itself with.
    pub fn proof(&self) -> Proof {
        let script = self.verification.as_ref().is_some_and(|v| !v.script.trim().is_empty());
        if script {
            return Proof::Script;
        }
        if self.test.command.as_deref().is_some_and(|c| !c.trim().is_empty()) {
            return Proof::Command;
        }
        if !self.test_files().is_empty() {
            return Proof::TestFile;
        }
        match self.test.none.as_deref().and_then(NoTestReason::parse) {
            Some(reason) => Proof::Reason(reason),
            None => Proof::Nothing,
        }
    }

    /// Whether the task has work of its own, besides its parts if it has any.
    pub fn has_own_work(&self) -> bool {
        self.owned().next().is_some()
            || match self.proof() {
                Proof::Script | Proof::Command | Proof::TestFile => true,
                Proof::Reason(_) | Proof::Nothing => false,
            }
    }
}

/// The mode a task runs in: what it says, or what its files and type imply.
pub fn infer_mode(task: &Task, is_test: &dyn Fn(&str) -> bool) -> Mode {
    if let Some(mode) = task.mode {
        return mode;
    }
    if task.test.none.is_some() || task.test.required == Some(false) {
        return Mode::None;
    }
    if task.owned().next().is_none() {
        return Mode::Gate;
    }
    if matches!(task.task_type.as_deref(), Some("rename_refactor" | "refactor")) {
        return Mode::Refactor;
    }
    if only_tests(task, is_test) {
        return Mode::TestsOnly;
    }
    if task.methodology == Some(Methodology::Direct) && task.test_files().is_empty() {
        return Mode::None;
    }
    Mode::Tdd
}

/// Whether the task touches tests alone. A task that names a test file and no other file at all (homerun's tasks do)
/// says nothing about its code, so it counts as one only if its type says so.
fn only_tests(task: &Task, is_test: &dyn Fn(&str) -> bool) -> bool {
    if task.test.inline || !task.files.delete.is_empty() {
        return false;
    }
    let mut changed = task.files.create.iter().chain(&task.files.modify).peekable();
    if changed.peek().is_none() {
        return matches!(
            task.task_type.as_deref(),
            Some("add_test" | "integration_test" | "testing" | "test-gen" | "test-fix")
        );
    }
    changed.all(|path| is_test(path))
}

#[cfg(test)]
mod tests;
