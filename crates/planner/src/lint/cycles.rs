//! Quantified TDD cycles of a CCW session: three phases, counted test cases, coverage, counted refactorings.

use super::context::LintRun;
use super::rule::Profile::Ccw;
use super::rule::{Levels, rules};
use windlass_core::diagnostic::Severity::{Error, Warning};
use windlass_core::plan::{Action, Mode, Task, TddCycle};

/// The levels of most of these rules.
const IN_SESSIONS: Levels = Levels::off().with(Ccw, Warning);

rules! {
    Size;
    PHASES = "WL0440" "three-phases", IN_SESSIONS, "a task does not have exactly red, green and refactor";
    NO_CYCLES = "WL0441" "no-cycles", IN_SESSIONS, "a task has no quantified cycle";
    COUNT = "WL0442" "test-count", Levels::all(Warning).with(Ccw, Error),
        "a cycle's count of test cases differs from its list";
    COVERAGE = "WL0443" "unmeasured-coverage", IN_SESSIONS, "a cycle's coverage is not a percentage";
    SCOPE = "WL0444" "uncounted-scope", IN_SESSIONS, "a cycle's scope names no count";
    NO_FIX_LIMIT = "WL0445" "no-fix-limit", IN_SESSIONS, "a task has no limit for its test-and-fix rounds";
    NO_FOCUS = "WL0446" "no-focus", IN_SESSIONS, "a task names no files or focus paths";
    IMPROVEMENTS = "WL0447" "uncounted-refactoring", IN_SESSIONS,
        "a refactor step does not count and name its improvements";
}

/// Checks one task.
pub(super) fn task(check: &mut LintRun<'_>, at: u32, task: &Task) {
    let whole_on = check.any_on(&[&PHASES, &NO_CYCLES, &NO_FIX_LIMIT, &NO_FOCUS, &IMPROVEMENTS]);
    for (i, cycle) in task.tdd_cycles.iter().enumerate() {
        quantities(check, task, cycle, &format!("tdd_cycles[{i}]"));
    }
    if whole_on && !check.is_parent(at) && check.mode(at) == Mode::Tdd {
        whole(check, task);
    }
}

fn whole(check: &mut LintRun<'_>, task: &Task) {
    let count = |action| task.steps.iter().filter(|s| s.action == action).count();
    let phases = [count(Action::WriteTest), count(Action::Implement), count(Action::Refactor)];
    if phases != [1, 1, 1] {
        let [red, green, refactor] = phases;
        let message = format!("`{}` has {red} red, {green} green and {refactor} refactor steps", task.id);
        check.task(&PHASES, task, "steps", message, "one of each, in this order");
    }
    let counted = |text: &String| text.contains(|c: char| c.is_ascii_digit());
    let refactor = task.steps.iter().find(|s| s.action == Action::Refactor);
    if refactor.and_then(|step| step.title.as_ref()).is_some_and(|title| !counted(title)) {
        let message = format!("the refactor step of `{}` counts no improvements", task.id);
        let help = "for example `apply 2 refactorings: name the limit, extract the parser`";
        check.task(&IMPROVEMENTS, task, "steps", message, help);
    }
    if task.tdd_cycles.is_empty() {
        let message = format!("`{}` has no cycle with test cases", task.id);
        check.task(
            &NO_CYCLES,
            task,
            "tdd_cycles",
            message,
            "add a cycle with its count and list of test cases",
        );
    }
    if task.max_iterations.is_none() {
        let message = format!("`{}` has no limit for its test-and-fix rounds", task.id);
        check.task(&NO_FIX_LIMIT, task, "steps", message, "set `max_iterations`, usually to 3");
    }
    if task.focus_paths.is_empty() && task.files.is_empty() {
        let message = format!("`{}` names no files or paths", task.id);
        check.task(&NO_FOCUS, task, "focus_paths", message, "set `focus_paths`");
    }
}

fn quantities(check: &mut LintRun<'_>, task: &Task, cycle: &TddCycle, field: &str) {
    let listed = cycle.test_cases.len();
    let differs = cycle.test_count.is_some_and(|n| n as usize != listed);
    if differs || cycle.test_count.is_none() || listed == 0 {
        let counted = cycle.test_count.map_or_else(|| "none".to_owned(), |n| n.to_string());
        let message = format!("`{}` counts {counted} test cases and lists {listed}", task.id);
        check.task(&COUNT, task, field, message, "give the count and name every case");
    }
    let coverage = cycle.expected_coverage.as_deref().unwrap_or_default();
    if !(coverage.contains('%') && coverage.contains(|c: char| c.is_ascii_digit())) {
        let message = format!("a cycle of `{}` has no coverage in per cent", task.id);
        check.task(&COVERAGE, task, field, message, "for example `>=85%`");
    }
    let scope = cycle.implementation_scope.as_deref().unwrap_or_default();
    if !scope.contains(|c: char| c.is_ascii_digit()) {
        let message = format!("a cycle of `{}` has no counted scope", task.id);
        check.task(&SCOPE, task, field, message, "for example `2 functions in src/login.ts, 40 lines`");
    }
}
