//! Steps: the ordered actions of a task, and the template each mode gives a task that has none.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::Mode;

worded! {
    /// What a step does.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
    #[serde(rename_all = "snake_case")]
    pub enum Action {
        /// Lay down the failing test.
        WriteTest = "write_test",
        /// See it fail, for the right reason.
        VerifyFail = "verify_fail",
        /// Write the code.
        Implement = "implement",
        /// See it pass, on the merged tree.
        VerifyPass = "verify_pass",
        /// Improve the code while it stays green.
        Refactor = "refactor",
        /// Fix and format the owned files.
        Format = "format",
        /// Move the branch.
        Commit = "commit",
    }
}

worded! {
    /// What a step's command must do.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
    #[serde(rename_all = "snake_case")]
    pub enum Expect {
        /// Exit with 0.
        #[default]
        ExitCode = "exit_code",
        /// Exit with anything else.
        ExitCodeNonzero = "exit_code_nonzero",
        /// Nothing is checked.
        None = "none",
    }
}

/// One step of a task.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Step {
    /// What it does.
    pub action: Action,
    /// The file it is about.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub file: Option<String>,
    /// Code to write, complete.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub code: Option<String>,
    /// Code to start from: part of the brief, never written to a file.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sketch: Option<String>,
    /// A command to run.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub run: Option<String>,
    /// What the command must do.
    #[serde(default)]
    pub verify: Expect,
    /// What it is for, in words.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
}

impl Step {
    /// A step that only names its action.
    pub fn of(action: Action) -> Self {
        let verify = match action {
            Action::VerifyFail => Expect::ExitCodeNonzero,
            Action::VerifyPass | Action::Format | Action::Commit => Expect::ExitCode,
            Action::WriteTest | Action::Implement | Action::Refactor => Expect::None,
        };
        Self { action, file: None, code: None, sketch: None, run: None, verify, title: None }
    }
}

/// The steps of a mode, in the order they are carried out.
pub fn template(mode: Mode) -> Vec<Step> {
    use Action::{Commit, Format, Implement, Refactor, VerifyFail, VerifyPass, WriteTest};
    let actions: &[Action] = match mode {
        Mode::Tdd => &[WriteTest, VerifyFail, Implement, VerifyPass, Format, Commit],
        Mode::TestsOnly => &[WriteTest, VerifyPass, Format, Commit],
        Mode::Refactor => &[VerifyPass, Refactor, VerifyPass, Format, Commit],
        Mode::Gate => &[VerifyPass, Commit],
        Mode::None => &[Implement, VerifyPass, Format, Commit],
    };
    actions.iter().map(|a| Step::of(*a)).collect()
}

#[cfg(test)]
mod tests;
