//! Parents and parts, and what the plan's references refer to. Checks ids and references, not links.

use std::collections::HashMap;

use crate::diagnostic::{Diagnostic, Severity, Span};
use crate::ids::TaskId;
use crate::plan::{Plan, Task};

/// A plan with its references resolved to places in `plan.tasks`.
#[derive(Debug)]
pub(super) struct TaskFamily<'a> {
    pub(super) plan: &'a Plan,
    /// Checked ids; a task with a bad id has none, and the plan is refused.
    pub(super) ids: Vec<Option<TaskId>>,
    pub(super) parent: Vec<Option<u32>>,
    /// How many parents are stacked above a task.
    pub(super) depth: Vec<u32>,
    pub(super) has_parts: Vec<bool>,
    /// Stated waits, in the order written.
    pub(super) waits: Vec<Wait>,
}

/// One resolved entry of a task's `depends_on`.
#[derive(Debug, Clone, Copy)]
pub(super) struct Wait {
    pub(super) task: u32,
    pub(super) on: u32,
}

impl<'a> TaskFamily<'a> {
    /// Resolves what can be resolved and reports the rest.
    pub(super) fn read(plan: &'a Plan, max_depth: u32, out: &mut Vec<Diagnostic>) -> TaskFamily<'a> {
        let n = plan.tasks.len();
        let by_id = names(plan, out);
        let ids = plan.tasks.iter().map(|t| checked(t, out)).collect();
        let mut family = TaskFamily {
            plan,
            ids,
            parent: vec![None; n],
            depth: vec![0; n],
            has_parts: vec![false; n],
            waits: Vec::new(),
        };
        for (task, t) in (0_u32..).zip(&plan.tasks) {
            family.parent[task as usize] = parent_of(task, t, &by_id, out);
            family.read_waits(task, t, &by_id, out);
        }
        family.cut_parent_circles(out);
        family.stack(max_depth, out);
        family
    }

    /// The task itself.
    pub(super) fn task(&self, at: u32) -> &'a Task {
        &self.plan.tasks[at as usize]
    }

    /// Its id as written.
    pub(super) fn name(&self, at: u32) -> &'a str {
        &self.plan.tasks[at as usize].id
    }

    /// Whether `above` is a parent of `below`, at any distance.
    pub(super) fn contains(&self, above: u32, below: u32) -> bool {
        let mut at = below;
        while let Some(parent) = self.parent[at as usize] {
            if parent == above {
                return true;
            }
            at = parent;
        }
        false
    }

    /// How many parents two tasks share.
    pub(super) fn shared(&self, a: u32, b: u32) -> u32 {
        let (mut a, mut b) = (self.parent[a as usize], self.parent[b as usize]);
        while let (Some(x), Some(y)) = (a, b) {
            if x == y {
                return self.depth[x as usize] + 1;
            }
            let (dx, dy) = (self.depth[x as usize], self.depth[y as usize]);
            if dx >= dy {
                a = self.parent[x as usize];
            }
            if dy >= dx {
                b = self.parent[y as usize];
            }
        }
        0
    }

    fn read_waits(&mut self, task: u32, t: &Task, by_id: &HashMap<&str, u32>, out: &mut Vec<Diagnostic>) {
        for (entry, name) in (0_u32..).zip(&t.depends_on) {
            match by_id.get(name.as_str()) {
                Some(on) if *on == task => out.push(itself(t, entry_span(t, entry), "depends on")),
                Some(on) => self.waits.push(Wait { task, on: *on }),
                None => out.push(unknown(t, entry_span(t, entry), "depends on", name)),
            }
        }
    }

    /// Finds tasks that are, over others, a part of themselves; names each circle and opens it, so that nothing after
    /// this walks in circles.
    fn cut_parent_circles(&mut self, out: &mut Vec<Diagnostic>) {
        let mut seen_in = vec![u32::MAX; self.parent.len()];
        for start in (0_u32..).take(self.parent.len()) {
            let mut at = start;
            while seen_in[at as usize] == u32::MAX {
                seen_in[at as usize] = start;
                match self.parent[at as usize] {
                    Some(parent) => at = parent,
                    None => break,
                }
            }
            if seen_in[at as usize] == start && self.parent[at as usize].is_some() {
                out.push(self.parent_circle(at));
                self.parent[at as usize] = None;
            }
        }
    }

    fn parent_circle(&self, at: u32) -> Diagnostic {
        let mut names = vec![self.name(at)];
        let mut next = self.parent[at as usize];
        while let Some(task) = next.filter(|t| *t != at) {
            names.push(self.name(task));
            next = self.parent[task as usize];
        }
        names.push(self.name(at));
        let message = format!("`{}` is a part of itself: {}", self.name(at), super::cycles::arrows(&names));
        Diagnostic::new("WL0150", Severity::Error, message)
            .with_task(self.name(at))
            .at(self.task(at).span("parent"))
            .with_help("take one of the `parent` entries away")
    }

    fn stack(&mut self, max_depth: u32, out: &mut Vec<Diagnostic>) {
        let mut known = vec![false; self.parent.len()];
        let mut trail = Vec::new();
        for start in (0_u32..).take(self.parent.len()) {
            let mut next = Some(start);
            while let Some(at) = next.filter(|at| !known[*at as usize]) {
                trail.push(at);
                next = self.parent[at as usize];
            }
            let mut depth = next.map(|at| self.depth[at as usize] + 1);
            while let Some(at) = trail.pop() {
                self.depth[at as usize] = depth.unwrap_or(0);
                known[at as usize] = true;
                depth = Some(self.depth[at as usize] + 1);
            }
            if let Some(parent) = self.parent[start as usize] {
                self.has_parts[parent as usize] = true;
            }
        }
        let deep = (0_u32..).zip(&self.depth).filter(|(_, d)| **d > max_depth).max_by_key(|(_, d)| **d);
        if let Some((task, depth)) = deep {
            let message =
                format!("`{}` lies {depth} parents deep, the limit is {max_depth}", self.name(task));
            let found = Diagnostic::new("WL0155", Severity::Error, message)
                .with_task(self.name(task))
                .at(self.task(task).span("parent"));
            out.push(found.with_help("make the plan flatter, or raise the limit"));
        }
    }
}

/// Where an entry of `depends_on` was read.
pub(super) fn entry_span(task: &Task, entry: u32) -> Option<Span> {
    let exact = task.places.get(&format!("depends_on[{entry}]")).copied();
    exact.or_else(|| task.span("depends_on"))
}

fn names<'a>(plan: &'a Plan, out: &mut Vec<Diagnostic>) -> HashMap<&'a str, u32> {
    let mut by_id: HashMap<&str, u32> = HashMap::with_capacity(plan.tasks.len());
    for (at, task) in (0_u32..).zip(&plan.tasks) {
        let first = *by_id.entry(task.id.as_str()).or_insert(at);
        // An empty id is reported as a bad id.
        if first != at && !task.id.is_empty() {
            let message = format!("two tasks have the id `{}`", task.id.escape_debug());
            let found = Diagnostic::new("WL0154", Severity::Error, message).with_task(&task.id);
            let there = plan.tasks[first as usize].span("id");
            out.push(found.at(task.span("id")).also(there, "the first one").with_help("give it another id"));
        }
    }
    by_id
}

fn checked(task: &Task, out: &mut Vec<Diagnostic>) -> Option<TaskId> {
    match TaskId::new(&task.id) {
        Ok(id) => Some(id),
        Err(error) => {
            let message = format!("`{}` cannot be the id of a task: {error}", task.id.escape_debug());
            let found = Diagnostic::new("WL0153", Severity::Error, message).with_task(&task.id);
            out.push(found.at(task.span("id")));
            None
        }
    }
}

fn parent_of(at: u32, t: &Task, by_id: &HashMap<&str, u32>, out: &mut Vec<Diagnostic>) -> Option<u32> {
    let name = t.parent.as_deref()?;
    match by_id.get(name) {
        Some(parent) if *parent == at => out.push(itself(t, t.span("parent"), "is a part of")),
        Some(parent) => return Some(*parent),
        None => out.push(unknown(t, t.span("parent"), "is a part of", name)),
    }
    None
}

fn itself(task: &Task, span: Option<Span>, how: &str) -> Diagnostic {
    let message = format!("`{}` {how} itself", task.id.escape_debug());
    Diagnostic::new("WL0152", Severity::Error, message)
        .with_task(&task.id)
        .at(span)
        .with_help("take the entry away")
}

fn unknown(task: &Task, span: Option<Span>, how: &str, name: &str) -> Diagnostic {
    let message =
        format!("`{}` {how} `{}`, which is not in the plan", task.id.escape_debug(), name.escape_debug());
    Diagnostic::new("WL0151", Severity::Error, message).with_task(&task.id).at(span)
}
