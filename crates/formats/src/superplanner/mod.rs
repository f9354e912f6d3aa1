//! super-planner's projects: tasks by name in one file, or a hierarchy in which a task has a sub-project.
//!
//! Two vocabularies are in use; a file keeps the one it has.

mod projects;
mod read;
#[cfg(test)]
mod tests;
mod write;

use serde_json::{Value, json};

use crate::json::{Fit, JsonNode, ValueReader};
use crate::memory;
use crate::picking::{self, sniff_json};
use crate::states::StateWords;
use crate::table::{Allowed, Codec, KeyNeed, PlanKey, TaskKey};
use crate::{Dialect, PlanFormat, Sniff, TextFile};
use windlass_core::plan::{NoTestReason, Plan, Task};
use windlass_core::state::TaskState;

pub use projects::{is_project, named_sub_projects};

const DIALECT: Dialect = Dialect::Superplanner;

/// The format.
pub(crate) const FORMAT: PlanFormat = PlanFormat {
    usual_file: "shop.json",
    sniff: |input| picking::surest(input, confidence),
    read: read::read,
    write: write::write,
    add_run: None,
};

/// Its words for states.
static STATES: StateWords = StateWords(&[
    (TaskState::Pending, "pending"),
    (TaskState::InProgress, "in_progress"),
    (TaskState::Testing, "testing"),
    (TaskState::TestFailed, "test_failed"),
    (TaskState::Completed, "completed"),
    (TaskState::Failed, "blocked"),
    (TaskState::Blocked, "blocked"),
    (TaskState::Skipped, "blocked"),
]);

/// The keys of a project.
static PROJECT: &[PlanKey] = &[
    PlanKey::new("id", "name", Codec::custom(read_name, |plan| plan.name.clone().into())).required(),
    PlanKey::maybe("name", "title", |p| &mut p.title).required(),
    PlanKey::text("description", "objective", |p| &mut p.objective),
    PlanKey::children("tasks").required(),
];

/// The keys of a task.
pub(crate) static TASK: &[TaskKey] = &[
    TaskKey::text("id", "id", |t| &mut t.id).required(),
    TaskKey::text("title", "title", |t| &mut t.title).or(&["name"]).required(),
    TaskKey::text("description", "description", |t| &mut t.description).required(),
    TaskKey::maybe("state", "claimed_state", |t| &mut t.claimed_state)
        .or(&["status"])
        .required()
        .allows(Allowed::AnyStates(&STATES)),
    TaskKey::maybe("parent_id", "parent", |t| &mut t.parent).required(),
    TaskKey::texts("dependencies", "depends_on", |t| &mut t.depends_on).or(&["depends_on"]).required(),
    TaskKey::maybe("assigned_to", "agent", |t| &mut t.agent).required(),
    TaskKey::maybe("sub_project_id", "sub_plan", |t| &mut t.sub_plan).or(&["subproject"]),
    TaskKey::new("is_parent", "", Codec::custom(read_is_parent, |_| Value::Null)).needed(KeyNeed::WhenNew),
    TaskKey::maybe("test_command", "test.command", |t| &mut t.test.command),
    TaskKey::maybe("test_file", "test.file", |t| &mut t.test.file),
    TaskKey::new("requires_testing", "test.required", Codec::custom(read_testing, testing_value)),
    TaskKey::maybe("priority", "priority", |t| &mut t.priority),
];

/// How much a file looks like a super-planner project.
fn confidence(file: &TextFile) -> Sniff {
    sniff_json(file, |seen| {
        let listed = seen.has("project") && seen.tasks == Some(b'[') && seen.below_has("id");
        let named = seen.tasks == Some(b'{') && seen.has("id") && seen.has("tasks");
        // The document's own task model, whatever holds it: no other format has these words for one task.
        let modelled = seen.task_has("state") && seen.task_has("dependencies")
            || ["requires_testing", "sub_project_id", "is_parent"].iter().any(|key| seen.task_has(key));
        let stated =
            seen.task_has("state") || seen.task_has("depends_on") || seen.task_has("requires_testing");
        if seen.has("session_id") || seen.has("feature") {
            Sniff::No
        } else if listed && seen.task_has("dependencies") || named && stated || modelled {
            Sniff::Sure
        } else if named && seen.has("name") {
            Sniff::Maybe
        } else {
            Sniff::No
        }
    })
}

fn read_name(reader: &mut ValueReader<'_>, node: &JsonNode<'_>, plan: &mut Plan) -> Fit {
    let mut raw = String::new();
    let fit = reader.text(node, &mut raw);
    plan.name = memory::plan_name(&raw);
    if plan.name == raw { fit } else { fit.and(Fit::Odd) }
}

/// The format skips tests for planning and documentation tasks, without a reason.
/// The parts of a task say whether it is a parent; the key itself means nothing, but it has a type.
fn read_is_parent(reader: &mut ValueReader<'_>, node: &JsonNode<'_>, _task: &mut Task) -> Fit {
    match reader.flag(node, &mut None) {
        Fit::Exact => Fit::No,
        other => other,
    }
}

fn read_testing(reader: &mut ValueReader<'_>, node: &JsonNode<'_>, task: &mut Task) -> Fit {
    let fit = reader.flag(node, &mut task.test.required);
    if task.test.required == Some(false) {
        let reason = NoTestReason::DocumentationOnly.as_str();
        task.test.none = Some(reason.to_owned());
        reader.assume(node, format!("a task that needs no testing is read as `{reason}`"));
    }
    fit
}

fn testing_value(task: &Task) -> Value {
    json!(task.test.required.or_else(|| task.test.none.is_some().then_some(false)))
}
