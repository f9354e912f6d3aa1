//! A plan sealed into an acyclic graph: checked ids, leaves only, every wait a link, an order and its cost.
//!
//! [`seal`] is the only way from a written plan to a scheduled one. A sealed graph never changes, and it has no notion of
//! runs, agents or time of day.

mod added;
mod claim;
mod cost;
mod cycles;
pub mod draw;
mod family;
mod hash;
mod line;
mod links;
mod node;
mod overlap;
mod reach;
mod rows;
mod seal;
mod sealed;
mod stated;
mod what_if;

pub use hash::task_hash;
pub use node::{Edge, EdgeReason, Node, Parent, ParentIx, Pool, PoolIx, TaskIx};
pub use seal::{Overlap, SealOptions, Sealed, seal};
pub use sealed::Graph;
pub use stated::Stated;
pub use what_if::{Limit, WhatIf, what_if};

#[cfg(test)]
mod tests;
