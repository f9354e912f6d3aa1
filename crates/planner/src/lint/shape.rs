//! Shape: names, order and hierarchy.

use std::collections::HashMap;

use super::context::{LintRun, UNKNOWN};
use super::rule::Profile::{Ccw, Contract, Homerun, Superplanner, Zerg};
use super::rule::{Levels, Profile, rules};
use windlass_core::diagnostic::Severity::{Error, Note, Warning};
use windlass_core::ids::PlanName;
use windlass_core::plan::Task;

rules! {
    Shape;
    CASE_CLASH = "WL0101" "id-case-clash", Levels::all(Error), "two ids differ only in upper and lower case";
    NO_TITLE = "WL0102" "no-title", Levels::all(Warning), "a task has no title";
    ID_PATTERN = "WL0103" "id-pattern", Levels::off().with(Zerg, Warning).with(Homerun, Warning).with(Ccw, Warning).with(Contract, Warning),
        "an id does not follow the pattern of its format";
    REPEATED_DEPENDENCY = "WL0104" "repeated-dependency", Levels::all(Note), "a dependency is given twice";
    LEVEL_ORDER = "WL0105" "level-order", Levels::all(Note).with(Zerg, Warning),
        "a task depends on one of the same or a higher level";
    NUMBER_ORDER = "WL0106" "number-order", Levels::off().with(Homerun, Warning),
        "a task depends on a higher number";
    LAYER_ORDER = "WL0107" "layer-order", Levels::all(Note).with(Contract, Warning),
        "a task depends on one of a higher layer";
    CHAIN = "WL0108" "chain-dependency", Levels::all(Note).with(Contract, Warning),
        "a dependency follows from another one";
    HOSTILE_NAME = "WL0109" "hostile-name", Levels::all(Error), "a name contains invisible characters";
    PLAN_NAME = "WL0110" "plan-name", Levels::required(), "the plan's name cannot be part of a branch";
    BRANCH_NAME = "WL0111" "branch-name", Levels::required(),
        "the plan's branch is not a branch name git allows";
    UNKNOWN_PHASE = "WL0112" "unknown-phase", Levels::all(Warning),
        "a task is in a phase the plan does not list";
    PLAN_SIZE = "WL0113" "plan-size", Levels::off().with(Ccw, Warning), "the plan has more than 18 tasks";
    FLAT_PLAN = "WL0114" "flat-plan", Levels::off().with(Superplanner, Warning).with(Ccw, Note),
        "the plan is large and has no sub-projects";
    SUB_PROJECT_SIZE = "WL0115" "sub-project-size", Levels::off().with(Superplanner, Warning),
        "a sub-project has ten tasks or more";
    DEPTH = "WL0116" "hierarchy-depth", Levels::off().with(Ccw, Warning).with(Homerun, Warning),
        "the plan has more than two levels";
    EMPTY_PARENT = "WL0117" "empty-sub-plan", Levels::all(Warning), "a sub-plan is named and has no tasks";
    WIDE_TOP = "WL0118" "many-phases", Levels::off().with(Superplanner, Warning),
        "a plan with sub-projects has more than ten tasks at its top";
}

/// Checks one task.
pub(super) fn task(check: &mut LintRun<'_>, at: u32, task: &Task) {
    names(check, task);
    dependencies(check, at, task);
    hierarchy(check, at, task);
}

/// Checks the plan as a whole.
pub(super) fn plan(check: &mut LintRun<'_>) {
    plan_names(check);
    id_patterns(check);
    case_clashes(check);
    plan_size(check);
}

/// The first invisible or control character.
fn hidden(text: &str) -> Option<char> {
    if text.bytes().all(|b| (0x20..0x7f).contains(&b)) {
        return None;
    }
    let odd = |c: char| c.is_control() && c != '\t';
    let bidi = |c: char| matches!(c, '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' | '\u{feff}');
    text.chars().find(|c| odd(*c) || bidi(*c))
}

fn plan_names(check: &mut LintRun<'_>) {
    let plan = check.plan;
    if let Err(error) = PlanName::new(&plan.name) {
        let message = format!("`{}` cannot be the name of a plan: {error}", plan.name.escape_debug());
        check.whole(&PLAN_NAME, "name", message, "set `name`, or rename the folder");
    }
    if let Some(branch) = plan.branch.as_deref().filter(|b| !is_branch(b)) {
        let message = format!("`{}` is not a branch name git allows", branch.escape_debug());
        check.whole(&BRANCH_NAME, "branch", message, "");
    }
}

fn names(check: &mut LintRun<'_>, task: &Task) {
    let plan = check.plan;
    // super-planner's tasks have no title: the description is the name.
    let described = check.context.profile == Superplanner && !task.description.trim().is_empty();
    if task.title.trim().is_empty() && !described {
        check.task(
            &NO_TITLE,
            task,
            "title",
            format!("`{}` has no title", task.id),
            "describe in a few words what it does",
        );
    }
    if let Some(c) = hidden(&task.title) {
        let message = format!("the title of `{}` contains `{}`", task.id.escape_debug(), c.escape_unicode());
        check.task(&HOSTILE_NAME, task, "title", message, "remove the character");
    }
    if let Some(phase) = task.phase.as_ref().filter(|p| !plan.phases.is_empty() && !plan.phases.contains(p)) {
        let message = format!("`{}` is in phase `{phase}`, which the plan does not list", task.id);
        check.task(&UNKNOWN_PHASE, task, "phase", message, "add it to `phases`, or use one of them");
    }
}

/// One finding for all ids: such a plan usually follows another pattern everywhere.
fn id_patterns(check: &mut LintRun<'_>) {
    let (pattern, fits) = id_pattern(check.context.profile);
    let odd: Vec<&Task> = check.plan.tasks.iter().filter(|t| !fits(&t.id)).collect();
    let Some(first) = odd.first() else { return };
    let more = if odd.len() > 1 {
        format!(" and {} more ids do not", odd.len() - 1)
    } else {
        " does not".to_owned()
    };
    let message = format!("`{}`{more} follow the pattern `{pattern}`", first.id.escape_debug());
    check.task(&ID_PATTERN, first, "id", message, "");
}

/// The rules of `git check-ref-format` for a branch.
fn is_branch(name: &str) -> bool {
    let bad = |c: char| c.is_control() || " ~^:?*[\\".contains(c);
    let locked = |p: &str| p.rsplit_once('.').is_some_and(|(_, ending)| ending == "lock");
    let part_ok = |p: &str| !p.is_empty() && !p.starts_with('.') && !locked(p);
    !name.contains(bad)
        && !name.contains("..")
        && !name.contains("@{")
        && name != "@"
        && !name.starts_with('-')
        && !name.ends_with('.')
        && name.split('/').all(part_ok)
}

type Fits = fn(&str) -> bool;

/// The id pattern of a profile, in words and as a predicate.
fn id_pattern(profile: Profile) -> (&'static str, Fits) {
    match profile {
        Profile::Default | Superplanner => ("any", |_| true),
        Zerg => ("LETTERS-L1-001", |id| {
            let mut parts = id.split('-');
            let (Some(name), Some(level), Some(number), None) =
                (parts.next(), parts.next(), parts.next(), parts.next())
            else {
                return false;
            };
            !name.is_empty()
                && name.bytes().all(|b| b.is_ascii_uppercase())
                && level.strip_prefix('L').is_some_and(digits)
                && digits(number)
        }),
        Homerun => ("001 or 001a", |id| id.get(..3).is_some_and(digits) && at_most_one_letter(&id[3..])),
        Ccw => ("IMPL-1 or IMPL-1.2", |id| {
            id.strip_prefix("IMPL-").is_some_and(|n| n.split('.').all(digits) && n.split('.').count() <= 2)
        }),
        Contract => ("TASK-001 or TASK-001a", |id| {
            let Some(rest) = id.strip_prefix("TASK-") else { return false };
            let number = rest.trim_end_matches(|c: char| c.is_ascii_lowercase());
            digits(number) && at_most_one_letter(&rest[number.len()..])
        }),
    }
}

fn digits(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit())
}

fn at_most_one_letter(text: &str) -> bool {
    text.len() <= 1 && text.bytes().all(|b| b.is_ascii_lowercase())
}

fn case_clashes(check: &mut LintRun<'_>) {
    let has = |letter: fn(&u8) -> bool| check.plan.tasks.iter().any(|t| t.id.as_bytes().iter().any(letter));
    // If all letters have the same case, different ids differ in more than case.
    if !(has(u8::is_ascii_lowercase) && has(u8::is_ascii_uppercase)) {
        return;
    }
    let mut folded: HashMap<String, &Task> = HashMap::with_capacity(check.plan.tasks.len());
    for (_, task) in check.tasks() {
        let first = *folded.entry(task.id.to_ascii_lowercase()).or_insert(task);
        if first.id != task.id {
            let message =
                format!("`{}` and `{}` differ only in case", first.id.escape_debug(), task.id.escape_debug());
            check.task(&CASE_CLASH, task, "id", message, "give one of them another id");
        }
    }
}

fn dependencies(check: &mut LintRun<'_>, at: u32, task: &Task) {
    for (i, id) in task.depends_on.iter().enumerate() {
        let field = || format!("depends_on[{i}]");
        let need = check.needs(at)[i];
        let twice = match need {
            UNKNOWN => task.depends_on[..i].contains(id),
            known => check.needs(at)[..i].contains(&known),
        };
        if i < 4 * MANY && twice {
            check.task(
                &REPEATED_DEPENDENCY,
                task,
                &field(),
                format!("`{}` depends on `{id}` twice", task.id),
                "",
            );
            continue;
        }
        let Some(rank) = check.ranks.get(need as usize).copied() else { continue };
        if let (Some(own), Some(other)) = (task.level, rank.level)
            && other >= own
        {
            let message = format!("`{}` (level {own}) depends on `{id}` (level {other})", task.id);
            check.task(
                &LEVEL_ORDER,
                task,
                &field(),
                message,
                "the dependency sets the order; the level is only a hint",
            );
        }
        if let (Some(own), Some(other)) = (task.layer, rank.layer)
            && other > own
        {
            let message = format!("`{}` (layer {own}) depends on `{id}` (layer {other})", task.id);
            check.task(&LAYER_ORDER, task, &field(), message, "a lower layer should not need a higher one");
        }
        number_order(check, task, need, i);
        chain(check, at, task, i);
    }
}

fn number_order(check: &mut LintRun<'_>, task: &Task, need: u32, entry: usize) {
    if check.level(&NUMBER_ORDER).is_none() {
        return;
    }
    let on = &check.plan.tasks[need as usize];
    let number = |id: &str| id.chars().filter(char::is_ascii_digit).collect::<String>().parse::<u64>().ok();
    let family = task.parent.is_some() && (task.parent == on.parent || task.parent.as_ref() == Some(&on.id));
    if let (Some(own), Some(other)) = (number(&task.id), number(&on.id))
        && other >= own
        && !family
        && task.id != on.id
    {
        let message = format!("`{}` depends on `{}`, which comes later by number", task.id, on.id);
        check.task(
            &NUMBER_ORDER,
            task,
            &format!("depends_on[{entry}]"),
            message,
            "number tasks in the order they are carried out",
        );
    }
}

/// Longer lists of dependencies are not compared pairwise, to stay linear.
const MANY: usize = 16;

/// Only detours over one task are found, to stay linear.
fn chain(check: &mut LintRun<'_>, at: u32, task: &Task, entry: usize) {
    let needs = check.needs(at);
    if needs.len() > MANY {
        return;
    }
    let need = needs[entry];
    let through = (0..needs.len()).filter(|i| needs[*i] != need && needs[*i] != UNKNOWN).find(|i| {
        let beyond = check.needs(needs[*i]);
        beyond.len() <= MANY && beyond.contains(&need)
    });
    if let Some(through) = through {
        let (id, through) = (&task.depends_on[entry], &task.depends_on[through]);
        let message = format!("`{}` depends on `{id}` through `{through}` already", task.id);
        let field = format!("depends_on[{entry}]");
        check.task(&CHAIN, task, &field, message, "name only the tasks whose results it uses");
    }
}

fn plan_size(check: &mut LintRun<'_>) {
    // Containers hold tasks and are none themselves.
    let total = check.parts.iter().filter(|parts| parts.is_empty()).count();
    if total > 18 {
        let message = format!("the plan has {total} tasks, the limit is 18");
        check.whole(
            &PLAN_SIZE,
            "name",
            message,
            "divide it into several sessions, for example one per phase",
        );
    }
    let flat = check.parts.iter().all(Vec::is_empty);
    let top = check.plan.tasks.iter().filter(|t| t.parent.is_none()).count();
    if !flat && top > 10 {
        let message = format!("{top} tasks at the top level; five to ten are easy to survey");
        check.whole(&WIDE_TOP, "name", message, "group related tasks under one phase");
    }
    let limit = if check.context.profile == Ccw { 5 } else { 15 };
    if flat && total > limit {
        let message = format!("{total} tasks without sub-projects");
        check.whole(&FLAT_PLAN, "name", message, "group them under parents, one per phase or feature");
    }
}

fn hierarchy(check: &mut LintRun<'_>, at: u32, task: &Task) {
    let parts = check.parts[at as usize].len();
    if parts >= 10 {
        let message = format!("`{}` has {parts} direct parts; fewer than ten are easy to survey", task.id);
        check.task(&SUB_PROJECT_SIZE, task, "id", message, "split it once more");
    }
    if parts == 0 && task.sub_plan.is_some() && check.owned(at).is_empty() && task.parent.is_none() {
        let message = format!("the sub-plan of `{}` has no tasks", task.id);
        check.task(&EMPTY_PARENT, task, "sub_plan", message, "");
    }
    let parent =
        task.parent.as_deref().and_then(|p| check.by_id.get(p)).map(|p| &check.plan.tasks[*p as usize]);
    if parent.is_some_and(|p| p.parent.is_some()) {
        let message = format!("`{}` is a part of a part", task.id);
        check.task(&DEPTH, task, "parent", message, "two levels are enough: tasks and their parts");
    }
}
