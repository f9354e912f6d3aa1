//! What a run *does*: processes, slots, git, verification, integration, and the journal of all of it.
//!
//! Never prints, never reads the environment or a home directory: the binary passes in what it wants known.

pub mod chronicle;
pub mod git;
pub mod journal;
pub mod lock;
pub mod output;
pub mod paths;
pub mod process;
mod removal;
pub mod requests;
pub mod slot;
