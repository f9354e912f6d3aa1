//! Plan → task graph. A plan from another format gets what ZERG cannot do without: levels.

use std::collections::BTreeMap;

use serde_json::{Map, Value, json};

use super::super::foreign::{self, Origin, Shape, TASK_KEYS};
use super::super::json::{self, Record, to_text};
use super::super::parts::{self, CriteriaForm};
use super::super::remainder::{self, Remainders};
use super::super::{Dialect, StateOf, TextFile, flatten};
use super::{FILE, WORDS, read, steps};
use windlass_core::plan::{Plan, Task};

/// Writes a task graph.
pub(crate) fn write(plan: &Plan, states: StateOf<'_>) -> Vec<TextFile> {
    let order: Vec<usize> = (0..plan.tasks.len()).collect();
    remainder::complete(Dialect::Zerg, plan, &order, &|rests| render(plan, states, rests))
}

fn render(plan: &Plan, states: StateOf<'_>, rests: &Remainders) -> Vec<TextFile> {
    let dependencies = flatten::dependencies(plan);
    let levels = levels(plan, &dependencies);
    let mut tasks = Vec::with_capacity(plan.tasks.len());
    for (i, task) in plan.tasks.iter().enumerate() {
        let mut object = task_object(plan, task, &dependencies[i], levels[i], states);
        rests.add_task(i, &mut object);
        tasks.push(Value::Object(object));
    }
    let path = foreign::noted_text(&plan.extra, Dialect::Zerg, "path");
    let path = if path.is_empty() { FILE } else { path };
    let mut graph = plan_object(plan, &levels, tasks);
    rests.add_plan(&mut graph);
    vec![TextFile { path: path.to_owned(), bytes: to_text(&Value::Object(graph)) }]
}

/// The levels the plan states, if it states them all; otherwise those that follow from its order.
fn levels(plan: &Plan, dependencies: &[Vec<String>]) -> Vec<Option<i64>> {
    let own = foreign::origin(plan, Dialect::Zerg) == Origin::Own;
    if own || plan.tasks.iter().all(|t| t.level.is_some()) {
        return plan.tasks.iter().map(|t| t.level).collect();
    }
    flatten::levels(plan, dependencies).into_iter().map(Some).collect()
}

fn plan_object(plan: &Plan, levels: &[Option<i64>], tasks: Vec<Value>) -> Map<String, Value> {
    let origin = foreign::origin(plan, Dialect::Zerg);
    let mut record = foreign::plan_record(plan, Dialect::Zerg);
    let feature = plan.extra.get("feature").and_then(Value::as_str).map(foreign::plan_name);
    let outside = foreign::noted_text(&plan.extra, Dialect::Zerg, foreign::OUTSIDE_NAME) == plan.name;
    record.put_needed(!outside, "feature", plan.name.clone().into(), feature.as_ref() == Some(&plan.name));
    let described = !plan.objective.is_empty();
    record.put_if(described, "description", plan.objective.clone().into(), false);
    if origin == Origin::Foreign {
        foreign_header(&mut record, plan, levels);
    }
    record.put("tasks", Value::Array(tasks), false);
    foreign::finish(record)
}

/// What ZERG's own planner puts at the top.
fn foreign_header(record: &mut Record<'_>, plan: &Plan, levels: &[Option<i64>]) {
    let mut by_level: BTreeMap<i64, Vec<&str>> = BTreeMap::new();
    for (task, level) in plan.tasks.iter().zip(levels) {
        by_level.entry(level.unwrap_or(1)).or_default().push(&task.id);
    }
    let widest = by_level.values().map(Vec::len).max().unwrap_or(0);
    let table: Map<String, Value> = by_level
        .iter()
        .map(|(level, ids)| {
            let name = format!("level-{level}");
            (level.to_string(), json!({ "name": name, "tasks": ids, "parallel": ids.len() > 1 }))
        })
        .collect();
    record.put("version", "2.0".into(), false);
    record.put("total_tasks", plan.tasks.len().into(), false);
    record.put("max_parallelization", widest.into(), false);
    record.put("levels", Value::Object(table), false);
}

fn task_object(
    plan: &Plan,
    task: &Task,
    dependencies: &[String],
    level: Option<i64>,
    states: StateOf<'_>,
) -> Map<String, Value> {
    let echo =
        foreign::echo(task, |f, node| read::read_one(f, node, &mut Shape::new(Dialect::Zerg, TASK_KEYS)));
    let mut record = foreign::task_record(plan, task, Dialect::Zerg, TASK_KEYS);
    record.put_needed(!task.id.is_empty(), "id", task.id.clone().into(), echo.id == task.id);
    record.put_needed(!task.title.is_empty(), "title", task.title.clone().into(), echo.title == task.title);
    let same = echo.description == task.description;
    record.put_if(!task.description.is_empty(), "description", task.description.clone().into(), same);
    record.put_if(task.phase.is_some(), "phase", json!(task.phase), echo.phase == task.phase);
    record.put_if(level.is_some(), "level", json!(level), echo.level == task.level);
    let same = echo.depends_on == *dependencies;
    record.put_needed(!dependencies.is_empty(), "dependencies", json!(dependencies), same);
    put_files(&mut record, task, &echo);
    let criteria = parts::criteria_value(&task.criteria, CriteriaForm::Strings);
    let same = echo.criteria == task.criteria;
    record.put_if(!task.criteria.is_empty(), "acceptance_criteria", criteria, same);
    put_verification(&mut record, task, &echo);
    let minutes = task.estimate_minutes.map_or(Value::Null, json::number);
    let same = echo.estimate_minutes == task.estimate_minutes;
    record.put_if(task.estimate_minutes.is_some(), "estimate_minutes", minutes, same);
    let state = WORDS.written(task, states, foreign::origin(plan, Dialect::Zerg));
    record.put_if(state.is_some(), "status", json!(state), echo.claimed_state == state);
    let same = echo.consumers == task.consumers;
    record.put_if(!task.consumers.is_empty(), "consumers", json!(task.consumers), same);
    record.put_if(!task.notes.is_empty(), "context", task.notes.clone().into(), echo.notes == task.notes);
    record.put_if(!task.steps.is_empty(), "steps", steps::value(&task.steps), echo.steps == task.steps);
    foreign::finish(record)
}

fn put_files(record: &mut Record<'_>, task: &Task, echo: &Task) {
    if !record.had("files_owned") {
        let same = echo.files == task.files;
        record.put_needed(!task.files.is_empty(), "files", parts::files_value(&task.files), same);
        return;
    }
    let owned: Vec<&str> = task.files.owned().collect();
    let same = echo.files.modify == owned;
    record.put("files_owned", json!(owned), same);
    record.put_if(
        !task.files.read.is_empty(),
        "files_read",
        json!(task.files.read),
        echo.files == task.files,
    );
}

fn put_verification(record: &mut Record<'_>, task: &Task, echo: &Task) {
    let mut value = Value::Null;
    if let Some(v) = &task.verification {
        value = json!({ "command": v.script });
        if let Some(seconds) = v.timeout_seconds {
            value["timeout_seconds"] = seconds.into();
        }
    }
    let same = echo.verification == task.verification;
    record.put_if(task.verification.is_some(), "verification", value, same);
}
