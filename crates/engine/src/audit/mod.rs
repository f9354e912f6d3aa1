//! Checks every evidence record from the commits and the evidence ref alone, without the journal or plan files. On
//! request, repeats what the records say was run.
//!
//! Reports which records hold and what is wrong with the others. Changes nothing.

mod chain;
mod record;
mod rerun;
mod sync;

pub use chain::ask_journal;
pub use record::{Audit, Audited, audit};
pub use rerun::{RerunRequest, RerunResult, rerun};
pub use sync::AuditedSync;

pub use crate::verify::SeenAgain;
