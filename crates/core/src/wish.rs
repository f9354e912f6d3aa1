//! Wishes: requests of a person to a run. A front end leaves a wish; the coordinator reads it, decides whether to grant
//! it, and journals the result.

use serde::{Deserialize, Serialize};

use crate::ids::TaskId;
use crate::state::TaskState;

/// A wish.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "wish", rename_all = "snake_case", deny_unknown_fields)]
pub enum Wish {
    // The braces make serde refuse other keys: a pause of a task would otherwise pause the run.
    /// Start nothing new.
    Pause {},
    /// Go on.
    Resume {},
    /// Stop the run, or one task's attempt, which the next run continues.
    Cancel {
        /// The task; none means the whole run.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        task: Option<TaskId>,
    },
    /// Carry a task out again from the start.
    Retry {
        /// The task.
        task: TaskId,
    },
    /// Carry a completed task out again on top of the branch, because it is wrong.
    Reopen {
        /// The task.
        task: TaskId,
        /// What is wrong.
        because: String,
    },
    /// Carry every blocked task out again, and go on with stopped providers.
    RetryBlocked {},
    /// Carry every failed task out again.
    RetryFailed {},
    /// Answer what a task asks; it goes on with the answer.
    Answer {
        /// The task.
        task: TaskId,
        /// The answer.
        text: String,
        /// Begin from the start: its tests are written again, too.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        afresh: bool,
    },
    /// Do not carry a task out.
    Skip {
        /// The task.
        task: TaskId,
    },
    /// Let a verified task be merged, or give a task the files it waits for.
    Approve {
        /// The task.
        task: TaskId,
        /// The files; none means the merge.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        files: Vec<String>,
    },
}

impl Wish {
    /// Whether the wish is about a task in this state.
    pub fn is_about(&self, id: &TaskId, state: TaskState) -> bool {
        match self {
            Wish::Pause {} | Wish::Resume {} | Wish::Cancel { task: None } => false,
            Wish::RetryBlocked {} => state == TaskState::Blocked,
            Wish::RetryFailed {} => state == TaskState::Failed,
            Wish::Cancel { task: Some(task) }
            | Wish::Retry { task }
            | Wish::Reopen { task, .. }
            | Wish::Answer { task, .. }
            | Wish::Skip { task }
            | Wish::Approve { task, .. } => task == id,
        }
    }

    /// Whether the wish makes a task in this state begin again.
    pub fn begins_again(&self, id: &TaskId, state: TaskState) -> bool {
        match self {
            Wish::Retry { .. } | Wish::RetryBlocked {} | Wish::RetryFailed {} => self.is_about(id, state),
            Wish::Pause {}
            | Wish::Resume {}
            | Wish::Cancel { .. }
            | Wish::Reopen { .. }
            | Wish::Answer { .. }
            | Wish::Skip { .. }
            | Wish::Approve { .. } => false,
        }
    }

    /// The wish in the form it is left in.
    pub fn to_json(&self) -> Result<String, serde_json::Error> {
        serde_json::to_string(self)
    }

    /// Reads a wish. The text is untrusted: any program that may write the file may have left anything.
    pub fn from_json(text: &str) -> Result<Self, serde_json::Error> {
        serde_json::from_str(text)
    }
}

#[cfg(test)]
mod tests;
