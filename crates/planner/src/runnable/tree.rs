//! The tree of parents and parts, and how it changes when tests are joined with their code.
//!
//! The task that wrote the tests becomes a parent of the code. The code leaves its own parents for that, so their order
//! is stated again where it would be lost: the code waits for what they wait for, and what waits for them waits for it.

use std::collections::HashMap;

use windlass_core::plan::Plan;

/// Tasks by their place in the plan.
pub(super) struct TaskTree {
    by_id: HashMap<String, usize>,
    parent: Vec<Option<usize>>,
    /// The parts of each task.
    pub(super) parts: Vec<Vec<usize>>,
}

impl TaskTree {
    /// The tree of a plan; none if ids are double, parents are unknown, or parts are nested too deep or in a circle.
    pub(super) fn of(plan: &Plan, max_depth: u32) -> Option<Self> {
        let by_id: HashMap<String, usize> = plan.tasks.iter().map(|t| t.id.clone()).zip(0..).collect();
        if by_id.len() < plan.tasks.len() {
            return None;
        }
        let mut tree = Self { by_id, parent: Vec::new(), parts: vec![Vec::new(); plan.tasks.len()] };
        for (at, task) in plan.tasks.iter().enumerate() {
            let parent = match &task.parent {
                Some(id) => Some(*tree.by_id.get(id)?),
                None => None,
            };
            tree.parent.push(parent);
            if let Some(parent) = parent {
                tree.parts[parent].push(at);
            }
        }
        let limit = max_depth as usize;
        let is_flat = |at: usize| tree.above(at).take(limit + 1).count() <= limit;
        (0..plan.tasks.len()).all(is_flat).then_some(tree)
    }

    /// The parents of a task, from the inside out.
    fn above(&self, at: usize) -> impl Iterator<Item = usize> {
        std::iter::successors(self.parent[at], |at| self.parent[*at])
    }

    fn contains(&self, above: usize, at: usize) -> bool {
        self.above(at).any(|parent| parent == above)
    }

    /// Makes `tests` a parent of `code`.
    pub(super) fn join(&mut self, plan: &mut Plan, tests: usize, code: usize) {
        // A parent with no other part would be left without any, so it moves along.
        let mut moved = vec![code];
        let mut top = code;
        while let Some(parent) = self.parent[top] {
            let is_left_empty = self.parts[parent].len() == 1 && !plan.tasks[parent].has_own_work();
            if !is_left_empty || self.contains(parent, tests) {
                break;
            }
            top = parent;
            moved.push(top);
        }
        let old = self.parent[top];
        let outside = self.above(top).take_while(|parent| !self.contains(*parent, tests));
        let mut left: Vec<usize> = outside.collect();
        if self.parent[tests].is_none() && left.iter().all(|parent| plan.tasks[*parent].depends_on.is_empty())
        {
            self.place(tests, old);
            left.clear();
        }
        self.place(top, Some(tests));
        for parent in &left {
            let waits = plan.tasks[*parent].depends_on.clone();
            plan.tasks[code].depends_on.extend(waits);
            self.wait_for_code_too(plan, *parent, code);
        }
        for at in moved {
            self.restate(plan, at, tests);
        }
    }

    fn place(&mut self, at: usize, parent: Option<usize>) {
        if let Some(old) = self.parent[at] {
            self.parts[old].retain(|part| *part != at);
        }
        self.parent[at] = parent;
        if let Some(parent) = parent {
            self.parts[parent].push(at);
        }
    }

    /// Tasks that wait for a parent whose code moved elsewhere wait for the code too; the parent's own work does as well.
    fn wait_for_code_too(&self, plan: &mut Plan, left: usize, code: usize) {
        let (left, id) = (plan.tasks[left].id.clone(), plan.tasks[code].id.clone());
        for (at, task) in plan.tasks.iter_mut().enumerate() {
            let waits = task.depends_on.contains(&left) || task.id == left && task.has_own_work();
            if waits && at != code && !task.depends_on.contains(&id) && !self.contains(at, code) {
                task.depends_on.push(id.clone());
            }
        }
    }

    /// A task below `tests` cannot wait for it, nor for a parent of it: it waits for the other parts of that parent.
    /// The own work of a parent comes after its parts; a wait for that stays, and is found to be a cycle.
    fn restate(&self, plan: &mut Plan, at: usize, tests: usize) {
        let path: Vec<usize> = std::iter::once(tests).chain(self.above(tests)).collect();
        let mut stated: Vec<String> = Vec::new();
        for id in std::mem::take(&mut plan.tasks[at].depends_on) {
            let on_path = self.by_id.get(&id).and_then(|on| path.iter().position(|p| p == on));
            let instead: Vec<String> = match on_path {
                None => vec![id],
                Some(place) if path[1..=place].iter().any(|p| plan.tasks[*p].has_own_work()) => vec![id],
                Some(place) => path[1..=place]
                    .iter()
                    .flat_map(|parent| &self.parts[*parent])
                    .filter(|part| !path.contains(part))
                    .map(|part| plan.tasks[*part].id.clone())
                    .collect(),
            };
            for id in instead {
                if !stated.contains(&id) {
                    stated.push(id);
                }
            }
        }
        plan.tasks[at].depends_on = stated;
    }
}
