//! CCW finds its tasks by name: `IMPL-3`, and `IMPL-3.1` for a part of it. A plan of another dialect gets such names.

use std::collections::HashSet;

use crate::family::TaskForest;
use windlass_core::plan::Plan;

/// The container a task belongs to by its name: `IMPL-3` for `IMPL-3.1`.
pub(super) fn container(id: &str) -> Option<&str> {
    let (head, part) = id.rsplit_once('.')?;
    (!part.is_empty() && part.bytes().all(|b| b.is_ascii_digit()) && !head.is_empty()).then_some(head)
}

/// The ids tasks have in the session: their own if CCW would find them, else new ones in order.
pub(super) fn assign(plan: &Plan, forest: &TaskForest) -> Vec<String> {
    let own: Vec<String> = plan.tasks.iter().map(|t| t.id.clone()).collect();
    let mut seen = HashSet::new();
    let is_safe = |id: &str| id.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '-' | '.' | '_'));
    if own.iter().all(|id| id.starts_with("IMPL-") && is_safe(id) && seen.insert(id.as_str())) {
        return own;
    }
    let mut ids = vec![String::new(); own.len()];
    for (n, &root) in forest.roots.iter().enumerate() {
        ids[root] = format!("IMPL-{}", n + 1);
    }
    for parent in forest.order() {
        for (n, &child) in forest.children[parent].iter().enumerate() {
            ids[child] = format!("{}.{}", ids[parent], n + 1);
        }
    }
    ids
}

/// A key that sorts `IMPL-2` before `IMPL-10`.
pub(super) fn natural(path: &str) -> Vec<(u64, String)> {
    let mut parts = Vec::new();
    let mut rest = path;
    while !rest.is_empty() {
        let words = rest.find(|c: char| c.is_ascii_digit()).unwrap_or(rest.len());
        let (word, after) = rest.split_at(words);
        let digits = after.find(|c: char| !c.is_ascii_digit()).unwrap_or(after.len());
        let (number, after) = after.split_at(digits);
        parts.push((0, word.to_owned()));
        parts.push((number.parse().unwrap_or(u64::MAX), String::new()));
        rest = after;
    }
    parts
}
