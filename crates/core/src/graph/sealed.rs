//! The sealed graph and the questions it answers. Immutable; nothing here recurses on it.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BinaryHeap};

use super::{Edge, Node, Parent, ParentIx, Pool, PoolIx, TaskIx};
use crate::ids::TaskId;
use crate::plan::Tier;

/// An acyclic graph of leaves.
#[derive(Debug, Clone, PartialEq)]
pub struct Graph {
    nodes: Vec<Node>,
    edges: Vec<Edge>,
    parents: Vec<Parent>,
    pools: Vec<Pool>,
    tier_pools: BTreeMap<Tier, PoolIx>,
    by_id: BTreeMap<TaskId, TaskIx>,
    order: Vec<TaskIx>,
    /// Place of each leaf in `order`.
    place: Vec<u32>,
}

/// What sealing hands over: nodes with neither links nor priority yet, and the links, which must be acyclic.
#[derive(Debug, Default)]
pub(super) struct Parts {
    pub(super) nodes: Vec<Node>,
    pub(super) edges: Vec<Edge>,
    pub(super) parents: Vec<Parent>,
    pub(super) pools: Vec<Pool>,
    pub(super) tier_pools: BTreeMap<Tier, PoolIx>,
}

impl Graph {
    /// Links the nodes, and computes priorities and the order. One edge per pair survives.
    pub(super) fn assemble(parts: Parts) -> Graph {
        let Parts { mut nodes, mut edges, parents, pools, tier_pools } = parts;
        edges.sort_unstable_by(|a, b| (a.then, a.first, &a.why).cmp(&(b.then, b.first, &b.why)));
        edges.dedup_by_key(|e| (e.then, e.first));
        for e in &edges {
            nodes[e.then.at()].deps.push(e.first);
            nodes[e.first.at()].dependants.push(e.then);
        }
        let by_id = nodes.iter().enumerate().map(|(i, n)| (n.id.clone(), TaskIx::new(i))).collect();
        let any = topological(&nodes, |_| 0);
        debug_assert_eq!(any.len(), nodes.len(), "only an acyclic graph is assembled");
        for ix in any.iter().rev() {
            let after = nodes[ix.at()].dependants.iter().map(|d| nodes[d.at()].priority).max();
            let node = &mut nodes[ix.at()];
            node.priority = node.cost.saturating_add(after.unwrap_or(0));
        }
        let order = topological(&nodes, |n| n.priority);
        let mut place = vec![0; nodes.len()];
        for (at, ix) in order.iter().enumerate() {
            place[ix.at()] = TaskIx::new(at).0;
        }
        Graph { nodes, edges, parents, pools, tier_pools, by_id, order, place }
    }

    /// Every leaf, in the plan's order; the place is the index.
    pub fn nodes(&self) -> &[Node] {
        &self.nodes
    }

    /// Every index, in the plan's order.
    pub fn indices(&self) -> impl ExactSizeIterator<Item = TaskIx> + use<> {
        (0..self.nodes.len()).map(TaskIx::new)
    }

    /// One leaf.
    pub fn node(&self, ix: TaskIx) -> &Node {
        &self.nodes[ix.at()]
    }

    /// The leaf with this id; for a parent, its own work if it has any.
    pub fn find(&self, id: &str) -> Option<TaskIx> {
        self.by_id.get(id).copied()
    }

    /// Every task that has parts.
    pub fn parents(&self) -> &[Parent] {
        &self.parents
    }

    /// One parent.
    pub fn parent(&self, ix: ParentIx) -> &Parent {
        &self.parents[ix.at()]
    }

    /// The parent with this id.
    pub fn find_parent(&self, id: &str) -> Option<ParentIx> {
        self.parents.iter().position(|p| p.id.as_str() == id).map(ParentIx::new)
    }

    /// Every pool.
    pub fn pools(&self) -> &[Pool] {
        &self.pools
    }

    /// One pool.
    pub fn pool(&self, ix: PoolIx) -> &Pool {
        &self.pools[ix.at()]
    }

    /// The pool of a tier, where the tier has a limit. A task that moves up a tier moves to that pool.
    pub fn tier_pool(&self, tier: Tier) -> Option<PoolIx> {
        self.tier_pools.get(&tier).copied()
    }

    /// Every link with its reason, sorted by the later leaf, then the earlier.
    pub fn edges(&self) -> &[Edge] {
        &self.edges
    }

    /// Every leaf after all it depends on; among those that could come next, the highest priority first, then the
    /// plan's order.
    pub fn order(&self) -> &[TaskIx] {
        &self.order
    }

    /// The leaves by the length of the longest chain below them; each level in the plan's order.
    pub fn levels(&self) -> Vec<Vec<TaskIx>> {
        let mut level = vec![0; self.nodes.len()];
        for ix in &self.order {
            level[ix.at()] = self.node(*ix).deps.iter().map(|d| level[d.at()] + 1).max().unwrap_or(0);
        }
        let mut levels = vec![Vec::new(); level.iter().max().map_or(0, |top| top + 1)];
        for ix in self.indices() {
            levels[level[ix.at()]].push(ix);
        }
        levels
    }

    /// The most expensive chain, first to last; empty for an empty graph.
    pub fn critical_path(&self) -> Vec<TaskIx> {
        let mut path = Vec::new();
        let mut next = self.most_urgent(self.indices());
        while let Some(ix) = next {
            path.push(ix);
            next = self.most_urgent(self.node(ix).dependants.iter().copied());
        }
        path
    }

    fn most_urgent(&self, among: impl Iterator<Item = TaskIx>) -> Option<TaskIx> {
        among.max_by_key(|ix| (self.node(*ix).priority, Reverse(*ix)))
    }

    /// Whether `b` waits for `a`, directly or not. Searches only between the two in the order.
    pub fn before(&self, a: TaskIx, b: TaskIx) -> bool {
        let from = self.place[a.at()];
        let mut seen = std::collections::HashSet::new();
        let mut open = vec![b];
        while let Some(ix) = open.pop() {
            for dep in &self.node(ix).deps {
                if *dep == a {
                    return true;
                }
                if self.place[dep.at()] > from && seen.insert(*dep) {
                    open.push(*dep);
                }
            }
        }
        false
    }

    /// Everything `ix` waits for, directly or not; ascending.
    pub fn ancestors(&self, ix: TaskIx) -> Vec<TaskIx> {
        let mut seen = std::collections::BTreeSet::new();
        let mut open = vec![ix];
        while let Some(at) = open.pop() {
            open.extend(self.node(at).deps.iter().copied().filter(|n| seen.insert(*n)));
        }
        seen.into_iter().collect()
    }
}

/// Kahn's order: of the nodes whose dependencies are placed, the one with the highest urgency, then the first.
/// Shorter than `nodes` if there is a cycle.
fn topological(nodes: &[Node], urgency: impl Fn(&Node) -> u64) -> Vec<TaskIx> {
    let mut waits: Vec<usize> = nodes.iter().map(|n| n.deps.len()).collect();
    let entry = |ix: TaskIx| (urgency(&nodes[ix.at()]), Reverse(ix));
    let mut ready: BinaryHeap<_> =
        (0..nodes.len()).map(TaskIx::new).filter(|ix| waits[ix.at()] == 0).map(entry).collect();
    let mut order = Vec::with_capacity(nodes.len());
    while let Some((_, Reverse(ix))) = ready.pop() {
        order.push(ix);
        for next in &nodes[ix.at()].dependants {
            waits[next.at()] -= 1;
            if waits[next.at()] == 0 {
                ready.push(entry(*next));
            }
        }
    }
    order
}
