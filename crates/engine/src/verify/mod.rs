//! The verifier: says of one tree whether it is green, and leaves a proof. What an agent started or wrote is not
//! here, except the owned files of that tree.
//!
//! Knows nothing of branches and of what a verdict leads to.

mod again;
mod alternative;
mod canary;
mod candidate;
mod checks;
mod cover;
mod exported;
mod format;
mod gates;
mod held_out;
mod layer;
mod proof;
mod repeat;
mod rules;
mod script;
mod services;
pub(crate) mod setup;
mod weak;

pub use again::SeenAgain;
pub(crate) use again::see_again;
pub(crate) use candidate::{VerifyJob, verify};
pub(crate) use checks::{frozen_changes, frozen_changes_on, frozen_parts};
pub(crate) use format::{FormatInput, format_files, has_formatter};
pub(crate) use gates::{GateInput, Purpose, run_gates};
pub use held_out::HeldOutStore;
pub(crate) use held_out::missing;
pub(crate) use layer::LayerStore;
pub use proof::{CanaryRecord, GateRecord, HeldOutRecord, Proof, RepeatRecord};
pub(crate) use script::{Named, ScriptInput, alive, exit_of, run_script, task_script};
pub(crate) use services::Services;
