//! What a run *does*: processes, slots, git, verification, integration, and the journal of all of it.
//!
//! Never prints, never reads the environment or a home directory: the binary passes in what it wants known. The one
//! door is [`run()`]; behind it the dispatcher is the only writer of the journal.

pub mod agent;
mod attempt;
pub mod audit;
pub mod briefing;
pub mod budget;
pub mod cache;
mod changed_text;
#[warn(clippy::wildcard_enum_match_arm)]
pub mod chronicle;
pub mod config;
mod context;
#[warn(clippy::wildcard_enum_match_arm)]
mod dispatcher;
mod early_end;
pub mod error;
pub mod git;
mod git_tree;
pub mod integrate;
pub mod integration_branch;
pub mod journal;
mod listed_step;
pub mod lock;
pub mod output;
pub mod paths;
pub mod place;
pub mod planning;
mod platform;
pub mod preview;
pub mod process;
pub mod proxy;
mod random_token;
mod removal;
mod repository_notes;
pub mod requests;
pub mod run;
pub mod sandbox;
pub mod setup_trial;
pub mod slot;
pub mod survey;
mod verify;
mod worker_channel;

pub use dispatcher::{NoSink, Sink};
pub use random_token::fill_random;
pub use verify::{
    BiteKind, BiteRecord, BiteSeen, CanaryRecord, GateRecord, GreenProof, HeldOutRecord, HeldOutStore,
    ProofStrength, RepeatRecord,
};
