//! Traceability: whether criteria are testable, and whether each has a task.

use std::collections::HashSet;

use super::context::LintRun;
use super::rule::Profile::{Default, Homerun};
use super::rule::{Levels, LintRule, rules};
use super::testable::{self, Trouble};
use windlass_core::diagnostic::Severity::{Error, Note, Warning};
use windlass_core::plan::{Criterion, Task};

/// The levels of the rules about wording.
const WORDING: Levels = Levels::all(Note).with(Homerun, Warning).with(Default, Warning);

rules! {
    Trace;
    ADJECTIVE = "WL0601" "adjective-only", WORDING, "a criterion is only an adjective";
    VAGUE = "WL0602" "vague-outcome", WORDING, "a criterion has an outcome that cannot be checked";
    NO_THRESHOLD = "WL0603" "no-threshold", WORDING, "a criterion asks for more or less and names no number";
    PASSIVE = "WL0604" "passive-outcome", WORDING, "a criterion says that something is handled, not how";
    NO_ASSERTION = "WL0605" "no-assertion", Levels::off().with(Homerun, Note),
        "a criterion has no assertion yet";
    GAP = "WL0606" "coverage-gap", Levels::all(Warning).with(Homerun, Error),
        "a criterion of the specification has no task";
    UNTRACED = "WL0607" "untraced", Levels::off().with(Homerun, Warning).with(Default, Note),
        "a task traces to nothing in the specification";
    UNKNOWN = "WL0608" "unknown-criterion", Levels::all(Warning),
        "a task traces to a criterion the plan does not have";
    NO_CRITERIA = "WL0609" "no-criteria", Levels::off().with(Homerun, Warning),
        "a task has no acceptance criteria";
}

fn rule_of(trouble: Trouble) -> &'static LintRule {
    match trouble {
        Trouble::Adjective => &ADJECTIVE,
        Trouble::Vague => &VAGUE,
        Trouble::NoThreshold => &NO_THRESHOLD,
        Trouble::Passive => &PASSIVE,
    }
}

/// Checks one task.
pub(super) fn task(check: &mut LintRun<'_>, at: u32, task: &Task) {
    criteria(check, at, task);
    if !check.is_parent(at) {
        links(check, task);
    }
}

/// Checks the plan's own criteria.
pub(super) fn plan(check: &mut LintRun<'_>) {
    let plan = check.plan;
    // A criterion of a task is reported there, once.
    let served: HashSet<&str> =
        plan.tasks.iter().flat_map(|t| &t.criteria).map(|c| c.text.as_str()).collect();
    for (i, criterion) in plan.criteria.iter().enumerate() {
        if served.contains(criterion.text.as_str()) {
            continue;
        }
        if let Some(trouble) = trouble(criterion) {
            let help = testable::advice(&criterion.text, trouble);
            check.whole(rule_of(trouble), &format!("criteria[{i}]"), said(criterion, trouble), &help);
        }
    }
    if !plan.criteria.is_empty() {
        gaps(check);
    }
}

/// A criterion with an assertion is testable.
fn trouble(criterion: &Criterion) -> Option<Trouble> {
    if criterion.assertion.is_some() { None } else { testable::trouble(&criterion.text) }
}

fn said(criterion: &Criterion, trouble: Trouble) -> String {
    format!("{} cannot be tested: {}", name(criterion), trouble.said())
}

fn name(criterion: &Criterion) -> String {
    if criterion.id.is_empty() { "a criterion".to_owned() } else { format!("`{}`", criterion.id) }
}

fn criteria(check: &mut LintRun<'_>, at: u32, task: &Task) {
    let suggests = check.level(&NO_ASSERTION).is_some();
    let plan = check.plan;
    let of_parts: HashSet<&str> = check.parts[at as usize]
        .iter()
        .flat_map(|part| &plan.tasks[*part as usize].criteria)
        .map(|c| c.text.as_str())
        .collect();
    for (i, criterion) in task.criteria.iter().enumerate() {
        if of_parts.contains(criterion.text.as_str()) {
            continue;
        }
        if let Some(trouble) = trouble(criterion) {
            let field = format!("criteria[{i}]");
            let help = testable::advice(&criterion.text, trouble);
            check.task(rule_of(trouble), task, &field, said(criterion, trouble), &help);
        } else if suggests
            && criterion.assertion.is_none()
            && let Some(assertion) = testable::assertion(&criterion.text)
        {
            let field = format!("criteria[{i}]");
            let message = format!("{} of `{}` has no assertion yet", name(criterion), task.id);
            check.task(&NO_ASSERTION, task, &field, message, &format!("perhaps `{assertion}`"));
        }
    }
    // The criteria of a parent are those of its parts.
    let none = task.criteria.is_empty() && of_parts.is_empty();
    if none && task.test.none.is_none() && check.any_on(&[&NO_CRITERIA]) {
        let message = format!("`{}` has no acceptance criteria", task.id);
        check.task(&NO_CRITERIA, task, "criteria", message, "take them from the specification");
    }
}

fn links(check: &mut LintRun<'_>, task: &Task) {
    let wanted = check.context.profile == Homerun || !check.criteria.is_empty();
    if wanted && task.traces_to.is_empty() && task.parent.is_none() {
        let message = format!("`{}` traces to no story, criterion or decision", task.id);
        check.task(&UNTRACED, task, "traces_to", message, "name its reason in `traces_to`");
    }
    if check.criteria.is_empty() {
        return;
    }
    for id in &task.traces_to.criteria {
        if !check.criteria.contains(id.as_str()) {
            let message = format!("`{}` traces to `{id}`, which is not in the plan", task.id);
            check.task(&UNKNOWN, task, "traces_to.criteria", message, "");
        }
    }
}

fn gaps(check: &mut LintRun<'_>) {
    let plan = check.plan;
    let mut covered: HashSet<&str> = HashSet::new();
    for task in &plan.tasks {
        covered.extend(task.traces_to.criteria.iter().map(String::as_str));
        covered.extend(task.criteria.iter().map(|c| c.id.as_str()));
    }
    for (i, criterion) in plan.criteria.iter().enumerate() {
        if !criterion.id.is_empty() && !covered.contains(criterion.id.as_str()) {
            let message = format!("no task covers `{}`", criterion.id);
            check.whole(
                &GAP,
                &format!("criteria[{i}]"),
                message,
                "add it to the `traces_to` of a task, or add a task",
            );
        }
    }
}
