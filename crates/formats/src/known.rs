//! What is known beside a plan when it is written: progress, the time, what was done, what a check said.
//!
//! Nothing of it is part of the plan. Formats that keep a log or ask for a time get it; the others write the same as
//! without it.

use super::{Dialect, StateOf, TextFile, ccw, homerun, write};
use windlass_core::plan::Plan;

/// What is known beside a plan.
pub struct Known<'a> {
    /// Where each task stands.
    pub states: StateOf<'a>,
    /// The time of writing, in RFC 3339.
    pub now: &'a str,
    /// What was done so far, oldest first.
    pub log: &'a [Logged],
}

/// Something that was done, and when, in RFC 3339.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Logged {
    /// When.
    pub at: String,
    /// What.
    pub deed: Deed,
}

/// What was done.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Deed {
    /// A run began.
    RunStarted,
    /// An agent began with this task.
    AttemptStarted(String),
    /// This task was merged.
    Merged(String),
}

/// Writes the plan like [`write`], with everything that is known beside it.
pub fn write_known(dialect: Dialect, plan: &Plan, known: &Known<'_>) -> Vec<TextFile> {
    let mut files = write(dialect, plan, known.states);
    match dialect {
        Dialect::Homerun => homerun::add_log(plan, known, &mut files),
        Dialect::Ccw => ccw::add_time(known, &mut files),
        Dialect::Native
        | Dialect::Zerg
        | Dialect::Superplanner
        | Dialect::Contract
        | Dialect::Taskmaster
        | Dialect::Speckit => {}
    }
    files
}
