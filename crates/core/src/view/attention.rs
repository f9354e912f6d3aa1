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
        /// The run as a whole is held up.
        Run = "run",
        /// An agent asks something.
        Question = "question",
        /// A verified change waits for approval.
        Approval = "approval",
        /// A task asks for files beyond its own.
        Files = "files",
        /// A task is blocked, and a person decides what becomes of it.
        Decision = "decision",
        /// A task used up its ladder.
        Failed = "failed",
        /// The plan or frozen files changed after a task was completed.
        Stale = "stale",
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
            PersonNeed::Stale => "≠",
        }
    }
}

worded! {
    /// Something a person may ask of a task. Each is a wish that the command line can leave, too.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
    #[serde(rename_all = "snake_case")]
    pub enum Offer {
        /// Let it be merged, or give it the files it asks for.
        Approve = "approve",
        /// Answer its question.
        Answer = "answer",
        /// Carry it out again.
        Retry = "retry",
        /// Stop its attempt.
        Cancel = "cancel",
        /// Do not carry it out.
        Skip = "skip",
        /// Carry it out again because it is wrong.
        Reopen = "reopen",
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
    /// The line of an output that shows it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub evidence: Option<String>,
    /// The next step, as a command.
    pub next: String,
    /// Files it asks for.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub files: Vec<String>,
    /// What may be asked of the task.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub offers: Vec<Offer>,
}

impl Attention {
    /// Something about the run as a whole.
    pub(super) fn of_run(text: impl Into<String>, next: &str) -> Self {
        Self {
            need: PersonNeed::Run,
            task: None,
            title: String::new(),
            text: text.into(),
            evidence: None,
            next: next.into(),
            files: Vec::new(),
            offers: Vec::new(),
        }
    }
}

impl View {
    /// Everything that waits for a person: the run first, then questions, stale tasks last, in the order of the plan.
    pub fn waits_for_person(&self) -> Vec<Attention> {
        let of_run = self.run.iter().flat_map(of_run);
        let of_tasks = self.tasks.iter().filter_map(|task| self.need_of(task));
        let mut all: Vec<Attention> = of_run.chain(of_tasks).collect();
        all.sort_by_key(|one| one.need);
        all
    }

    /// What a task waits for a person for; `None` for the many that do not.
    pub fn need_of(&self, task: &TaskView) -> Option<Attention> {
        let need = need(task)?;
        let why = self.why(task);
        let again = || Ending {
            cause: why.as_ref().map(Why::to_string).unwrap_or_default(),
            evidence: None,
            remedy: format!("`windlass retry {}`", task.id),
        };
        let ending = Ending::of(task, why.as_ref()).unwrap_or_else(again);
        let next = match need {
            PersonNeed::Question => format!("`windlass answer {} \"…\"`", task.id),
            PersonNeed::Run
            | PersonNeed::Approval
            | PersonNeed::Files
            | PersonNeed::Decision
            | PersonNeed::Failed
            | PersonNeed::Stale => ending.remedy,
        };
        Some(Attention {
            need,
            task: Some(task.id.clone()),
            title: task.title.clone(),
            text: ending.cause,
            evidence: ending.evidence,
            next,
            files: task.wanted_files(),
            offers: task.offers(),
        })
    }
}

impl TaskView {
    /// What may be asked of the task in its state.
    pub fn offers(&self) -> Vec<Offer> {
        match self.state {
            TaskState::Pending if self.why == Some(Why::Cancelled) => vec![Offer::Retry, Offer::Skip],
            TaskState::Pending => vec![Offer::Skip],
            TaskState::InProgress | TaskState::Testing | TaskState::TestFailed => {
                vec![Offer::Cancel, Offer::Skip]
            }
            TaskState::Completed if self.is_stale() => vec![Offer::Retry, Offer::Reopen],
            TaskState::Completed => vec![Offer::Reopen],
            TaskState::Failed => vec![Offer::Retry, Offer::Answer, Offer::Skip],
            TaskState::Skipped => vec![Offer::Retry],
            TaskState::Blocked => match block_of(self) {
                Some(BlockReason::AgentBlocked { .. }) => vec![Offer::Answer, Offer::Retry, Offer::Skip],
                Some(BlockReason::Unordered { .. }) => vec![Offer::Retry, Offer::Skip],
                Some(
                    BlockReason::NeedsFiles { .. }
                    | BlockReason::AwaitingApproval
                    | BlockReason::Deadlock { .. }
                    | BlockReason::Escalated { .. }
                    | BlockReason::NoVerdict { .. },
                )
                | None => vec![Offer::Approve, Offer::Retry, Offer::Skip],
            },
        }
    }

    /// The files that a blocked task asks for.
    pub(crate) fn wanted_files(&self) -> Vec<String> {
        match block_of(self) {
            Some(BlockReason::NeedsFiles { files }) => files.iter().map(|(file, _)| file.clone()).collect(),
            Some(_) | None => Vec::new(),
        }
    }
}

/// What a person is needed for; `None` for a task that needs no person.
fn need(task: &TaskView) -> Option<PersonNeed> {
    match task.state {
        TaskState::Failed => Some(PersonNeed::Failed),
        TaskState::Completed if task.is_stale() => Some(PersonNeed::Stale),
        TaskState::Blocked => Some(match (block_of(task), &task.failure) {
            (Some(BlockReason::AwaitingApproval), _) => PersonNeed::Approval,
            (Some(BlockReason::NeedsFiles { .. }), _) => PersonNeed::Files,
            (Some(BlockReason::AgentBlocked { .. }), Some(Failure::SpecContradiction { .. }) | None) => {
                PersonNeed::Question
            }
            (Some(_) | None, _) => PersonNeed::Decision,
        }),
        TaskState::Pending
        | TaskState::InProgress
        | TaskState::Testing
        | TaskState::TestFailed
        | TaskState::Completed
        | TaskState::Skipped => None,
    }
}

/// What a blocked task waits for.
fn block_of(task: &TaskView) -> Option<&BlockReason> {
    match &task.why {
        Some(Why::Blocked(block)) if task.state == TaskState::Blocked => Some(block),
        Some(_) | None => None,
    }
}

/// What holds up the run as a whole.
fn of_run(run: &RunView) -> Vec<Attention> {
    let held = run.held.iter().map(|why| {
        let next = "change the plan, or continue with `windlass run --yes`";
        Attention::of_run(format!("no task starts: {why}"), next)
    });
    let merging = run.merging_paused.iter();
    let merging =
        merging.map(|why| Attention::of_run(format!("merging is paused: {why}"), "`windlass run` continues"));
    let stopped = run.stopped.iter().map(|stop| {
        let text = format!("{} is stopped: {}", stop.provider, stop.reason);
        Attention::of_run(text, "`windlass retry --blocked`")
    });
    let spent =
        run.budget_spent.iter().map(|why| Attention::of_run(why.as_str(), "`windlass run --max-cost USD`"));
    let closing = run.closing_failed.iter().map(|why| {
        let text = format!("the closing run failed: {why}");
        Attention::of_run(text, &run.closing_remedy().unwrap_or_default())
    });
    held.chain(merging).chain(stopped).chain(spent).chain(closing).collect()
}

#[cfg(test)]
mod tests;
