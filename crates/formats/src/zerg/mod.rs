//! ZERG's `task-graph.json`: tasks in levels, each with its files, its verification command and, rarely, its steps.

mod read;
mod steps;
#[cfg(test)]
mod tests;
mod write;

pub(crate) use read::read;
pub(crate) use write::write;

use super::states::Words;
use super::{Sniff, TextFile, foreign};
use windlass_core::state::TaskState;

/// The name of the file.
const FILE: &str = "task-graph.json";

/// Its words for states.
pub(crate) const WORDS: Words = Words(&[
    (TaskState::Pending, "pending"),
    (TaskState::Pending, "todo"),
    (TaskState::InProgress, "in_progress"),
    (TaskState::InProgress, "claimed"),
    (TaskState::Testing, "verifying"),
    (TaskState::TestFailed, "waiting_retry"),
    (TaskState::Completed, "complete"),
    (TaskState::Failed, "failed"),
    (TaskState::Blocked, "blocked"),
    (TaskState::Blocked, "paused"),
    (TaskState::Skipped, "blocked"),
]);

/// How much a file looks like a task graph.
pub(crate) fn confidence(file: &TextFile) -> Sniff {
    foreign::sniff_json(file, |seen| {
        let graph = seen.has("feature") && seen.tasks == Some(b'[') && !seen.has("session_id");
        let placed = seen.task_has("level") || seen.task_has("files") && seen.task_has("dependencies");
        if graph && placed {
            Sniff::Sure
        } else if graph && seen.task_has("dependencies") || foreign::file_name(&file.path) == FILE {
            Sniff::Maybe
        } else {
            Sniff::No
        }
    })
}
