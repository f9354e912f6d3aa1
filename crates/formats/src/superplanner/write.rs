//! Plan → project files.

use std::collections::{HashMap, HashSet};

use serde_json::{Map, Value};

use super::{DIALECT, PROJECT, STATES, TASK};
use crate::json::to_text;
use crate::memory::{self, Origin, TASK_KEYS};
use crate::remainder::{self, Remainders};
use crate::table::{GivenValue, Original, write_members};
use crate::{StateOf, TextFile};
use windlass_core::plan::{Plan, Task};

/// Writes a project and its sub-projects.
pub(super) fn write(plan: &Plan, states: StateOf<'_>) -> Vec<TextFile> {
    let order = order(plan);
    remainder::complete(DIALECT, plan, &order, &|rests| ProjectWriter::new(plan, states, rests).files())
}

/// The tasks in the order they come back in: each followed by those of its sub-project.
fn order(plan: &Plan) -> Vec<usize> {
    let mut by_project: HashMap<&str, Vec<usize>> = HashMap::new();
    for (i, task) in plan.tasks.iter().enumerate() {
        by_project.entry(project_of(task)).or_default().push(i);
    }
    let mut order = Vec::new();
    let mut open: Vec<usize> = by_project.remove("").unwrap_or_default().into_iter().rev().collect();
    while let Some(i) = open.pop() {
        order.push(i);
        let below = plan.tasks[i].sub_plan.as_deref().and_then(|sub| by_project.remove(sub));
        open.extend(below.unwrap_or_default().into_iter().rev());
    }
    order
}

/// The sub-project a task was read from; empty for the first project.
fn project_of(task: &Task) -> &str {
    memory::noted_text(&task.extra, DIALECT, "project")
}

/// The id a task has in its own file.
fn local(task: &Task) -> &str {
    let noted = memory::noted_text(&task.extra, DIALECT, "id");
    if noted.is_empty() { &task.id } else { noted }
}

struct ProjectWriter<'p> {
    plan: &'p Plan,
    states: StateOf<'p>,
    rests: &'p Remainders,
    origin: Origin,
    at: HashMap<&'p str, usize>,
    parents: HashSet<&'p str>,
}

impl<'p> ProjectWriter<'p> {
    fn new(plan: &'p Plan, states: StateOf<'p>, rests: &'p Remainders) -> Self {
        let at = plan.tasks.iter().enumerate().map(|(i, t)| (t.id.as_str(), i)).collect();
        let parents = plan.tasks.iter().filter_map(|t| t.parent.as_deref()).collect();
        Self { plan, states, rests, origin: memory::origin(plan, DIALECT), at, parents }
    }

    fn files(&self) -> Vec<TextFile> {
        let mut files = vec![self.first_file()];
        let projects = memory::noted(&self.plan.extra, DIALECT, "projects").and_then(Value::as_object);
        for (id, noted) in projects.into_iter().flatten() {
            let mut top = noted["top"].clone();
            top["tasks"] = self.tasks(id, top["tasks"].is_array());
            let path = noted["path"].as_str().map_or_else(|| format!("{id}.json"), str::to_owned);
            files.push(TextFile { path, bytes: to_text(&top) });
        }
        files
    }

    fn first_file(&self) -> TextFile {
        let mut head = Plan { tasks: Vec::new(), ..self.plan.clone() };
        if self.origin == Origin::Foreign {
            head.title.get_or_insert_with(|| head.name.clone());
        }
        let list = memory::noted(&self.plan.extra, DIALECT, "list");
        let original = Original::of_plan(self.plan, DIALECT);
        let mut head = write_members(PROJECT, &mut head, &original, &mut |key| {
            let value = if list.is_some() { Value::Null } else { self.tasks("", false) };
            (key == "tasks").then_some(GivenValue { same: list.is_some(), value })
        });
        self.rests.add_plan(&mut head);
        let root = match list {
            None => Value::Object(head),
            Some(around) => {
                let mut root = around.clone();
                root["project"] = Value::Object(head);
                root["tasks"] = self.tasks("", true);
                root
            }
        };
        let path = memory::noted_or(&self.plan.extra, DIALECT, "path", &format!("{}.json", self.plan.name));
        TextFile { path, bytes: to_text(&root) }
    }

    fn tasks(&self, project: &str, listed: bool) -> Value {
        let tasks = self.plan.tasks.iter().enumerate().filter(|(_, t)| project_of(t) == project);
        let objects = tasks.map(|(i, t)| (local(t).to_owned(), Value::Object(self.task(i))));
        if listed { objects.map(|(_, o)| o).collect() } else { Value::Object(objects.collect()) }
    }

    /// The name that a task of `project` uses for another: the local id if that is in the same file.
    fn seen_from(&self, project: &str, id: &str) -> String {
        let same = self.at.get(id).map(|i| &self.plan.tasks[*i]).filter(|t| project_of(t) == project);
        same.map_or_else(|| id.to_owned(), |t| local(t).to_owned())
    }

    fn task(&self, index: usize) -> Map<String, Value> {
        let task = &self.plan.tasks[index];
        let original = Original::of_task(self.plan, task, DIALECT, TASK_KEYS);
        let is_parent = self.parents.contains(task.id.as_str());
        let mut object = write_members(TASK, &mut self.as_said(task, &original), &original, &mut |key| {
            (key == "is_parent" && is_parent).then_some(GivenValue { value: true.into(), same: false })
        });
        if task.extra.get("id") == Some(&Value::Null) {
            object.shift_remove("id");
        }
        self.rests.add_task(index, &mut object);
        object
    }

    /// The task as its own file describes it: with the names that hold there.
    fn as_said(&self, task: &Task, original: &Original<'_>) -> Task {
        let project = project_of(task);
        let in_this_file = |parent: &&String| {
            self.at.get(parent.as_str()).is_none_or(|i| project_of(&self.plan.tasks[*i]) == project)
        };
        let kept_id = task.extra.contains_key("id") && self.origin == Origin::Own;
        let mut said = Task {
            id: if kept_id { original.echo(TASK).id } else { local(task).to_owned() },
            parent: task.parent.as_ref().filter(in_this_file).map(|p| self.seen_from(project, p)),
            depends_on: task.depends_on.iter().map(|d| self.seen_from(project, d)).collect(),
            claimed_state: STATES.required(task, self.states, self.origin),
            ..task.clone()
        };
        if said.description.is_empty() {
            said.description.clone_from(&task.objective);
        }
        if self.origin == Origin::Foreign {
            said.sub_plan = None;
        }
        said
    }
}
