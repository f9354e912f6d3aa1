//! One attempt at a task, up to a candidate: tests first, red, then the agent, then what it left is taken in.
//!
//! Knows one task, one slot and one agent. Does not know the branch, other attempts, or what is green: that is the
//! verifier's and the dispatcher's.

mod files;
mod judge;
mod red;
mod review;
mod speak;
mod turn;
mod work;

pub(crate) use files::plan_brings_tests;
pub(crate) use judge::{Judged, judge};
pub(crate) use review::{ReviewJob, review};
pub(crate) use work::{WorkJob, work};
