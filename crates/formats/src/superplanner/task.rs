//! One task as super-planner writes it. Two vocabularies are in use; a file keeps the one it has.

use serde_json::json;

use super::super::foreign::{Shape, TASK_KEYS, read_task};
use super::super::json::{Fields, Fit, Member, Node, Record};
use super::{DIALECT, WORDS};
use windlass_core::plan::{NoTestReason, Task};

/// Reads a task alone, for the way back.
pub(super) fn read_one(f: &mut Fields<'_>, node: &Node<'_>) -> Task {
    read_task(f, node, &mut Shape::new(DIALECT, TASK_KEYS), member)
}

pub(super) fn member(f: &mut Fields<'_>, m: &Member<'_>, t: &mut Task) -> Fit {
    let v = &m.value;
    match m.key.as_ref() {
        "id" => f.text("id", v, &mut t.id),
        "title" | "name" if t.title.is_empty() => f.text("title", v, &mut t.title),
        "description" => f.text("description", v, &mut t.description),
        "state" | "status" if t.claimed_state.is_none() => state(f, v, t),
        "parent_id" => f.maybe("parent", v, &mut t.parent),
        "depends_on" | "dependencies" if t.depends_on.is_empty() => {
            f.item_places("depends_on", v, &mut t.places);
            f.texts("depends_on", v, &mut t.depends_on)
        }
        "assigned_to" => f.maybe("agent", v, &mut t.agent),
        "subproject" | "sub_project_id" if t.sub_plan.is_none() => f.maybe("sub_plan", v, &mut t.sub_plan),
        "test_command" => f.maybe("test.command", v, &mut t.test.command),
        "test_file" => f.maybe("test.file", v, &mut t.test.file),
        "requires_testing" => requires_testing(f, v, t),
        "priority" => f.maybe("priority", v, &mut t.priority),
        _ => Fit::No,
    }
}

fn state(f: &mut Fields<'_>, node: &Node<'_>, t: &mut Task) -> Fit {
    let fit = f.maybe("claimed_state", node, &mut t.claimed_state);
    if let Some(word) = &t.claimed_state
        && !WORDS.knows(word)
        && super::super::states::meaning(word).is_none()
    {
        f.unknown_word(node, word, &WORDS.list());
    }
    fit
}

/// The format skips tests for planning and documentation, and says no more than that.
fn requires_testing(f: &mut Fields<'_>, node: &Node<'_>, t: &mut Task) -> Fit {
    let fit = f.flag("test.required", node, &mut t.test.required);
    if t.test.required == Some(false) {
        let reason = NoTestReason::DocumentationOnly.as_str();
        t.test.none = Some(reason.to_owned());
        f.assume(node, format!("a task that needs no testing is taken as `{reason}`"));
    }
    fit
}

/// The key a file uses: the one it had, or the usual one.
fn key(record: &Record<'_>, usual: &'static str, other: &'static str) -> &'static str {
    if record.had(other) && !record.had(usual) { other } else { usual }
}

/// What a task's object says of its place in the file.
pub(super) struct Place<'a> {
    pub(super) id: &'a str,
    pub(super) parent: Option<String>,
    pub(super) depends_on: Vec<String>,
    pub(super) has_children: bool,
    pub(super) state: Option<String>,
    /// Whether the plan comes from another format, so that nothing may be missing.
    pub(super) complete: bool,
}

/// Writes the fields of a task.
pub(super) fn put(record: &mut Record<'_>, task: &Task, echo: &Task, place: &Place<'_>) {
    record.put_needed(!place.id.is_empty(), "id", place.id.into(), echo.id == place.id);
    let title = key(record, "title", "name");
    record.put_needed(!task.title.is_empty(), title, task.title.clone().into(), echo.title == task.title);
    let text = if task.description.is_empty() { &task.objective } else { &task.description };
    let said = place.complete || !text.is_empty();
    record.put_if(said, "description", text.clone().into(), echo.description == *text);
    let state = key(record, "state", "status");
    let word = place.state.clone().or_else(|| place.complete.then(|| "pending".to_owned()));
    record.put_if(word.is_some(), state, json!(word), echo.claimed_state == place.state);
    let same = echo.parent == place.parent;
    record.put_if(place.complete || place.parent.is_some(), "parent_id", json!(place.parent), same);
    let order = key(record, "depends_on", "dependencies");
    let said = place.complete || !place.depends_on.is_empty();
    record.put_if(said, order, json!(place.depends_on), echo.depends_on == place.depends_on);
    put_more(record, task, echo, place);
}

fn put_more(record: &mut Record<'_>, task: &Task, echo: &Task, place: &Place<'_>) {
    let same = echo.agent == task.agent;
    record.put_if(place.complete || task.agent.is_some(), "assigned_to", json!(task.agent), same);
    let sub = if record.had("subproject") { "subproject" } else { "sub_project_id" };
    let stands_for = task.sub_plan.as_ref().filter(|_| !place.complete);
    record.put_if(stands_for.is_some(), sub, json!(stands_for), echo.sub_plan.as_ref() == stands_for);
    if place.complete && place.has_children {
        record.put("is_parent", true.into(), false);
    }
    let same = echo.test.command == task.test.command;
    record.put_if(task.test.command.is_some(), "test_command", json!(task.test.command), same);
    let same = echo.test.file == task.test.file;
    record.put_if(task.test.file.is_some(), "test_file", json!(task.test.file), same);
    let required = task.test.required.or_else(|| task.test.none.is_some().then_some(false));
    let same = echo.test.required == required;
    record.put_if(required.is_some(), "requires_testing", json!(required), same);
    let same = echo.priority == task.priority;
    record.put_if(task.priority.is_some(), "priority", json!(task.priority), same);
}
