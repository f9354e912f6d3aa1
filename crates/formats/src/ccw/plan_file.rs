//! `plan.json`: the outline of a session. Older outlines hold the tasks themselves, or epics with lines of work.

use serde_json::{Map, Value, json};

use super::DIALECT;
use super::task::TASK;
use super::write::task_object;
use crate::json::{JsonNode, ValueReader, to_text};
use crate::memory::{self, KEYS, KeyOrder, TASK_KEYS};
use crate::remainder::Remainders;
use crate::table::{
    Codec, GivenValue, KeyNeed, Original, PlanKey, in_order, read_members, read_task, write_members,
};
use crate::{StateOf, TextFile};
use windlass_core::plan::{Plan, Task};

/// The slot for an order that is not in a task's own object.
pub(super) const IMPLIED_ORDER: &str = "implied_order";

/// The lists that may hold tasks.
const LISTS: [&str; 2] = ["tasks", "epics"];

/// The keys of an outline.
static OUTLINE: &[PlanKey] = &[
    PlanKey::maybe("session_id", "session", |p| &mut p.session),
    PlanKey::text("summary", "objective", |p| &mut p.objective).required(),
    PlanKey::new("approach", "", Codec::Fixed).needed(KeyNeed::WhenNew),
    PlanKey::new("task_ids", "", Codec::Fixed).required(),
    PlanKey::new("task_count", "", Codec::Fixed).needed(KeyNeed::WhenNew),
    PlanKey::new("recommended_execution", "", Codec::Fixed).needed(KeyNeed::WhenNew),
    PlanKey::new("_metadata", "", Codec::Fixed).needed(KeyNeed::WhenNew),
];

/// Whether the tasks of a session are in its outline or in files of their own.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum TaskPlace {
    /// In the outline.
    Outline,
    /// In files of their own.
    Files,
}

/// Reads the outline.
pub(super) fn read(
    file: &TextFile,
    f: &mut ValueReader<'_>,
    root: &JsonNode<'_>,
    tasks: TaskPlace,
    plan: &mut Plan,
) {
    read_members(OUTLINE, f, root, plan);
    memory::keep_keys(root, DIALECT, plan);
    memory::note(&mut plan.extra, DIALECT, "plan_path", file.path.clone());
    if tasks == TaskPlace::Outline {
        memory::note(&mut plan.extra, DIALECT, "form", "plan");
        read_tasks(f, root, plan);
    }
}

fn read_tasks(f: &mut ValueReader<'_>, root: &JsonNode<'_>, plan: &mut Plan) {
    let mut order = KeyOrder::new(DIALECT, TASK_KEYS);
    for list in LISTS {
        let items = root.get(list).map(JsonNode::items).unwrap_or_default();
        if items.iter().any(JsonNode::is_object) {
            plan.extra.shift_remove(list);
        }
        for item in items.iter().filter(|i| i.is_object()) {
            plan.tasks.push(read_task(TASK, f, item, &mut order));
        }
    }
    order.keep(plan);
    if let Some(order) = root.get("execution_order") {
        order_epics(order, &mut plan.tasks);
    }
    if let (Some(listed), true) = (root.get("task_ids"), plan.tasks.is_empty()) {
        f.assume(listed, "only the ids of the tasks are here; the tasks themselves are files in `.task`");
        for id in listed.items().iter().filter_map(JsonNode::word) {
            plan.tasks.push(Task { id: id.to_owned(), ..Task::default() });
        }
    }
}

/// Each group of epics depends on the one before it; a group is a line that names them.
fn order_epics(order: &JsonNode<'_>, tasks: &mut [Task]) {
    let mut before: Vec<String> = Vec::new();
    for line in order.items().iter().filter_map(JsonNode::text) {
        let words: Vec<&str> =
            line.split(|c: char| c.is_whitespace() || matches!(c, ',' | '(' | ')')).collect();
        let group: Vec<String> =
            tasks.iter().filter(|t| words.contains(&t.id.as_str())).map(|t| t.id.clone()).collect();
        for task in tasks.iter_mut().filter(|t| group.contains(&t.id) && t.depends_on.is_empty()) {
            task.depends_on.clone_from(&before);
            memory::note(&mut task.extra, DIALECT, IMPLIED_ORDER, before.clone());
        }
        before = group;
    }
}

/// The outline of a session with tasks of these ids.
pub(super) fn outline(plan: &Plan, ids: &[String], rests: &Remainders) -> Map<String, Value> {
    let original = Original::of_plan(plan, DIALECT);
    let mut head = Plan { tasks: Vec::new(), ..plan.clone() };
    if !original.had("session_id") {
        head.session = None;
    }
    if original.is_new() && head.objective.is_empty() {
        head.objective = head.title.take().unwrap_or_else(|| head.name.clone());
    }
    let mut header = header(ids);
    let mut object = write_members(OUTLINE, &mut head, &original, &mut |key| {
        let wanted = original.is_new() || original.had(key);
        let value = header.shift_remove(key).filter(|_| wanted)?;
        Some(GivenValue { value, same: plan.extra.contains_key(key) })
    });
    rests.add_plan(&mut object);
    object
}

/// What the format asks for. The time, which it also asks for, is added by a caller that knows it.
fn header(ids: &[String]) -> Map<String, Value> {
    let approach = "Each task goes through Red, Green and Refactor; dependencies set the order.";
    let metadata = json!({
        "source": "tdd-planning-agent",
        "planning_mode": "direct",
        "plan_type": "tdd",
        "schema_version": "2.0",
    });
    [
        ("approach", approach.into()),
        ("task_ids", json!(ids)),
        ("task_count", ids.len().into()),
        ("recommended_execution", "Parallel".into()),
        ("_metadata", metadata),
    ]
    .map(|(key, value)| (key.to_owned(), value))
    .into_iter()
    .collect()
}

/// Writes a plan that was read from its outline alone.
pub(super) fn write(plan: &Plan, states: StateOf<'_>, rests: &Remainders) -> Vec<TextFile> {
    let ids: Vec<String> = plan.tasks.iter().map(|t| t.id.clone()).collect();
    let mut object = outline(plan, &ids, rests);
    let keys = memory::noted_text(&plan.extra, DIALECT, KEYS);
    for list in LISTS {
        if !keys.split(' ').any(|k| k == list) || plan.extra.contains_key(list) {
            continue;
        }
        let objects = plan.tasks.iter().enumerate().map(|(i, t)| {
            let mut object = task_object(plan, t, states);
            rests.add_task(i, &mut object);
            Value::Object(object)
        });
        object.insert(list.to_owned(), objects.collect());
    }
    let path = memory::noted_text(&plan.extra, DIALECT, "plan_path");
    vec![TextFile { path: path.to_owned(), bytes: to_text(&Value::Object(in_order(object, keys))) }]
}
