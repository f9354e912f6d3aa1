//! Task Master's `tasks.json`: numbered tasks with numbered subtasks, in tags.
//!
//! A subtask's number counts inside its parent; here it is called `5.2`.

mod ids;
mod read;
#[cfg(test)]
mod tests;
mod write;

pub(crate) use read::read;
pub(crate) use write::write;

use super::states::Words;
use super::{Sniff, TextFile, foreign};
use windlass_core::state::TaskState;

/// Where the file lies below `.taskmaster`.
const FILE: &str = "tasks.json";

/// The tag everything is in that has no other.
const MASTER: &str = "master";

/// The heading under which the test strategy is kept.
const STRATEGY: &str = "Test strategy";

/// Its words for states.
pub(crate) const WORDS: Words = Words(&[
    (TaskState::Pending, "pending"),
    (TaskState::InProgress, "in-progress"),
    (TaskState::Testing, "review"),
    (TaskState::TestFailed, "in-progress"),
    (TaskState::Completed, "done"),
    (TaskState::Failed, "deferred"),
    (TaskState::Blocked, "deferred"),
    (TaskState::Blocked, "blocked"),
    (TaskState::Skipped, "cancelled"),
]);

/// How much a file looks like a Task Master file.
pub(crate) fn confidence(file: &TextFile) -> Sniff {
    foreign::sniff_json(file, |seen| {
        let tagged = !seen.has("tasks") && seen.second.iter().any(|(_, key)| *key == "tasks");
        let known = ["testStrategy", "details", "subtasks"].iter().filter(|k| seen.task_has(k)).count();
        let plain = seen.tasks == Some(b'[') && seen.task_has("dependencies") && !seen.has("feature");
        if seen.task_has("testStrategy") || (tagged || plain) && known >= 2 {
            Sniff::Sure
        } else if plain && known == 1 || tagged && seen.has(MASTER) {
            Sniff::Maybe
        } else {
            Sniff::No
        }
    })
}
