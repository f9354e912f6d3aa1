//! Plan → `tasks.json`. Ids that are not numbers get one; the plan's own ids travel beside them.

use std::collections::{HashMap, HashSet};

use serde_json::{Map, Value};

use super::ids::{self, Reference};
use super::{DIALECT, FILE, MASTER, STATES, TAG, TASK};
use crate::family::TaskForest;
use crate::json::to_text;
use crate::memory::{self, Origin, SUBTASK_KEYS, TASK_KEYS};
use crate::remainder::{self, Remainders};
use crate::table::{GivenValue, Original, write_members};
use crate::{StateOf, TextFile};
use windlass_core::plan::{Plan, Task};

/// Writes a Task Master file.
pub(super) fn write(plan: &Plan, states: StateOf<'_>) -> Vec<TextFile> {
    let origin = memory::origin(plan, DIALECT);
    // Task Master itself has one level of subtasks; a file that has more keeps them.
    let forest = TaskForest::of(plan, if origin == Origin::Own { 16 } else { 1 });
    let ids = ids::assign(plan, &forest);
    let table = plan.tasks.iter().map(|t| t.id.as_str()).zip(ids.iter().map(String::as_str)).collect();
    let known: HashSet<String> = ids.iter().cloned().collect();
    remainder::complete(DIALECT, plan, &forest.order(), &|rests| {
        TagWriter { plan, states, rests, origin, ids: &ids, forest: &forest, table: &table, known: &known }
            .files()
    })
}

struct TagWriter<'p> {
    plan: &'p Plan,
    states: StateOf<'p>,
    rests: &'p Remainders,
    origin: Origin,
    ids: &'p [String],
    forest: &'p TaskForest,
    table: &'p HashMap<&'p str, &'p str>,
    known: &'p HashSet<String>,
}

impl TagWriter<'_> {
    fn files(&self) -> Vec<TextFile> {
        let noted = |key| memory::noted_text(&self.plan.extra, DIALECT, key);
        let tasks: Value = self.forest.roots.iter().map(|i| self.task(*i, None)).collect();
        let root = match noted("form") {
            "list" => tasks,
            "plain" => self.tag(tasks),
            _ => self.tags(tasks, noted("tag")),
        };
        let path = memory::noted_or(&self.plan.extra, DIALECT, "path", FILE);
        vec![TextFile { path, bytes: to_text(&root) }]
    }

    fn tags(&self, tasks: Value, name: &str) -> Value {
        let name = if name.is_empty() { MASTER } else { name };
        let others = memory::noted(&self.plan.extra, DIALECT, "others").and_then(Value::as_object);
        let order = memory::noted_text(&self.plan.extra, DIALECT, "tags");
        let own = Map::from_iter([(name.to_owned(), self.tag(tasks))]);
        let none = Map::new();
        Value::Object(Original::new(others.unwrap_or(&none), order).finish(own))
    }

    fn tag(&self, tasks: Value) -> Value {
        let original = Original::of_plan(self.plan, DIALECT);
        let mut tasks = Some(tasks);
        let mut object = write_members(TAG, &mut Plan::default(), &original, &mut |_| {
            tasks.take().map(|value| GivenValue { value, same: false })
        });
        self.rests.add_plan(&mut object);
        Value::Object(object)
    }

    fn task(&self, index: usize, parent: Option<usize>) -> Value {
        let task = &self.plan.tasks[index];
        let slot = if parent.is_some() { SUBTASK_KEYS } else { TASK_KEYS };
        let original = Original::of_task(self.plan, task, DIALECT, slot);
        let parent_id = parent.map(|p| self.ids[p].as_str());
        let mut object = write_members(TASK, &mut self.as_said(task), &original, &mut |key| match key {
            "id" => Some(self.id(index, parent_id, &original)),
            "dependencies" => Some(self.dependencies(task, parent_id)),
            "subtasks" => Some(self.subtasks(index)),
            _ => None,
        });
        // The format has no subtasks of subtasks, so a new one has no empty list of them.
        if original.is_new() && parent.is_some() && self.forest.children[index].is_empty() {
            object.shift_remove("subtasks");
        }
        self.rests.add_task(index, &mut object);
        Value::Object(object)
    }

    fn as_said(&self, task: &Task) -> Task {
        let description = if task.description.is_empty() { &task.objective } else { &task.description };
        Task {
            description: description.clone(),
            claimed_state: STATES.required(task, self.states, self.origin),
            ..task.clone()
        }
    }

    fn id(&self, index: usize, parent: Option<&str>, original: &Original<'_>) -> GivenValue {
        if self.plan.tasks[index].id.is_empty() && !original.is_new() {
            return GivenValue { value: Value::Null, same: false };
        }
        let echo: Task = original.echo(TASK);
        let read = parent.map_or_else(|| echo.id.clone(), |p| ids::child_id(p, &echo.id));
        GivenValue { value: ids::value(&self.ids[index], parent), same: read == self.ids[index] }
    }

    fn subtasks(&self, index: usize) -> GivenValue {
        let children = &self.forest.children[index];
        let value = children.iter().map(|c| self.task(*c, Some(index))).collect();
        GivenValue { value, same: children.is_empty() }
    }

    /// The dependencies of a task, and whether the kept original means them.
    fn dependencies(&self, task: &Task, parent: Option<&str>) -> GivenValue {
        let in_file =
            |d: &String| self.table.get(d.as_str()).map_or_else(|| d.clone(), |id| (*id).to_owned());
        let value = task.depends_on.iter().map(|d| ids::value(&in_file(d), parent)).collect();
        let same = match task.extra.get("dependencies") {
            Some(Value::Array(items)) => {
                let said = items.iter().filter_map(Reference::of_value);
                said.map(|s| s.meaning(parent, self.known)).eq(task.depends_on.iter().cloned())
            }
            Some(_) | None => task.depends_on.is_empty(),
        };
        GivenValue { value, same }
    }
}
