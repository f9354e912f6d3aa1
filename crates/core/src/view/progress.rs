//! Numbers over all tasks: how many are in each state, and how far the plan is.

use serde::{Deserialize, Serialize};

use super::fold::View;
use super::task::TaskView;
use crate::event::Usage;
use crate::state::TaskState;

/// How many tasks are in each state. Parents are not counted: they are folds of what is.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Counts {
    /// All of them.
    pub total: u32,
    /// Not started, or waiting.
    pub pending: u32,
    /// Of these, those that could start now.
    pub ready: u32,
    /// An agent is at work.
    pub in_progress: u32,
    /// The verifier is at work.
    pub testing: u32,
    /// Refused by the verifier, to be repaired.
    pub test_failed: u32,
    /// Merged.
    pub completed: u32,
    /// Given up.
    pub failed: u32,
    /// Waiting for a person.
    pub blocked: u32,
    /// Not carried out.
    pub skipped: u32,
    /// Completed, and changed in the plan since.
    pub stale: u32,
}

impl Counts {
    /// How many are in a state.
    pub fn of(&self, state: TaskState) -> u32 {
        match state {
            TaskState::Pending => self.pending,
            TaskState::InProgress => self.in_progress,
            TaskState::Testing => self.testing,
            TaskState::TestFailed => self.test_failed,
            TaskState::Completed => self.completed,
            TaskState::Failed => self.failed,
            TaskState::Blocked => self.blocked,
            TaskState::Skipped => self.skipped,
        }
    }

    fn slot(&mut self, state: TaskState) -> &mut u32 {
        match state {
            TaskState::Pending => &mut self.pending,
            TaskState::InProgress => &mut self.in_progress,
            TaskState::Testing => &mut self.testing,
            TaskState::TestFailed => &mut self.test_failed,
            TaskState::Completed => &mut self.completed,
            TaskState::Failed => &mut self.failed,
            TaskState::Blocked => &mut self.blocked,
            TaskState::Skipped => &mut self.skipped,
        }
    }
}

/// How far the plan is.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Progress {
    /// Cost of the longest chain of tasks still open, in the graph's own unit.
    pub longest_left: u64,
    /// Cost of the longest chain of all.
    pub longest: u64,
    /// What all turns cost, as far as it is known.
    pub usage: Usage,
    /// Turns that used tokens of unknown price.
    #[serde(skip_serializing_if = "is_none")]
    pub unpriced: u32,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde passes a reference")]
fn is_none(n: &u32) -> bool {
    *n == 0
}

impl View {
    /// How many tasks are in each state.
    pub fn counts(&self) -> Counts {
        let mut counts = Counts::default();
        for task in &self.tasks {
            counts.total += 1;
            *counts.slot(task.state) += 1;
            counts.ready += u32::from(self.is_ready(task));
            counts.stale += u32::from(task.is_stale());
        }
        counts
    }

    /// How far the plan is.
    pub fn progress(&self) -> Progress {
        let mut progress = Progress::default();
        if let Some(run) = &self.run {
            progress.usage.add(&run.team_usage());
        }
        for task in self.tasks.iter().chain(&self.archived) {
            progress.usage.add(&task.usage);
        }
        let attempts = self.tasks.iter().chain(&self.archived).flat_map(|t| &t.attempts);
        let team = self.run.iter().flat_map(|r| &r.team);
        let unpriced = attempts.flat_map(|t| &t.turns).chain(team).filter(|t| t.usage.is_unpriced());
        progress.unpriced = u32::try_from(unpriced.count()).unwrap_or(u32::MAX);
        for task in &self.tasks {
            progress.longest = progress.longest.max(task.priority);
            if !task.state.is_end() {
                progress.longest_left = progress.longest_left.max(task.priority);
            }
        }
        progress
    }

    /// The places of a task's parents in [`View::parents`], outermost first.
    pub fn places_of(&self, task: &TaskView) -> Vec<usize> {
        let mut places = Vec::new();
        let mut up = task.parent;
        while let Some(parent) = up.and_then(|at| self.parents.get(at as usize)) {
            places.extend(up.map(|at| at as usize));
            up = parent.up;
        }
        places.reverse();
        places
    }

    /// How many tasks below each parent are completed, of how many.
    pub fn parent_tallies(&self) -> Vec<(usize, usize)> {
        let mut tallies = vec![(0, 0); self.parents.len()];
        for task in &self.tasks {
            for at in self.places_of(task) {
                tallies[at].0 += usize::from(task.state == TaskState::Completed);
                tallies[at].1 += 1;
            }
        }
        tallies
    }

    /// How many tasks and parents are directly below each parent.
    pub(crate) fn parent_sizes(&self) -> Vec<usize> {
        let mut sizes = vec![0; self.parents.len()];
        let tasks = self.tasks.iter().map(|t| t.parent);
        for up in tasks.chain(self.parents.iter().map(|p| p.up)).flatten() {
            if let Some(size) = sizes.get_mut(up as usize) {
                *size += 1;
            }
        }
        sizes
    }

    /// The state of each parent, in the order of [`View::parents`]: a fold of the tasks below it.
    pub fn parent_states(&self) -> Vec<TaskState> {
        let mut below: Vec<Vec<TaskState>> = vec![Vec::new(); self.parents.len()];
        for task in &self.tasks {
            let mut up = task.parent;
            while let Some(at) = up {
                let Some(states) = below.get_mut(at as usize) else { break };
                states.push(task.state);
                up = self.parents[at as usize].up;
            }
        }
        below.into_iter().map(TaskState::of_children).collect()
    }
}
