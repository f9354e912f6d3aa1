//! The integrator's answer: an order of tasks and the conflicts between them.
//!
//! An order is accepted if it fits the plan and makes no cycle. A grave conflict without an order is a question for a
//! person. Nothing is guessed.

use std::collections::{BTreeMap, BTreeSet};

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::verdict::IssueSeverity;
use crate::ids::TaskId;

/// Two or more tasks that do not go together as they are.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Conflict {
    /// The tasks, by id.
    pub tasks: Vec<String>,
    /// How grave it is.
    pub severity: IssueSeverity,
    /// What it is about.
    #[serde(alias = "message", alias = "description")]
    pub reason: String,
    /// The files it is about.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub files: Vec<String>,
    /// The order in which the tasks go together; absent if there is none.
    #[serde(default, skip_serializing_if = "Vec::is_empty", alias = "resolution_order")]
    pub order: Vec<String>,
}

/// What an integrator writes to `WINDLASS_RESULT`, or ends its last message with.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[schemars(title = "Queue")]
pub struct QueueAnswer {
    /// The tasks in the order in which they should begin where several could.
    pub queue: Vec<String>,
    /// What does not go together.
    #[serde(default)]
    pub conflicts: Vec<Conflict>,
}

/// The part of an answer that takes effect.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Queued {
    /// The order, known tasks only, each once.
    pub queue: Vec<TaskId>,
    /// New edges, acyclic together with the plan's own.
    pub edges: Vec<(TaskId, TaskId)>,
    /// The conflicts about known tasks.
    pub conflicts: Vec<Conflict>,
    /// What was not taken over, and why.
    pub refused: Vec<String>,
}

/// Accepts the part of an answer that fits a plan, given as tasks with their dependencies.
pub fn settle_queue(plan: &[(TaskId, Vec<TaskId>)], answer: &QueueAnswer) -> Queued {
    let known: BTreeMap<&str, &TaskId> = plan.iter().map(|(id, _)| (id.as_str(), id)).collect();
    let mut after: BTreeMap<&TaskId, Vec<&TaskId>> =
        plan.iter().map(|(id, deps)| (id, deps.iter().collect())).collect();
    let mut queued = Queued::default();
    let mut seen = BTreeSet::new();
    for id in &answer.queue {
        match known.get(id.as_str()) {
            Some(task) if seen.insert(*task) => queued.queue.push((*task).clone()),
            Some(_) => {}
            None => queued.refused.push(format!("the queue names `{id}`, which the plan does not have")),
        }
    }
    for conflict in &answer.conflicts {
        let named: Vec<&&TaskId> = conflict.tasks.iter().filter_map(|t| known.get(t.as_str())).collect();
        if named.len() < 2 || named.len() != conflict.tasks.len() {
            queued
                .refused
                .push(format!("a conflict names tasks the plan does not have: {}", conflict.reason));
            continue;
        }
        let mut kept = conflict.clone();
        if !ordered(&mut after, &known, &mut kept, &mut queued) {
            kept.order.clear();
        }
        queued.conflicts.push(kept);
    }
    queued
}

/// Adds the edges of a conflict's order; `false` if it has none that can be kept.
fn ordered<'a>(
    after: &mut BTreeMap<&'a TaskId, Vec<&'a TaskId>>,
    known: &BTreeMap<&str, &'a TaskId>,
    conflict: &mut Conflict,
    queued: &mut Queued,
) -> bool {
    let all: BTreeSet<&String> = conflict.tasks.iter().collect();
    let order: BTreeSet<&String> = conflict.order.iter().collect();
    if order.len() != conflict.order.len() || order != all {
        // An order of some of the tasks, or of others, is no order of this conflict.
        conflict.order = order_of_the_plan(after, known, conflict);
        return !conflict.order.is_empty();
    }
    let pairs: Vec<(&TaskId, &TaskId)> = conflict
        .order
        .windows(2)
        .filter_map(|w| Some((*known.get(w[0].as_str())?, *known.get(w[1].as_str())?)))
        .collect();
    // All of the order or nothing of it.
    let mut with = after.clone();
    let mut edges = Vec::new();
    for (first, then) in pairs {
        if reaches(&with, first, then) {
            queued.refused.push(format!("`{first}` before `{then}` contradicts the plan's own order"));
            return false;
        }
        if !reaches(&with, then, first) {
            with.entry(then).or_default().push(first);
            edges.push((first.clone(), then.clone()));
        }
    }
    *after = with;
    queued.edges.extend(edges);
    true
}

/// The order that the plan itself gives to all tasks of a conflict; empty if it leaves a pair open.
fn order_of_the_plan(
    after: &BTreeMap<&TaskId, Vec<&TaskId>>,
    known: &BTreeMap<&str, &TaskId>,
    conflict: &Conflict,
) -> Vec<String> {
    let mut tasks: Vec<&TaskId> =
        conflict.tasks.iter().filter_map(|t| known.get(t.as_str()).copied()).collect();
    let decided = |a: &TaskId, b: &TaskId| a == b || reaches(after, a, b) || reaches(after, b, a);
    if !tasks.iter().all(|a| tasks.iter().all(|b| decided(a, b))) {
        return Vec::new();
    }
    tasks.sort_by_key(|task| tasks_before(after, &conflict.tasks, task));
    tasks.into_iter().map(ToString::to_string).collect()
}

/// How many of these tasks come before one.
fn tasks_before(after: &BTreeMap<&TaskId, Vec<&TaskId>>, of: &[String], task: &TaskId) -> usize {
    after.keys().filter(|t| of.iter().any(|o| o == t.as_str()) && reaches(after, task, t)).count()
}

/// Whether `from` comes, over any number of edges, after `to`.
fn reaches(after: &BTreeMap<&TaskId, Vec<&TaskId>>, from: &TaskId, to: &TaskId) -> bool {
    let mut open = vec![from];
    let mut seen = BTreeSet::new();
    while let Some(task) = open.pop() {
        if task == to {
            return true;
        }
        if seen.insert(task) {
            open.extend(after.get(task).into_iter().flatten());
        }
    }
    false
}

#[cfg(test)]
mod tests;
