//! The order a plan states, asked before it is sealed: works on any plan, however broken.
//!
//! Knows `depends_on` and `parent` only; links from files come with sealing.

use std::collections::HashMap;

use super::reach::ordered;
use super::rows::{Adjacency, placed};
use crate::plan::Plan;

/// The order that the plan states. Each task is a pair of points, its start and its end; a part is between those of
/// its parent.
#[derive(Debug)]
pub struct Stated {
    needs: Adjacency,
    order: Vec<u32>,
    at: Vec<u32>,
    has_parts: Vec<bool>,
}

impl Stated {
    /// Reads the plan's references, given the index of each id; unknown ones are left out.
    pub fn of(plan: &Plan, by_id: &HashMap<&str, u32>) -> Stated {
        let mut pairs = Vec::new();
        let mut has_parts = vec![false; plan.tasks.len()];
        for (at, task) in (0_u32..).zip(&plan.tasks) {
            pairs.push((2 * at + 1, 2 * at));
            let waits = task.depends_on.iter().filter_map(|d| by_id.get(d.as_str())).filter(|on| **on != at);
            pairs.extend(waits.map(|on| (2 * at, 2 * on + 1)));
            if let Some(parent) = task.parent.as_deref().and_then(|p| by_id.get(p)).filter(|p| **p != at) {
                pairs.push((2 * at, 2 * parent));
                pairs.push((2 * parent + 1, 2 * at + 1));
                has_parts[*parent as usize] = true;
            }
        }
        let needs = Adjacency::new(2 * plan.tasks.len(), &pairs);
        let mut order = placed(&needs, &needs.reversed());
        let mut at = vec![u32::MAX; needs.len()];
        for (place, row) in (0_u32..).zip(&order) {
            at[*row as usize] = place;
        }
        // Adjacency of a cycle have no order; they come last, so that asking about them is safe.
        for (row, place) in (0_u32..).zip(&mut at) {
            if *place == u32::MAX {
                *place = u32::try_from(order.len()).unwrap_or(u32::MAX);
                order.push(row);
            }
        }
        Stated { needs, order, at, has_parts }
    }

    /// Whether the task at this place has parts.
    pub fn has_parts(&self, task: u32) -> bool {
        self.has_parts[task as usize]
    }

    /// For each pair of places in `plan.tasks`, whether the first is done before the second begins. All pairs are
    /// answered together: ask once.
    pub fn before(&self, pairs: &[(u32, u32)]) -> Vec<bool> {
        // The own work of a task with parts comes after them.
        let begins = |task: u32| if self.has_parts(task) { 2 * task + 1 } else { 2 * task };
        let points: Vec<(u32, u32)> = pairs.iter().map(|(a, b)| (2 * a + 1, begins(*b))).collect();
        ordered(&self.needs, &self.order, &self.at, &points)
    }
}

#[cfg(test)]
mod tests;
