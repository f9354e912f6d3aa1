//! Everything that can happen to a run. State is a fold over these events; nothing else changes it.
//!
//! An event is about the run or about one task. Both enums are closed: a new variant is a compile error in every fold
//! that must handle it. Old journals stay readable because fields are only ever added with a default.

mod fact;
mod parts;
mod run;
mod task;

use serde::{Deserialize, Serialize};

use crate::ids::TaskId;
pub use crate::team::{Claim, Role};
pub use crate::usage::Usage;
pub use fact::{EventFact, PaidTurn, TaskStop};
pub use parts::{
    AttemptEnd, BlockReason, FrozenFile, HeldTests, LeftOut, MutantSeen, PersonAnswer, PoolLimit, RedKind,
    RedReason, RedTest, RedTests, RunEnd, SealedTask, StepResult, TestAuthor,
};
pub use run::{OutdatedTask, PlanJudged, RunEvent, RunStarted, Synced};
pub use task::{AttemptStarted, TaskEvent, TurnEnded, TurnProgress};

/// Milliseconds since the Unix epoch. The engine reads the clock and passes it in.
pub type Millis = i64;

/// An event with its number and time in the journal.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Stamped {
    /// Its number, from 1.
    pub seq: u64,
    /// When it was written.
    pub at: Millis,
    /// What happened.
    pub event: Event,
}

/// Something that happened. In JSON it is one flat object: `kind`, the task if there is one, and the fields.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(untagged)]
pub enum Event {
    /// An event of the run as a whole.
    Run(RunEvent),
    /// An event of one task.
    Task {
        /// The task.
        task: TaskId,
        /// What happened to it.
        #[serde(flatten)]
        event: TaskEvent,
    },
}

impl Event {
    /// The task the event is about, if it is about one.
    pub fn task(&self) -> Option<&TaskId> {
        match self {
            Event::Run(_) => None,
            Event::Task { task, .. } => Some(task),
        }
    }

    /// Reads an event from its JSON. The presence of `task` tells an event of a task from an event of the run.
    pub fn from_json(json: &str) -> Result<Self, serde_json::Error> {
        #[derive(Deserialize)]
        struct Subject {
            #[serde(default)]
            task: Option<TaskId>,
        }
        let Subject { task } = serde_json::from_str(json)?;
        Ok(match task {
            Some(task) => Event::Task { task, event: serde_json::from_str(json)? },
            None => Event::Run(serde_json::from_str(json)?),
        })
    }
}

impl From<RunEvent> for Event {
    fn from(event: RunEvent) -> Self {
        Event::Run(event)
    }
}

#[cfg(test)]
mod tests;
