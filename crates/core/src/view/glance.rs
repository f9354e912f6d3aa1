//! The part of a view that fits on a screen, kept beside it so that a look at ten thousand tasks costs nothing.

use serde::{Deserialize, Serialize};

use super::fold::View;
use super::progress::{Counts, Progress};
use super::run::RunView;
use super::task::TaskView;
use super::why::Why;
use crate::event::Millis;
use crate::state::TaskState;

/// A plan this small is shown whole.
const WHOLE: usize = 40;
/// Of a larger one, so many tasks that want attention.
const SHOWN: usize = 60;

/// What a person wants to see first.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Glance {
    /// The number of the last event folded.
    pub seq: u64,
    /// When it happened.
    pub at: Millis,
    /// The last run.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub run: Option<RunView>,
    /// The number of tasks in each state.
    pub counts: Counts,
    /// How far the plan is.
    pub progress: Progress,
    /// The tasks to show, in the order of the plan, each with the reason for its state.
    pub tasks: Vec<(TaskView, Option<Why>)>,
    /// How many tasks are not shown.
    pub left_out: u32,
    /// How many tasks the plan no longer has.
    #[serde(default)]
    pub archived: u32,
}

impl View {
    /// The part that fits on a screen: all tasks of a small plan; of a larger one those that are at work, refused,
    /// stuck or stale, then those that are ready.
    pub fn glance(&self) -> Glance {
        let mut shown: Vec<usize> = (0..self.tasks.len()).collect();
        if shown.len() > WHOLE {
            shown.retain(|at| self.attention(&self.tasks[*at]).is_some());
            shown.sort_by_key(|at| (self.attention(&self.tasks[*at]), *at));
            shown.truncate(SHOWN);
            shown.sort_unstable();
        }
        self.glance_at(&shown)
    }

    /// The whole view in the same form.
    pub fn glance_at_all(&self) -> Glance {
        let all: Vec<usize> = (0..self.tasks.len()).collect();
        self.glance_at(&all)
    }

    fn glance_at(&self, places: &[usize]) -> Glance {
        let shown = |at: &usize| {
            let task = &self.tasks[*at];
            (task.at_a_glance(), self.why(task))
        };
        Glance {
            seq: self.seq,
            at: self.at,
            run: self.run.clone(),
            counts: self.counts(),
            progress: self.progress(),
            tasks: places.iter().map(shown).collect(),
            left_out: small(self.tasks.len() - places.len()),
            archived: small(self.archived.len()),
        }
    }

    /// The sort key of a task that is listed, lower first; `None` if it is not listed.
    fn attention(&self, task: &TaskView) -> Option<u32> {
        if task.is_stale() {
            return Some(3);
        }
        match task.state {
            TaskState::InProgress | TaskState::Testing | TaskState::TestFailed => Some(0),
            TaskState::Failed => Some(1),
            TaskState::Blocked => Some(2),
            TaskState::Skipped => Some(4),
            TaskState::Pending => self.is_ready(task).then_some(5),
            TaskState::Completed => None,
        }
    }
}

/// A count of tasks; no plan has more than four thousand million.
fn small(n: usize) -> u32 {
    u32::try_from(n).unwrap_or(u32::MAX)
}
