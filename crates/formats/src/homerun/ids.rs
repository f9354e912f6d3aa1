//! homerun's ids are three digits and perhaps a letter. A plan from elsewhere gets such ids on the way out.

use std::collections::HashSet;

use super::super::family::Family;
use super::super::foreign::{self, Origin};
use super::DIALECT;
use windlass_core::plan::Plan;

/// Whether an id has homerun's form.
pub(super) fn fits(id: &str) -> bool {
    let (digits, letter) = id.split_at(id.len().min(3));
    digits.len() == 3
        && digits.bytes().all(|b| b.is_ascii_digit())
        && letter.len() <= 1
        && letter.bytes().all(|b| b.is_ascii_lowercase())
}

/// The ids tasks have in the file: their own, if it is one of homerun's.
pub(super) fn in_file(plan: &Plan, family: &Family) -> Vec<String> {
    match foreign::origin(plan, DIALECT) {
        Origin::Own => plan.tasks.iter().map(|t| t.id.clone()).collect(),
        Origin::Foreign => assign(plan, family),
    }
}

/// The ids of a plan from elsewhere. If one of the plan's own does not fit, all are given anew, in order.
fn assign(plan: &Plan, family: &Family) -> Vec<String> {
    let own: Vec<String> = plan.tasks.iter().map(|t| t.id.clone()).collect();
    let mut seen = HashSet::new();
    if own.iter().all(|id| fits(id) && seen.insert(id.as_str())) {
        return own;
    }
    let mut ids = vec![String::new(); own.len()];
    let mut next = 0;
    for &root in &family.roots {
        next += 1;
        ids[root] = format!("{next:03}");
    }
    for root in family.order() {
        for (i, &child) in family.children[root].iter().enumerate() {
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
