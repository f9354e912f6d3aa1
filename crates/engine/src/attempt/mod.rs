//! One attempt at a task, up to a candidate: tests first, red, then the agent, then the import of its files.
//!
//! Knows one task, one workspace and one agent. The branch, other attempts and the verdict belong to the dispatcher and
//! the verifier.

mod bites;
mod criteria;
mod gone_names;
mod grants;
mod held;
mod listed;
mod needed_files;
mod owned_files;
mod plan_review;
mod red;
mod review;
mod run_turn;
mod scope;
mod steps;
mod turn;

pub(crate) use grants::is_inside;
pub(crate) use owned_files::plan_brings_tests;
pub(crate) use plan_review::{Judged, judge};
pub(crate) use review::review;
pub(crate) use steps::attempt;
