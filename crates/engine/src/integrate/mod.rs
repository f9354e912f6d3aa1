//! From a verified tree to a commit on the branch, with evidence that anyone can check.
//!
//! Handles one verified candidate at a time. Runs no commands and does not decide the order.

mod commit;
mod criteria;
mod evidence;
mod land;
mod passed;
mod sync;

pub(crate) use commit::{MergeJob, PreparedMerge, commits_of_task, move_branch, prepare};
pub use commit::{TRAILER_ATTEMPT, TRAILER_EVIDENCE, TRAILER_PLAN, TRAILER_REVISION, TRAILER_TASK};
pub(crate) use evidence::brought;
pub use evidence::{ChainRecord, ChangeRecord, Evidence, JournalPoint, RedEvidence};
pub use land::{LandRequest, Landed};
pub(crate) use land::{land, move_target};
pub(crate) use passed::passed_when_verified;
pub use sync::{SyncEnd, SyncEvidence, SyncedTask, TRAILER_SYNC};
pub(crate) use sync::{SyncJob, move_to_sync, outdated, prepare_sync};
