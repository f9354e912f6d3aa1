//! super-planner's projects: tasks by name in one file, or a hierarchy in which a task stands for another project.

mod projects;
mod read;
mod task;
#[cfg(test)]
mod tests;
mod write;

pub(crate) use read::read;
pub(crate) use write::write;

use super::states::Words;
use super::{Dialect, Sniff, TextFile, foreign};
use windlass_core::state::TaskState;

const DIALECT: Dialect = Dialect::Superplanner;

/// Its words for states.
pub(crate) const WORDS: Words = Words(&[
    (TaskState::Pending, "pending"),
    (TaskState::InProgress, "in_progress"),
    (TaskState::Testing, "testing"),
    (TaskState::TestFailed, "test_failed"),
    (TaskState::Completed, "completed"),
    (TaskState::Failed, "blocked"),
    (TaskState::Blocked, "blocked"),
    (TaskState::Skipped, "blocked"),
]);

/// How much a file looks like a super-planner project.
pub(crate) fn confidence(file: &TextFile) -> Sniff {
    foreign::sniff_json(file, |seen| {
        let listed = seen.has("project") && seen.tasks == Some(b'[') && seen.below_has("id");
        let named = seen.tasks == Some(b'{') && seen.has("id") && seen.has("tasks");
        let stated =
            seen.task_has("state") || seen.task_has("depends_on") || seen.task_has("requires_testing");
        if seen.has("session_id") || seen.has("feature") {
            Sniff::No
        } else if listed && seen.task_has("dependencies") || named && stated {
            Sniff::Sure
        } else if named && seen.has("name") {
            Sniff::Maybe
        } else {
            Sniff::No
        }
    })
}
