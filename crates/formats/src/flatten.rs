//! A plan for formats without a hierarchy: a parent depends on its children, and they inherit its dependencies. Also
//! the levels that such formats need.
//!
//! Works on ids as written; an id that is unknown or in a cycle is carried along as it is.

use std::collections::{HashMap, HashSet};

use windlass_core::plan::Plan;

/// The dependencies of each task when parents are ordinary tasks.
pub(crate) fn dependencies(plan: &Plan) -> Vec<Vec<String>> {
    let at: HashMap<&str, usize> = plan.tasks.iter().enumerate().map(|(i, t)| (t.id.as_str(), i)).collect();
    let mut all: Vec<Vec<String>> = plan.tasks.iter().map(|t| t.depends_on.clone()).collect();
    for (i, task) in plan.tasks.iter().enumerate() {
        let mut seen = HashSet::from([task.id.as_str()]);
        let mut up = task.parent.as_deref();
        while let Some(parent) = up.filter(|p| seen.insert(p)).and_then(|p| at.get(p)) {
            let parent = &plan.tasks[*parent];
            let inherited: Vec<String> =
                parent.depends_on.iter().filter(|d| !all[i].contains(d) && **d != task.id).cloned().collect();
            all[i].extend(inherited);
            all[i].retain(|d| *d != parent.id);
            up = parent.parent.as_deref();
        }
        if let Some(parent) = task.parent.as_deref().and_then(|p| at.get(p))
            && *parent != i
            && !all[*parent].contains(&task.id)
        {
            all[*parent].push(task.id.clone());
        }
    }
    all
}

/// The level of each task, from 1: one more than its highest dependency. Tasks in a cycle stay at 1.
pub(crate) fn levels(plan: &Plan, dependencies: &[Vec<String>]) -> Vec<i64> {
    let at: HashMap<&str, usize> = plan.tasks.iter().enumerate().map(|(i, t)| (t.id.as_str(), i)).collect();
    let mut waiting = vec![0usize; plan.tasks.len()];
    let mut followers = vec![Vec::new(); plan.tasks.len()];
    for (i, deps) in dependencies.iter().enumerate() {
        for d in deps.iter().filter_map(|d| at.get(d.as_str())).filter(|d| **d != i) {
            waiting[i] += 1;
            followers[*d].push(i);
        }
    }
    let mut level = vec![1i64; plan.tasks.len()];
    let mut ready: Vec<usize> = (0..waiting.len()).filter(|i| waiting[*i] == 0).collect();
    while let Some(i) = ready.pop() {
        for &next in &followers[i] {
            level[next] = level[next].max(level[i] + 1);
            waiting[next] -= 1;
            if waiting[next] == 0 {
                ready.push(next);
            }
        }
    }
    level
}

#[cfg(test)]
mod tests {
    use super::*;
    use windlass_core::plan::Task;

    fn plan(tasks: &[(&str, Option<&str>, &[&str])]) -> Plan {
        let task = |(id, parent, deps): &(&str, Option<&str>, &[&str])| Task {
            id: (*id).to_owned(),
            parent: parent.map(str::to_owned),
            depends_on: deps.iter().map(|d| (*d).to_owned()).collect(),
            ..Task::default()
        };
        Plan { tasks: tasks.iter().map(task).collect(), ..Plan::default() }
    }

    #[test]
    fn a_parent_comes_after_its_children_and_they_after_what_it_waits_for() {
        let plan =
            plan(&[("a", None, &[]), ("p", None, &["a"]), ("p1", Some("p"), &[]), ("b", None, &["p"])]);
        let deps = dependencies(&plan);
        assert_eq!(deps, [vec![], vec!["a", "p1"], vec!["a"], vec!["p"]]);
        assert_eq!(levels(&plan, &deps), [1, 3, 2, 4]);
    }

    #[test]
    fn cycles_and_strange_parents_end() {
        let plan = plan(&[("a", Some("b"), &["b"]), ("b", Some("a"), &["a"]), ("c", Some("c"), &["c", "?"])]);
        let deps = dependencies(&plan);
        assert_eq!(levels(&plan, &deps).len(), 3);
    }
}
