//! Task Master's `tasks.json`: numbered tasks with numbered subtasks, in tags.
//!
//! A subtask's number counts inside its parent; here it is called `5.2`.

mod ids;
mod read;
#[cfg(test)]
mod tests;
mod write;

use serde_json::{Value, json};

use crate::json::{Fit, JsonKind, JsonNode, ValueReader};
use crate::picking::{self, sniff_json};
use crate::states::StateWords;
use crate::table::{Allowed, Codec, PlanKey, TaskKey};
use crate::{Dialect, PlanFormat, Sniff, TextFile};
use windlass_core::plan::{Section, Task};
use windlass_core::state::TaskState;

const DIALECT: Dialect = Dialect::Taskmaster;

/// The name of the file below `.taskmaster`.
const FILE: &str = "tasks.json";

/// The tag of tasks that have no other.
const MASTER: &str = "master";

/// The heading under which the test strategy is kept.
const STRATEGY: &str = "Test strategy";

/// The format.
pub(crate) const FORMAT: PlanFormat = PlanFormat {
    usual_file: FILE,
    sniff: |input| picking::surest(input, confidence),
    read: read::read,
    write: write::write,
    add_run: None,
};

/// Its words for states.
static STATES: StateWords = StateWords(&[
    (TaskState::Pending, "pending"),
    (TaskState::InProgress, "in-progress"),
    (TaskState::Testing, "review"),
    (TaskState::TestFailed, "in-progress"),
    (TaskState::Completed, "done"),
    (TaskState::Failed, "deferred"),
    (TaskState::Blocked, "deferred"),
    (TaskState::Blocked, "blocked"),
    (TaskState::Skipped, "cancelled"),
]);

/// The keys of a tag.
static TAG: &[PlanKey] = &[PlanKey::children("tasks").required()];

/// The keys of a task and of a subtask.
pub(crate) static TASK: &[TaskKey] = &[
    TaskKey::new("id", "id", Codec::custom(read_id, |t| ids::value(&t.id, None))).required(),
    TaskKey::text("title", "title", |t| &mut t.title).required(),
    TaskKey::text("description", "description", |t| &mut t.description).required(),
    TaskKey::text("details", "notes", |t| &mut t.notes),
    TaskKey::new("testStrategy", "sections", Codec::custom(read_strategy, strategy_value)),
    TaskKey::maybe("priority", "priority", |t| &mut t.priority),
    TaskKey::new("dependencies", "depends_on", Codec::custom(read_dependencies, |t| json!(t.depends_on)))
        .required(),
    TaskKey::maybe("status", "claimed_state", |t| &mut t.claimed_state)
        .required()
        .allows(Allowed::States(&STATES)),
    TaskKey::children("subtasks").required(),
];

/// How much a file looks like a Task Master file.
fn confidence(file: &TextFile) -> Sniff {
    sniff_json(file, |seen| {
        let tagged = !seen.has("tasks") && seen.second.iter().any(|(_, key)| *key == "tasks");
        let known = ["testStrategy", "details", "subtasks"].iter().filter(|k| seen.task_has(k)).count();
        let plain = seen.tasks == Some(b'[') && seen.task_has("dependencies") && !seen.has("feature");
        if seen.task_has("testStrategy") || (tagged || plain) && known >= 2 {
            Sniff::Sure
        } else if plain && known == 1 || tagged && seen.has(MASTER) {
            Sniff::Maybe
        } else {
            Sniff::No
        }
    })
}

fn read_id(reader: &mut ValueReader<'_>, node: &JsonNode<'_>, task: &mut Task) -> Fit {
    match &node.kind {
        JsonKind::Number(digits) => {
            (*digits).clone_into(&mut task.id);
            Fit::Exact
        }
        JsonKind::Text(text) => {
            text.trim().clone_into(&mut task.id);
            Fit::Odd
        }
        JsonKind::Null | JsonKind::Bool(_) | JsonKind::List(_) | JsonKind::Object(_) => {
            reader.misfit(node, "a number")
        }
    }
}

/// Checks the form only, and keeps the original: what a number means is known once all tasks are read.
fn read_dependencies(reader: &mut ValueReader<'_>, node: &JsonNode<'_>, task: &mut Task) -> Fit {
    if !node.is_list() {
        return reader.misfit(node, "a list of task numbers");
    }
    for (i, (item, reference)) in node.items().iter().zip(ids::references(node)).enumerate() {
        task.places.note_item("depends_on", i, item.span(reader.file));
        if reference.is_none() {
            reader.misfit(item, "a task number");
        }
    }
    Fit::Odd
}

fn read_strategy(reader: &mut ValueReader<'_>, node: &JsonNode<'_>, task: &mut Task) -> Fit {
    let mut body = String::new();
    let fit = reader.text(node, &mut body);
    if fit != Fit::No {
        task.sections.push(Section { heading: STRATEGY.to_owned(), body });
    }
    fit
}

fn strategy_value(task: &Task) -> Value {
    task.sections.iter().find(|s| s.heading == STRATEGY).map_or("", |s| &s.body).into()
}
