//! Numbers in the file, ids in the plan: what a dependency of a task or a subtask means, and how it is written.

use std::collections::HashSet;

use serde_json::Value;

use crate::family::TaskForest;
use crate::json::{JsonKind, JsonNode};
use windlass_core::plan::Plan;

/// A dependency as the file has it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Reference {
    /// A number: inside a subtask, one of its siblings.
    Number(String),
    /// A string.
    Text(String),
}

impl Reference {
    /// A kept value; `None` if it is neither a number nor a string.
    pub(super) fn of_value(value: &Value) -> Option<Self> {
        match value {
            Value::Number(n) => Some(Reference::Number(n.to_string())),
            Value::String(s) => Some(Reference::Text(s.trim().to_owned())),
            _ => None,
        }
    }

    /// The task it means, in a task with this parent.
    pub(super) fn meaning(&self, parent: Option<&str>, known: &HashSet<String>) -> String {
        let (Reference::Number(word) | Reference::Text(word)) = self;
        let Some(parent) = parent else { return word.clone() };
        let sibling = format!("{parent}.{word}");
        let is_sibling = match self {
            Reference::Number(_) => known.contains(&sibling),
            Reference::Text(_) => known.contains(&sibling) && !known.contains(word),
        };
        if is_sibling { sibling } else { word.clone() }
    }
}

/// The dependencies of a list; `None` for an item that is neither a number nor a string.
pub(super) fn references(node: &JsonNode<'_>) -> impl Iterator<Item = Option<Reference>> {
    node.items().iter().map(|item| match &item.kind {
        JsonKind::Number(digits) => Some(Reference::Number((*digits).to_owned())),
        JsonKind::Text(text) => Some(Reference::Text(text.trim().to_owned())),
        JsonKind::Null | JsonKind::Bool(_) | JsonKind::List(_) | JsonKind::Object(_) => None,
    })
}

/// The id of a subtask.
pub(super) fn child_id(parent: &str, local: &str) -> String {
    if local.starts_with(&format!("{parent}.")) { local.to_owned() } else { format!("{parent}.{local}") }
}

/// An id the way the file writes it, in a task with this parent.
pub(super) fn value(dependency: &str, parent: Option<&str>) -> Value {
    let as_number = |word: &str| word.parse::<u32>().map_or_else(|_| word.into(), Value::from);
    match parent {
        None => as_number(dependency),
        Some(parent) => match dependency.strip_prefix(parent).and_then(|d| d.strip_prefix('.')) {
            Some(local) => as_number(local),
            None => dependency.into(),
        },
    }
}

/// The ids of tasks in the file: their own where the format can write them, else the next free number.
pub(super) fn assign(plan: &Plan, forest: &TaskForest) -> Vec<String> {
    let mut ids = vec![String::new(); plan.tasks.len()];
    let fits = |i: usize| number(&plan.tasks[i].id).is_some() || plan.tasks[i].extra.contains_key("id");
    let taken: HashSet<&str> =
        forest.roots.iter().filter(|i| fits(**i)).map(|i| plan.tasks[*i].id.as_str()).collect();
    let mut next = 0;
    let mut seen = HashSet::new();
    for &i in &forest.roots {
        let own = &plan.tasks[i].id;
        ids[i] = if fits(i) && seen.insert(own.clone()) {
            own.clone()
        } else {
            free(&mut next, |n| !taken.contains(n))
        };
    }
    for i in forest.order() {
        assign_children(plan, forest, i, &mut ids);
    }
    ids
}

fn assign_children(plan: &Plan, forest: &TaskForest, parent: usize, ids: &mut [String]) {
    let prefix = format!("{}.", ids[parent]);
    let local = |i: usize| plan.tasks[i].id.strip_prefix(&prefix).filter(|l| number(l).is_some());
    let taken: HashSet<&str> = forest.children[parent].iter().filter_map(|i| local(*i)).collect();
    let mut next = 0;
    let mut seen = HashSet::new();
    for &i in &forest.children[parent] {
        ids[i] = match local(i) {
            Some(own) if seen.insert(own) => format!("{prefix}{own}"),
            Some(_) | None => format!("{prefix}{}", free(&mut next, |n| !taken.contains(n))),
        };
    }
}

fn free(next: &mut u32, is_free: impl Fn(&str) -> bool) -> String {
    loop {
        *next += 1;
        let number = next.to_string();
        if is_free(&number) {
            return number;
        }
    }
}

fn number(text: &str) -> Option<u32> {
    text.parse::<u32>().ok().filter(|n| n.to_string() == text)
}
