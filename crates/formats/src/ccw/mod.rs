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

#[cfg(test)]
pub(crate) use task::TASK;

pub use documents::tdd_warnings_log;

use crate::json::peek;
use crate::picking::{self, file_name, is_json};
use crate::states::StateWords;
use crate::{Dialect, PlanFormat, Sniff, TextFile};
use windlass_core::state::TaskState;

const DIALECT: Dialect = Dialect::Ccw;

/// The format.
pub(crate) const FORMAT: PlanFormat = PlanFormat {
    usual_file: ".task/IMPL-1.json",
    sniff: |input| picking::surest(input, confidence),
    read: read::read,
    write: write::write,
    add_run: Some(documents::add_run),
};

/// Its words for the states of tasks.
static STATES: StateWords = StateWords(&[
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
static QUEUE_STATES: StateWords = StateWords(&[
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
enum CcwFile {
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

fn role(file: &TextFile) -> CcwFile {
    let name = file_name(&file.path);
    match name {
        "IMPL_PLAN.md" | "TODO_LIST.md" => return CcwFile::Document,
        "workflow-session.json" => return CcwFile::Session,
        _ if !is_json(name) => return CcwFile::Other,
        _ => {}
    }
    // A task file that cannot be read must not go missing, so its content does not matter.
    if file.path.starts_with(".task/") || file.path.contains("/.task/") {
        return CcwFile::Task;
    }
    let seen = peek(&file.bytes);
    let grouped = seen.has("execution_groups") || seen.has("conflicts");
    let queued = name.starts_with("QUE-") && (seen.has("solutions") || seen.task_has("item_id"));
    if queued || grouped && (seen.has("solutions") || seen.has("tasks")) {
        return CcwFile::Queue;
    }
    let named = ["IMPL-", "TASK-", "FIX-"].iter().any(|p| name.starts_with(p));
    let told =
        ["convergence", "implementation", "acceptance_criteria", "cli_execution", "flow_control", "meta"];
    let has_id = seen.has("id") || seen.has("task_id");
    if has_id && !seen.has("tasks") && (named || told.iter().filter(|k| seen.has(k)).count() >= 2) {
        return CcwFile::Task;
    }
    let outlined = seen.has("task_ids") || seen.has("epics") || seen.has("tasks") && seen.has("approach");
    if outlined && !seen.has("feature") { CcwFile::Plan } else { CcwFile::Other }
}

/// How much a file looks like one of a session, a task, a plan or a queue.
fn confidence(file: &TextFile) -> Sniff {
    match role(file) {
        CcwFile::Task | CcwFile::Queue | CcwFile::Plan => Sniff::Sure,
        CcwFile::Session | CcwFile::Document => Sniff::Maybe,
        CcwFile::Other => Sniff::No,
    }
}
