//! homerun's plans: `docs/tasks.json` with a `state.json` beside it, or one Markdown file per task.
//!
//! The state file is read for what it says about the plan; its progress is a claim that is never believed.

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

#[cfg(test)]
pub(crate) use task::TASK;

pub use signal::{SignalledTasks, planning_complete};
pub use state::{StateLimits, keep_state, state_limits, worktree};
pub use write::write_task_files;

use crate::json::peek;
use crate::picking;
use crate::states::StateWords;
use crate::{Dialect, Input, PlanFormat, Sniff, TextFile};
use windlass_core::state::TaskState;

const DIALECT: Dialect = Dialect::Homerun;

/// The usual path of the tasks.
const TASKS_FILE: &str = "docs/tasks.json";

/// The usual folder of Markdown files, one for each task.
const TASK_FILES: &str = "docs/tasks";

/// The usual path of the state.
const STATE_FILE: &str = "state.json";

/// The format.
pub(crate) const FORMAT: PlanFormat = PlanFormat {
    usual_file: TASKS_FILE,
    sniff,
    read: read::read,
    write: write::write,
    add_run: Some(|plan, known, files| log::add_log(plan, known, files)),
};

/// Its words for states.
static STATES: StateWords = StateWords(&[
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
enum HomerunFile {
    /// `tasks.json`
    Tasks,
    /// `state.json`
    State,
    /// A task in Markdown.
    Markdown,
    /// None of these.
    Other,
}

fn role(file: &TextFile) -> HomerunFile {
    if file.path.ends_with(".md") {
        return if markdown::is_task(file) { HomerunFile::Markdown } else { HomerunFile::Other };
    }
    if !file.path.ends_with(".json") {
        return HomerunFile::Other;
    }
    let seen = peek(&file.bytes);
    let sessions = ["phase", "worktree", "spec_paths", "tasks_file"];
    let about_tasks = seen.has("tasks") || seen.has("tasks_file") || file.path.ends_with(STATE_FILE);
    let session = seen.has("session_id") && sessions.iter().any(|k| seen.has(k));
    if session && about_tasks && !seen.has("plan_type") {
        return HomerunFile::State;
    }
    let ordered = seen.task_has("depends_on") || seen.task_has("blocked_by");
    let told = ["objective", "acceptance_criteria", "task_type", "test_file"];
    let known = told.iter().filter(|k| seen.task_has(k)).count();
    if seen.tasks == Some(b'[') && !seen.has("feature") && known >= 2 && (ordered || known >= 3) {
        return HomerunFile::Tasks;
    }
    HomerunFile::Other
}

/// How much the input looks like a homerun plan.
fn sniff(input: &Input) -> Sniff {
    // Markdown tasks beside a `plan.toml` are native ones.
    let native = input.files.iter().any(|f| f.path == "plan.toml");
    let of = |file: &TextFile| match role(file) {
        HomerunFile::Tasks | HomerunFile::State => Sniff::Sure,
        HomerunFile::Markdown if native => Sniff::No,
        HomerunFile::Markdown if markdown::has_front_matter(file) => Sniff::Sure,
        HomerunFile::Markdown => Sniff::Maybe,
        HomerunFile::Other => Sniff::No,
    };
    picking::surest(input, of)
}
