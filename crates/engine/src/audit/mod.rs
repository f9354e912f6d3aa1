//! Reads every evidence record again, from the commits and the evidence ref alone: no journal, no plan files, no trust in
//! either. Where it is wanted, runs again what the records say was run.
//!
//! Says which records hold and what is wrong with the others. Changes nothing.

mod record;
mod rerun;

pub use record::{Audit, Audited, audit};
pub use rerun::{Again, RerunRequest, rerun};
