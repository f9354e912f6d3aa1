//! What people see of a run: folds over events that every front end shares.
//!
//! [`View`] is the current state of all tasks, small enough to be kept beside the journal. [`TaskHistory`] is everything
//! that happened to one task, folded on demand. Neither knows where events come from, what time it is, or
//! how anything is drawn.

mod activity;
mod attempts;
mod attention;
pub mod board;
mod cache;
mod ending;
mod fold;
mod glance;
mod history;
mod progress;
pub mod report;
mod run;
mod running;
mod seal;
mod status;
mod steps;
mod task;
#[cfg(test)]
mod tests;
mod why;

pub use activity::{Activities, AgentActivity};
pub(crate) use attempts::attempts_of;
pub use attempts::{
    AttemptDoc, AttemptOutcome, AttemptView, Outputs, TurnDoc, TurnView, agent_at, agent_shown,
};
pub use attention::{Attention, Offer, PersonNeed};
pub use cache::{CacheError, decode, decode_glance, encode, encode_glance};
pub use ending::Ending;
pub use fold::{ParentView, View, ViewError};
pub use glance::Glance;
pub use history::{AttemptHistory, MergeRecord, SeenRed, StepRun, TaskHistory, VerificationRecord};
pub use progress::{Counts, Progress};
pub use run::{AgentRest, EndedRun, Liveness, RunState, RunView, StoppedProvider};
pub use running::RunningRow;
pub use status::{StatusDoc, StatusParent, StatusTask, status_parents, status_task};
pub use steps::{StepState, StepView, Steps};
pub use task::TaskView;
pub use why::Why;
