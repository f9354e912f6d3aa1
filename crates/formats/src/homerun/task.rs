//! One task as homerun writes it, in JSON or as front matter.

use serde_json::Value;

use super::STATES;
use crate::json::{Fit, JsonNode, ValueReader};
use crate::table::{Allowed, Codec, CriteriaForm, FILES, TaskKey, choice};
use windlass_core::path_text::file_name;
use windlass_core::plan::{Methodology, Mode, Task, Tier};

/// The remark behind the path of a source file that holds its own tests.
const INLINE: &str = " (inline tests)";

/// The keys of a task.
pub(crate) static TASK: &[TaskKey] = &[
    TaskKey::text("id", "id", |t| &mut t.id).required(),
    TaskKey::text("title", "title", |t| &mut t.title).required(),
    TaskKey::text("objective", "objective", |t| &mut t.objective).required(),
    TaskKey::text("description", "description", |t| &mut t.description),
    TaskKey::maybe("task_type", "task_type", |t| &mut t.task_type).required(),
    TaskKey::new(
        "methodology",
        "methodology",
        choice!(methodology, "tdd" => Methodology::Tdd, "direct" => Methodology::Direct),
    ),
    TaskKey::criteria("acceptance_criteria", CriteriaForm::Objects, |t| &mut t.criteria).required(),
    TaskKey::new("test_file", "test.file", Codec::custom(read_test_file, test_file_value)).required(),
    TaskKey::maybe("no_test_reason", "test.none", |t| &mut t.test.none),
    TaskKey::maybe("status", "claimed_state", |t| &mut t.claimed_state)
        .required()
        .allows(Allowed::States(&STATES)),
    TaskKey::new("depends_on", "depends_on", Codec::custom(read_order, |t| t.depends_on.clone().into()))
        .required(),
    TaskKey::new("blocked_by", "depends_on", Codec::custom(read_order, |_| Value::Null)).kept(),
    TaskKey::maybe("parent_id", "parent", |t| &mut t.parent).kept(),
    TaskKey::object("traces_to", "traces_to", TRACES).required(),
    TaskKey::text("technical_notes", "notes", |t| &mut t.notes),
    TaskKey::new(
        "model",
        "tier",
        choice!(tier, "haiku" => Tier::Small, "sonnet" => Tier::Medium, "opus" => Tier::Large),
    ),
    TaskKey::maybe("estimated_scope", "estimated_scope", |t| &mut t.estimated_scope),
    TaskKey::new("files", "files", FILES),
    TaskKey::children("subtasks"),
];

static TRACES: &[TaskKey] = &[
    TaskKey::texts("user_stories", "traces_to.stories", |t| &mut t.traces_to.stories).required(),
    TaskKey::texts("acceptance_criteria", "traces_to.criteria", |t| &mut t.traces_to.criteria).required(),
    TaskKey::texts("adr_decisions", "traces_to.decisions", |t| &mut t.traces_to.decisions).required(),
];

/// `path`, or `path (inline tests)`. A Rust source file can only hold tests inline, whether it says so or not.
fn read_test_file(f: &mut ValueReader<'_>, node: &JsonNode<'_>, t: &mut Task) -> Fit {
    let mut path = String::new();
    let fit = f.text(node, &mut path);
    if fit == Fit::No || path.trim().is_empty() || path == "null" {
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
        f.assume(node, format!("`{bare}` is a source file, so its tests are read as inline tests"));
        return Fit::Odd;
    }
    if test_file_value(t).as_str() == Some(path.as_str()) { fit } else { Fit::Odd }
}

fn is_rust_source(path: &str) -> bool {
    let name = file_name(path);
    path.strip_suffix(".rs").is_some_and(|stem| !stem.contains("test"))
        && (path.starts_with("src/") || path.contains("/src/"))
        && !name.starts_with("test")
}

/// `depends_on` and `blocked_by` mean the same; both may be in one task.
fn read_order(f: &mut ValueReader<'_>, node: &JsonNode<'_>, t: &mut Task) -> Fit {
    let mut ids = Vec::new();
    let fit = f.texts(node, &mut ids);
    if t.depends_on.is_empty() {
        for (i, item) in node.items().iter().enumerate() {
            t.places.note_item("depends_on", i, item.span(f.file));
        }
    }
    let before = t.depends_on.len();
    for id in ids {
        if !t.depends_on[..before].contains(&id) {
            t.depends_on.push(id);
        }
    }
    fit
}

fn test_file_value(task: &Task) -> Value {
    match (&task.test.file, task.test.inline) {
        (Some(file), true) => format!("{file}{INLINE}").into(),
        (Some(file), false) => file.clone().into(),
        (None, _) => Value::Null,
    }
}

/// The type that homerun's routing would give the work of this task; the format requires one.
pub(super) fn implied_type(task: &Task) -> &'static str {
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
