//! Fields that the schema of a format requires, missing or out of range.
//!
//! One finding per field, not per task: such a plan usually lacks the field everywhere.

use super::context::LintRun;
use super::rule::Profile::{self, Ccw, Contract, Homerun, Superplanner, Zerg};
use super::rule::{Levels, rules};
use windlass_core::diagnostic::Severity::{Note, Warning};
use windlass_core::plan::{Proof, Task};
use windlass_formats::Dialect;

rules! {
    Shape;
    FIELD = "WL0119" "schema-field",
        Levels::off()
            .with(Zerg, Warning)
            .with(Homerun, Warning)
            .with(Superplanner, Warning)
            .with(Ccw, Note)
            .with(Contract, Note),
        "a field that the format's schema requires is missing or out of range";
    PART_ID = "WL0124" "part-id", Levels::off().with(Homerun, Warning),
        "the id of a part is not its parent's with a letter";
}

/// A field of a schema.
struct Field {
    /// Its name in the file.
    name: &'static str,
    /// Its name in the plan, under which source places are kept.
    place: &'static str,
    /// The required value, in words.
    wanted: &'static str,
    /// Whether a task has a valid value.
    fits: fn(&Task) -> bool,
}

const ZERG: &[Field] = &[Field {
    name: "level",
    place: "level",
    wanted: "a number from 1 to 10",
    fits: |t| t.level.is_some_and(|level| (1..=10).contains(&level)),
}];

const CCW: &[Field] = &[
    Field {
        name: "description",
        place: "description",
        wanted: "a text",
        fits: |t| !t.description.is_empty() || !t.objective.is_empty(),
    },
    Field {
        name: "convergence.criteria",
        place: "criteria",
        wanted: "a list with at least one entry",
        fits: |t| !t.criteria.is_empty(),
    },
    Field {
        name: "convergence.verification",
        place: "verification",
        wanted: "a command",
        fits: |t| t.proof() != Proof::Nothing,
    },
    Field {
        name: "convergence.definition_of_done",
        place: "done_when",
        wanted: "a text",
        fits: |t| !t.done_when.is_empty(),
    },
];

/// What CCW's own files say besides, and plans of other formats cannot.
const CCW_FILES: &[Field] = &[
    Field {
        name: "meta.max_iterations",
        place: "max_iterations",
        wanted: "the limit of the test-fix cycle, usually 3",
        fits: |t| has_meta(t, "max_iterations"),
    },
    Field {
        name: "meta.execution_config",
        place: "meta",
        wanted: "the method of execution, for example `{ \"method\": \"agent\" }`",
        fits: |t| has_meta(t, "execution_config"),
    },
    Field {
        name: "cli_execution.strategy",
        place: "session",
        wanted: "one of new, resume, fork and merge_fork",
        fits: |t| t.session.as_ref().is_none_or(|session| session.strategy.is_some()),
    },
];

/// Whether `meta` has a value for a key; a file without `meta` is asked for the whole of it elsewhere.
fn has_meta(task: &Task, key: &str) -> bool {
    task.extra.get("meta").is_none_or(|meta| meta.get(key).is_some_and(|value| !value.is_null()))
}

const CONTRACT: &[Field] = &[
    Field {
        name: "layer",
        place: "layer",
        wanted: "a number that is not negative",
        fits: |t| t.layer.is_some_and(|layer| layer >= 0),
    },
    Field {
        name: "track",
        place: "track",
        wanted: "one of backend, frontend and shared",
        fits: |t| matches!(t.track.as_deref(), Some("backend" | "frontend" | "shared")),
    },
    Field {
        name: "estimated_complexity",
        place: "complexity",
        wanted: "one of trivial, simple, medium and complex",
        fits: |t| t.complexity.is_some(),
    },
];

/// What a contract task's own file says besides.
const CONTRACT_FILES: &[Field] = &[Field {
    name: "depends_on",
    place: "depends_on",
    wanted: "a list of ids, which may be empty",
    fits: |t| t.places.contains_key("depends_on"),
}];

/// A part needs less: homerun's own parts have no type, status or objective.
const HOMERUN: &[Field] = &[
    Field {
        name: "objective",
        place: "objective",
        wanted: "a text",
        fits: |t| t.parent.is_some() || !t.objective.trim().is_empty(),
    },
    Field {
        name: "status",
        place: "claimed_state",
        wanted: "one of pending, in_progress, completed, blocked and failed",
        fits: |t| t.parent.is_some() || t.claimed_state.is_some(),
    },
    Field {
        name: "depends_on",
        place: "depends_on",
        wanted: "a list of ids, which may be empty",
        fits: |t| t.places.contains_key("depends_on"),
    },
    Field {
        name: "task_type",
        place: "task_type",
        wanted: "one of the types of the routing table",
        fits: |t| t.parent.is_some() || t.task_type.is_some(),
    },
    Field {
        name: "acceptance_criteria",
        place: "criteria",
        wanted: "a list of criteria",
        fits: |t| t.places.contains_key("criteria"),
    },
    Field {
        name: "acceptance_criteria.id",
        place: "criteria",
        wanted: "an id for every criterion",
        fits: |t| t.criteria.iter().all(|c| !c.id.trim().is_empty()),
    },
    Field {
        name: "acceptance_criteria.criterion",
        place: "criteria",
        wanted: "a text for every criterion",
        fits: |t| t.criteria.iter().all(|c| !c.text.trim().is_empty()),
    },
];

/// The fields of super-planner's task that have no default; a task has an id in any case.
const SUPERPLANNER: &[Field] = &[
    Field {
        name: "description",
        place: "description",
        wanted: "a text",
        fits: |t| !t.description.trim().is_empty() || !t.objective.is_empty(),
    },
    Field {
        name: "state",
        place: "claimed_state",
        wanted: "one of pending, in_progress, testing, test_failed, completed and blocked",
        fits: |t| t.claimed_state.is_some(),
    },
    Field {
        name: "dependencies",
        place: "depends_on",
        wanted: "a list of ids, which may be empty",
        fits: |t| t.places.contains_key("depends_on"),
    },
];

/// The fields of a profile; what a file lacks is asked of files of that format only, others have no such keys.
fn fields(profile: Profile, dialect: Dialect) -> impl Iterator<Item = &'static Field> {
    let own: &[Field] = match profile {
        Ccw if dialect == Dialect::Ccw => CCW_FILES,
        Homerun if dialect == Dialect::Homerun => HOMERUN,
        Superplanner if dialect == Dialect::Superplanner => SUPERPLANNER,
        Contract if dialect == Dialect::Contract => CONTRACT_FILES,
        Profile::Default | Zerg | Homerun | Ccw | Superplanner | Contract => &[],
    };
    let always: &[Field] = match profile {
        Zerg => ZERG,
        Ccw => CCW,
        Contract => CONTRACT,
        Profile::Default | Homerun | Superplanner => &[],
    };
    always.iter().chain(own)
}

/// `002a` under `002`.
fn is_part_of(id: &str, parent: &str) -> bool {
    let letter = id.strip_prefix(parent).unwrap_or_default();
    letter.len() == 1 && letter.bytes().all(|b| b.is_ascii_lowercase())
}

fn part_ids(check: &mut LintRun<'_>) {
    let plan = check.plan;
    for task in &plan.tasks {
        let Some(parent) = task.parent.as_deref().filter(|parent| !is_part_of(&task.id, parent)) else {
            continue;
        };
        let message = format!("`{}` is a part of `{}`", task.id.escape_debug(), parent.escape_debug());
        let help = "the id of a part is its parent's with a letter: `002a` for `002`";
        check.task(&PART_ID, task, "id", message, help);
    }
}

/// Checks the plan as a whole.
pub(super) fn plan(check: &mut LintRun<'_>) {
    if check.any_on(&[&PART_ID]) {
        part_ids(check);
    }
    // A parent of super-planner is a task like any other; in the other formats it says less.
    let parents_too = check.context.dialect == Dialect::Superplanner;
    for field in fields(check.context.profile, check.context.dialect) {
        let asked = |at: u32| parents_too || !check.is_parent(at);
        let without = |(at, task): &(u32, &Task)| asked(*at) && !(field.fits)(task);
        let mut lacking = check.tasks().filter(without).map(|(_, task)| task);
        let Some(first) = lacking.next() else { continue };
        let who = match lacking.count() {
            0 => format!("`{}` has", first.id.escape_debug()),
            1 => format!("`{}` and one more task have", first.id.escape_debug()),
            more => format!("`{}` and {more} more tasks have", first.id.escape_debug()),
        };
        let message = format!("{who} no valid `{}`: the schema requires {}", field.name, field.wanted);
        check.task(
            &FIELD,
            first,
            field.place,
            message,
            "the format's own tools reject or ignore such a task",
        );
    }
}
