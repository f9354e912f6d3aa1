//! Steps: the ordered actions of a task, and the template each mode gives a task that has none.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::Mode;

/// What a step does.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Action {
    /// Lay down the failing test.
    WriteTest,
    /// See it fail, for the right reason.
    VerifyFail,
    /// Write the code.
    Implement,
    /// See it pass, on the merged tree.
    VerifyPass,
    /// Improve the code while it stays green.
    Refactor,
    /// Fix and format the owned files.
    Format,
    /// Move the branch.
    Commit,
}

impl Action {
    /// Its name in files and output.
    pub fn as_str(self) -> &'static str {
        match self {
            Action::WriteTest => "write_test",
            Action::VerifyFail => "verify_fail",
            Action::Implement => "implement",
            Action::VerifyPass => "verify_pass",
            Action::Refactor => "refactor",
            Action::Format => "format",
            Action::Commit => "commit",
        }
    }
}

/// What a step's command must do.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Expect {
    /// Exit with 0.
    #[default]
    ExitCode,
    /// Exit with anything else.
    ExitCodeNonzero,
    /// Nothing is checked.
    None,
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
    /// Code to start from: told to the agent, never written for it.
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
