//! What is known beside a plan when it is written: progress, the time, and what a run has done.
//!
//! None of it is part of the plan. Formats that keep a log or a time get it; the others write the same without it.

use crate::{Dialect, StateOf, TextFile, write};
use windlass_core::plan::Plan;

/// What is known beside a plan.
pub struct RunFacts<'a> {
    /// The state of each task.
    pub states: StateOf<'a>,
    /// The time of writing, in RFC 3339.
    pub now: &'a str,
    /// What was done so far, oldest first.
    pub log: &'a [Logged],
}

/// Something that was done, and when, in RFC 3339.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Logged {
    /// The time.
    pub at: String,
    /// What was done.
    pub deed: LoggedDeed,
}

/// What was done.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum LoggedDeed {
    /// A run began.
    RunStarted,
    /// An agent began with this task.
    AttemptStarted(String),
    /// This task was merged.
    Merged(String),
}

/// Writes the plan like [`write`], with everything that is known beside it.
pub fn write_known(dialect: Dialect, plan: &Plan, known: &RunFacts<'_>) -> Vec<TextFile> {
    let mut files = write(dialect, plan, known.states);
    if let Some(add) = dialect.format().add_run {
        add(plan, known, &mut files);
    }
    files
}
