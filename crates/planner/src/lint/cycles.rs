//! Quantified TDD cycles of a CCW session: three phases, counted test cases, coverage, counted refactorings.

use super::context::LintRun;
use super::rule::Profile::Ccw;
use super::rule::{Levels, LintRule, rules};
use windlass_core::diagnostic::Severity::{Error, Warning};
use windlass_core::plan::{Action, Mode, Task, TddCycle};
use windlass_formats::Dialect;

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
    NO_FOCUS = "WL0446" "no-focus", IN_SESSIONS, "a task has no focus paths";
    IMPROVEMENTS = "WL0447" "uncounted-refactoring", IN_SESSIONS,
        "a refactor step does not count and name its improvements";
    RED = "WL0448" "uncounted-red", IN_SESSIONS, "a red step does not count and name its test cases";
    GREEN = "WL0449" "uncounted-green", IN_SESSIONS, "a green step does not count what it implements";
    NOT_TDD = "WL0450" "no-tdd-workflow", IN_SESSIONS, "a task of a session does not say `tdd_workflow: true`";
    NO_ANALYSIS = "WL0451" "no-pre-analysis", IN_SESSIONS, "a task names nothing to look at before it starts";
}

/// Checks one task.
pub(super) fn task(check: &mut LintRun<'_>, at: u32, task: &Task) {
    let whole = [&PHASES, &NO_CYCLES, &NO_FIX_LIMIT, &IMPROVEMENTS, &RED, &GREEN];
    let (whole_on, fields_on) = (check.any_on(&whole), check.any_on(&[&NO_FOCUS, &NOT_TDD, &NO_ANALYSIS]));
    for (i, cycle) in task.tdd_cycles.iter().enumerate() {
        quantities(check, task, cycle, &format!("tdd_cycles[{i}]"));
    }
    if check.is_parent(at) {
        return;
    }
    // A task without files is a gate by inference; its three steps say that it is not meant as one.
    let phased = !task.tdd_cycles.is_empty() || task.steps.iter().any(|s| s.action == Action::WriteTest);
    let tdd = check.mode(at) == Mode::Tdd;
    if whole_on && tdd {
        phases(check, task);
    }
    if fields_on && (tdd || phased) {
        fields(check, task);
    }
}

/// The number that a step's title begins to count with: `3` in `Write 3 test cases: [a, b, c]`.
fn counted(title: &str) -> Option<usize> {
    let digits = |word: &str| word.trim_matches(|c: char| !c.is_ascii_alphanumeric()).parse().ok();
    let before_list = title.split_once('[').map_or(title, |(head, _)| head);
    before_list.split_whitespace().find_map(digits)
}

/// The number of items in a title's list.
fn listed(title: &str) -> Option<usize> {
    let (_, rest) = title.split_once('[')?;
    let (list, _) = rest.rsplit_once(']')?;
    let mut depth = 0_usize;
    let mut items = 1;
    for c in list.chars() {
        match c {
            '(' | '[' | '{' | '<' => depth += 1,
            ')' | ']' | '}' | '>' => depth = depth.saturating_sub(1),
            ',' if depth == 0 => items += 1,
            _ => {}
        }
    }
    Some(if list.trim().is_empty() { 0 } else { items })
}

/// Reports a step whose title counts nothing, or counts other than it lists.
fn step(check: &mut LintRun<'_>, task: &Task, action: Action, rule: &'static LintRule, help: &str) {
    let Some(title) = task.steps.iter().find(|s| s.action == action).and_then(|s| s.title.as_deref()) else {
        return;
    };
    let what = match action {
        Action::WriteTest => "red",
        Action::Implement => "green",
        Action::VerifyFail | Action::VerifyPass | Action::Refactor | Action::Format | Action::Commit => {
            "refactor"
        }
    };
    match (counted(title), listed(title)) {
        (None, _) => {
            let message = format!("the {what} step of `{}` counts nothing in its description", task.id);
            check.task(rule, task, "steps", message, help);
        }
        (Some(n), Some(items)) if n != items => {
            let message = format!("the {what} step of `{}` counts {n} and lists {items}", task.id);
            check.task(rule, task, "steps", message, help);
        }
        (Some(_), _) => {}
    }
}

fn phases(check: &mut LintRun<'_>, task: &Task) {
    let count = |action| task.steps.iter().filter(|s| s.action == action).count();
    let phases = [count(Action::WriteTest), count(Action::Implement), count(Action::Refactor)];
    if phases != [1, 1, 1] {
        let [red, green, refactor] = phases;
        let message = format!("`{}` has {red} red, {green} green and {refactor} refactor steps", task.id);
        let help = "one of each in `implementation`, in this order, by its `tdd_phase`";
        check.task(&PHASES, task, "steps", message, help);
    }
    step(check, task, Action::WriteTest, &RED, "for example `Write 2 test cases: [adds, refuses a zero]`");
    let green =
        "for example `Implement 2 functions in src/login.ts lines 1-40: [check() 1-20, hash() 21-40]`";
    step(check, task, Action::Implement, &GREEN, green);
    let refactor = "for example `Apply 2 refactorings: [name the limit, extract the parser]`";
    step(check, task, Action::Refactor, &IMPROVEMENTS, refactor);
    let red = task.steps.iter().find(|s| s.action == Action::WriteTest).and_then(|s| s.title.as_deref());
    let cases: usize = task.tdd_cycles.iter().filter_map(|c| c.test_count).map(|n| n as usize).sum();
    if let Some(n) = red.and_then(counted).filter(|n| cases > 0 && *n != cases) {
        let message = format!("the red step of `{}` counts {n} test cases, its cycles {cases}", task.id);
        check.task(&RED, task, "steps", message, "count the same cases in both");
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
    } else if lacks_fix_cycle(task) {
        let message = format!("the green step of `{}` has no `test_fix_cycle`", task.id);
        let help = "for example `\"test_fix_cycle\": { \"max_iterations\": 3 }`";
        check.task(&NO_FIX_LIMIT, task, "steps", message, help);
    }
}

/// Whether the green step of a session's file says nothing of the rounds of test and fix, under any spelling.
fn lacks_fix_cycle(task: &Task) -> bool {
    let steps = task.extra.get("implementation").and_then(|steps| steps.as_array());
    let green = steps.and_then(|steps| steps.iter().find(|step| step["tdd_phase"] == "green"));
    green.is_some_and(|step| {
        let letters: String = step.to_string().chars().filter(char::is_ascii_alphabetic).collect();
        let letters = letters.to_ascii_lowercase();
        !letters.contains("testfix") && !letters.contains("testandfix") && !letters.contains("autorevert")
    })
}

/// Fields that a session's tools look for in every task.
fn fields(check: &mut LintRun<'_>, task: &Task) {
    if task.focus_paths.is_empty() {
        let message = format!("`{}` has no `focus_paths`: its scope is not clear", task.id);
        check.task(&NO_FOCUS, task, "focus_paths", message, "list the files and folders it works on");
    }
    let said = task.extra.get("meta").and_then(|meta| meta.get("tdd_workflow"));
    let stated = check.context.dialect == Dialect::Ccw || task.extra.contains_key("meta");
    if stated && said != Some(&true.into()) {
        let message = format!("`{}` does not say `meta.tdd_workflow: true`", task.id);
        check.task(&NOT_TDD, task, "meta", message, "add it: the session is a TDD workflow");
    }
    if task.pre_analysis.is_empty() {
        let message = format!("`{}` has no `pre_analysis`", task.id);
        let help = "add a step that reads the integration points of the change";
        check.task(&NO_ANALYSIS, task, "pre_analysis", message, help);
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
    let digits: String = coverage.chars().skip_while(|c| !c.is_ascii_digit()).collect();
    let percent = digits.split_once('%').and_then(|(number, _)| number.trim().parse::<f64>().ok());
    if !percent.is_some_and(|percent| percent <= 100.0) {
        let message = format!("a cycle of `{}` has no coverage in per cent", task.id);
        check.task(&COVERAGE, task, field, message, "for example `>=85%`");
    }
    let scope = cycle.implementation_scope.as_deref().unwrap_or_default();
    if !scope.contains(|c: char| c.is_ascii_digit()) {
        let message = format!("a cycle of `{}` has no counted scope", task.id);
        check.task(&SCOPE, task, field, message, "for example `2 functions in src/login.ts, 40 lines`");
    }
}
