//! From a verified tree to a commit on the branch, with evidence that anyone can check.
//!
//! Knows one verified candidate at a time. Never runs anything, never decides whose turn it is.

mod closing;
mod commit;
mod evidence;
mod land;

pub(crate) use closing::{Closing, close};
pub(crate) use commit::{MergeJob, Prepared, move_branch, prepare};
pub use commit::{TRAILER_ATTEMPT, TRAILER_EVIDENCE, TRAILER_PLAN, TRAILER_REVISION, TRAILER_TASK};
pub use evidence::{ChangeRecord, Evidence, RedRecord};
pub use land::{LandRequest, Landed};
pub(crate) use land::{land, move_target};
