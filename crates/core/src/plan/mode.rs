//! The shape of a task's proof, and how it is inferred if the plan does not state it.
//!
//! Judges paths by their names only; the code crate decides at run time what is a test.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{Methodology, NoTestReason, Step, Task};

worded! {
    /// The shape of a task's proof.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
    #[serde(rename_all = "kebab-case")]
    pub enum Mode {
        /// A test that fails first, then passes.
        Tdd = "tdd",
        /// Tests for code that exists already.
        TestsOnly = "tests-only",
        /// Existing tests are green before and after.
        Refactor = "refactor",
        /// Owns nothing: its verification runs on the tip.
        Gate = "gate",
        /// No test, for one of the five reasons, with another check.
        None = "none",
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
    /// The plan says that it needs no testing. It is completed unproved.
    Waived,
    /// A reason why there is no test.
    Reason(NoTestReason),
    /// Nothing: the run refuses to start.
    Nothing,
}

/// The number in `>=85%`.
fn percentage(text: &str) -> Option<f64> {
    let (before, _) = text.split_once('%')?;
    let start = before.trim_end().rfind(|c: char| !(c.is_ascii_digit() || c == '.')).map_or(0, |at| at + 1);
    before.trim_end()[start..].parse().ok().filter(|n| (0.0..=100.0).contains(n))
}

impl Task {
    /// The coverage in per cent that the task promises: for its tests as a whole, else the highest of its cycles.
    pub fn coverage_target(&self) -> Option<f64> {
        let cycles = self.tdd_cycles.iter().filter_map(|c| percentage(c.expected_coverage.as_deref()?));
        self.test.coverage.or_else(|| cycles.max_by(f64::total_cmp))
    }

    /// The name of the task: its title, else the first line of its description.
    pub fn headline(&self) -> &str {
        let said = [&self.title, &self.description, &self.objective]
            .into_iter()
            .find(|text| !text.trim().is_empty());
        said.and_then(|text| text.trim().lines().next()).unwrap_or_default()
    }

    /// Whether the task says everything an agent needs: a contract, its tests, and how large it is. Such tasks are
    /// written for small models.
    pub(crate) fn is_contract_task(&self) -> bool {
        !self.contract.is_empty() && !self.test_code.is_empty() && self.complexity.is_some()
    }

    /// What the task has to prove itself with.
    pub fn proof(&self) -> Proof {
        if self.own_script().is_some() {
            return Proof::Script;
        }
        if self.own_command().is_some() {
            return Proof::Command;
        }
        if self.steps.iter().any(|step| step.proving_command().is_some()) {
            return Proof::Script;
        }
        if !self.test_files().is_empty() {
            return Proof::TestFile;
        }
        if self.test.required == Some(false) {
            return Proof::Waived;
        }
        match self.test.none.as_deref().and_then(NoTestReason::parse) {
            Some(reason) => Proof::Reason(reason),
            None => Proof::Nothing,
        }
    }

    /// The command that proves the task, as the plan states it: its verification, its test command, or that of its first
    /// `verify_pass` step.
    pub fn stated_check(&self) -> Option<&str> {
        let step = || self.steps.iter().find_map(Step::proving_command);
        self.own_script().or_else(|| self.own_command()).or_else(step)
    }

    fn own_script(&self) -> Option<&str> {
        self.verification.as_ref().map(|v| v.script.as_str()).filter(|script| !script.trim().is_empty())
    }

    fn own_command(&self) -> Option<&str> {
        self.test.command.as_deref().filter(|command| !command.trim().is_empty())
    }

    /// Whether the task has work of its own, apart from its parts.
    pub fn has_own_work(&self) -> bool {
        self.owned().next().is_some()
            || match self.proof() {
                Proof::Script | Proof::Command | Proof::TestFile => true,
                Proof::Waived | Proof::Reason(_) | Proof::Nothing => false,
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
    // A command alone is a gate, unless the plan demands that something is tested: then it is for an agent to make it pass.
    let demanded = task.test.required == Some(true) && task.own_command().is_some();
    if task.owned().next().is_none() && !demanded {
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
    if task.test.inline || !task.files.delete.is_empty() || task.owned().next().is_none() {
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
