//! Reads every evidence record again, from the commits and the evidence ref alone: no journal, no plan files, no trust in
//! either. Where it is wanted, runs again what the records say was run.
//!
//! Says which records hold and what is wrong with the others. Changes nothing.

mod chain;
mod record;
mod rerun;

pub use chain::ask_journal;
pub use record::{Audit, Audited, audit};
pub use rerun::{RerunRequest, RerunResult, rerun};

pub use crate::verify::SeenAgain;
