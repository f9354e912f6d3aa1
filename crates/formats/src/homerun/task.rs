//! One task as homerun writes it, in JSON or as front matter: each key into its field.

use serde_json::{Map, Value, json};

use super::super::foreign::{Shape, TASK_KEYS, read_task};
use super::super::json::{Fields, Fit, Member, Node, Record};
use super::super::parts::{self, CriteriaForm};
use super::{DIALECT, WORDS};
use windlass_core::plan::{Methodology, Task, Tier, Traces};

/// What is written behind the path of a source file that holds its own tests.
const INLINE: &str = " (inline tests)";

/// Reads a task alone, for the way back.
pub(super) fn read_one(f: &mut Fields<'_>, node: &Node<'_>) -> Task {
    read_task(f, node, &mut Shape::new(DIALECT, TASK_KEYS), member)
}

pub(super) fn member(f: &mut Fields<'_>, m: &Member<'_>, t: &mut Task) -> Fit {
    let v = &m.value;
    match m.key.as_ref() {
        "id" => f.text("id", v, &mut t.id),
        "title" => f.text("title", v, &mut t.title),
        "objective" => f.text("objective", v, &mut t.objective),
        "description" => f.text("description", v, &mut t.description),
        "task_type" => f.maybe("task_type", v, &mut t.task_type),
        "methodology" => methodology(f, v, t),
        "acceptance_criteria" => parts::criteria(f, v, CriteriaForm::Objects, &mut t.criteria, &mut t.places),
        "test_file" => test_file(f, v, t),
        "no_test_reason" => f.maybe("test.none", v, &mut t.test.none),
        "status" => status(f, v, t),
        "depends_on" => depends_on(f, v, t),
        "blocked_by" => depends_on(f, v, t).and(Fit::Odd),
        "parent_id" => f.maybe("parent", v, &mut t.parent).and(Fit::Odd),
        "traces_to" => traces(f, v, &mut t.traces_to),
        "technical_notes" => f.text("notes", v, &mut t.notes),
        "model" => model(f, v, t),
        "estimated_scope" => f.maybe("estimated_scope", v, &mut t.estimated_scope),
        "files" => parts::files(f, v, &mut t.files, &mut t.places),
        "subtasks" if v.is_list() => {
            f.field("subtasks");
            Fit::Exact
        }
        _ => Fit::No,
    }
}

fn methodology(f: &mut Fields<'_>, node: &Node<'_>, t: &mut Task) -> Fit {
    f.field("methodology");
    t.methodology = match node.text() {
        Some("tdd") => Some(Methodology::Tdd),
        Some("direct") => Some(Methodology::Direct),
        Some(other) => {
            f.unknown_word(node, other, "tdd, direct");
            return Fit::No;
        }
        None => return f.misfit(node, "a string"),
    };
    Fit::Exact
}

fn model(f: &mut Fields<'_>, node: &Node<'_>, t: &mut Task) -> Fit {
    f.field("tier");
    t.tier = match node.text() {
        Some("haiku") => Some(Tier::Small),
        Some("sonnet") => Some(Tier::Medium),
        Some("opus") => Some(Tier::Large),
        Some(other) => {
            f.unknown_word(node, other, "haiku, sonnet, opus");
            return Fit::No;
        }
        None => return f.misfit(node, "a string"),
    };
    Fit::Exact
}

/// `path`, or `path (inline tests)`. A Rust source file can only hold tests inline, whether it says so or not.
fn test_file(f: &mut Fields<'_>, node: &Node<'_>, t: &mut Task) -> Fit {
    let mut path = String::new();
    let fit = f.text("test.file", node, &mut path);
    if fit == Fit::No {
        return Fit::No;
    }
    if path.trim().is_empty() || path == "null" {
        return Fit::No;
    }
    let (bare, remark) = match path.split_once(" (") {
        Some((bare, remark)) => (bare.trim(), remark),
        None => (path.trim(), ""),
    };
    t.test.file = Some(bare.to_owned());
    t.test.inline = remark.contains("inline");
    if !t.test.inline && is_rust_source(bare) {
        t.test.inline = true;
        f.assume(node, format!("`{bare}` is a source file, so its tests are read as inline"));
        return Fit::Odd;
    }
    if test_file_value(t).as_str() == Some(path.as_str()) { fit } else { Fit::Odd }
}

fn is_rust_source(path: &str) -> bool {
    let name = path.rsplit('/').next().unwrap_or(path);
    path.strip_suffix(".rs").is_some_and(|stem| !stem.contains("test"))
        && (path.starts_with("src/") || path.contains("/src/"))
        && !name.starts_with("test")
}

fn status(f: &mut Fields<'_>, node: &Node<'_>, t: &mut Task) -> Fit {
    let fit = f.maybe("claimed_state", node, &mut t.claimed_state);
    if let Some(word) = &t.claimed_state
        && !WORDS.knows(word)
    {
        f.unknown_word(node, word, &WORDS.list());
    }
    fit
}

/// `depends_on` and `blocked_by` mean the same; both may stand in one task.
fn depends_on(f: &mut Fields<'_>, node: &Node<'_>, t: &mut Task) -> Fit {
    let mut ids = Vec::new();
    let fit = f.texts("depends_on", node, &mut ids);
    if t.depends_on.is_empty() {
        f.item_places("depends_on", node, &mut t.places);
    }
    let before = t.depends_on.len();
    for id in ids {
        if !t.depends_on[..before].contains(&id) {
            t.depends_on.push(id);
        }
    }
    fit
}

fn traces(f: &mut Fields<'_>, node: &Node<'_>, slot: &mut Traces) -> Fit {
    f.field("traces_to");
    if !node.is_object() {
        return f.misfit(node, "an object with user_stories, acceptance_criteria and adr_decisions");
    }
    let mut fit = Fit::Exact;
    for m in node.members() {
        let list = match m.key.as_ref() {
            "user_stories" => &mut slot.stories,
            "acceptance_criteria" => &mut slot.criteria,
            "adr_decisions" => &mut slot.decisions,
            _ => {
                fit = fit.and(Fit::Odd);
                continue;
            }
        };
        let list_fit = f.texts("traces_to", &m.value, list);
        fit = fit.and(if list_fit == Fit::No { Fit::Odd } else { list_fit });
    }
    if traces_value(slot) == node.to_value() { fit } else { Fit::Odd }
}

fn traces_value(traces: &Traces) -> Value {
    let mut map = Map::new();
    map.insert("user_stories".to_owned(), json!(traces.stories));
    map.insert("acceptance_criteria".to_owned(), json!(traces.criteria));
    map.insert("adr_decisions".to_owned(), json!(traces.decisions));
    Value::Object(map)
}

fn test_file_value(task: &Task) -> Value {
    match (&task.test.file, task.test.inline) {
        (Some(file), true) => format!("{file}{INLINE}").into(),
        (Some(file), false) => file.clone().into(),
        (None, _) => Value::Null,
    }
}

/// Everything but id, status, order and subtasks, which depend on the rest of the plan.
pub(super) fn put_fields(record: &mut Record<'_>, task: &Task, echo: &Task, required: bool) {
    record.put_needed(!task.title.is_empty(), "title", task.title.clone().into(), echo.title == task.title);
    let objective = if task.objective.is_empty() && required { &task.description } else { &task.objective };
    let same = echo.objective == *objective;
    record.put_if(required || !objective.is_empty(), "objective", objective.clone().into(), same);
    if objective != &task.description {
        let same = echo.description == task.description;
        record.put_if(!task.description.is_empty(), "description", task.description.clone().into(), same);
    }
    let kind = task.task_type.clone().or_else(|| required.then(|| implied_type(task).to_owned()));
    record.put_if(kind.is_some(), "task_type", json!(kind), echo.task_type == task.task_type);
    let same = echo.methodology == task.methodology;
    record.put_if(task.methodology.is_some(), "methodology", json!(task.methodology), same);
    let criteria = parts::criteria_value(&task.criteria, CriteriaForm::Objects);
    let same = echo.criteria == task.criteria;
    record.put_if(required || !task.criteria.is_empty(), "acceptance_criteria", criteria, same);
    let same = echo.test.file == task.test.file && echo.test.inline == task.test.inline;
    record.put_if(required || task.test.file.is_some(), "test_file", test_file_value(task), same);
    let same = echo.test.none == task.test.none;
    record.put_if(task.test.none.is_some(), "no_test_reason", json!(task.test.none), same);
}

/// What stands behind status and order.
pub(super) fn put_more(record: &mut Record<'_>, task: &Task, echo: &Task) {
    let same = echo.traces_to == task.traces_to;
    record.put_if(!task.traces_to.is_empty(), "traces_to", traces_value(&task.traces_to), same);
    let same = echo.notes == task.notes;
    record.put_if(!task.notes.is_empty(), "technical_notes", task.notes.clone().into(), same);
    let model = task.tier.map(|tier| match tier {
        Tier::Small => "haiku",
        Tier::Medium => "sonnet",
        Tier::Large => "opus",
    });
    record.put_if(model.is_some(), "model", json!(model), echo.tier == task.tier);
    let same = echo.estimated_scope == task.estimated_scope;
    record.put_if(task.estimated_scope.is_some(), "estimated_scope", json!(task.estimated_scope), same);
    let same = echo.files == task.files;
    record.put_if(!task.files.is_empty(), "files", parts::files_value(&task.files), same);
}

/// homerun cannot do without a type: the one its routing would give the work this task describes.
fn implied_type(task: &Task) -> &'static str {
    use windlass_core::plan::Mode;
    match (task.mode, task.tier) {
        (Some(Mode::TestsOnly), _) => "add_test",
        (Some(Mode::Refactor), _) => "rename_refactor",
        (Some(Mode::Gate), _) => "integration_test",
        (Some(Mode::None), _) => "add_config",
        (_, Some(Tier::Large)) => "architectural",
        (_, Some(Tier::Medium)) => "create_service",
        _ if task.test.none.is_some() || task.methodology == Some(Methodology::Direct) => "add_config",
        _ => "add_method",
    }
}
