//! `tasks.json` → plan.

use std::collections::HashSet;

use serde_json::Value;

use super::super::foreign::{self, SUBTASK_KEYS, Shape, TASK_KEYS, read_task};
use super::super::json::{Fields, Fit, Kind, Member, Node, key_list, parse};
use super::super::reading::{Reading, code};
use super::super::{Dialect, Input, remainder};
use super::ids::{self, Said};
use super::{FILE, MASTER, STRATEGY, WORDS, confidence};
use windlass_core::diagnostic::Severity;
use windlass_core::plan::{Loaded, Plan, Section, Task};

const DIALECT: Dialect = Dialect::Taskmaster;

/// Reads a Task Master file.
pub(crate) fn read(input: &Input) -> Loaded {
    let mut reading = Reading::default();
    let mut plan = Plan::default();
    let file = foreign::pick(input, FILE, &mut reading.diagnostics, confidence)
        .or_else(|| input.files.iter().find(|f| foreign::is_json(&f.path)));
    let Some(file) = file else {
        foreign::no_tasks(&mut reading.diagnostics, format!("no `{FILE}` here"));
        return reading.done(DIALECT, plan);
    };
    if let Some(ix) = reading.take(input, file) {
        let Reading { sources, diagnostics } = &mut reading;
        if let Some(root) = parse(&sources.file(ix).text, ix, diagnostics) {
            Tasks::read(Fields::new(ix, diagnostics), &root, &mut plan);
            remainder::restore(&mut plan, diagnostics);
        }
    }
    if plan.name.is_empty() {
        foreign::name_from_outside(&mut plan, DIALECT, project_name(input));
    }
    if file.path != FILE {
        foreign::note_own(&mut plan.extra, DIALECT, "path", file.path.clone().into());
    }
    reading.done(DIALECT, plan)
}

/// The folder above `.taskmaster/tasks`.
fn project_name(input: &Input) -> &str {
    let parts = input.root.rsplit('/');
    let skipped = |p: &str| matches!(p, "" | "." | ".." | "tasks" | ".taskmaster") || foreign::is_json(p);
    parts.into_iter().find(|p| !skipped(p)).unwrap_or("tasks")
}

struct Tasks<'d, 'p> {
    f: Fields<'d>,
    plan: &'p mut Plan,
    top: Shape,
    below: Shape,
    /// What each task said it depends on, with its parent.
    said: Vec<(Vec<Said>, Option<String>)>,
}

impl<'d, 'p> Tasks<'d, 'p> {
    fn read(f: Fields<'d>, root: &Node<'_>, plan: &'p mut Plan) {
        let (top, below) = (Shape::new(DIALECT, TASK_KEYS), Shape::new(DIALECT, SUBTASK_KEYS));
        let mut tasks = Self { f, plan, top, below, said: Vec::new() };
        match &root.kind {
            Kind::List(_) => {
                foreign::note_own(&mut tasks.plan.extra, DIALECT, "form", "list".into());
                tasks.list(root);
            }
            Kind::Object(_) if root.get("tasks").is_some() => {
                foreign::note_own(&mut tasks.plan.extra, DIALECT, "form", "plain".into());
                tasks.tag(root);
            }
            Kind::Object(_) => tasks.tags(root),
            Kind::Null | Kind::Bool(_) | Kind::Number(_) | Kind::Text(_) => {
                tasks.f.find(code::NO_TASKS, Severity::Error, root, "there is no list `tasks` in this file");
            }
        }
        tasks.finish();
    }

    /// Reads the tag `master`, or the first; the others are kept and named.
    fn tags(&mut self, root: &Node<'_>) {
        let tags: Vec<&Member<'_>> =
            root.members().iter().filter(|m| m.value.get("tasks").is_some()).collect();
        let Some(tag) = tags.iter().find(|m| m.key == MASTER).or(tags.first()) else {
            self.f.find(
                code::NO_TASKS,
                Severity::Error,
                root,
                "there is no tag with a list `tasks` in this file",
            );
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
        foreign::note_own(extra, DIALECT, "tag", tag.key.as_ref().into());
        foreign::note_own(extra, DIALECT, "tags", key_list(root).into());
        if !others.is_empty() {
            foreign::note_own(extra, DIALECT, "others", Value::Object(others));
        }
        if tag.key != MASTER {
            foreign::name_from_outside(self.plan, DIALECT, &tag.key);
        }
        self.tag(&tag.value);
    }

    fn tag(&mut self, tag: &Node<'_>) {
        for m in tag.members() {
            if m.key == "tasks" {
                self.list(&m.value);
                self.plan.places.note("tasks", m.value.span(self.f.file));
            } else {
                self.plan.extra.insert(m.key.to_string(), m.value.to_value());
            }
        }
        foreign::keep_keys(tag, DIALECT, self.plan);
    }

    fn list(&mut self, node: &Node<'_>) {
        if !node.is_list() {
            self.f.find(code::WRONG_TYPE, Severity::Error, node, "`tasks` must be a list");
        }
        for item in node.items() {
            self.task(item, None);
        }
    }

    fn task(&mut self, node: &Node<'_>, parent: Option<&str>) {
        if !node.is_object() {
            let message = format!("a task must be an object, this is {}", node.kind.name());
            self.f.find(code::WRONG_TYPE, Severity::Error, node, message);
            return;
        }
        let shape = if parent.is_some() { &mut self.below } else { &mut self.top };
        let mut task = read_task(&mut self.f, node, shape, member);
        if let Some(parent) = parent {
            task.id = ids::child_id(parent, &task.id);
            task.parent = Some(parent.to_owned());
        }
        let id = task.id.clone();
        let said = node.get("dependencies").map(|d| ids::said(d).flatten().collect()).unwrap_or_default();
        self.said.push((said, task.parent.clone()));
        self.plan.tasks.push(task);
        for child in node.get("subtasks").map(Node::items).unwrap_or_default() {
            self.task(child, Some(&id));
        }
    }

    /// Says what each dependency means, now that all tasks are known.
    fn finish(self) {
        let known: HashSet<String> = self.plan.tasks.iter().map(|t| t.id.clone()).collect();
        for (task, (said, parent)) in self.plan.tasks.iter_mut().zip(&self.said) {
            task.depends_on = said.iter().map(|s| ids::meant(s, parent.as_deref(), &known)).collect();
            let usual: Value = task.depends_on.iter().map(|d| ids::value(d, parent.as_deref())).collect();
            if task.extra.get("dependencies") == Some(&usual) {
                task.extra.shift_remove("dependencies");
            }
        }
        self.top.keep(self.plan);
        self.below.keep(self.plan);
    }
}

fn member(f: &mut Fields<'_>, m: &Member<'_>, t: &mut Task) -> Fit {
    let v = &m.value;
    match m.key.as_ref() {
        "id" => id(f, v, t),
        "title" => f.text("title", v, &mut t.title),
        "description" => f.text("description", v, &mut t.description),
        "details" => f.text("notes", v, &mut t.notes),
        "testStrategy" => strategy(f, v, t),
        "priority" => f.maybe("priority", v, &mut t.priority),
        "status" => status(f, v, t),
        "dependencies" => dependencies(f, v, t),
        "subtasks" if v.is_list() => {
            f.field("subtasks");
            Fit::Exact
        }
        _ => Fit::No,
    }
}

fn id(f: &mut Fields<'_>, node: &Node<'_>, t: &mut Task) -> Fit {
    f.field("id");
    match &node.kind {
        Kind::Number(digits) => {
            (*digits).clone_into(&mut t.id);
            Fit::Exact
        }
        Kind::Text(text) => {
            text.trim().clone_into(&mut t.id);
            Fit::Odd
        }
        Kind::Null | Kind::Bool(_) | Kind::List(_) | Kind::Object(_) => f.misfit(node, "a number"),
    }
}

/// The meaning comes later; here only the shape is looked at, and the original kept until it is known.
fn dependencies(f: &mut Fields<'_>, node: &Node<'_>, t: &mut Task) -> Fit {
    f.field("depends_on");
    f.item_places("depends_on", node, &mut t.places);
    if !node.is_list() {
        return f.misfit(node, "a list of task numbers");
    }
    for (item, said) in node.items().iter().zip(ids::said(node)) {
        if said.is_none() {
            f.misfit(item, "a task number");
        }
    }
    Fit::Odd
}

pub(super) fn status(f: &mut Fields<'_>, node: &Node<'_>, t: &mut Task) -> Fit {
    let fit = f.maybe("claimed_state", node, &mut t.claimed_state);
    if let Some(word) = &t.claimed_state
        && !WORDS.knows(word)
    {
        f.unknown_word(node, word, &WORDS.list());
    }
    fit
}

fn strategy(f: &mut Fields<'_>, node: &Node<'_>, t: &mut Task) -> Fit {
    let mut body = String::new();
    let fit = f.text("sections", node, &mut body);
    if fit != Fit::No {
        t.sections.push(Section { heading: STRATEGY.to_owned(), body });
    }
    fit
}

/// Reads a task alone, for the way back.
pub(super) fn read_one(f: &mut Fields<'_>, node: &Node<'_>) -> Task {
    read_task(f, node, &mut Shape::new(DIALECT, TASK_KEYS), member)
}
