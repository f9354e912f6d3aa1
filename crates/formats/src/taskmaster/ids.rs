//! Numbers in the file, names in the plan: what a dependency of a task or a subtask means, and back.

use std::collections::{HashMap, HashSet};

use serde_json::Value;

use super::super::family::Family;
use super::super::json::{Kind, Node};
use windlass_core::plan::Plan;

/// A dependency as the file says it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Said {
    /// As a number: inside a subtask, one of its siblings.
    Number(String),
    /// As a string.
    Text(String),
}

/// The dependencies of a list; `None` for an item that is neither number nor string.
pub(super) fn said(node: &Node<'_>) -> impl Iterator<Item = Option<Said>> {
    node.items().iter().map(|item| match &item.kind {
        Kind::Number(digits) => Some(Said::Number((*digits).to_owned())),
        Kind::Text(text) => Some(Said::Text(text.trim().to_owned())),
        Kind::Null | Kind::Bool(_) | Kind::List(_) | Kind::Object(_) => None,
    })
}

/// The name of a subtask.
pub(super) fn child_id(parent: &str, local: &str) -> String {
    if local.starts_with(&format!("{parent}.")) { local.to_owned() } else { format!("{parent}.{local}") }
}

/// What a dependency means, said by a task with this parent.
pub(super) fn meant(said: &Said, parent: Option<&str>, known: &HashSet<String>) -> String {
    let (Said::Number(word) | Said::Text(word)) = said;
    let Some(parent) = parent else { return word.clone() };
    let sibling = format!("{parent}.{word}");
    let is_sibling = known.contains(&sibling);
    let is_sibling = match said {
        Said::Number(_) => is_sibling,
        Said::Text(_) => is_sibling && !known.contains(word),
    };
    if is_sibling { sibling } else { word.clone() }
}

/// A dependency the way the file says it, for a task with this parent.
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

/// The ids tasks have in the file: those they have if the format can carry them, else the next free number.
pub(super) fn assign(plan: &Plan, family: &Family) -> Vec<String> {
    let mut ids = vec![String::new(); plan.tasks.len()];
    let fits = |i: usize| number(&plan.tasks[i].id).is_some() || plan.tasks[i].extra.contains_key("id");
    let taken: HashSet<&str> =
        family.roots.iter().filter(|i| fits(**i)).map(|i| plan.tasks[*i].id.as_str()).collect();
    let mut next = 0;
    let mut seen = HashSet::new();
    for &i in &family.roots {
        let own = &plan.tasks[i].id;
        ids[i] = if fits(i) && seen.insert(own.clone()) {
            own.clone()
        } else {
            free(&mut next, |n| !taken.contains(n))
        };
    }
    for i in family.order() {
        assign_children(plan, family, i, &mut ids);
    }
    ids
}

fn assign_children(plan: &Plan, family: &Family, parent: usize, ids: &mut [String]) {
    let prefix = format!("{}.", ids[parent]);
    let local = |i: usize| plan.tasks[i].id.strip_prefix(&prefix).filter(|l| number(l).is_some());
    let taken: HashSet<&str> = family.children[parent].iter().filter_map(|i| local(*i)).collect();
    let mut next = 0;
    let mut seen = HashSet::new();
    for &i in &family.children[parent] {
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

/// From the ids of the plan to those of the file.
pub(super) fn table<'p>(plan: &'p Plan, ids: &'p [String]) -> HashMap<&'p str, &'p str> {
    plan.tasks.iter().zip(ids).map(|(t, id)| (t.id.as_str(), id.as_str())).collect()
}
