//! What a piece of the journal changed: rows to draw again, and the head.

use std::collections::BTreeSet;

use serde::Serialize;

use super::attention::{AttentionDoc, attention};
use super::head::{Around, HeadDoc};
use super::phases::{PhaseDoc, phases};
use super::rows::{Doings, RowDoc, row};
use crate::event::{Event, RunEvent, Stamped};
use crate::ids::TaskId;
use crate::view::View;

/// With more changed tasks than this a page is told to ask again for what it shows.
const MOST: usize = 400;

/// The tasks that a piece of the journal is about.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Touched {
    tasks: BTreeSet<TaskId>,
    resealed: bool,
}

impl Touched {
    /// Takes in an event.
    pub fn apply(&mut self, stamped: &Stamped) {
        match &stamped.event {
            Event::Task { task, .. } => {
                if !self.tasks.contains(task) {
                    self.tasks.insert(task.clone());
                }
            }
            Event::Run(RunEvent::PlanSealed { .. } | RunEvent::QueueFormed { .. }) => self.resealed = true,
            Event::Run(
                RunEvent::RunStarted(_)
                | RunEvent::RunEnded { .. }
                | RunEvent::Paused
                | RunEvent::Resumed
                | RunEvent::StopRequested { .. }
                | RunEvent::TipMoved { .. }
                | RunEvent::SyncIntended(_)
                | RunEvent::Synced(_)
                | RunEvent::MergingPaused { .. }
                | RunEvent::MergingResumed
                | RunEvent::AgentPaused { .. }
                | RunEvent::PlaceLost { .. }
                | RunEvent::ProviderStopped { .. }
                | RunEvent::ProviderResumed { .. }
                | RunEvent::BudgetSpent { .. }
                | RunEvent::ClosingFailed { .. }
                | RunEvent::PlanJudged(_)
                | RunEvent::Finding { .. },
            ) => {}
        }
    }
}

impl Touched {
    /// Everything: what was known is worth nothing now.
    pub fn everything() -> Self {
        Self { tasks: BTreeSet::new(), resealed: true }
    }

    /// Whether the plan was sealed again.
    pub fn is_resealed(&self) -> bool {
        self.resealed
    }
}

/// The new values of what changed. Applying it twice has no further effect.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ChangeDoc {
    /// The number of the event after which it begins: a reader that knows less has missed something.
    pub since: u64,
    /// The run.
    pub head: HeadDoc,
    /// Whether more changed than is listed: everything shown has to be asked for again.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub reload: bool,
    /// The tasks that changed, as they are now.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub rows: Vec<RowDoc>,
    /// What needs a person; left out where the reader has it already.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub attention: Option<AttentionDoc>,
    /// The phases of the tasks that changed, with their places.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub phases: Vec<(usize, PhaseDoc)>,
}

impl ChangeDoc {
    /// What the tasks that were touched after event `since` look like now.
    pub fn new(view: &View, since: u64, touched: &Touched, around: Around<'_>, doings: &Doings) -> Self {
        let reload = touched.resealed || touched.tasks.len() > MOST;
        let listed = touched.tasks.iter().filter(|_| !reload);
        let places: Vec<usize> = listed.filter_map(|task| view.place(task.as_str())).collect();
        let above: BTreeSet<usize> = places.iter().flat_map(|at| view.places_of(&view.tasks[*at])).collect();
        let phases = if above.is_empty() { Vec::new() } else { phases(view, around.titles) };
        Self {
            since,
            head: HeadDoc::new(view, around),
            reload,
            rows: places.iter().map(|at| row(view, *at, doings)).collect(),
            attention: Some(attention(view, around.trouble)),
            phases: phases.into_iter().enumerate().filter(|(at, _)| above.contains(at)).collect(),
        }
    }
}
