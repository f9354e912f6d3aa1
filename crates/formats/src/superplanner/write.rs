//! Plan → project files: the ones it came from, or one.

use std::collections::HashMap;

use serde_json::{Map, Value};

use super::super::foreign::{self, Origin, TASK_KEYS};
use super::super::json::to_text;
use super::super::remainder::{self, Remainders};
use super::super::{StateOf, TextFile};
use super::task::{self, Place};
use super::{DIALECT, WORDS};
use windlass_core::plan::{Plan, Task};

/// Writes a project and its sub-projects.
pub(crate) fn write(plan: &Plan, states: StateOf<'_>) -> Vec<TextFile> {
    let order = order(plan);
    remainder::complete(DIALECT, plan, &order, &|rests| Writer::new(plan, states, rests).files())
}

/// The tasks in the order they come back in: each followed by those of the project it stands for.
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

/// The sub-project a task was read from; empty for the first.
fn project_of(task: &Task) -> &str {
    foreign::noted_text(&task.extra, DIALECT, "project")
}

/// The id a task has in its own file.
fn local(task: &Task) -> &str {
    let noted = foreign::noted_text(&task.extra, DIALECT, "id");
    if noted.is_empty() { &task.id } else { noted }
}

struct Writer<'p> {
    plan: &'p Plan,
    states: StateOf<'p>,
    rests: &'p Remainders,
    at: HashMap<&'p str, usize>,
    parents: HashMap<&'p str, usize>,
}

impl<'p> Writer<'p> {
    fn new(plan: &'p Plan, states: StateOf<'p>, rests: &'p Remainders) -> Self {
        let at = plan.tasks.iter().enumerate().map(|(i, t)| (t.id.as_str(), i)).collect();
        let mut parents = HashMap::new();
        for parent in plan.tasks.iter().filter_map(|t| t.parent.as_deref()) {
            *parents.entry(parent).or_default() += 1;
        }
        Self { plan, states, rests, at, parents }
    }

    fn files(&self) -> Vec<TextFile> {
        let mut files = vec![self.first_file()];
        let projects = foreign::noted(&self.plan.extra, DIALECT, "projects").and_then(Value::as_object);
        for (id, noted) in projects.into_iter().flatten() {
            let mut top = noted["top"].clone();
            top["tasks"] = self.tasks(id, top["tasks"].is_array());
            let path = noted["path"].as_str().map_or_else(|| format!("{id}.json"), str::to_owned);
            files.push(TextFile { path, bytes: to_text(&top) });
        }
        files
    }

    fn first_file(&self) -> TextFile {
        let mut record = foreign::plan_record(self.plan, DIALECT);
        let kept = self.plan.extra.get("id").and_then(Value::as_str).map(foreign::plan_name);
        record.put("id", self.plan.name.clone().into(), kept.as_ref() == Some(&self.plan.name));
        let title = self.plan.title.as_ref().unwrap_or(&self.plan.name);
        let own = foreign::origin(self.plan, DIALECT) == Origin::Own;
        record.put_if(!own || self.plan.title.is_some(), "name", title.clone().into(), false);
        let objective = &self.plan.objective;
        record.put_if(!objective.is_empty(), "description", objective.clone().into(), false);
        let around = foreign::noted(&self.plan.extra, DIALECT, "list");
        if around.is_none() {
            record.put("tasks", self.tasks("", false), false);
        }
        let mut head = foreign::finish(record);
        self.rests.add_plan(&mut head);
        let root = match around {
            None => Value::Object(head),
            Some(around) => {
                let mut root = around.clone();
                root["project"] = Value::Object(head);
                root["tasks"] = self.tasks("", true);
                root
            }
        };
        let noted = foreign::noted_text(&self.plan.extra, DIALECT, "path");
        let path = if noted.is_empty() { format!("{}.json", self.plan.name) } else { noted.to_owned() };
        TextFile { path, bytes: to_text(&root) }
    }

    fn tasks(&self, project: &str, listed: bool) -> Value {
        let tasks = self.plan.tasks.iter().enumerate().filter(|(_, t)| project_of(t) == project);
        let objects = tasks.map(|(i, t)| (local(t).to_owned(), Value::Object(self.task(i))));
        if listed { objects.map(|(_, o)| o).collect() } else { Value::Object(objects.collect()) }
    }

    /// How a task of `project` speaks of another: by its local id if that is in the same file.
    fn seen_from(&self, project: &str, id: &str) -> String {
        let same = self.at.get(id).map(|i| &self.plan.tasks[*i]).filter(|t| project_of(t) == project);
        same.map_or_else(|| id.to_owned(), |t| local(t).to_owned())
    }

    fn task(&self, index: usize) -> Map<String, Value> {
        let task = &self.plan.tasks[index];
        let project = project_of(task);
        let echo = foreign::echo(task, task::read_one);
        let mut record = foreign::task_record(self.plan, task, DIALECT, TASK_KEYS);
        let in_this_file = |parent: &&String| {
            self.at.get(parent.as_str()).is_none_or(|i| project_of(&self.plan.tasks[*i]) == project)
        };
        let name = local(task);
        let said_id = task.extra.contains_key("id");
        let place = Place {
            id: if said_id { &echo.id } else { name },
            parent: task.parent.as_ref().filter(in_this_file).map(|p| self.seen_from(project, p)),
            depends_on: task.depends_on.iter().map(|d| self.seen_from(project, d)).collect(),
            has_children: self.parents.contains_key(task.id.as_str()),
            state: WORDS.written(task, self.states, foreign::origin(self.plan, DIALECT)),
            complete: foreign::origin(self.plan, DIALECT) == Origin::Foreign,
        };
        task::put(&mut record, task, &echo, &place);
        let mut object = foreign::finish(record);
        if said_id && task.extra.get("id") == Some(&Value::Null) {
            object.shift_remove("id");
        }
        self.rests.add_task(index, &mut object);
        object
    }
}
