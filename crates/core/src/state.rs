//! The state of a task, as every view, dialect and script sees it.

use serde::{Deserialize, Serialize};

use crate::event::{AttemptEnd, TaskEvent};

worded! {
    /// The state of a task. A parent has no state of its own: see [`TaskState::of_children`].
    #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Serialize, Deserialize)]
    #[serde(rename_all = "snake_case")]
    pub enum TaskState {
        /// Not started, or waiting for what it depends on.
        #[default]
        Pending = "pending",
        /// An agent is at work.
        InProgress = "in_progress",
        /// The verifier is at work, or the merge waits for its turn.
        Testing = "testing",
        /// The verification failed; the bug-hunter is next.
        TestFailed = "test_failed",
        /// Verified and merged.
        Completed = "completed",
        /// The ladder is used up.
        Failed = "failed",
        /// Needs a person.
        Blocked = "blocked",
        /// Not carried out, because a dependency failed or a person skipped it.
        Skipped = "skipped",
    }
}

impl TaskState {
    /// Whether only a person's wish can move it on.
    pub fn is_end(self) -> bool {
        match self {
            TaskState::Completed | TaskState::Failed | TaskState::Blocked | TaskState::Skipped => true,
            TaskState::Pending | TaskState::InProgress | TaskState::Testing | TaskState::TestFailed => false,
        }
    }

    /// The state after an event about this task. The one table of moves: scheduler and views share it.
    pub fn after(self, event: &TaskEvent) -> Result<TaskState, IllegalMove> {
        use TaskState::{Blocked, Completed, Failed, InProgress, Pending, Skipped, TestFailed, Testing};
        let (allowed, next): (&[TaskState], TaskState) = match event {
            TaskEvent::AttemptStarted(_) => (&[Pending, TestFailed], InProgress),
            TaskEvent::CandidateMade { .. } => (&[InProgress], Testing),
            TaskEvent::VerifyIntended { .. }
            | TaskEvent::VerifyStarted { .. }
            | TaskEvent::VerifyAbandoned { .. }
            | TaskEvent::Verified { .. }
            | TaskEvent::ReviewStarted { .. }
            | TaskEvent::Reviewed { .. }
            | TaskEvent::ReviewAbandoned { .. }
            | TaskEvent::MergeIntended { .. } => (&[Testing], Testing),
            // Recovery finds a merge whose event was lost: the branch decides, in any of these states.
            TaskEvent::Merged { .. } => (&[Testing, InProgress, Pending, TestFailed, Blocked], Completed),
            TaskEvent::AttemptEnded { end, .. } => (&[InProgress, Testing], after_attempt(end)),
            TaskEvent::TaskFailed { .. } => (&[Pending, TestFailed], Failed),
            TaskEvent::TaskBlocked { .. } => (&[Pending, TestFailed, Testing], Blocked),
            TaskEvent::TaskSkipped { .. } => (&[Pending, TestFailed, Failed, Blocked], Skipped),
            TaskEvent::TaskCancelled => (&[Pending, TestFailed], self),
            // A cancelled task is pending, or its verification failed.
            TaskEvent::TaskReset => (&[Failed, Blocked, Skipped, Completed, Pending, TestFailed], Pending),
            TaskEvent::Approved => (&[Blocked], Testing),
            TaskEvent::Answered(_) => (&[Blocked, Failed, Pending], Pending),
            TaskEvent::ProcessStarted { .. }
            | TaskEvent::StepStarted { .. }
            | TaskEvent::StepEnded { .. }
            | TaskEvent::Heartbeat { .. }
            | TaskEvent::TurnEnded(_)
            | TaskEvent::TestsFrozen { .. }
            | TaskEvent::TestsHeld { .. }
            | TaskEvent::TestsLinked { .. }
            | TaskEvent::TestsTried { .. }
            | TaskEvent::TaskReopened { .. }
            | TaskEvent::ChangesLeftOut { .. }
            | TaskEvent::FilesGranted { .. }
            | TaskEvent::Finding { .. } => return Ok(self),
        };
        if allowed.contains(&self) { Ok(next) } else { Err(IllegalMove { from: self, to: next }) }
    }

    /// The state of a parent: a fold of its children. A failed test below keeps it in progress.
    pub(crate) fn of_children(children: impl IntoIterator<Item = TaskState>) -> TaskState {
        let all: Vec<TaskState> = children.into_iter().collect();
        let any = |s: TaskState| all.contains(&s);
        let open = all.iter().any(|s| !s.is_end());
        if all.is_empty() || all.iter().all(|s| *s == TaskState::Pending) {
            TaskState::Pending
        } else if open {
            TaskState::InProgress
        } else if any(TaskState::Failed) {
            TaskState::Failed
        } else if any(TaskState::Blocked) {
            TaskState::Blocked
        } else if any(TaskState::Completed) {
            TaskState::Completed
        } else {
            TaskState::Skipped
        }
    }
}

/// Where an attempt that ended without a merge leaves its task.
fn after_attempt(end: &AttemptEnd) -> TaskState {
    match end {
        AttemptEnd::Failed { failure } if failure.is_verdict() => TaskState::TestFailed,
        AttemptEnd::Failed { .. } | AttemptEnd::Interrupted | AttemptEnd::Lost => TaskState::Pending,
    }
}

/// A move no task can make: the journal is broken, or the program is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("a task cannot go from `{}` to `{}`", from.as_str(), to.as_str())]
pub struct IllegalMove {
    /// Where it stood.
    pub from: TaskState,
    /// Where it was sent.
    pub to: TaskState,
}

#[cfg(test)]
mod tests;
