//! What needs a person, the most urgent first, and what may be asked of each task.

use serde::Serialize;

use crate::event::BlockReason;
use crate::ids::TaskId;
use crate::state::TaskState;
use crate::view::{Ending, TaskView, View, Why};

/// A list longer than this is only counted.
const LISTED: usize = 200;

/// Everything that needs a person.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct AttentionDoc {
    /// How many things need a person, listed or not.
    pub total: usize,
    /// The first of them.
    pub items: Vec<AttentionItem>,
}

/// One thing that needs a person.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct AttentionItem {
    /// The task; none if it is the run as a whole.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub task: Option<TaskId>,
    /// The title of the task.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub title: String,
    /// What for: `question`, `approval`, `files`, `decision`, `failed`, `stale` or `run`.
    pub need: &'static str,
    /// Why, in a line.
    pub cause: String,
    /// The line of an output that shows it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub evidence: Option<String>,
    /// The next step.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub remedy: String,
    /// Files it asks for.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub files: Vec<String>,
    /// What may be asked for.
    pub offers: Vec<Offer>,
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

/// What may be asked of a task in its state.
pub fn offers(task: &TaskView) -> Vec<Offer> {
    match task.state {
        TaskState::Pending => vec![Offer::Skip],
        TaskState::InProgress | TaskState::Testing | TaskState::TestFailed => {
            vec![Offer::Cancel, Offer::Skip]
        }
        TaskState::Completed if task.is_stale() => vec![Offer::Retry, Offer::Reopen],
        TaskState::Completed => vec![Offer::Reopen],
        TaskState::Failed => vec![Offer::Retry, Offer::Skip],
        TaskState::Skipped => vec![Offer::Retry],
        TaskState::Blocked => match block_of(task) {
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

/// Everything that needs a person: the run as a whole, then questions and approvals, then failures, then stale tasks.
pub fn attention(view: &View, trouble: Option<&str>) -> AttentionDoc {
    let mut items = of_run(view, trouble);
    let mut ranked: Vec<(u8, usize)> =
        view.tasks.iter().enumerate().filter_map(|(at, task)| Some((urgency(task)?, at))).collect();
    ranked.sort_unstable();
    let total = items.len() + ranked.len();
    let room = LISTED.saturating_sub(items.len());
    items.extend(ranked.iter().take(room).map(|(_, at)| of_task(view, &view.tasks[*at])));
    AttentionDoc { total, items }
}

fn of_run(view: &View, trouble: Option<&str>) -> Vec<AttentionItem> {
    let about = |cause: &str, remedy: &str| AttentionItem {
        task: None,
        title: String::new(),
        need: "run",
        cause: cause.to_owned(),
        evidence: None,
        remedy: remedy.to_owned(),
        files: Vec::new(),
        offers: Vec::new(),
    };
    let mut items: Vec<AttentionItem> =
        trouble.iter().map(|why| about(why, "`windlass audit` checks the journal")).collect();
    let Some(run) = &view.run else { return items };
    items.extend(run.held.iter().map(|why| about(why, "change the plan, then `windlass run`")));
    items.extend(run.merging_paused.iter().map(|why| about(why, "")));
    for stopped in &run.stopped {
        let cause = format!("{} is stopped: {}", stopped.provider, stopped.reason);
        items.push(about(&cause, "`windlass retry --blocked` asks it again"));
    }
    items.extend(run.budget_spent.iter().map(|why| about(why, "`windlass run --max-cost USD` goes on")));
    items
}

/// How urgent a task is, least first; `None` if it needs nobody.
fn urgency(task: &TaskView) -> Option<u8> {
    match task.state {
        TaskState::Blocked => Some(0),
        TaskState::Failed => Some(1),
        TaskState::Completed if task.is_stale() => Some(2),
        TaskState::Pending
        | TaskState::InProgress
        | TaskState::Testing
        | TaskState::TestFailed
        | TaskState::Completed
        | TaskState::Skipped => None,
    }
}

fn of_task(view: &View, task: &TaskView) -> AttentionItem {
    let why = view.why(task);
    let ending = Ending::of(task, why.as_ref());
    let files = match block_of(task) {
        Some(BlockReason::NeedsFiles { files }) => files.iter().map(|(file, _)| file.clone()).collect(),
        Some(_) | None => Vec::new(),
    };
    let cause = why.as_ref().map(Why::to_string).unwrap_or_default();
    let (cause, evidence, remedy) = match ending {
        Some(ending) => (ending.cause, ending.evidence, ending.remedy),
        None => (cause, None, format!("`windlass retry {}`", task.id)),
    };
    AttentionItem {
        task: Some(task.id.clone()),
        title: task.title.clone(),
        need: need(task),
        cause,
        evidence,
        remedy,
        files,
        offers: offers(task),
    }
}

fn need(task: &TaskView) -> &'static str {
    if task.is_stale() {
        return "stale";
    }
    match block_of(task) {
        None => "failed",
        Some(BlockReason::AgentBlocked { .. }) => "question",
        Some(BlockReason::NeedsFiles { .. }) => "files",
        Some(BlockReason::AwaitingApproval) => "approval",
        Some(
            BlockReason::Unordered { .. }
            | BlockReason::Deadlock { .. }
            | BlockReason::Escalated { .. }
            | BlockReason::NoVerdict { .. },
        ) => "decision",
    }
}

/// What a blocked task waits for.
fn block_of(task: &TaskView) -> Option<&BlockReason> {
    match &task.why {
        Some(Why::Blocked(block)) if task.state == TaskState::Blocked => Some(block),
        Some(_) | None => None,
    }
}
