//! The fold: events in, the current state out.

use std::collections::HashMap;
use std::sync::OnceLock;

use serde::{Deserialize, Serialize};

use super::run::{self, RunView};
use super::task::TaskView;
use crate::event::{Event, Millis, RunEvent, Stamped, TaskEvent};
use crate::ids::TaskId;
use crate::state::IllegalMove;

/// The current state of a plan's runs. Only [`View::apply`] builds it.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct View {
    /// The number of the last event folded.
    pub seq: u64,
    /// When it happened.
    pub at: Millis,
    /// Hash of the plan as last sealed.
    pub plan_hash: String,
    /// The last run.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub run: Option<RunView>,
    /// The parents of the tasks.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub parents: Vec<ParentView>,
    /// The tasks, in the order of the plan.
    pub tasks: Vec<TaskView>,
    /// Tasks the plan no longer has.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub archived: Vec<TaskView>,
    #[serde(skip)]
    pub(super) index: TaskPlaces,
}

/// A parent: a name for the tasks below it.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct ParentView {
    /// Its id.
    pub id: String,
    /// The parent above it, as a place in [`View::parents`].
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub up: Option<u32>,
}

/// A journal that no program can have written.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ViewError {
    /// An event is missing or came twice.
    #[error("event {found} came where event {expected} was expected")]
    Gap {
        /// The number that should have come.
        expected: u64,
        /// The number that came.
        found: u64,
    },
    /// The first event about a run came before a run.
    #[error("event {seq} came before any run started")]
    NoRun {
        /// Its number.
        seq: u64,
    },
    /// A task the plan does not have.
    #[error("event {seq} is about the task `{task}`, which the plan does not have")]
    UnknownTask {
        /// The event's number.
        seq: u64,
        /// The task.
        task: TaskId,
    },
    /// A task went where it cannot go.
    #[error("event {seq} about the task `{task}`")]
    Illegal {
        /// The event's number.
        seq: u64,
        /// The task.
        task: TaskId,
        /// The move.
        source: IllegalMove,
    },
}

/// The index of each id among the tasks. Built on first use; not part of the fold.
#[derive(Debug, Clone, Default)]
pub(super) struct TaskPlaces(OnceLock<HashMap<TaskId, u32>>);

impl PartialEq for TaskPlaces {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

impl View {
    /// The task with this id.
    pub fn task(&self, id: &str) -> Option<&TaskView> {
        self.place(id).and_then(|at| self.tasks.get(at))
    }

    /// The parents of a task, nearest first.
    pub fn parents_of<'a>(&'a self, task: &TaskView) -> impl Iterator<Item = &'a ParentView> {
        let mut up = task.parent;
        std::iter::from_fn(move || {
            let parent = self.parents.get(up? as usize)?;
            up = parent.up;
            Some(parent)
        })
    }

    /// Folds one event.
    pub fn apply(&mut self, stamped: &Stamped) -> Result<(), ViewError> {
        let expected = self.seq + 1;
        if stamped.seq != expected {
            return Err(ViewError::Gap { expected, found: stamped.seq });
        }
        match &stamped.event {
            Event::Task { task, event } => self.apply_to_task(task, event, stamped)?,
            Event::Run(event) => self.apply_to_run(event, stamped)?,
        }
        self.seq = stamped.seq;
        self.at = stamped.at;
        Ok(())
    }

    fn apply_to_task(&mut self, id: &TaskId, event: &TaskEvent, stamped: &Stamped) -> Result<(), ViewError> {
        let task = match self.place(id.as_str()) {
            Some(at) => self.tasks.get_mut(at),
            None => self.archived.iter_mut().find(|t| t.id == *id),
        };
        let task = task.ok_or_else(|| ViewError::UnknownTask { seq: stamped.seq, task: id.clone() })?;
        let illegal = |source| ViewError::Illegal { seq: stamped.seq, task: id.clone(), source };
        task.apply(stamped.at, event).map_err(illegal)?;
        let Some(run) = &mut self.run else { return Ok(()) };
        if let TaskEvent::Merged { commit, .. } = event {
            run.tip = commit.clone();
        }
        if let TaskEvent::AttemptStarted(_) = event {
            run.held = None;
        }
        Ok(())
    }

    fn apply_to_run(&mut self, event: &RunEvent, stamped: &Stamped) -> Result<(), ViewError> {
        match event {
            RunEvent::RunStarted(started) => {
                self.run = Some(run::begin(started, stamped.at, self.run.as_ref()));
            }
            RunEvent::PlanSealed { hash, tasks, .. } => {
                if let (true, Some(run)) = (*hash != self.plan_hash, &mut self.run) {
                    run.held = None;
                }
                self.reseal(hash, tasks);
            }
            RunEvent::QueueFormed { hash, edges, .. } => {
                if *hash == self.plan_hash {
                    self.add_edges(edges);
                }
            }
            // A finding is shown to readers of the journal, and an intent has not happened: they change no state.
            RunEvent::Finding { .. } | RunEvent::SyncIntended(_) => {}
            RunEvent::RunEnded { end } => self.started_run(stamped)?.ended(stamped.at, end),
            RunEvent::Paused => self.started_run(stamped)?.paused = true,
            RunEvent::Resumed => self.started_run(stamped)?.paused = false,
            RunEvent::StopRequested { .. } => self.started_run(stamped)?.stopping = true,
            RunEvent::TipMoved { tip } => self.started_run(stamped)?.tip = tip.clone(),
            RunEvent::Synced(synced) => {
                self.started_run(stamped)?.tip = synced.commit.clone();
                for outdated in &synced.outdated {
                    if let Some(at) = self.place(outdated.task.as_str()) {
                        self.tasks[at].outdated.clone_from(&outdated.files);
                    }
                }
            }
            RunEvent::MergingPaused { reason } => {
                self.started_run(stamped)?.merging_paused = Some(reason.clone());
            }
            RunEvent::MergingResumed => self.started_run(stamped)?.merging_paused = None,
            RunEvent::AgentPaused { agent, until, reason } => {
                self.started_run(stamped)?.rests(agent, *until, reason);
            }
            RunEvent::PlaceLost { place, reason, until } => {
                if let Some(until) = until {
                    self.started_run(stamped)?.rests(&format!("place {place}"), *until, reason);
                }
            }
            RunEvent::ProviderStopped { provider, reason } => {
                self.started_run(stamped)?.stops(provider, reason);
            }
            RunEvent::ProviderResumed { provider } => self.started_run(stamped)?.serves_again(provider),
            RunEvent::BudgetSpent { reason } => {
                self.started_run(stamped)?.budget_spent = Some(reason.clone());
            }
            RunEvent::ClosingFailed { summary, .. } => {
                self.started_run(stamped)?.closing_failed = Some(summary.clone());
            }
            RunEvent::PlanJudged(judged) => self.started_run(stamped)?.judged(judged),
        }
        Ok(())
    }

    /// The run that an event is about.
    fn started_run(&mut self, stamped: &Stamped) -> Result<&mut RunView, ViewError> {
        self.run.as_mut().ok_or(ViewError::NoRun { seq: stamped.seq })
    }

    /// Edges that the plan does not state.
    fn add_edges(&mut self, edges: &[(TaskId, TaskId)]) {
        for (first, then) in edges {
            let (Some(first), Some(then)) = (self.place(first.as_str()), self.place(then.as_str())) else {
                continue;
            };
            self.tasks[then].deps.extend(u32::try_from(first).ok());
        }
    }

    /// The index of a task.
    pub(super) fn place(&self, id: &str) -> Option<usize> {
        let index = self.index.0.get_or_init(|| {
            let place = |(at, task): (usize, &TaskView)| Some((task.id.clone(), u32::try_from(at).ok()?));
            self.tasks.iter().enumerate().filter_map(place).collect()
        });
        index.get(id).map(|at| *at as usize)
    }
}
