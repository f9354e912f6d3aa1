//! `tasks.json` → plan.

use std::collections::HashSet;

use serde_json::Value;

use super::ids::{self, Reference};
use super::{DIALECT, FILE, MASTER, TASK, confidence};
use crate::json::{JsonKind, JsonMember, JsonNode, ValueReader, key_list, parse};
use crate::memory::{self, KeyOrder, SUBTASK_KEYS, TASK_KEYS};
use crate::reading::{PlanReading, code};
use crate::table::read_task;
use crate::{Input, picking, remainder};
use windlass_core::diagnostic::Severity;
use windlass_core::plan::{Loaded, Plan};

/// Reads a Task Master file.
pub(super) fn read(input: &Input) -> Loaded {
    let mut reading = PlanReading::default();
    let mut plan = Plan::default();
    let file = picking::pick(input, FILE, &mut reading.diagnostics, confidence)
        .or_else(|| input.files.iter().find(|f| picking::is_json(&f.path)));
    let Some(file) = file else {
        picking::no_tasks(&mut reading.diagnostics, format!("there is no `{FILE}` here"));
        return reading.done(DIALECT, plan);
    };
    if let Some(ix) = reading.take(input, file) {
        let PlanReading { sources, diagnostics } = &mut reading;
        if let Some(root) = parse(&sources.file(ix).text, ix, diagnostics) {
            TagReader::read(ValueReader::new(ix, diagnostics), &root, &mut plan);
            remainder::restore(&mut plan, diagnostics);
        }
    }
    if plan.name.is_empty() {
        memory::name_from_outside(&mut plan, DIALECT, project_name(input));
    }
    if file.path != FILE {
        memory::note(&mut plan.extra, DIALECT, "path", file.path.clone());
    }
    reading.done(DIALECT, plan)
}

/// The folder above `.taskmaster/tasks`.
fn project_name(input: &Input) -> &str {
    let parts = input.root.rsplit('/');
    let skipped = |p: &str| matches!(p, "" | "." | ".." | "tasks" | ".taskmaster") || picking::is_json(p);
    parts.into_iter().find(|p| !skipped(p)).unwrap_or("tasks")
}

struct TagReader<'d, 'p> {
    f: ValueReader<'d>,
    plan: &'p mut Plan,
    top: KeyOrder,
    below: KeyOrder,
    /// The dependencies of each task as written, and its parent.
    said: Vec<(Vec<Reference>, Option<String>)>,
}

impl<'d, 'p> TagReader<'d, 'p> {
    fn read(f: ValueReader<'d>, root: &JsonNode<'_>, plan: &'p mut Plan) {
        let (top, below) = (KeyOrder::new(DIALECT, TASK_KEYS), KeyOrder::new(DIALECT, SUBTASK_KEYS));
        let mut tasks = Self { f, plan, top, below, said: Vec::new() };
        match &root.kind {
            JsonKind::List(_) => {
                memory::note(&mut tasks.plan.extra, DIALECT, "form", "list");
                tasks.list(root);
            }
            JsonKind::Object(_) if root.get("tasks").is_some() => {
                memory::note(&mut tasks.plan.extra, DIALECT, "form", "plain");
                tasks.tag(root);
            }
            JsonKind::Object(_) => tasks.tags(root),
            JsonKind::Null | JsonKind::Bool(_) | JsonKind::Number(_) | JsonKind::Text(_) => {
                tasks.f.find(code::NO_TASKS, Severity::Error, root, "this file has no list `tasks`");
            }
        }
        tasks.finish();
    }

    /// Reads the tag `master`, or the first; the others are kept and named.
    fn tags(&mut self, root: &JsonNode<'_>) {
        let tags: Vec<&JsonMember<'_>> =
            root.members().iter().filter(|m| m.value.get("tasks").is_some()).collect();
        let Some(tag) = tags.iter().find(|m| m.key == MASTER).or(tags.first()) else {
            self.f.find(code::NO_TASKS, Severity::Error, root, "this file has no tag with a list `tasks`");
            return;
        };
        for other in tags.iter().filter(|m| m.key != tag.key) {
            let message = format!("the tag `{}` is not read; `{}` is", other.key, tag.key);
            self.f.find(code::LEFT_OUT, Severity::Note, &other.value, message);
        }
        let others: serde_json::Map<String, Value> = root
            .members()
            .iter()
            .filter(|m| m.key != tag.key)
            .map(|m| (m.key.to_string(), m.value.to_value()))
            .collect();
        let extra = &mut self.plan.extra;
        memory::note(extra, DIALECT, "tag", tag.key.as_ref());
        memory::note(extra, DIALECT, "tags", key_list(root));
        if !others.is_empty() {
            memory::note(extra, DIALECT, "others", Value::Object(others));
        }
        if tag.key != MASTER {
            memory::name_from_outside(self.plan, DIALECT, &tag.key);
        }
        self.tag(&tag.value);
    }

    fn tag(&mut self, tag: &JsonNode<'_>) {
        for m in tag.members() {
            if m.key == "tasks" {
                self.list(&m.value);
                self.plan.places.note("tasks", m.value.span(self.f.file));
            } else {
                self.plan.extra.insert(m.key.to_string(), m.value.to_value());
            }
        }
        memory::keep_keys(tag, DIALECT, self.plan);
    }

    fn list(&mut self, node: &JsonNode<'_>) {
        if !node.is_list() {
            self.f.find(code::WRONG_TYPE, Severity::Error, node, "`tasks` must be a list");
        }
        for item in node.items() {
            self.task(item, None);
        }
    }

    fn task(&mut self, node: &JsonNode<'_>, parent: Option<&str>) {
        if !self.f.is_task(node) {
            return;
        }
        let order = if parent.is_some() { &mut self.below } else { &mut self.top };
        let mut task = read_task(TASK, &mut self.f, node, order);
        if let Some(parent) = parent {
            task.id = ids::child_id(parent, &task.id);
            task.parent = Some(parent.to_owned());
        }
        let id = task.id.clone();
        let said =
            node.get("dependencies").map(|d| ids::references(d).flatten().collect()).unwrap_or_default();
        self.said.push((said, task.parent.clone()));
        self.plan.tasks.push(task);
        for child in node.get("subtasks").map(JsonNode::items).unwrap_or_default() {
            self.task(child, Some(&id));
        }
    }

    /// Resolves the dependencies, now that all tasks are known.
    fn finish(self) {
        let known: HashSet<String> = self.plan.tasks.iter().map(|t| t.id.clone()).collect();
        for (task, (said, parent)) in self.plan.tasks.iter_mut().zip(&self.said) {
            task.depends_on = said.iter().map(|s| s.meaning(parent.as_deref(), &known)).collect();
            let usual: Value = task.depends_on.iter().map(|d| ids::value(d, parent.as_deref())).collect();
            if task.extra.get("dependencies") == Some(&usual) {
                task.extra.shift_remove("dependencies");
            }
        }
        self.top.keep(self.plan);
        self.below.keep(self.plan);
    }
}
