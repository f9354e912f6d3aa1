//! Why a task is in its state: the reason as data, and its wording for people.

use std::fmt;

use serde::{Deserialize, Serialize};

use super::fold::View;
use super::task::TaskView;
use crate::event::{AttemptEnd, BlockReason};
use crate::failure::Failure;
use crate::ids::TaskId;
use crate::state::TaskState;
use crate::team::Verdict;

/// How many names a line lists before it only counts.
const NAMED: usize = 3;

/// Why a task is in its state. [`fmt::Display`] words it in one line.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Why {
    /// The plan changed after the task was completed.
    Stale,
    /// The user changed frozen files of it after it was completed.
    Outdated(Vec<String>),
    /// These dependencies are not merged yet.
    WaitsFor(Vec<TaskId>),
    /// The provider of the last attempt is paused.
    AgentPaused(String),
    /// The provider of the last attempt does not serve this account.
    AgentStopped(String),
    /// The last attempt failed.
    AttemptFailed(Failure),
    /// The last attempt was interrupted.
    Interrupted,
    /// A person cancelled the last attempt.
    Cancelled,
    /// Windlass ended during the last attempt.
    Lost,
    /// The last attempt was lost at this place, or with Windlass while it ran there.
    LostAt(String),
    /// The ladder is used up.
    GaveUp(String),
    /// A person is needed.
    Blocked(BlockReason),
    /// A dependency did not complete.
    DependencyFailed(TaskId),
    /// A person skipped the task.
    SkippedByPerson,
    /// The verdict of a review.
    Reviewed(Verdict),
}

impl Why {
    /// The reason an attempt that ended leaves behind; with its place, if it was another machine.
    pub(super) fn of_end(end: &AttemptEnd, place: Option<&str>) -> Self {
        match end {
            AttemptEnd::Failed { failure: Failure::RateLimited { agent, .. } } => {
                Why::AgentPaused(agent.clone())
            }
            AttemptEnd::Failed { failure: Failure::ProviderRefused { agent, .. } } => {
                Why::AgentStopped(agent.clone())
            }
            AttemptEnd::Failed { failure } => Why::AttemptFailed(failure.at_a_glance()),
            AttemptEnd::Interrupted => Why::Interrupted,
            AttemptEnd::Lost => place.map_or(Why::Lost, |place| Why::LostAt(place.to_owned())),
        }
    }

    /// The reason a skipped task has.
    pub(super) fn of_skip(because: Option<&TaskId>) -> Self {
        because.map_or(Why::SkippedByPerson, |task| Why::DependencyFailed(task.clone()))
    }

    /// The reason a verdict leaves behind; an approval without issues leaves none.
    pub(super) fn of_verdict(verdict: &Verdict) -> Option<Self> {
        match verdict {
            Verdict::Approved { issues } if issues.is_empty() => None,
            Verdict::Approved { .. } | Verdict::Rejected { .. } | Verdict::Unknown { .. } => {
                Some(Why::Reviewed(verdict.clone()))
            }
        }
    }

    /// Whether the task waits for `windlass approve` and nothing else.
    pub fn awaits_approval(&self) -> bool {
        matches!(self, Why::Blocked(BlockReason::AwaitingApproval))
    }

    /// Whether the task waits for other tasks.
    pub fn waits_for_tasks(&self) -> bool {
        matches!(self, Why::WaitsFor(_))
    }
}

impl fmt::Display for Why {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Why::Stale => {
                f.write_str("the plan changed after it was completed; `windlass retry` carries it out again")
            }
            Why::Outdated(files) => write!(
                f,
                "{} changed after it was completed; `windlass retry` carries it out again",
                names(files.iter().map(String::as_str))
            ),
            Why::WaitsFor(tasks) => write!(f, "waits for {}", names(tasks.iter().map(TaskId::as_str))),
            Why::AgentPaused(agent) => {
                write!(f, "waits for `{agent}`, which is paused; no attempt was used up")
            }
            Why::AgentStopped(agent) => {
                write!(f, "waits for `{agent}`, which is stopped; no attempt was used up")
            }
            Why::AttemptFailed(failure) => f.write_str(&one_line(&failure.summary())),
            Why::Interrupted => f.write_str("interrupted; the next run continues it"),
            Why::Cancelled => f.write_str("cancelled; the next run continues it"),
            Why::Lost => f.write_str("Windlass ended while it ran; the next run continues it"),
            Why::LostAt(place) => {
                write!(f, "lost at place `{place}`; no attempt was used up, and it is tried again")
            }
            Why::GaveUp(reason) => f.write_str(&one_line(reason)),
            Why::Blocked(block) => f.write_str(&blocked(block)),
            Why::DependencyFailed(task) => write!(f, "needs `{task}`, which did not complete"),
            Why::SkippedByPerson => f.write_str("a person skipped it"),
            Why::Reviewed(verdict) => f.write_str(&reviewed(verdict)),
        }
    }
}

impl View {
    /// Why the task is in its state: what it waits for, or the reason its last event gave.
    pub fn why(&self, task: &TaskView) -> Option<Why> {
        if !task.outdated.is_empty() {
            return Some(Why::Outdated(task.outdated.clone()));
        }
        if task.is_stale() {
            return Some(Why::Stale);
        }
        match task.state {
            TaskState::Pending => self.waiting(task).or_else(|| task.why.clone()),
            TaskState::InProgress
            | TaskState::Testing
            | TaskState::TestFailed
            | TaskState::Completed
            | TaskState::Failed
            | TaskState::Blocked
            | TaskState::Skipped => task.why.clone(),
        }
    }

    /// The dependencies that are not merged yet.
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

    fn waiting(&self, task: &TaskView) -> Option<Why> {
        let unmet: Vec<TaskId> = self.unmet(task).map(|d| d.id.clone()).collect();
        (!unmet.is_empty()).then_some(Why::WaitsFor(unmet))
    }
}

/// The first few names in backticks, and how many more there are.
fn names<S: AsRef<str>>(all: impl ExactSizeIterator<Item = S>) -> String {
    let rest = all.len().saturating_sub(NAMED);
    let shown: Vec<String> = all.take(NAMED).map(|n| format!("`{}`", n.as_ref())).collect();
    match rest {
        0 => shown.join(", "),
        rest => format!("{} and {rest} more", shown.join(", ")),
    }
}

fn blocked(block: &BlockReason) -> String {
    match block {
        BlockReason::AgentBlocked { reason } => one_line(reason),
        BlockReason::NeedsFiles { files } => {
            let files = files.iter().map(|(file, why)| format!("{file} ({why})"));
            format!("needs files beyond its own: {}; `windlass approve --files` gives them", names(files))
        }
        BlockReason::AwaitingApproval => "verified; waits for `windlass approve`".into(),
        BlockReason::Deadlock { reason } => {
            format!("{}: look at it, then `approve`, `retry` or `skip` it", one_line(reason))
        }
        BlockReason::Escalated { reason } => {
            format!("{}; no task starts until you `retry`, `approve` or `skip` it", one_line(reason))
        }
        BlockReason::NoVerdict { reason } => {
            let reason = one_line(reason);
            format!(
                "green, but the reviewer gave no verdict ({reason}): look at it, then `approve` or `retry`"
            )
        }
        BlockReason::Unordered { with, reason } => {
            let (with, reason) = (names(with.iter().map(TaskId::as_str)), one_line(reason));
            format!("in conflict with {with} ({reason}): say in the plan which comes first")
        }
    }
}

fn reviewed(verdict: &Verdict) -> String {
    match verdict {
        Verdict::Approved { issues } | Verdict::Rejected { issues } => {
            let first = issues.first().map(|i| one_line(&i.line())).unwrap_or_default();
            format!("{} in review: {first}", verdict.as_str())
        }
        Verdict::Unknown { reason } => format!("the review gave no verdict: {}", one_line(reason)),
    }
}

/// The text on one line: agents write paragraphs.
fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}
