//! One attempt at a task, up to a candidate: tests first, red, then the agent, then what it left is taken in.
//!
//! Knows one task, one slot and one agent. Does not know the branch, other attempts, or what is green: that is the
//! verifier's and the dispatcher's.

mod owned_files;
mod plan_review;
mod red;
mod review;
mod run_turn;
mod steps;
mod turn;

pub(crate) use owned_files::plan_brings_tests;
pub(crate) use plan_review::{Judged, judge};
pub(crate) use review::review;
pub(crate) use steps::attempt;
