//! How a plan is *made* and worded: requirement and design documents are read, a plan is derived from them and a
//! surveyed repository, checked by rules, and worded for agents in briefs.
//!
//! Nothing here touches a file, a process, the environment, the clock or a database.

pub mod asked;
pub mod brief;
pub mod derive;
mod file_kind;
pub use file_kind::is_source;
pub mod lint;
pub mod living;
pub mod repository;
pub mod runnable;
pub mod snippet;
pub mod spec;
pub mod steps;
pub mod tokens;
mod words;
