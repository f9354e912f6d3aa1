//! Why a task stands where it stands, in one line for people.

use super::fold::View;
use super::task::TaskView;
use crate::event::{AttemptEnd, BlockReason};
use crate::failure::Failure;
use crate::ids::TaskId;
use crate::state::TaskState;
use crate::team::Verdict;

/// How many names a line lists before it only counts.
const NAMED: usize = 3;

impl View {
    /// Why the task stands where it stands: what an event said, or what it waits for.
    pub fn why(&self, task: &TaskView) -> Option<String> {
        if task.is_stale() {
            return Some(
                "the plan changed after it was completed; `windlass retry` carries it out again".into(),
            );
        }
        match task.state {
            TaskState::Pending => self.waiting(task).or_else(|| task.said.clone()),
            TaskState::InProgress
            | TaskState::Testing
            | TaskState::TestFailed
            | TaskState::Completed
            | TaskState::Failed
            | TaskState::Blocked
            | TaskState::Skipped => task.said.clone(),
        }
    }

    /// What must be merged before the task can start.
    pub fn unmet<'a>(&'a self, task: &'a TaskView) -> impl Iterator<Item = &'a TaskView> {
        task.deps
            .iter()
            .filter_map(|at| self.tasks.get(*at as usize))
            .filter(|dep| dep.state != TaskState::Completed)
    }

    /// Whether it could start now.
    pub fn is_ready(&self, task: &TaskView) -> bool {
        task.state == TaskState::Pending && self.unmet(task).next().is_none()
    }

    fn waiting(&self, task: &TaskView) -> Option<String> {
        let unmet: Vec<&str> = self.unmet(task).map(|d| d.id.as_str()).collect();
        (!unmet.is_empty()).then(|| format!("waits for {}", names(&unmet)))
    }
}

/// The first few names in backticks, and how many more there are.
fn names(all: &[&str]) -> String {
    let shown: Vec<String> = all.iter().take(NAMED).map(|n| format!("`{n}`")).collect();
    match all.len().saturating_sub(NAMED) {
        0 => shown.join(", "),
        rest => format!("{} and {rest} more", shown.join(", ")),
    }
}

/// What a person is needed for.
pub(super) fn of_block(block: &BlockReason) -> String {
    match block {
        BlockReason::AgentBlocked { reason } => one_line(reason),
        BlockReason::NeedsFiles { files } => {
            let files: Vec<String> = files.iter().map(|(file, owner)| format!("{file} ({owner})")).collect();
            let files: Vec<&str> = files.iter().map(String::as_str).collect();
            format!("needs files that unfinished tasks own: {}", names(&files))
        }
        BlockReason::AwaitingApproval => "verified; waits for `windlass approve`".into(),
        BlockReason::Deadlock { reason } => {
            format!("{}: look at it, then `approve`, `retry` or `skip` it", one_line(reason))
        }
        BlockReason::Escalated { reason } => {
            format!("{}; nothing new begins until you `retry`, `approve` or `skip` it", one_line(reason))
        }
        BlockReason::NoVerdict { reason } => {
            let reason = one_line(reason);
            format!(
                "green, but the reviewer gave no verdict ({reason}): look at it, then `approve` or `retry`"
            )
        }
        BlockReason::Unordered { with, reason } => {
            let with: Vec<&str> = with.iter().map(TaskId::as_str).collect();
            let reason = one_line(reason);
            format!("in conflict with {} ({reason}): say in the plan which comes first", names(&with))
        }
    }
}

/// Why it is not carried out.
pub(super) fn of_skip(because: Option<&TaskId>) -> String {
    because.map_or_else(
        || "a person skipped it".into(),
        |task| format!("needs `{task}`, which did not complete"),
    )
}

/// What a reviewer said, where it is worth a line.
pub(super) fn of_verdict(verdict: &Verdict) -> Option<String> {
    match verdict {
        Verdict::Approved { issues } if issues.is_empty() => None,
        Verdict::Approved { issues } | Verdict::Rejected { issues } => {
            let first = issues.first().map(|i| one_line(&i.line())).unwrap_or_default();
            Some(format!("{} in review: {first}", verdict.as_str()))
        }
        Verdict::Unknown { reason } => Some(format!("the review gave no verdict: {}", one_line(reason))),
    }
}

/// How the last try ended.
pub(super) fn of_end(end: &AttemptEnd) -> String {
    match end {
        AttemptEnd::Failed { failure: Failure::RateLimited { agent, .. } } => {
            format!("waits for `{agent}`, which rests; no try was used up")
        }
        AttemptEnd::Failed { failure } => one_line(&failure.summary()),
        AttemptEnd::Interrupted => "interrupted; goes on by itself".into(),
        AttemptEnd::Lost => "Windlass ended while it ran; goes on by itself".into(),
    }
}

/// The text on one line: agents write paragraphs.
pub(super) fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}
