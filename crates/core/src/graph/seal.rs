//! Seals a plan into a graph, or refuses it with every reason.

use std::collections::BTreeMap;

use super::family::TaskFamily;
use super::links::{self, Links};
use super::overlap::{self, LeafFiles};
use super::rows::Adjacency;
use super::sealed::Parts;
use super::{Edge, EdgeReason, Graph, Node, Parent, ParentIx, TaskIx, added, claim, cost, cycles};
use crate::diagnostic::{Diagnostic, Severity};
use crate::ids::TaskId;
use crate::plan::{Plan, Task, Tier, infer_mode};

/// What happens when two leaves change the same path and nothing orders them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Overlap {
    /// A link is added and reported.
    #[default]
    Order,
    /// The plan is refused.
    Refuse,
}

/// The input of sealing apart from the plan.
#[derive(Clone)]
pub struct SealOptions<'a> {
    /// Whether a path is a test, by its look.
    pub is_test: &'a (dyn Fn(&str) -> bool + Sync),
    /// How many parents may be stacked above a leaf.
    pub max_depth: u32,
    /// What an unordered overlap means.
    pub overlap: Overlap,
    /// How many tasks of a tier may run at once, if there is a limit.
    pub tier_limits: BTreeMap<Tier, u32>,
    /// How many tasks may use a resource at once, if it is not one.
    pub pools: BTreeMap<String, u32>,
}

/// A graph, and the findings about the plan it was made from.
#[derive(Debug, Clone)]
pub struct Sealed {
    /// The graph.
    pub graph: Graph,
    /// Warnings and notes: links that were added.
    pub findings: Vec<Diagnostic>,
}

/// Seals the plan, or reports everything that keeps it from being carried out: `WL0150` cycles, `WL0151` unknown and
/// `WL0152` self references, `WL0153` bad and `WL0154` double ids, `WL0155` too deep a nesting, `WL0156` too many
/// links, `WL0157` pools of depth 0, and `WL0160` unordered overlaps where they are refused.
pub fn seal(plan: &Plan, options: &SealOptions<'_>) -> Result<Sealed, Vec<Diagnostic>> {
    let mut found = Vec::new();
    let Some(draft) = GraphDraft::of(plan, options, &mut found) else { return Err(found) };
    let mut parts = parts(&draft, options, &mut found);
    if found.iter().any(|d| d.severity == Severity::Error) {
        return Err(found);
    }
    for (node, holder) in parts.nodes.iter_mut().zip(draft.holders) {
        node.owned = holder.owned.into_iter().map(|(path, _)| path.into_owned()).collect();
    }
    parts.edges = draft.links.edges;
    Ok(Sealed { graph: Graph::assemble(parts), findings: found })
}

/// A plan whose references hold: leaves, links and file order, but no costs yet.
struct GraphDraft<'a> {
    family: TaskFamily<'a>,
    ids: Vec<TaskId>,
    links: Links,
    holders: Vec<LeafFiles<'a>>,
}

impl<'a> GraphDraft<'a> {
    fn of(plan: &'a Plan, options: &SealOptions<'_>, found: &mut Vec<Diagnostic>) -> Option<GraphDraft<'a>> {
        let family = TaskFamily::read(plan, options.max_depth, found);
        // Hostile nesting is refused before anything climbs it.
        if family.depth.iter().all(|depth| *depth <= options.max_depth) {
            cycles::report(&family, found);
        }
        let ids: Vec<TaskId> = family.ids.iter().cloned().collect::<Option<_>>()?;
        if !found.is_empty() {
            return None;
        }
        let mut links = links::link(&family, found);
        let holders: Vec<LeafFiles<'a>> = links.leaves.iter().map(|at| holder(family.task(*at))).collect();
        order_files(&family, &mut links, &holders, options.overlap, found);
        Some(GraphDraft { family, ids, links, holders })
    }
}

fn holder(task: &Task) -> LeafFiles<'_> {
    let read = task.files.read.iter().map(|p| claim::tidy(p)).collect();
    LeafFiles { owned: claim::owned(task), read, level: task.level }
}

/// Adds and reports the links that file sets ask for.
fn order_files(
    family: &TaskFamily<'_>,
    links: &mut Links,
    holders: &[LeafFiles<'_>],
    overlap: Overlap,
    found: &mut Vec<Diagnostic>,
) {
    let needs = || {
        let needs: Vec<(u32, u32)> = links.edges.iter().map(|e| (e.then.0, e.first.0)).collect();
        Adjacency::new(holders.len(), &needs)
    };
    for pair in overlap::unordered(holders, needs) {
        let ends = [pair.first, pair.then];
        let tasks = ends.map(|leaf| family.task(links.leaves[leaf as usize]));
        found.push(added::finding(tasks, ends.map(|leaf| &holders[leaf as usize]), &pair, overlap));
        let why = EdgeReason::FileOrder { path: pair.path };
        links.edges.push(Edge { first: TaskIx(pair.first), then: TaskIx(pair.then), why });
    }
}

/// Everything but the links.
fn parts(draft: &GraphDraft<'_>, options: &SealOptions<'_>, found: &mut Vec<Diagnostic>) -> Parts {
    let GraphDraft { family, ids, links, .. } = draft;
    let (parents, parent_of) = parents(family, links, ids);
    let mut pools = cost::Pools::new(options, found);
    let mut nodes = Vec::with_capacity(links.leaves.len());
    for at in &links.leaves {
        let task = family.task(*at);
        nodes.push(Node {
            id: ids[*at as usize].clone(),
            task: *at as usize,
            mode: infer_mode(task, options.is_test),
            tier: task.tier,
            deps: Vec::new(),
            dependants: Vec::new(),
            cost: cost::seconds(task),
            priority: 0,
            resources: pools.of(task, options, found),
            parent: if family.has_parts[*at as usize] {
                parent_of[*at as usize]
            } else {
                family.parent[*at as usize].and_then(|p| parent_of[p as usize])
            },
            owned: Vec::new(),
        });
    }
    Parts { nodes, edges: Vec::new(), parents, pools: pools.list, tier_pools: pools.of_tier }
}

/// The tasks that have parts, and for each task its index among them.
fn parents(family: &TaskFamily<'_>, links: &Links, ids: &[TaskId]) -> (Vec<Parent>, Vec<Option<ParentIx>>) {
    let mut index = vec![None; ids.len()];
    let mut parents: Vec<Parent> = Vec::new();
    for (at, id) in ids.iter().enumerate().filter(|(at, _)| family.has_parts[*at]) {
        index[at] = Some(ParentIx::new(parents.len()));
        parents.push(Parent { id: id.clone(), task: at, parent: None, leaves: Vec::new() });
    }
    for parent in &mut parents {
        parent.parent = family.parent[parent.task].and_then(|above| index[above as usize]);
    }
    for (leaf, task) in links.leaves.iter().enumerate() {
        let mut above =
            if family.has_parts[*task as usize] { Some(*task) } else { family.parent[*task as usize] };
        while let Some(at) = above {
            if let Some(parent) = index[at as usize] {
                parents[parent.at()].leaves.push(TaskIx::new(leaf));
            }
            above = family.parent[at as usize];
        }
    }
    (parents, index)
}

#[cfg(test)]
mod tests;
