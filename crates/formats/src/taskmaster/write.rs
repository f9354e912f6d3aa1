//! Plan → `tasks.json`. Ids that are no numbers get one; the plan's own travel beside it.

use std::collections::{HashMap, HashSet};

use serde_json::{Map, Value, json};

use super::super::family::Family;
use super::super::foreign::{self, Origin, SUBTASK_KEYS, TASK_KEYS};
use super::super::json::{Record, to_text};
use super::super::remainder::{self, Remainders};
use super::super::{Dialect, StateOf, TextFile};
use super::ids::{self, Said};
use super::read::read_one;
use super::{FILE, MASTER, STRATEGY, WORDS};
use windlass_core::plan::{Plan, Task};

const DIALECT: Dialect = Dialect::Taskmaster;

/// Writes a Task Master file.
pub(crate) fn write(plan: &Plan, states: StateOf<'_>) -> Vec<TextFile> {
    // Task Master itself knows one level of subtasks; a file that has more keeps what it has.
    let deepest = if foreign::origin(plan, DIALECT) == Origin::Own { 16 } else { 1 };
    let family = Family::of(plan, deepest);
    let ids = ids::assign(plan, &family);
    let table = ids::table(plan, &ids);
    let known: HashSet<String> = ids.iter().cloned().collect();
    remainder::complete(DIALECT, plan, &family.order(), &|rests| {
        Writer { plan, states, rests, ids: &ids, family: &family, table: &table, known: &known }.files()
    })
}

struct Writer<'p> {
    plan: &'p Plan,
    states: StateOf<'p>,
    rests: &'p Remainders,
    ids: &'p [String],
    family: &'p Family,
    table: &'p HashMap<&'p str, &'p str>,
    known: &'p HashSet<String>,
}

impl Writer<'_> {
    fn files(&self) -> Vec<TextFile> {
        let noted = |key| foreign::noted_text(&self.plan.extra, DIALECT, key);
        let tasks: Value = self.family.roots.iter().map(|i| self.task(*i, None)).collect();
        let root = match noted("form") {
            "list" => tasks,
            "plain" => self.tag(tasks),
            _ => self.tags(tasks, noted("tag")),
        };
        let path = if noted("path").is_empty() { FILE } else { noted("path") };
        vec![TextFile { path: path.to_owned(), bytes: to_text(&root) }]
    }

    fn tags(&self, tasks: Value, name: &str) -> Value {
        let name = if name.is_empty() { MASTER } else { name };
        let none = Map::new();
        let others = foreign::noted(&self.plan.extra, DIALECT, "others").and_then(Value::as_object);
        let order = foreign::noted_text(&self.plan.extra, DIALECT, "tags");
        let mut record = Record::new(others.unwrap_or(&none), order);
        record.put(name, self.tag(tasks), false);
        Value::Object(record.finish(|_| true))
    }

    fn tag(&self, tasks: Value) -> Value {
        let mut record = foreign::plan_record(self.plan, DIALECT);
        record.put("tasks", tasks, false);
        let mut object = foreign::finish(record);
        self.rests.add_plan(&mut object);
        Value::Object(object)
    }

    fn task(&self, index: usize, parent: Option<usize>) -> Value {
        let task = &self.plan.tasks[index];
        let slot = if parent.is_some() { SUBTASK_KEYS } else { TASK_KEYS };
        let mut record = foreign::task_record(self.plan, task, DIALECT, slot);
        let echo = foreign::echo(task, read_one);
        let parent_id = parent.map(|p| self.ids[p].as_str());
        let id = ids::value(&self.ids[index], parent_id);
        let said_id = parent_id.map_or_else(|| echo.id.clone(), |p| ids::child_id(p, &echo.id));
        record.put_needed(!task.id.is_empty(), "id", id, said_id == self.ids[index]);
        record.put_needed(
            !task.title.is_empty(),
            "title",
            task.title.clone().into(),
            echo.title == task.title,
        );
        put_texts(&mut record, task, &echo);
        let (deps, same) = (self.dependencies(task, parent_id), self.same_dependencies(task, parent_id));
        record.put_needed(!task.depends_on.is_empty(), "dependencies", deps, same);
        let origin = foreign::origin(self.plan, DIALECT);
        let foreign = origin == Origin::Foreign;
        let state = WORDS.written(task, self.states, origin);
        let value = state.clone().unwrap_or_else(|| "pending".to_owned());
        record.put_if(state.is_some() || foreign, "status", value.into(), echo.claimed_state == state);
        let children = &self.family.children[index];
        let subtasks = children.iter().map(|c| self.task(*c, Some(index))).collect();
        let nested = !children.is_empty() || foreign && parent.is_none();
        record.put_if(nested, "subtasks", subtasks, children.is_empty());
        let mut object = foreign::finish(record);
        self.rests.add_task(index, &mut object);
        Value::Object(object)
    }

    fn dependencies(&self, task: &Task, parent: Option<&str>) -> Value {
        let in_file =
            |d: &'_ String| self.table.get(d.as_str()).map_or_else(|| d.clone(), |id| (*id).to_owned());
        task.depends_on.iter().map(|d| ids::value(&in_file(d), parent)).collect()
    }

    /// Whether the kept original means what the task depends on today.
    fn same_dependencies(&self, task: &Task, parent: Option<&str>) -> bool {
        let Some(Value::Array(items)) = task.extra.get("dependencies") else {
            return task.depends_on.is_empty();
        };
        let said = items.iter().filter_map(|item| match item {
            Value::Number(n) => Some(Said::Number(n.to_string())),
            Value::String(s) => Some(Said::Text(s.trim().to_owned())),
            _ => None,
        });
        said.map(|s| ids::meant(&s, parent, self.known)).eq(task.depends_on.iter().cloned())
    }
}

fn put_texts(record: &mut Record<'_>, task: &Task, echo: &Task) {
    let described = if task.description.is_empty() { &task.objective } else { &task.description };
    let same = echo.description == *described;
    record.put_needed(!described.is_empty(), "description", described.clone().into(), same);
    record.put_if(!task.notes.is_empty(), "details", task.notes.clone().into(), echo.notes == task.notes);
    let strategy = task.sections.iter().find(|s| s.heading == STRATEGY);
    let same = echo.sections.first() == strategy;
    record.put_if(strategy.is_some(), "testStrategy", json!(strategy.map_or("", |s| &s.body)), same);
    let same = echo.priority == task.priority;
    record.put_if(task.priority.is_some(), "priority", json!(task.priority), same);
}
