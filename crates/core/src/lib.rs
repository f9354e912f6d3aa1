//! What a plan and a run *are*: data and pure functions over it.
//!
//! Nothing here touches a file, a process, the environment, the clock or a database. The line runs through the
//! rooms in one direction: text is read into a [`plan`], a plan is sealed into a graph, a graph is scheduled,
//! and what happened is a list of events that folds back into a view.

#[macro_use]
mod worded;

#[warn(clippy::wildcard_enum_match_arm)]
pub mod calendar;
pub mod columns;
pub mod criteria;
pub mod diagnostic;
#[warn(clippy::wildcard_enum_match_arm)]
pub mod event;
#[warn(clippy::wildcard_enum_match_arm)]
pub mod failure;
pub mod graph;
pub mod ids;
pub mod path_text;
pub mod plan;
#[warn(clippy::wildcard_enum_match_arm)]
pub mod policy;
pub mod report;
#[warn(clippy::wildcard_enum_match_arm)]
pub mod schedule;
#[warn(clippy::wildcard_enum_match_arm)]
pub mod state;
#[warn(clippy::wildcard_enum_match_arm)]
pub mod team;
pub mod usage;
#[warn(clippy::wildcard_enum_match_arm)]
pub mod view;
pub mod wish;
