//! From references between tasks to links between leaves.
//!
//! A reference to a parent means all its leaves, and a parent's waits are inherited by them. Where one side has
//! several leaves, only its last (or first) ones are linked: the others are ordered through them.

use super::family::{TaskFamily, Wait};
use super::{Edge, EdgeReason, TaskIx};
use crate::diagnostic::{Diagnostic, Severity};
use crate::plan::Task;

/// The largest number of links from references to parents; a plan with more is refused.
const LIMIT: usize = 2_000_000;

/// The leaves of a plan and how they wait for each other.
#[derive(Debug)]
pub(super) struct Links {
    /// For each leaf, its place in `plan.tasks`.
    pub(super) leaves: Vec<u32>,
    /// For each task, its leaf: itself, or its own work if it has parts.
    pub(super) leaf_of: Vec<Option<TaskIx>>,
    pub(super) edges: Vec<Edge>,
}

/// Links the leaves; the family must be free of cycles.
pub(super) fn link(family: &TaskFamily<'_>, out: &mut Vec<Diagnostic>) -> Links {
    let tasks = (0_u32..).zip(&family.plan.tasks);
    let is_leaf = |at: u32, t: &Task| !family.has_parts[at as usize] || t.has_own_work();
    let leaves: Vec<u32> = tasks.filter(|(at, t)| is_leaf(*at, t)).map(|(at, _)| at).collect();
    let mut leaf_of = vec![None; family.plan.tasks.len()];
    for (ix, task) in leaves.iter().enumerate() {
        leaf_of[*task as usize] = Some(TaskIx::new(ix));
    }
    let mut links = Links { leaves, leaf_of, edges: Vec::with_capacity(family.waits.len()) };
    if family.has_parts.iter().any(|has| *has) {
        let ends = Ends::of(family, &mut links);
        links.expand(family, &ends, out);
    } else {
        links.copy(family);
    }
    links
}

impl Links {
    /// Without parents every task is a leaf, and every wait a link.
    fn copy(&mut self, family: &TaskFamily<'_>) {
        let link =
            |wait: &Wait| Edge { first: TaskIx(wait.on), then: TaskIx(wait.task), why: EdgeReason::Stated };
        self.edges.extend(family.waits.iter().map(link));
    }

    /// Turns every stated wait into links between the last leaves of one side and the first of the other.
    fn expand(&mut self, family: &TaskFamily<'_>, ends: &Ends, out: &mut Vec<Diagnostic>) {
        let mut from_parents = 0;
        for wait in family.waits.iter().filter(|w| !family.contains(w.task, w.on)) {
            let (on, task) = (wait.on as usize, wait.task as usize);
            if let (false, false, Some(first), Some(then)) =
                (family.has_parts[on], family.has_parts[task], self.leaf_of[on], self.leaf_of[task])
            {
                self.edges.push(Edge { first, then, why: EdgeReason::Stated });
                continue;
            }
            let (last, first) = (&ends.last[on], &ends.first[task]);
            from_parents += last.len() * first.len();
            if from_parents > LIMIT {
                out.push(too_many(family, wait.task, wait.on, last.len() * first.len()));
                return;
            }
            for a in last {
                let edge = |b: &TaskIx| Edge { first: *a, then: *b, why: EdgeReason::FromParent };
                self.edges.extend(first.iter().map(edge));
            }
        }
    }
}

fn too_many(family: &TaskFamily<'_>, task: u32, on: u32, count: usize) -> Diagnostic {
    let (task, on) = (family.task(task), family.name(on));
    let message =
        format!("`{}` depends on `{on}`: {count} links, with the others more than {LIMIT}", task.id);
    Diagnostic::new("WL0156", Severity::Error, message)
        .with_task(&task.id)
        .at(task.span("depends_on"))
        .with_help(format!("give `{on}` a verification of its own: it then closes with one task"))
}

/// For each task, the leaves below it (itself, if it has no parts) that nothing below it comes after, or before.
struct Ends {
    last: Vec<Vec<TaskIx>>,
    first: Vec<Vec<TaskIx>>,
}

impl Ends {
    fn of(family: &TaskFamily<'_>, links: &mut Links) -> Ends {
        let n = family.plan.tasks.len();
        // How many parents a task shares with the nearest of those that wait for it, plus one; 0 if none does.
        let mut before = vec![0; n];
        let mut after = vec![0; n];
        for wait in family.waits.iter().filter(|w| !family.contains(w.task, w.on)) {
            let shared = family.shared(wait.task, wait.on) + 1;
            let (task, on) = (wait.task as usize, wait.on as usize);
            before[on] = shared.max(before[on]);
            after[task] = shared.max(after[task]);
        }
        let mut ends = Ends { last: vec![Vec::new(); n], first: vec![Vec::new(); n] };
        for at in 0..links.leaves.len() {
            let (leaf, task) = (TaskIx::new(at), links.leaves[at]);
            ends.last[task as usize].push(leaf);
            climb(family, task, &before, |parent| {
                if let Some(own) = links.leaf_of[parent as usize] {
                    links.edges.push(Edge { first: leaf, then: own, why: EdgeReason::Barrier });
                    ParentWalk::Stop
                } else {
                    ends.last[parent as usize].push(leaf);
                    ParentWalk::On
                }
            });
            if family.has_parts[task as usize] {
                continue;
            }
            ends.first[task as usize].push(leaf);
            climb(family, task, &after, |parent| {
                ends.first[parent as usize].push(leaf);
                ParentWalk::On
            });
        }
        ends
    }
}

enum ParentWalk {
    On,
    Stop,
}

/// Visits the parents of a leaf, nearest first, as long as nothing inside the parent comes after (or before) it.
fn climb(family: &TaskFamily<'_>, task: u32, met: &[u32], mut visit: impl FnMut(u32) -> ParentWalk) {
    let mut at = task;
    let mut nearest = 0;
    while let Some(parent) = family.parent[at as usize] {
        nearest = nearest.max(met[at as usize]);
        // A task that shares `depth + 1` parents with the leaf is inside this one.
        if nearest > family.depth[parent as usize] + 1 {
            return;
        }
        match visit(parent) {
            ParentWalk::On => at = parent,
            ParentWalk::Stop => return,
        }
    }
}
