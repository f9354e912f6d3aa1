//! The parents and children of a plan as a forest, for formats that nest them.
//!
//! Works on ids as written: a task whose parent does not exist, or is part of a circle, is at the top.

use std::collections::HashMap;

use windlass_core::plan::Plan;

/// The tasks of a plan as a forest of indexes.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct TaskForest {
    /// Tasks at the top, in the order of the plan.
    pub(crate) roots: Vec<usize>,
    /// The children of each task, in the order of the plan.
    pub(crate) children: Vec<Vec<usize>>,
}

impl TaskForest {
    /// The forest of a plan, at most `deepest` levels below the top; deeper tasks move up.
    pub(crate) fn of(plan: &Plan, deepest: usize) -> Self {
        let at: HashMap<&str, usize> =
            plan.tasks.iter().enumerate().rev().map(|(i, t)| (t.id.as_str(), i)).collect();
        let parent = |i: usize| plan.tasks[i].parent.as_deref().and_then(|p| at.get(p)).copied();
        let mut forest = Self { roots: Vec::new(), children: vec![Vec::new(); plan.tasks.len()] };
        for i in 0..plan.tasks.len() {
            let mut above = Vec::new();
            let mut up = parent(i);
            while let Some(p) = up.filter(|p| *p != i && !above.contains(p)) {
                above.push(p);
                up = parent(p);
            }
            let in_circle = up.is_some();
            match above.len() {
                0 => forest.roots.push(i),
                _ if in_circle => forest.roots.push(i),
                depth => forest.children[above[depth.saturating_sub(deepest)]].push(i),
            }
        }
        forest
    }

    /// Every task, parents before their children.
    pub(crate) fn order(&self) -> Vec<usize> {
        let mut order = Vec::with_capacity(self.children.len());
        let mut open: Vec<usize> = self.roots.iter().rev().copied().collect();
        while let Some(i) = open.pop() {
            order.push(i);
            open.extend(self.children[i].iter().rev());
        }
        order
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use windlass_core::plan::Task;

    fn plan(tasks: &[(&str, &str)]) -> Plan {
        let task = |(id, parent): &(&str, &str)| Task {
            id: (*id).to_owned(),
            parent: Some((*parent).to_owned()).filter(|p| !p.is_empty()),
            ..Task::default()
        };
        Plan { tasks: tasks.iter().map(task).collect(), ..Plan::default() }
    }

    #[test]
    fn children_follow_their_parents() {
        let plan = plan(&[("a", ""), ("b", ""), ("a1", "a"), ("a11", "a1"), ("x", "?"), ("b1", "b")]);
        assert_eq!(TaskForest::of(&plan, 9).order(), [0, 2, 3, 1, 5, 4]);
        let flat = TaskForest::of(&plan, 1);
        assert_eq!(flat.children[0], [2, 3]);
        assert_eq!(flat.order().len(), 6);
    }

    #[test]
    fn circles_stand_at_the_top() {
        let plan = plan(&[("a", "b"), ("b", "a"), ("c", "c"), ("d", "a")]);
        assert_eq!(TaskForest::of(&plan, 9).order().len(), 4);
    }
}
