//! homerun's ids: three digits, and a letter for a subtask. A plan of another dialect gets such ids when it is written.

use std::collections::HashSet;

use super::DIALECT;
use crate::family::TaskForest;
use crate::memory::{self, Origin};
use windlass_core::plan::Plan;

/// Whether an id has homerun's form.
pub(super) fn fits(id: &str) -> bool {
    let (digits, letter) = id.split_at(id.len().min(3));
    digits.len() == 3
        && digits.bytes().all(|b| b.is_ascii_digit())
        && letter.len() <= 1
        && letter.bytes().all(|b| b.is_ascii_lowercase())
}

/// The ids of tasks in the file: their own, if the plan was read from homerun's files.
pub(super) fn in_file(plan: &Plan, forest: &TaskForest) -> Vec<String> {
    match memory::origin(plan, DIALECT) {
        Origin::Own => plan.tasks.iter().map(|t| t.id.clone()).collect(),
        Origin::Foreign => assign(plan, forest),
    }
}

/// The ids for a plan of another dialect: its own if all of them fit, otherwise numbers in order.
fn assign(plan: &Plan, forest: &TaskForest) -> Vec<String> {
    let own: Vec<String> = plan.tasks.iter().map(|t| t.id.clone()).collect();
    let mut seen = HashSet::new();
    if own.iter().all(|id| fits(id) && seen.insert(id.as_str())) {
        return own;
    }
    let mut ids = vec![String::new(); own.len()];
    let mut next = 0;
    for &root in &forest.roots {
        next += 1;
        ids[root] = format!("{next:03}");
    }
    for root in forest.order() {
        for (i, &child) in forest.children[root].iter().enumerate() {
            let parent = ids[root].clone();
            let letter = u8::try_from(i).ok().filter(|n| *n < 26).map(|n| char::from(b'a' + n));
            ids[child] = match letter {
                Some(letter) if parent.len() == 3 => format!("{parent}{letter}"),
                Some(_) | None => {
                    next += 1;
                    format!("{next:03}")
                }
            };
        }
    }
    ids
}
