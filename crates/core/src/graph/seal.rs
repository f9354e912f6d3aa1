//! From plan to graph: the one door, and everything it refuses.

use std::collections::BTreeMap;

use super::Graph;
use crate::diagnostic::Diagnostic;
use crate::plan::{Plan, Tier};

/// What happens when two leaves change the same path and nothing orders them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Overlap {
    /// A link is added and reported.
    #[default]
    Order,
    /// The plan is refused.
    Refuse,
}

/// What sealing needs to know besides the plan.
#[derive(Clone)]
pub struct SealOptions<'a> {
    /// Whether a path is a test, by its look.
    pub is_test: &'a dyn Fn(&str) -> bool,
    /// How many parents may be stacked above a leaf.
    pub max_depth: u32,
    /// What an unordered overlap means.
    pub overlap: Overlap,
    /// How many tasks of a tier may run at once, where there is a limit.
    pub tier_limits: BTreeMap<Tier, u32>,
    /// How many tasks may use a resource at once, where it is not one.
    pub pools: BTreeMap<String, u32>,
}

/// A graph, and what had to be said about the plan on the way.
#[derive(Debug, Clone)]
pub struct Sealed {
    /// The graph.
    pub graph: Graph,
    /// Warnings and notes: links that were added.
    pub findings: Vec<Diagnostic>,
}

/// Seals the plan, or says everything that keeps it from being carried out.
pub fn seal(plan: &Plan, options: &SealOptions<'_>) -> Result<Sealed, Vec<Diagnostic>> {
    let _ = (plan, options);
    todo!()
}
