//! Makes a plan runnable: the one step between the plan as written and the plan that is carried out.
//!
//! `check`, `graph`, `explain`, `next`, `--dry-run` and `run` all use [`make_runnable`], so whatever keeps a plan from
//! being carried out is a finding of `check`. Knows nothing of agents, configuration files or repositories.

mod earlier_tasks;
mod handover;
mod test_file;
mod test_imports;
mod tree;

#[cfg(test)]
mod tests;

pub use handover::Handover;
pub(crate) use test_file::test_file_of;

use std::borrow::Cow;

use windlass_code::detect::lockfiles_of;
use windlass_core::diagnostic::Diagnostic;
use windlass_core::graph::{Graph, Node, SealOptions, TaskIx, seal};
use windlass_core::plan::{Plan, Step, Task, carried_out};

/// A plan in the form in which it is carried out.
#[derive(Debug, Clone, PartialEq)]
pub struct RunnablePlan {
    /// The plan: tests are joined with the code that makes them pass, and tasks know their test files.
    pub plan: Plan,
    /// The graph of its leaves.
    pub graph: Graph,
    /// The tasks whose tests were joined with a later task.
    pub handovers: Vec<Handover>,
}

impl RunnablePlan {
    /// The steps in which a leaf is carried out: the task's own, and those that its mode adds.
    pub fn steps(&self, leaf: &Node) -> Vec<Step> {
        carried_out(&self.plan.tasks[leaf.task], leaf.mode)
    }

    /// The task of a leaf.
    pub fn task(&self, ix: TaskIx) -> &Task {
        &self.plan.tasks[self.graph.node(ix).task]
    }

    /// Every leaf, in the plan's order.
    pub fn leaves(&self) -> impl Iterator<Item = (&Node, &Task)> {
        self.graph.nodes().iter().map(|node| (node, &self.plan.tasks[node.task]))
    }
}

/// The outcome of [`make_runnable`].
#[derive(Debug, Clone)]
pub struct Preparation {
    /// The plan that runs; none if a finding is an error.
    pub runnable: Option<RunnablePlan>,
    /// What sealing the plan has to say.
    pub findings: Vec<Diagnostic>,
}

/// Joins tests with the code they are for, gives tasks their test files, and seals the plan.
pub fn make_runnable(plan: &Plan, options: &SealOptions<'_>) -> Preparation {
    let mut plan = Cow::Borrowed(plan);
    let earlier = earlier_tasks::leave_out(&mut plan);
    test_imports::complete(&mut plan);
    let handovers = handover::hand_over(&mut plan, options.max_depth);
    let files = test_file::unstated(&plan);
    for (at, file) in files {
        plan.to_mut().tasks[at].test.file = Some(file);
    }
    // Handovers nest tasks deeper. The limit is for what the author wrote, which they have been checked against.
    let max_depth = if handovers.is_empty() { options.max_depth } else { u32::MAX };
    match seal(&plan, &SealOptions { max_depth, ..options.clone() }) {
        Ok(sealed) => {
            let (plan, graph) = (plan.into_owned(), sealed.graph);
            let runnable = RunnablePlan { plan, graph, handovers };
            let findings = sealed.findings.into_iter().chain(earlier).collect();
            Preparation { runnable: Some(runnable), findings }
        }
        Err(mut findings) => {
            handover::explain(&handovers, &mut findings);
            Preparation { runnable: None, findings }
        }
    }
}

/// The paths that a leaf may change: those it owns, and the lock files of the manifests among them.
pub fn may_change(leaf: &Node) -> Vec<String> {
    let mut all = leaf.owned.clone();
    for path in &leaf.owned {
        let (dir, name) = path.rsplit_once('/').map_or(("", path.as_str()), |(d, n)| (d, n));
        for lock in lockfiles_of(name) {
            let lock = if dir.is_empty() { (*lock).to_owned() } else { format!("{dir}/{lock}") };
            if !all.contains(&lock) {
                all.push(lock);
            }
        }
    }
    all
}
