//! Execution queues: items in groups that run in parallel (`P1`) or in sequence (`S1`).

use std::collections::HashMap;

use serde_json::{Map, Value, json};

use super::plan_file::IMPLIED_ORDER;
use super::{DIALECT, QUEUE_STATES};
use crate::json::{Fit, JsonNode, ValueReader, parse, to_text};
use crate::memory::{self, KeyOrder, Origin, TASK_KEYS};
use crate::reading::code;
use crate::remainder::Remainders;
use crate::table::{Allowed, Codec, GivenValue, Original, TaskKey, read_task, write_members};
use crate::{StateOf, TextFile};
use windlass_core::diagnostic::{Diagnostic, FileIx, Severity};
use windlass_core::plan::{Plan, Task};

/// The keys of an item.
static ITEM: &[TaskKey] = &[
    TaskKey::text("item_id", "id", |t| &mut t.id).required(),
    TaskKey::text("title", "title", |t| &mut t.title),
    TaskKey::maybe("status", "claimed_state", |t| &mut t.claimed_state)
        .allows(Allowed::States(&QUEUE_STATES)),
    TaskKey::texts("files_touched", "files.modify", |t| &mut t.files.modify),
    TaskKey::maybe("execution_group", "phase", |t| &mut t.phase),
    TaskKey::new("depends_on", "depends_on", Codec::custom(read_order, |t| json!(t.depends_on))),
];

/// An item may depend on a group, so the original is kept.
fn read_order(f: &mut ValueReader<'_>, node: &JsonNode<'_>, t: &mut Task) -> Fit {
    f.texts(node, &mut t.depends_on).and(Fit::Odd)
}

/// Reads a queue.
pub(super) fn read(file: &TextFile, text: &str, ix: FileIx, plan: &mut Plan, out: &mut Vec<Diagnostic>) {
    let Some(root) = parse(text, ix, out) else { return };
    let mut f = ValueReader::new(ix, out);
    let list =
        if root.get("solutions").is_some_and(|s| !s.items().is_empty()) { "solutions" } else { "tasks" };
    for m in root.members().iter().filter(|m| m.key != list) {
        plan.extra.insert(m.key.to_string(), m.value.to_value());
    }
    memory::keep_keys(&root, DIALECT, plan);
    memory::note(&mut plan.extra, DIALECT, "form", "queue");
    memory::note(&mut plan.extra, DIALECT, "path", file.path.clone());
    memory::note(&mut plan.extra, DIALECT, "list", list);
    if let Some(id) = root.get("id").and_then(JsonNode::text) {
        memory::name_from_outside(plan, DIALECT, id);
    }
    let mut order = KeyOrder::new(DIALECT, TASK_KEYS);
    for item in root.get(list).map(JsonNode::items).unwrap_or_default() {
        if item.is_object() {
            plan.tasks.push(read_item(&mut f, item, &mut order));
        } else {
            f.find(code::WRONG_TYPE, Severity::Error, item, "an item of a queue must be an object");
        }
    }
    order.keep(plan);
    let groups = groups(&root, &plan.tasks);
    plan.phases = groups.iter().map(|g| g.id.clone()).collect();
    let said: Vec<Vec<String>> = plan.tasks.iter().map(|t| t.depends_on.clone()).collect();
    for (i, said) in said.into_iter().enumerate() {
        plan.tasks[i].depends_on = expand(&said, &plan.tasks[i].id, &groups);
    }
    in_sequence(&root, &groups, &mut plan.tasks);
    for task in &mut plan.tasks {
        memory::note(&mut task.extra, DIALECT, IMPLIED_ORDER, task.depends_on.clone());
    }
}

/// A group and its items, in the order they run.
struct QueueGroup {
    id: String,
    sequential: bool,
    items: Vec<String>,
}

fn read_item(f: &mut ValueReader<'_>, node: &JsonNode<'_>, order: &mut KeyOrder) -> Task {
    let mut task = read_task(ITEM, f, node, order);
    if task.title.is_empty() {
        let what =
            ["task_id", "solution_id", "issue_id"].iter().find_map(|k| node.get(k).and_then(JsonNode::text));
        what.unwrap_or_default().clone_into(&mut task.title);
    }
    task
}

fn groups(root: &JsonNode<'_>, tasks: &[Task]) -> Vec<QueueGroup> {
    let mut groups: Vec<QueueGroup> = Vec::new();
    for node in root.get("execution_groups").map(JsonNode::items).unwrap_or_default() {
        let listed =
            node.get("solutions").or_else(|| node.get("tasks")).map(JsonNode::items).unwrap_or_default();
        let id = node.get("id").and_then(JsonNode::text).unwrap_or_default().to_owned();
        let sequential =
            node.get("type").and_then(JsonNode::text).map_or(id.starts_with('S'), |t| t == "sequential");
        let items = listed.iter().filter_map(JsonNode::word).map(str::to_owned).collect();
        groups.push(QueueGroup { id, sequential, items });
    }
    for task in tasks {
        let Some(phase) = &task.phase else { continue };
        match groups.iter_mut().find(|g| g.id == *phase) {
            Some(group) if group.items.contains(&task.id) => {}
            Some(group) => group.items.push(task.id.clone()),
            None => groups.push(QueueGroup {
                id: phase.clone(),
                sequential: phase.starts_with('S'),
                items: vec![task.id.clone()],
            }),
        }
    }
    groups
}

/// Replaces a group among the dependencies of an item by the group's items.
fn expand(said: &[String], own: &str, groups: &[QueueGroup]) -> Vec<String> {
    let mut all = Vec::new();
    for id in said {
        let group = groups.iter().find(|g| g.id == *id);
        let items = group.map_or_else(|| std::slice::from_ref(id), |g| &g.items[..]);
        for item in items.iter().filter(|i| *i != own) {
            if !all.contains(item) {
                all.push(item.clone());
            }
        }
    }
    all
}

/// Items of a sequential group, and of a conflict that is resolved by order, depend on the one before them.
fn in_sequence(root: &JsonNode<'_>, groups: &[QueueGroup], tasks: &mut [Task]) {
    let at: HashMap<String, usize> = tasks.iter().enumerate().map(|(i, t)| (t.id.clone(), i)).collect();
    let mut chains: Vec<Vec<String>> =
        groups.iter().filter(|g| g.sequential).map(|g| g.items.clone()).collect();
    for conflict in root.get("conflicts").map(JsonNode::items).unwrap_or_default() {
        if conflict.get("resolution").and_then(JsonNode::text) == Some("sequential") {
            let order = conflict.get("resolution_order").map(JsonNode::items).unwrap_or_default();
            chains.push(order.iter().filter_map(JsonNode::word).map(str::to_owned).collect());
        }
    }
    for chain in chains {
        for pair in chain.windows(2) {
            if let (Some(_), Some(&next)) = (at.get(&pair[0]), at.get(&pair[1]))
                && !tasks[next].depends_on.contains(&pair[0])
                && pair[0] != pair[1]
            {
                tasks[next].depends_on.push(pair[0].clone());
            }
        }
    }
}

/// Writes a queue that was read as one.
pub(super) fn write(plan: &Plan, states: StateOf<'_>, rests: &Remainders) -> Vec<TextFile> {
    let noted = |key| memory::noted_text(&plan.extra, DIALECT, key);
    let items = plan.tasks.iter().enumerate().map(|(i, task)| item(plan, i, task, states, rests)).collect();
    let own = Map::from_iter([(noted("list").to_owned(), Value::Array(items))]);
    let mut object = Original::of_plan(plan, DIALECT).finish(own);
    rests.add_plan(&mut object);
    vec![TextFile { path: noted("path").to_owned(), bytes: to_text(&Value::Object(object)) }]
}

fn item(plan: &Plan, index: usize, task: &Task, states: StateOf<'_>, rests: &Remainders) -> Value {
    let original = Original::of_task(plan, task, DIALECT, TASK_KEYS);
    let mut said = Task { claimed_state: QUEUE_STATES.written(task, states, Origin::Own), ..task.clone() };
    if !original.had("title") {
        said.title.clear();
    }
    let order = Value::from(task.depends_on.clone());
    let implied = memory::noted(&task.extra, DIALECT, IMPLIED_ORDER) == Some(&order);
    let mut object = write_members(ITEM, &mut said, &original, &mut |key| {
        (key == "depends_on").then(|| GivenValue { value: order.clone(), same: implied })
    });
    rests.add_task(index, &mut object);
    Value::Object(object)
}
