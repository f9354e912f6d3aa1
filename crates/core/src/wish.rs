//! What a person wants of a run. A front end leaves a wish; the coordinator reads it, journals what follows, and
//! alone decides whether it can be granted.

use serde::{Deserialize, Serialize};

use crate::ids::TaskId;

/// A wish.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "wish", rename_all = "snake_case", deny_unknown_fields)]
pub enum Wish {
    /// Start nothing new.
    Pause,
    /// Go on.
    Resume,
    /// Stop the run, or put away one task's attempt and leave it to a person.
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
    /// Do not carry a task out.
    Skip {
        /// The task.
        task: TaskId,
    },
    /// Let a verified task be merged.
    Approve {
        /// The task.
        task: TaskId,
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
mod tests {
    use super::*;

    #[test]
    fn wishes_have_a_fixed_form() {
        let task = || TaskId::new("x").unwrap();
        let table = [
            (Wish::Pause, r#"{"wish":"pause"}"#),
            (Wish::Resume, r#"{"wish":"resume"}"#),
            (Wish::Cancel { task: None }, r#"{"wish":"cancel"}"#),
            (Wish::Cancel { task: Some(task()) }, r#"{"wish":"cancel","task":"x"}"#),
            (Wish::Retry { task: task() }, r#"{"wish":"retry","task":"x"}"#),
            (Wish::Skip { task: task() }, r#"{"wish":"skip","task":"x"}"#),
            (Wish::Approve { task: task() }, r#"{"wish":"approve","task":"x"}"#),
        ];
        for (wish, text) in table {
            assert_eq!(wish.to_json().unwrap(), text);
            assert_eq!(Wish::from_json(text).unwrap(), wish);
        }
        for bad in ["", "{}", r#"{"wish":"fly"}"#, r#"{"wish":"retry"}"#, r#"{"wish":"retry","task":"../x"}"#]
        {
            assert!(Wish::from_json(bad).is_err(), "{bad}");
        }
    }
}
