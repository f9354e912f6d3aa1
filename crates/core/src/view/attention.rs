//! What waits for a person: which task, what for, and the command that goes on. Every front end shows this list first.

use serde::{Deserialize, Serialize};

use super::ending::Ending;
use super::fold::View;
use super::run::RunView;
use super::task::TaskView;
use super::why::Why;
use crate::event::BlockReason;
use crate::failure::Failure;
use crate::ids::TaskId;
use crate::state::TaskState;

worded! {
    /// What a person is needed for. In this order they are listed.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
    #[serde(rename_all = "snake_case")]
    pub enum PersonNeed {
        /// An agent asks something.
        Question = "question",
        /// A verified change waits for approval.
        Approval = "approval",
        /// A task asks for files beyond its own.
        Files = "files",
        /// A task is blocked, and a person decides what becomes of it.
        Decision = "decision",
        /// The run as a whole is held up.
        Run = "run",
        /// A task used up its ladder.
        Failed = "failed",
    }
}

impl PersonNeed {
    /// The mark of a line, for screens that show one.
    pub fn mark(self) -> &'static str {
        match self {
            PersonNeed::Question => "?",
            PersonNeed::Approval => "◇",
            PersonNeed::Files => "+",
            PersonNeed::Decision => "■",
            PersonNeed::Run => "‖",
            PersonNeed::Failed => "✗",
        }
    }
}

/// One thing that waits for a person.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Attention {
    /// What for.
    pub need: PersonNeed,
    /// The task; none for the run as a whole.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub task: Option<TaskId>,
    /// The title of the task.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub title: String,
    /// The question or the reason, in one line.
    pub text: String,
    /// The next step, as a command.
    pub next: String,
}

impl View {
    /// Everything that waits for a person: questions first, failed tasks last, in the order of the plan.
    pub fn waits_for_person(&self) -> Vec<Attention> {
        let of_run = self.run.iter().flat_map(of_run);
        let of_tasks = self.tasks.iter().filter_map(|task| self.need_of(task));
        let mut all: Vec<Attention> = of_run.chain(of_tasks).collect();
        all.sort_by_key(|one| one.need);
        all
    }

    /// What a task waits for a person for; `None` for the many that do not.
    pub fn need_of(&self, task: &TaskView) -> Option<Attention> {
        let why = self.why(task);
        let ending = Ending::of(task, why.as_ref())?;
        let need = match (&why, &task.failure) {
            _ if task.state == TaskState::Failed => PersonNeed::Failed,
            (Some(Why::Blocked(BlockReason::AwaitingApproval)), _) => PersonNeed::Approval,
            (Some(Why::Blocked(BlockReason::NeedsFiles { .. })), _) => PersonNeed::Files,
            (
                Some(Why::Blocked(BlockReason::AgentBlocked { .. })),
                Some(Failure::SpecContradiction { .. }),
            ) => PersonNeed::Question,
            (Some(_) | None, _) => PersonNeed::Decision,
        };
        let next = match need {
            PersonNeed::Question => format!("`windlass answer {} \"…\"`", task.id),
            PersonNeed::Approval
            | PersonNeed::Files
            | PersonNeed::Decision
            | PersonNeed::Run
            | PersonNeed::Failed => ending.remedy,
        };
        let (task, title) = (Some(task.id.clone()), task.title.clone());
        Some(Attention { need, task, title, text: ending.cause, next })
    }
}

/// What holds up the run as a whole.
fn of_run(run: &RunView) -> Vec<Attention> {
    let about = |text: String, next: &str| Attention {
        need: PersonNeed::Run,
        task: None,
        title: String::new(),
        text,
        next: next.into(),
    };
    let held = run.held.iter().map(|why| {
        about(format!("no task starts: {why}"), "change the plan, or continue with `windlass run --yes`")
    });
    let merging = run.merging_paused.iter();
    let merging = merging.map(|why| about(format!("merging is paused: {why}"), "`windlass run` continues"));
    let stopped = run.stopped.iter().map(|stop| {
        about(format!("{} is stopped: {}", stop.provider, stop.reason), "`windlass retry --blocked`")
    });
    let closing = run.closing_failed.iter().map(|why| {
        about(format!("the closing run failed: {why}"), &run.closing_remedy().unwrap_or_default())
    });
    held.chain(merging).chain(stopped).chain(closing).collect()
}

#[cfg(test)]
mod tests;
