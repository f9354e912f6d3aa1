//! Fields that the schema of a format requires, missing or out of range.
//!
//! One finding per field, not per task: such a plan usually lacks the field everywhere.

use super::context::LintRun;
use super::rule::Profile::{self, Ccw, Contract, Zerg};
use super::rule::{Levels, rules};
use windlass_core::diagnostic::Severity::{Note, Warning};
use windlass_core::plan::{Proof, Task};

rules! {
    Shape;
    FIELD = "WL0119" "schema-field",
        Levels::off().with(Zerg, Warning).with(Ccw, Note).with(Contract, Note),
        "a field that the format's schema requires is missing or out of range";
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

const CONTRACT: &[Field] = &[
    Field { name: "layer", place: "layer", wanted: "a number", fits: |t| t.layer.is_some() },
    Field { name: "track", place: "track", wanted: "a word", fits: |t| t.track.is_some() },
    Field {
        name: "estimated_complexity",
        place: "complexity",
        wanted: "one of trivial, simple, medium and complex",
        fits: |t| t.complexity.is_some(),
    },
];

fn fields(profile: Profile) -> &'static [Field] {
    match profile {
        Zerg => ZERG,
        Ccw => CCW,
        Contract => CONTRACT,
        Profile::Default | Profile::Homerun | Profile::Superplanner => &[],
    }
}

/// Checks the plan as a whole.
pub(super) fn plan(check: &mut LintRun<'_>) {
    for field in fields(check.context.profile) {
        let without = |(at, task): &(u32, &Task)| !check.is_parent(*at) && !(field.fits)(task);
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
