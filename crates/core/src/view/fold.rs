//! The fold: events in, where everything stands out.

use std::collections::HashMap;
use std::sync::OnceLock;

use serde::{Deserialize, Serialize};

use super::run::{self, RunView};
use super::task::TaskView;
use crate::event::{Event, Millis, Stamped};
use crate::ids::TaskId;
use crate::state::IllegalMove;

/// Where a plan's runs stand. Built by [`View::apply`] and by nothing else.
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
    pub parents: Vec<Parent>,
    /// The tasks, in the order of the plan.
    pub tasks: Vec<TaskView>,
    /// Tasks the plan no longer has.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub archived: Vec<TaskView>,
    #[serde(skip)]
    pub(super) index: Index,
}

/// A parent: a name for the tasks below it.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Parent {
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

/// Where each id stands among the tasks. Made when first asked for; never part of the fold.
#[derive(Debug, Clone, Default)]
pub(super) struct Index(OnceLock<HashMap<TaskId, u32>>);

impl PartialEq for Index {
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
    pub fn parents_of<'a>(&'a self, task: &TaskView) -> impl Iterator<Item = &'a Parent> {
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
        match stamped.event.task() {
            Some(task) => self.apply_to_task(task, stamped)?,
            None => self.apply_to_run(stamped)?,
        }
        self.seq = stamped.seq;
        self.at = stamped.at;
        Ok(())
    }

    fn apply_to_task(&mut self, id: &TaskId, stamped: &Stamped) -> Result<(), ViewError> {
        let task = match self.place(id.as_str()) {
            Some(at) => self.tasks.get_mut(at),
            None => self.archived.iter_mut().find(|t| t.id == *id),
        };
        let task = task.ok_or_else(|| ViewError::UnknownTask { seq: stamped.seq, task: id.clone() })?;
        let illegal = |source| ViewError::Illegal { seq: stamped.seq, task: id.clone(), source };
        task.apply(stamped.at, &stamped.event).map_err(illegal)?;
        if let (Event::Merged { commit, .. }, Some(run)) = (&stamped.event, &mut self.run) {
            run.tip = commit.clone();
        }
        if let (Event::AttemptStarted { .. }, Some(run)) = (&stamped.event, &mut self.run) {
            run.held = None;
        }
        Ok(())
    }

    fn apply_to_run(&mut self, stamped: &Stamped) -> Result<(), ViewError> {
        if let Event::RunStarted { .. } = &stamped.event {
            self.run = run::begin(&stamped.event, stamped.at, self.run.as_ref());
            return Ok(());
        }
        if let Event::PlanSealed { hash, tasks, .. } = &stamped.event {
            if let (true, Some(run)) = (*hash != self.plan_hash, &mut self.run) {
                run.held = None;
            }
            self.reseal(hash, tasks);
            return Ok(());
        }
        if let Event::QueueFormed { hash, edges, .. } = &stamped.event {
            if *hash == self.plan_hash {
                self.add_edges(edges);
            }
            return Ok(());
        }
        // A finding about nothing in particular is for the journal's readers, not for where things stand.
        if let Event::Finding { .. } = &stamped.event {
            return Ok(());
        }
        let run = self.run.as_mut().ok_or(ViewError::NoRun { seq: stamped.seq })?;
        apply_to(run, stamped);
        Ok(())
    }

    /// Edges besides the plan's own.
    fn add_edges(&mut self, edges: &[(TaskId, TaskId)]) {
        for (first, then) in edges {
            let (Some(first), Some(then)) = (self.place(first.as_str()), self.place(then.as_str())) else {
                continue;
            };
            self.tasks[then].deps.extend(u32::try_from(first).ok());
        }
    }

    /// Where a task stands in the list.
    pub(super) fn place(&self, id: &str) -> Option<usize> {
        let index = self.index.0.get_or_init(|| {
            let place = |(at, task): (usize, &TaskView)| Some((task.id.clone(), u32::try_from(at).ok()?));
            self.tasks.iter().enumerate().filter_map(place).collect()
        });
        index.get(id).map(|at| *at as usize)
    }
}

/// What the run's own events do to it.
fn apply_to(run: &mut RunView, stamped: &Stamped) {
    match &stamped.event {
        Event::RunEnded { end } => run.ended(stamped.at, end),
        Event::Paused => run.paused = true,
        Event::Resumed => run.paused = false,
        Event::StopRequested { .. } => run.stopping = true,
        Event::TipMoved { tip } => run.tip = tip.clone(),
        Event::MergingPaused { reason } => run.merging_paused = Some(reason.clone()),
        Event::MergingResumed => run.merging_paused = None,
        Event::AgentPaused { agent, until, reason } => run.rests(agent, *until, reason),
        Event::PlanJudged { .. } => run.judged(&stamped.event),
        Event::RunStarted { .. }
        | Event::PlanSealed { .. }
        | Event::Finding { .. }
        | Event::AttemptStarted { .. }
        | Event::ProcessStarted { .. }
        | Event::StepStarted { .. }
        | Event::StepEnded { .. }
        | Event::Heartbeat { .. }
        | Event::TurnEnded { .. }
        | Event::TestsFrozen { .. }
        | Event::FilesGranted { .. }
        | Event::CandidateMade { .. }
        | Event::VerifyIntended { .. }
        | Event::VerifyStarted { .. }
        | Event::VerifyAbandoned { .. }
        | Event::Verified { .. }
        | Event::ReviewStarted { .. }
        | Event::Reviewed { .. }
        | Event::ReviewAbandoned { .. }
        | Event::QueueFormed { .. }
        | Event::MergeIntended { .. }
        | Event::Merged { .. }
        | Event::AttemptEnded { .. }
        | Event::TaskFailed { .. }
        | Event::TaskBlocked { .. }
        | Event::TaskSkipped { .. }
        | Event::TaskReset { .. }
        | Event::Approved { .. } => {}
    }
}
