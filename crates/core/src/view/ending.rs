//! How a task came to need a person: the cause, what shows it, and the next step.

use serde::Serialize;

use super::task::TaskView;
use super::why::Why;
use crate::event::BlockReason;
use crate::state::TaskState;

/// The end of a task that failed or is blocked.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Ending {
    /// The cause, in one line.
    pub cause: String,
    /// The line of an output that shows it, where there is one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub evidence: Option<String>,
    /// The next step.
    pub remedy: String,
}

impl Ending {
    /// The end of a task in this state; `None` unless it failed or is blocked.
    pub fn of(task: &TaskView, why: Option<&Why>) -> Option<Self> {
        match task.state {
            TaskState::Failed | TaskState::Blocked => {}
            TaskState::Pending
            | TaskState::InProgress
            | TaskState::Testing
            | TaskState::TestFailed
            | TaskState::Completed
            | TaskState::Skipped => return None,
        }
        let id = task.id.as_str();
        let remedy = match why {
            Some(Why::Blocked(block)) => unblock(block, id),
            Some(_) | None => None,
        };
        let by_failure = || {
            let remedy = task.failure.as_ref()?.remedy(id);
            Some(left_out(task).map_or(remedy.clone(), |beside| format!("{remedy}; {beside}")))
        };
        Some(Self {
            cause: why.map(Why::to_string).unwrap_or_default(),
            evidence: task.failure.as_ref().and_then(crate::failure::Failure::evidence),
            remedy: remedy.or_else(by_failure).unwrap_or_else(|| format!("`windlass show {id}`")),
        })
    }
}

/// The files whose absence may be why tests fail: what its agent left beside its own files. Prose is no reason.
fn left_out(task: &TaskView) -> Option<String> {
    const PROSE: [&str; 5] = [".md", ".rst", ".txt", ".adoc", ".log"];
    const TOLD: usize = 4;
    if !task.failure.as_ref()?.is_about_a_run() {
        return None;
    }
    let paths = task.left_out.paths.iter().filter(|path| !PROSE.iter().any(|ending| path.ends_with(ending)));
    let named: Vec<String> = paths.take(TOLD).map(|path| format!("`{path}`")).collect();
    (!named.is_empty()).then(|| {
        format!(
            "left out of its work: {}; if the tests need that, give it to the task in the plan",
            named.join(", ")
        )
    })
}

/// The next step for a task that waits for a person, where its last failure does not say it.
fn unblock(block: &BlockReason, id: &str) -> Option<String> {
    match block {
        BlockReason::AgentBlocked { .. } => None,
        BlockReason::NeedsFiles { files } => {
            let named: String = files.iter().map(|(file, _)| format!(" --files {file}")).collect();
            Some(format!("`windlass approve {id}{named}`"))
        }
        BlockReason::AwaitingApproval => Some(format!("`windlass diff {id}`, then `windlass approve {id}`")),
        BlockReason::Deadlock { .. } | BlockReason::Escalated { .. } | BlockReason::NoVerdict { .. } => {
            Some(format!("`windlass show {id}`, then `approve`, `retry` or `skip` it"))
        }
        BlockReason::Unordered { .. } => {
            Some(format!("say in the plan which comes first, then `windlass retry {id}`"))
        }
    }
}
