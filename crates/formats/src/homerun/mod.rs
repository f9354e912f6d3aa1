//! homerun's plans: `docs/tasks.json` with a `state.json` beside it, or one Markdown file per task.
//!
//! The state file is read for what it says about the plan; what it says about progress is a claim like any other.

mod ids;
mod log;
mod markdown;
mod read;
mod signal;
mod state;
mod task;
#[cfg(test)]
mod tests;
mod write;

pub use signal::planning_complete;

pub(crate) use log::add_log;
pub(crate) use read::read;
pub(crate) use write::write;

use super::json::peek;
use super::states::Words;
use super::{Dialect, Input, Sniff, TextFile};
use windlass_core::state::TaskState;

const DIALECT: Dialect = Dialect::Homerun;

/// Where the tasks lie.
const TASKS_FILE: &str = "docs/tasks.json";

/// Where the state lies.
const STATE_FILE: &str = "state.json";

/// Its words for states.
pub(crate) const WORDS: Words = Words(&[
    (TaskState::Pending, "pending"),
    (TaskState::InProgress, "in_progress"),
    (TaskState::Testing, "in_progress"),
    (TaskState::TestFailed, "in_progress"),
    (TaskState::Completed, "completed"),
    (TaskState::Failed, "failed"),
    (TaskState::Blocked, "blocked"),
    (TaskState::Skipped, "blocked"),
]);

/// What a file of the input is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Role {
    /// `tasks.json`
    Tasks,
    /// `state.json`
    State,
    /// A task in Markdown.
    Markdown,
    /// None of these.
    Other,
}

fn role(file: &TextFile) -> Role {
    if file.path.ends_with(".md") {
        return if markdown::is_task(file) { Role::Markdown } else { Role::Other };
    }
    if !file.path.ends_with(".json") {
        return Role::Other;
    }
    let seen = peek(&file.bytes);
    let sessions = ["phase", "worktree", "spec_paths", "tasks_file"];
    let about_tasks = seen.has("tasks") || seen.has("tasks_file") || file.path.ends_with(STATE_FILE);
    let session = seen.has("session_id") && sessions.iter().any(|k| seen.has(k));
    if session && about_tasks && !seen.has("plan_type") {
        return Role::State;
    }
    let ordered = seen.task_has("depends_on") || seen.task_has("blocked_by");
    let told = ["objective", "acceptance_criteria", "task_type", "test_file"];
    let known = told.iter().filter(|k| seen.task_has(k)).count();
    if seen.tasks == Some(b'[') && !seen.has("feature") && known >= 2 && (ordered || known >= 3) {
        return Role::Tasks;
    }
    Role::Other
}

/// How much the input looks like a homerun plan.
pub(crate) fn sniff(input: &Input) -> Sniff {
    // Beside a `plan.toml` Markdown tasks are native ones.
    let native = input.files.iter().any(|f| f.path == "plan.toml");
    let of = |file: &TextFile| match role(file) {
        Role::Tasks | Role::State => Sniff::Sure,
        Role::Markdown if native => Sniff::No,
        Role::Markdown if markdown::has_front_matter(file) => Sniff::Sure,
        Role::Markdown => Sniff::Maybe,
        Role::Other => Sniff::No,
    };
    input.files.iter().map(of).max().unwrap_or(Sniff::No)
}
