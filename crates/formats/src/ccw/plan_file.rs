//! `plan.json`: the outline of a session. Older ones hold the tasks themselves, or epics with lines of work.

use serde_json::{Map, Value, json};

use super::super::foreign::{self, Origin, Shape, TASK_KEYS, read_task};
use super::super::json::{Fields, Fit, KEYS, Member, Node, Record, to_text};
use super::super::remainder::Remainders;
use super::super::{StateOf, TextFile};
use super::read::keep_members;
use super::{DIALECT, task};
use windlass_core::plan::{Plan, Task};

/// Reads the outline. Alone, it is also where the tasks are.
pub(super) fn read(file: &TextFile, f: &mut Fields<'_>, root: &Node<'_>, alone: bool, plan: &mut Plan) {
    keep_members(root, plan, &["summary", "session_id"]);
    if let Some(summary) = root.get("summary")
        && f.text("objective", summary, &mut plan.objective) != Fit::Exact
    {
        plan.extra.insert("summary".to_owned(), summary.to_value());
    }
    if let Some(session) = root.get("session_id") {
        f.maybe("session", session, &mut plan.session);
    }
    foreign::keep_keys(root, DIALECT, plan);
    foreign::note_own(&mut plan.extra, DIALECT, "plan_path", file.path.clone().into());
    if alone {
        foreign::note_own(&mut plan.extra, DIALECT, "form", "plan".into());
        read_tasks(f, root, plan);
    }
}

fn read_tasks(f: &mut Fields<'_>, root: &Node<'_>, plan: &mut Plan) {
    let mut shape = Shape::new(DIALECT, TASK_KEYS);
    for (list, arm) in [("tasks", task::member as Arm), ("epics", epic as Arm)] {
        let items = root.get(list).map(Node::items).unwrap_or_default();
        if items.iter().any(Node::is_object) {
            plan.extra.shift_remove(list);
        }
        for item in items.iter().filter(|i| i.is_object()) {
            plan.tasks.push(read_task(f, item, &mut shape, arm));
        }
    }
    shape.keep(plan);
    if let Some(order) = root.get("execution_order") {
        order_epics(order, &mut plan.tasks);
    }
    if let (Some(listed), true) = (root.get("task_ids"), plan.tasks.is_empty()) {
        f.assume(listed, "only the ids of the tasks are here; the tasks themselves are files in `.task`");
        for id in listed.items().iter().filter_map(Node::word) {
            plan.tasks.push(Task { id: id.to_owned(), ..Task::default() });
        }
    }
}

/// Where an order that is not in a task's own object is remembered.
pub(super) const IMPLIED_ORDER: &str = "implied_order";

type Arm = fn(&mut Fields<'_>, &Member<'_>, &mut Task) -> Fit;

/// An epic: its lines of work become notes.
fn epic(f: &mut Fields<'_>, m: &Member<'_>, t: &mut Task) -> Fit {
    if m.key != "tasks" {
        return task::member(f, m, t);
    }
    let mut lines = Vec::new();
    f.texts("notes", &m.value, &mut lines);
    t.notes = lines.join("\n");
    Fit::Odd
}

/// Each group of epics waits for the one before it; a group is a line that names them.
fn order_epics(order: &Node<'_>, tasks: &mut [Task]) {
    let mut before: Vec<String> = Vec::new();
    for line in order.items().iter().filter_map(Node::text) {
        let words: Vec<&str> =
            line.split(|c: char| c.is_whitespace() || matches!(c, ',' | '(' | ')')).collect();
        let group: Vec<String> =
            tasks.iter().filter(|t| words.contains(&t.id.as_str())).map(|t| t.id.clone()).collect();
        for task in tasks.iter_mut().filter(|t| group.contains(&t.id) && t.depends_on.is_empty()) {
            task.depends_on.clone_from(&before);
            foreign::note_own(&mut task.extra, DIALECT, IMPLIED_ORDER, before.clone().into());
        }
        before = group;
    }
}

/// The outline of a session with tasks of these ids.
pub(super) fn outline(plan: &Plan, ids: &[String], rests: &Remainders) -> Map<String, Value> {
    let own = foreign::origin(plan, DIALECT) == Origin::Own;
    let mut record = foreign::plan_record(plan, DIALECT);
    if let (true, Some(session)) = (record.had("session_id"), &plan.session) {
        record.put("session_id", session.clone().into(), false);
    }
    let summary = if plan.objective.is_empty() && !own { plan.title.as_ref() } else { Some(&plan.objective) };
    let summary = summary.unwrap_or(&plan.name);
    record.put_if(
        !own || !summary.is_empty(),
        "summary",
        summary.clone().into(),
        plan.extra.contains_key("summary"),
    );
    if own {
        record.put_if(false, "task_ids", json!(ids), plan.extra.contains_key("task_ids"));
    } else {
        put_header(&mut record, ids);
    }
    let mut object = foreign::finish(record);
    rests.add_plan(&mut object);
    object
}

/// What the format asks for. The time it also asks for is added by who knows it.
fn put_header(record: &mut Record<'_>, ids: &[String]) {
    let approach = "Each task goes through Red, Green and Refactor; dependencies set the order.";
    let metadata = json!({
        "source": "tdd-planning-agent",
        "planning_mode": "direct",
        "plan_type": "tdd",
        "schema_version": "2.0",
    });
    record.put("approach", approach.into(), false);
    record.put("task_ids", json!(ids), false);
    record.put("task_count", ids.len().into(), false);
    record.put("recommended_execution", "Parallel".into(), false);
    record.put("_metadata", metadata, false);
}

/// A plan that was read from its outline alone.
pub(super) fn write(plan: &Plan, states: StateOf<'_>, rests: &Remainders) -> Vec<TextFile> {
    let ids: Vec<String> = plan.tasks.iter().map(|t| t.id.clone()).collect();
    let mut object = outline(plan, &ids, rests);
    let keys = foreign::noted_text(&plan.extra, DIALECT, KEYS);
    for (list, arm) in [("tasks", task::member as Arm), ("epics", epic as Arm)] {
        if !keys.split(' ').any(|k| k == list) || plan.extra.contains_key(list) {
            continue;
        }
        let objects = plan.tasks.iter().enumerate().map(|(i, t)| {
            let mut object = super::write::task_object(plan, t, states, arm);
            rests.add_task(i, &mut object);
            Value::Object(object)
        });
        object.insert(list.to_owned(), objects.collect());
    }
    let mut ordered = Map::new();
    for key in keys.split(' ') {
        if let Some((key, value)) = object.remove_entry(key) {
            ordered.insert(key, value);
        }
    }
    ordered.extend(object);
    let path = foreign::noted_text(&plan.extra, DIALECT, "plan_path");
    vec![TextFile { path: path.to_owned(), bytes: to_text(&Value::Object(ordered)) }]
}
