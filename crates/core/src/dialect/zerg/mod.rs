//! ZERG's `task-graph.json`: tasks in levels, each with its files, its verification command and, rarely, its steps.

mod read;
mod steps;
#[cfg(test)]
mod tests;
mod write;

pub(crate) use read::read;
pub(crate) use write::write;

use super::json::peek;
use super::states::Words;
use super::{Sniff, TextFile};
use crate::state::TaskState;

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
    if !super::foreign::is_json(&file.path) {
        return Sniff::No;
    }
    let seen = peek(&file.bytes);
    let named = super::foreign::file_name(&file.path) == FILE;
    let graph = seen.has("feature") && seen.tasks == Some(b'[') && !seen.has("session_id");
    if graph && (seen.task_has("level") || seen.task_has("files") && seen.task_has("dependencies")) {
        Sniff::Sure
    } else if named || graph && seen.task_has("dependencies") {
        Sniff::Maybe
    } else {
        Sniff::No
    }
}
