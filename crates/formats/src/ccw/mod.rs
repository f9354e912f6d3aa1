//! Claude-Code-Workflow sessions: a folder with `plan.json` and one JSON file per task, and the documents made from
//! them; also a task or a plan alone, and execution queues.

mod documents;
mod files;
mod ids;
mod plan_file;
mod queue;
mod read;
mod session;
mod steps;
mod task;
#[cfg(test)]
mod tests;
mod write;

pub use documents::tdd_warnings_log;

pub(crate) use documents::add_time;
pub(crate) use read::read;
pub(crate) use write::write;

use super::json::peek;
use super::states::Words;
use super::{Dialect, Sniff, TextFile};
use windlass_core::state::TaskState;

const DIALECT: Dialect = Dialect::Ccw;

/// Its words for the states of tasks.
pub(crate) const WORDS: Words = Words(&[
    (TaskState::Pending, "pending"),
    (TaskState::InProgress, "in_progress"),
    (TaskState::InProgress, "active"),
    (TaskState::Testing, "in_progress"),
    (TaskState::TestFailed, "in_progress"),
    (TaskState::Completed, "completed"),
    (TaskState::Failed, "failed"),
    (TaskState::Blocked, "blocked"),
    (TaskState::Skipped, "skipped"),
]);

/// Its words for the states of queue items.
pub(crate) const QUEUE_WORDS: Words = Words(&[
    (TaskState::Pending, "pending"),
    (TaskState::Pending, "ready"),
    (TaskState::InProgress, "executing"),
    (TaskState::Testing, "executing"),
    (TaskState::TestFailed, "executing"),
    (TaskState::Completed, "completed"),
    (TaskState::Failed, "failed"),
    (TaskState::Blocked, "blocked"),
    (TaskState::Skipped, "blocked"),
]);

/// What a file of the input is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Role {
    /// One task.
    Task,
    /// `plan.json`
    Plan,
    /// A queue.
    Queue,
    /// `workflow-session.json`
    Session,
    /// `IMPL_PLAN.md` or `TODO_LIST.md`
    Document,
    /// None of these.
    Other,
}

fn role(file: &TextFile) -> Role {
    let name = super::foreign::file_name(&file.path);
    match name {
        "IMPL_PLAN.md" | "TODO_LIST.md" => return Role::Document,
        "workflow-session.json" => return Role::Session,
        _ if !super::foreign::is_json(name) => return Role::Other,
        _ => {}
    }
    // Whatever it holds: a file of a task that cannot be read must not go missing.
    if file.path.starts_with(".task/") || file.path.contains("/.task/") {
        return Role::Task;
    }
    let seen = peek(&file.bytes);
    let grouped = seen.has("execution_groups") || seen.has("conflicts");
    let queued = name.starts_with("QUE-") && (seen.has("solutions") || seen.task_has("item_id"));
    if queued || grouped && (seen.has("solutions") || seen.has("tasks")) {
        return Role::Queue;
    }
    let named = ["IMPL-", "TASK-", "FIX-"].iter().any(|p| name.starts_with(p));
    let told =
        ["convergence", "implementation", "acceptance_criteria", "cli_execution", "flow_control", "meta"];
    let has_id = seen.has("id") || seen.has("task_id");
    if has_id && !seen.has("tasks") && (named || told.iter().filter(|k| seen.has(k)).count() >= 2) {
        return Role::Task;
    }
    let outlined = seen.has("task_ids") || seen.has("epics") || seen.has("tasks") && seen.has("approach");
    if outlined && !seen.has("feature") { Role::Plan } else { Role::Other }
}

/// How much a file looks like one of a session, a task, a plan or a queue.
pub(crate) fn confidence(file: &TextFile) -> Sniff {
    match role(file) {
        Role::Task | Role::Queue | Role::Plan => Sniff::Sure,
        Role::Session | Role::Document => Sniff::Maybe,
        Role::Other => Sniff::No,
    }
}
