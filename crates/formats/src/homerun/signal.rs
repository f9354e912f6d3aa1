//! The signal that ends homerun's planning.

use std::collections::{BTreeSet, HashMap};

use serde_json::{Value, json};

use super::write::leaves;
use super::{TASK_FILES, TASKS_FILE, ids};
use crate::family::TaskForest;
use windlass_core::plan::Plan;

/// How the tasks were written that the signal speaks of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SignalledTasks {
    /// As one `docs/tasks.json`.
    OneFile,
    /// As a Markdown file for each task below `docs/tasks`; parents have none.
    ManyFiles,
}

/// `PLANNING_COMPLETE` with the tasks and what they cover; `None` while the plan has errors.
pub fn planning_complete(plan: &Plan, errors: usize, written: SignalledTasks) -> Option<Value> {
    if errors > 0 {
        return None;
    }
    let (tasks_file, plan) = match written {
        SignalledTasks::OneFile => (TASKS_FILE, plan.clone()),
        SignalledTasks::ManyFiles => (TASK_FILES, leaves(plan)),
    };
    let plan = &plan;
    let forest = TaskForest::of(plan, 1);
    let ids = ids::in_file(plan, &forest);
    let table: HashMap<&str, &String> = plan.tasks.iter().map(|t| t.id.as_str()).zip(&ids).collect();
    let in_file = |id: &String| table.get(id.as_str()).map_or_else(|| id.clone(), |own| (*own).clone());
    let tasks: Vec<Value> = forest
        .order()
        .into_iter()
        .map(|i| {
            let depends_on: Vec<String> = plan.tasks[i].depends_on.iter().map(in_file).collect();
            json!({ "id": ids[i], "title": plan.tasks[i].title, "depends_on": depends_on })
        })
        .collect();
    let traced = plan.tasks.iter().map(|t| &t.traces_to);
    let stories: BTreeSet<&String> = traced.clone().flat_map(|t| &t.stories).collect();
    let named = plan.tasks.iter().flat_map(|t| &t.criteria).map(|c| &c.id).filter(|id| !id.is_empty());
    let criteria: BTreeSet<&String> = traced.flat_map(|t| &t.criteria).chain(named).collect();
    Some(json!({
        "signal": "PLANNING_COMPLETE",
        "tasks_count": forest.roots.len(),
        "subtasks_count": plan.tasks.len() - forest.roots.len(),
        "tasks_file": tasks_file,
        "tasks": tasks,
        "dependency_graph_valid": true,
        "coverage": { "user_stories": stories.len(), "acceptance_criteria": criteria.len() },
    }))
}
