//! Execution queues: items in groups that run side by side (`P1`) or one after the other (`S1`).

use std::collections::HashMap;

use serde_json::{Value, json};

use super::super::foreign::{self, Origin, Shape, TASK_KEYS, read_task};
use super::super::json::{Fields, Fit, Member, Node, parse, to_text};
use super::super::reading::code;
use super::super::remainder::Remainders;
use super::super::{StateOf, TextFile};
use super::plan_file::IMPLIED_ORDER;
use super::read::keep_members;
use super::{DIALECT, QUEUE_WORDS};
use windlass_core::diagnostic::{Diagnostic, FileIx, Severity};
use windlass_core::plan::{Plan, Task};

/// Reads a queue.
pub(super) fn read(file: &TextFile, text: &str, ix: FileIx, plan: &mut Plan, out: &mut Vec<Diagnostic>) {
    let Some(root) = parse(text, ix, out) else { return };
    let mut f = Fields::new(ix, out);
    let list =
        if root.get("solutions").is_some_and(|s| !s.items().is_empty()) { "solutions" } else { "tasks" };
    keep_members(&root, plan, &[list]);
    foreign::keep_keys(&root, DIALECT, plan);
    foreign::note_own(&mut plan.extra, DIALECT, "form", "queue".into());
    foreign::note_own(&mut plan.extra, DIALECT, "path", file.path.clone().into());
    foreign::note_own(&mut plan.extra, DIALECT, "list", list.into());
    if let Some(id) = root.get("id").and_then(Node::text) {
        foreign::name_from_outside(plan, DIALECT, id);
    }
    let mut shape = Shape::new(DIALECT, TASK_KEYS);
    for item in root.get(list).map(Node::items).unwrap_or_default() {
        if item.is_object() {
            plan.tasks.push(read_item(&mut f, item, &mut shape));
        } else {
            f.find(code::WRONG_TYPE, Severity::Error, item, "an item of a queue must be an object");
        }
    }
    shape.keep(plan);
    let groups = groups(&root, &plan.tasks);
    plan.phases = groups.iter().map(|g| g.id.clone()).collect();
    let said: Vec<Vec<String>> = plan.tasks.iter().map(|t| t.depends_on.clone()).collect();
    for (i, said) in said.into_iter().enumerate() {
        plan.tasks[i].depends_on = expand(&said, &plan.tasks[i].id, &groups);
    }
    in_sequence(&root, &groups, &mut plan.tasks);
    for task in &mut plan.tasks {
        foreign::note_own(&mut task.extra, DIALECT, IMPLIED_ORDER, task.depends_on.clone().into());
    }
}

/// A group and its items, in the order they run.
struct Group {
    id: String,
    sequential: bool,
    items: Vec<String>,
}

fn read_item(f: &mut Fields<'_>, node: &Node<'_>, shape: &mut Shape) -> Task {
    let mut task = read_task(f, node, shape, member);
    if task.title.is_empty() {
        let what =
            ["task_id", "solution_id", "issue_id"].iter().find_map(|k| node.get(k).and_then(Node::text));
        what.unwrap_or_default().clone_into(&mut task.title);
    }
    task
}

fn member(f: &mut Fields<'_>, m: &Member<'_>, t: &mut Task) -> Fit {
    let v = &m.value;
    match m.key.as_ref() {
        "item_id" => f.text("id", v, &mut t.id),
        "title" => f.text("title", v, &mut t.title),
        "status" => {
            let fit = f.maybe("claimed_state", v, &mut t.claimed_state);
            if let Some(word) = &t.claimed_state
                && !QUEUE_WORDS.knows(word)
            {
                f.unknown_word(v, word, &QUEUE_WORDS.list());
            }
            fit
        }
        "files_touched" => f.texts("files.modify", v, &mut t.files.modify),
        "execution_group" => f.maybe("phase", v, &mut t.phase),
        // What an item waits for may be a group: the original is kept.
        "depends_on" => f.texts("depends_on", v, &mut t.depends_on).and(Fit::Odd),
        _ => Fit::No,
    }
}

fn groups(root: &Node<'_>, tasks: &[Task]) -> Vec<Group> {
    let mut groups: Vec<Group> = Vec::new();
    for node in root.get("execution_groups").map(Node::items).unwrap_or_default() {
        let listed = node.get("solutions").or_else(|| node.get("tasks")).map(Node::items).unwrap_or_default();
        let id = node.get("id").and_then(Node::text).unwrap_or_default().to_owned();
        let sequential =
            node.get("type").and_then(Node::text).map_or(id.starts_with('S'), |t| t == "sequential");
        let items = listed.iter().filter_map(Node::word).map(str::to_owned).collect();
        groups.push(Group { id, sequential, items });
    }
    for task in tasks {
        let Some(phase) = &task.phase else { continue };
        match groups.iter_mut().find(|g| g.id == *phase) {
            Some(group) if group.items.contains(&task.id) => {}
            Some(group) => group.items.push(task.id.clone()),
            None => groups.push(Group {
                id: phase.clone(),
                sequential: phase.starts_with('S'),
                items: vec![task.id.clone()],
            }),
        }
    }
    groups
}

/// Groups among what an item waits for stand for their items.
fn expand(said: &[String], own: &str, groups: &[Group]) -> Vec<String> {
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

/// Items of a sequential group, and of a conflict that is resolved by order, wait for the one before them.
fn in_sequence(root: &Node<'_>, groups: &[Group], tasks: &mut [Task]) {
    let at: HashMap<String, usize> = tasks.iter().enumerate().map(|(i, t)| (t.id.clone(), i)).collect();
    let mut chains: Vec<Vec<String>> =
        groups.iter().filter(|g| g.sequential).map(|g| g.items.clone()).collect();
    for conflict in root.get("conflicts").map(Node::items).unwrap_or_default() {
        if conflict.get("resolution").and_then(Node::text) == Some("sequential") {
            let order = conflict.get("resolution_order").map(Node::items).unwrap_or_default();
            chains.push(order.iter().filter_map(Node::word).map(str::to_owned).collect());
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
    let noted = |key| foreign::noted_text(&plan.extra, DIALECT, key);
    let items = plan.tasks.iter().enumerate().map(|(i, task)| item(plan, i, task, states, rests)).collect();
    let mut record = foreign::plan_record(plan, DIALECT);
    record.put(noted("list"), Value::Array(items), false);
    let mut object = foreign::finish(record);
    rests.add_plan(&mut object);
    vec![TextFile { path: noted("path").to_owned(), bytes: to_text(&Value::Object(object)) }]
}

fn item(plan: &Plan, index: usize, task: &Task, states: StateOf<'_>, rests: &Remainders) -> Value {
    let mut record = foreign::task_record(plan, task, DIALECT, TASK_KEYS);
    let echo = foreign::echo(task, |f, node| read_task(f, node, &mut Shape::new(DIALECT, TASK_KEYS), member));
    record.put("item_id", task.id.clone().into(), echo.id == task.id);
    if record.had("title") {
        record.put("title", task.title.clone().into(), echo.title == task.title);
    }
    let state = QUEUE_WORDS.written(task, states, Origin::Own);
    record.put_if(state.is_some(), "status", json!(state), echo.claimed_state == state);
    let files = &task.files.modify;
    record.put_if(!files.is_empty(), "files_touched", json!(files), echo.files.modify == *files);
    record.put_if(task.phase.is_some(), "execution_group", json!(task.phase), echo.phase == task.phase);
    let meant = foreign::noted(&task.extra, DIALECT, IMPLIED_ORDER) == Some(&task.depends_on.clone().into());
    let said = !task.depends_on.is_empty() && (!meant || record.had("depends_on"));
    record.put_if(said, "depends_on", json!(task.depends_on), meant);
    let mut object = foreign::finish(record);
    rests.add_task(index, &mut object);
    Value::Object(object)
}
