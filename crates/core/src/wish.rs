//! Wishes: requests of a person to a run. A front end leaves a wish; the coordinator reads it, decides whether to grant
//! it, and journals the result.

use serde::{Deserialize, Serialize};

use crate::ids::TaskId;

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
