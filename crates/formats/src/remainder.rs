//! Fields that a format has no key for travel in it under one key, `windlass`, and are restored when it is read again.
//!
//! There is no list of what each format can express: a plan is written and read back, and every difference travels. So
//! a plan survives the way through any format.

mod overlay;

use std::collections::HashMap;

use serde::Serialize;
use serde_json::{Map, Value};

use crate::reading::code;
use crate::{Dialect, Input, TextFile, memory, read};
use overlay::{difference, lay_over, unmarked};
use windlass_core::diagnostic::{Diagnostic, Severity};
use windlass_core::plan::{Plan, Task};

/// The key of the remainder.
pub(crate) const KEY: &str = "windlass";

/// The remainders of a plan and of each of its tasks.
#[derive(Debug, Default)]
pub(crate) struct Remainders {
    plan: Option<Value>,
    tasks: Vec<Option<Value>>,
}

impl Remainders {
    /// Adds the plan's remainder to its object.
    pub(crate) fn add_plan(&self, object: &mut Map<String, Value>) {
        add(self.plan.as_ref(), object);
    }

    /// Adds the remainder of the task at `index` to its object.
    pub(crate) fn add_task(&self, index: usize, object: &mut Map<String, Value>) {
        add(self.task(index), object);
    }

    /// The plan's remainder.
    pub(crate) fn plan(&self) -> Option<&Value> {
        self.plan.as_ref()
    }

    /// The remainder of the task at `index`.
    pub(crate) fn task(&self, index: usize) -> Option<&Value> {
        self.tasks.get(index)?.as_ref()
    }
}

fn add(rest: Option<&Value>, object: &mut Map<String, Value>) {
    match rest {
        Some(rest) => object.insert(KEY.to_owned(), rest.clone()),
        None => object.shift_remove(KEY),
    };
}

/// Renders a plan twice: bare, to find what does not come back, and then with it. `order` gives the tasks in the
/// order they come back in.
pub(crate) fn complete(
    dialect: Dialect,
    plan: &Plan,
    order: &[usize],
    render: &dyn Fn(&Remainders) -> Vec<TextFile>,
) -> Vec<TextFile> {
    let bare = render(&Remainders::default());
    let input = Input { root: String::new(), files: bare };
    let mut back = read(dialect, &input).plan;
    if back.tasks.len() != order.len() {
        return input.files;
    }
    let names: Vec<(String, String)> =
        back.tasks.iter().zip(order).map(|(b, i)| (b.id.clone(), plan.tasks[*i].id.clone())).collect();
    let names: HashMap<String, String> = names.into_iter().filter(|(file, own)| file != own).collect();
    let mut tasks = vec![None; plan.tasks.len()];
    for (task, index) in back.tasks.iter_mut().zip(order) {
        let whole = &plan.tasks[*index];
        rename_references(task, &names);
        task.claimed_state.clone_from(&whole.claimed_state);
        tasks[*index] = between(whole, task, dialect, difference);
    }
    if memory::noted_text(&plan.extra, dialect, memory::OUTSIDE_NAME) == plan.name {
        back.name.clone_from(&plan.name);
    }
    if memory::noted(&plan.extra, dialect, memory::OUTSIDE_SPECS) == Some(&plan.specs.clone().into()) {
        back.specs.clone_from(&plan.specs);
    }
    // The name and the paths of a plan come from the place it lies in, which may change.
    let bare = Plan { tasks: Vec::new(), ..plan.clone() };
    let plan = between(&bare, &Plan { tasks: Vec::new(), ..back }, dialect, unmarked);
    if plan.is_none() && tasks.iter().all(Option::is_none) {
        return input.files;
    }
    render(&Remainders { plan, tasks })
}

/// The fields that turn `back` into `whole`; the format's own memory does not count.
fn between<T: Serialize>(
    whole: &T,
    back: &T,
    dialect: Dialect,
    compare: impl Fn(Map<String, Value>, &Map<String, Value>) -> Map<String, Value>,
) -> Option<Value> {
    let whole = without_memory(serde_json::to_value(whole).ok()?, dialect);
    let back = without_memory(serde_json::to_value(back).ok()?, dialect);
    let (Value::Object(whole), Value::Object(back)) = (whole, back) else { return None };
    let rest = compare(whole, &back);
    if rest.is_empty() { None } else { Some(Value::Object(rest)) }
}

fn without_memory(mut value: Value, dialect: Dialect) -> Value {
    if let Some(Value::Object(extra)) = value.get_mut("extra") {
        extra.shift_remove(dialect.as_str());
        if extra.is_empty()
            && let Value::Object(fields) = &mut value
        {
            fields.shift_remove("extra");
        }
    }
    value
}

/// The files without the remainders, as other tools see them. Files that are not JSON stay as they are.
pub fn as_others_see(files: &[TextFile]) -> Vec<TextFile> {
    let bare = |file: &TextFile| match serde_json::from_slice::<Value>(&file.bytes) {
        Ok(mut value) => {
            strip(&mut value);
            TextFile { path: file.path.clone(), bytes: crate::json::to_text(&value) }
        }
        Err(_) => file.clone(),
    };
    files.iter().map(bare).collect()
}

fn strip(value: &mut Value) {
    match value {
        Value::Object(members) => {
            members.shift_remove(KEY);
            members.values_mut().for_each(strip);
        }
        Value::Array(items) => items.iter_mut().for_each(strip),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
    }
}

/// Restores the remainders, which readers leave in `extra` under [`KEY`].
pub(crate) fn restore(plan: &mut Plan, out: &mut Vec<Diagnostic>) {
    let rests: Vec<Option<Value>> = plan.tasks.iter_mut().map(|t| t.extra.shift_remove(KEY)).collect();
    let mut names = HashMap::new();
    for (task, rest) in plan.tasks.iter().zip(&rests) {
        if let Some(own) = rest.as_ref().and_then(|r| r.get("id")).and_then(Value::as_str) {
            names.insert(task.id.clone(), own.to_owned());
        }
    }
    for (task, rest) in plan.tasks.iter_mut().zip(rests) {
        if !names.is_empty() {
            rename_references(task, &names);
        }
        let Some(rest) = rest else { continue };
        let span = task.span("");
        match lay_over(task, rest) {
            Ok(whole) => *task = Task { places: std::mem::take(&mut task.places), ..whole },
            Err(error) => out.push(unfit("task", &error).at(span)),
        }
    }
    if let Some(rest) = plan.extra.shift_remove(KEY) {
        let tasks = std::mem::take(&mut plan.tasks);
        let places = std::mem::take(&mut plan.places);
        match lay_over(plan, rest) {
            Ok(whole) => *plan = whole,
            Err(error) => out.push(unfit("plan", &error)),
        }
        plan.tasks = tasks;
        plan.places = places;
    }
}

fn unfit(what: &str, error: &serde_json::Error) -> Diagnostic {
    let message = format!("the key `{KEY}` does not fit a {what}: {error}; it is not used");
    Diagnostic::new(code::WRONG_TYPE, Severity::Warning, message)
}

fn rename_references(task: &mut Task, names: &HashMap<String, String>) {
    for id in task.depends_on.iter_mut().chain(&mut task.parent) {
        if let Some(own) = names.get(id) {
            id.clone_from(own);
        }
    }
}
