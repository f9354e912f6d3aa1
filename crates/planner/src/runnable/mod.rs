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
    work: Vec<LeafWork>,
}

/// How one leaf is carried out.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LeafWork {
    /// The steps that are carried out: the task's own, and those that its mode adds.
    pub steps: Vec<Step>,
    /// The paths it may change: those it owns, and the lock files of the manifests among them.
    pub may_change: Vec<String>,
}

impl RunnablePlan {
    /// How a leaf is carried out.
    pub fn work(&self, ix: TaskIx) -> &LeafWork {
        &self.work[ix.at()]
    }

    /// The task of a leaf.
    pub fn task(&self, ix: TaskIx) -> &Task {
        &self.plan.tasks[self.graph.node(ix).task]
    }

    /// Every leaf, in the plan's order.
    pub fn leaves(&self) -> impl Iterator<Item = (&Node, &Task, &LeafWork)> {
        let nodes = self.graph.nodes().iter().zip(&self.work);
        nodes.map(|(node, work)| (node, &self.plan.tasks[node.task], work))
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

/// Joins tests with the code they are for, gives tasks their test files, seals the plan, and settles the steps and the
/// files of each leaf.
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
            let work = graph.nodes().iter().map(|node| leaf_work(&plan.tasks[node.task], node)).collect();
            let runnable = RunnablePlan { plan, graph, handovers, work };
            let findings = sealed.findings.into_iter().chain(earlier).collect();
            Preparation { runnable: Some(runnable), findings }
        }
        Err(mut findings) => {
            handover::explain(&handovers, &mut findings);
            Preparation { runnable: None, findings }
        }
    }
}

fn leaf_work(task: &Task, node: &Node) -> LeafWork {
    LeafWork { steps: carried_out(task, node.mode), may_change: with_lockfiles(&node.owned) }
}

/// Owning a manifest implies its lock file.
fn with_lockfiles(owned: &[String]) -> Vec<String> {
    let mut all = owned.to_vec();
    for path in owned {
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
