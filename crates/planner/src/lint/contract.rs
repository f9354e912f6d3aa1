//! Consistency of a contract task: its contract, interfaces, tests and check list must agree.

use std::sync::LazyLock;

use super::context::LintRun;
use super::contract_code as code;
use super::phrase_finder::Finder;
use super::rule::Profile::Contract;
use super::rule::{Levels, rules};
use super::words::has_phrase;
use windlass_core::diagnostic::Severity::{Error, Note, Warning};
use windlass_core::plan::{Interface, Mode, Task};

/// The levels of most of these rules.
const IN_CONTRACTS: Levels = Levels::off().with(Contract, Warning);

rules! {
    Words;
    PLACEHOLDER = "WL0507" "placeholder", Levels::all(Warning).with(Contract, Error),
        "code in the plan has a placeholder in it";
    PROSE_ONLY = "WL0508" "prose-only", IN_CONTRACTS, "a task has neither a contract nor tests";
    NO_PATH = "WL0509" "contract-without-path", IN_CONTRACTS, "a contract does not name its file";
    PROSE = "WL0510" "contract-prose", IN_CONTRACTS, "a contract has prose in it";
    BODY = "WL0511" "contract-body", IN_CONTRACTS, "a contract has an implementation in it";
    NOT_A_DEPENDENCY = "WL0512" "interface-without-dependency", Levels::all(Warning).with(Contract, Error),
        "an interface comes from a task that is not a dependency";
    NO_SOURCE = "WL0513" "interface-without-source", IN_CONTRACTS,
        "an interface does not name the task that provides it";
    DIFFERS = "WL0514" "interface-differs", Levels::all(Warning).with(Contract, Error),
        "an interface differs from the contract of the task it comes from";
    LONG = "WL0515" "long-interface", IN_CONTRACTS, "an interface is long enough to be an implementation";
    UNTESTED = "WL0516" "untested-export", Levels::all(Note).with(Contract, Warning),
        "the tests do not name what the contract exports";
    NO_ERROR_CASE = "WL0517" "no-error-case", Levels::all(Note).with(Contract, Warning),
        "the tests have no error case";
    SUBJECTIVE = "WL0518" "subjective", Levels::all(Note).with(Contract, Warning),
        "an item of the check list cannot be checked";
    COUNT = "WL0519" "test-count-differs", Levels::all(Warning).with(Contract, Error),
        "the check list counts a different number of tests";
    NO_CHECKLIST = "WL0520" "no-check-list", IN_CONTRACTS, "a task has no check list";
    NO_SECTION = "WL0521" "missing-section", IN_CONTRACTS,
        "a contract task lacks one of the sections that every task has";
    ELSEWHERE = "WL0522" "contract-elsewhere", IN_CONTRACTS,
        "a contract is about a file that is not among the task's files";
}

/// Checks one task.
pub(super) fn task(check: &mut LintRun<'_>, at: u32, task: &Task) {
    let complete_on = check.any_on(&[&PROSE_ONLY, &NO_CHECKLIST]);
    let sections_on = check.any_on(&[&NO_SECTION]);
    placeholders(check, task);
    contracts(check, task);
    for (i, interface) in task.interfaces.iter().enumerate() {
        interface_of(check, task, interface, &format!("interfaces[{i}]"));
    }
    tests(check, task);
    check_list(check, task);
    let tdd = check.mode(at) == Mode::Tdd;
    if complete_on && tdd && !check.is_parent(at) {
        complete(check, task);
    }
    // Without its files a task is no longer test-driven by inference: the sections do not depend on the mode.
    if sections_on
        && task.test.none.is_none()
        && task.mode.is_none_or(|m| m == Mode::Tdd)
        && !check.is_parent(at)
    {
        sections(check, task);
    }
}

/// Reports the sections that a task lacks. Done When has a rule of its own.
fn sections(check: &mut LintRun<'_>, task: &Task) {
    let missing = [
        (task.contract.is_empty(), "Contract"),
        (!task.depends_on.is_empty() && task.interfaces.is_empty(), "Dependencies (Interfaces Only)"),
        (task.test_code.is_empty() && task.test.file.is_none(), "Test Specification"),
        (task.files.is_empty(), "Output Files"),
        (task.verification.is_none() && task.test.command.is_none(), "Verification"),
    ];
    let named: Vec<String> =
        missing.iter().filter(|(gone, _)| *gone).map(|(_, name)| format!("`## {name}`")).collect();
    if !named.is_empty() {
        let message = format!("`{}` has no {}", task.id, named.join(", "));
        check.task(&NO_SECTION, task, "", message, "an agent that sees nothing else needs all six sections");
    }
}

fn placeholders(check: &mut LintRun<'_>, task: &Task) {
    let tests =
        (0..).zip(&task.test_code).map(|(i, b): (usize, _)| (format!("test_code[{i}]"), b.code.as_str()));
    let steps = (0..)
        .zip(&task.steps)
        .filter_map(|(i, s): (usize, _)| Some((format!("steps[{i}]"), s.code.as_deref()?)));
    for (field, text) in tests.chain(steps) {
        if let Some(line) = code::placeholder(text) {
            let message = format!("the code of `{}` has a placeholder: `{line}`", task.id);
            check.task(&PLACEHOLDER, task, &field, message, "write it out");
        }
    }
}

fn contracts(check: &mut LintRun<'_>, task: &Task) {
    for (i, block) in task.contract.iter().enumerate() {
        let field = format!("contract[{i}]");
        if block.path.is_none() {
            let message = format!("the contract of `{}` does not name its file", task.id);
            check.task(&NO_PATH, task, &field, message, "begin it with a comment that is the path");
        }
        if let Some(line) = code::does_work(&block.code) {
            let message = format!("the contract of `{}` has an implementation in it: `{line}`", task.id);
            check.task(&BODY, task, &field, message, "keep signatures and types only");
        }
        if let Some(line) = code::prose(&block.code) {
            let message = format!("the contract of `{}` has prose in it: `{line}`", task.id);
            check.task(&PROSE, task, &field, message, "say it as a signature or as a test");
        }
        let owns = |path: &String| task.owned().any(|own| own == path) || task.files.read.contains(path);
        if let Some(path) = block.path.as_ref().filter(|path| !task.files.is_empty() && !owns(path)) {
            let message = format!("the contract of `{}` is about `{path}`, which it does not write", task.id);
            check.task(
                &ELSEWHERE,
                task,
                &field,
                message,
                "name the file in Output Files, or correct the path",
            );
        }
    }
    if task.sections.iter().any(|s| s.heading == "Contract") {
        let message = format!("the contract of `{}` has prose in it", task.id);
        check.task(&PROSE, task, "contract", message, "say it as a signature or as a test");
    }
}

fn interface_of(check: &mut LintRun<'_>, task: &Task, interface: &Interface, field: &str) {
    let lines = interface.code.lines().count();
    if lines > 30 {
        let message = format!("an interface in `{}` has {lines} lines", task.id);
        check.task(
            &LONG,
            task,
            field,
            message,
            "keep only the functions that the task calls; five lines are usual",
        );
    }
    let Some(source) = interface.source.as_deref() else {
        let message = format!("an interface in `{}` does not name the task that provides it", task.id);
        check.task(&NO_SOURCE, task, field, message, "begin it with a comment `From TASK-001: name`");
        return;
    };
    let plan = check.plan;
    // A task that is not in the plan was merged earlier, or belongs to another plan: its interface is all there is.
    let Some(provider) = check.by_id.get(source).map(|at| &plan.tasks[*at as usize]) else { return };
    if !builds_on(check, task, source) {
        let message = format!("`{}` uses an interface of `{source}` and does not depend on it", task.id);
        check.task(&NOT_A_DEPENDENCY, task, field, message, "add it to `depends_on`");
    }
    differs(check, task, interface, provider, field);
}

/// Whether a task depends on another, directly or through others.
fn builds_on(check: &LintRun<'_>, task: &Task, wanted: &str) -> bool {
    let mut seen: Vec<&str> = Vec::new();
    let mut open: Vec<&str> = task.depends_on.iter().map(String::as_str).collect();
    while let Some(id) = open.pop() {
        if id == wanted {
            return true;
        }
        if !seen.contains(&id) {
            seen.push(id);
            let next = check.by_id.get(id).map(|at| &check.plan.tasks[*at as usize].depends_on);
            open.extend(next.into_iter().flatten().map(String::as_str));
        }
    }
    false
}

/// Reports functions that the interface and the provider's contract declare differently.
fn differs(check: &mut LintRun<'_>, task: &Task, interface: &Interface, provider: &Task, field: &str) {
    let promised: Vec<_> = provider.contract.iter().flat_map(code::functions).collect();
    for used in code::interface_functions(interface, &provider.contract) {
        let mut same_name = promised.iter().filter(|known| known.name == used.name).peekable();
        if same_name.peek().is_some() && !same_name.any(|known| *known == used) {
            let message =
                format!("`{}` is declared differently in the contract of `{}`", used.name, provider.id);
            check.task(&DIFFERS, task, field, message, "copy the declaration from the contract");
        }
    }
}

fn tests(check: &mut LintRun<'_>, task: &Task) {
    if task.test_code.is_empty() {
        return;
    }
    let mentioned = |name: &str| task.test_code.iter().any(|b| has_phrase(&b.code, name));
    let names: Vec<String> = task.contract.iter().flat_map(code::exported_names).collect();
    if !names.is_empty() && !names.iter().any(|n| mentioned(n)) {
        let message = format!("no test of `{}` names `{}`", task.id, names.join("`, `"));
        check.task(&UNTESTED, task, "test_code", message, "test what the contract promises");
    }
    if !task.test_code.iter().any(|b| code::has_error_case(&b.code)) {
        let message = format!("the tests of `{}` have no error case", task.id);
        check.task(&NO_ERROR_CASE, task, "test_code", message, "test a wrong or missing input");
    }
}

/// Words for qualities that no command can check.
const TASTE: &str = include_str!("../words/taste.txt");

static TASTES: LazyLock<Finder> = LazyLock::new(|| Finder::new(&[TASTE]));

fn check_list(check: &mut LintRun<'_>, task: &Task) {
    let written: usize = task.test_code.iter().map(code::tests).sum();
    for (i, item) in task.done_when.iter().enumerate() {
        if let Some(word) = TASTES.find(item)[0] {
            let field = format!("done_when[{i}]");
            let message = format!("`{word}` cannot be checked");
            check.task(&SUBJECTIVE, task, &field, message, "name something a command can check");
        }
        if let Some(counted) = counted_tests(item).filter(|n| written > 0 && *n != written) {
            let field = format!("done_when[{i}]");
            let message =
                format!("the check list of `{}` counts {counted} tests; there are {written}", task.id);
            check.task(&COUNT, task, &field, message, "");
        }
    }
}

/// The number in `all 3 tests pass`.
fn counted_tests(item: &str) -> Option<usize> {
    let number = |w: &str| match w {
        "both" | "Both" | "two" | "Two" => Some(2),
        "one" | "One" => Some(1),
        "three" | "Three" => Some(3),
        other => other.parse().ok(),
    };
    let mut before: [&str; 2] = ["", ""];
    for word in item.split_whitespace() {
        if matches!(word.trim_matches(['.', ',', ':']), "test" | "tests") {
            return number(before[1]).or_else(|| number(before[0]));
        }
        before = [before[1], word];
    }
    None
}

fn complete(check: &mut LintRun<'_>, task: &Task) {
    if task.contract.is_empty() && task.test_code.is_empty() {
        let message = format!("`{}` is described in prose only", task.id);
        check.task(&PROSE_ONLY, task, "", message, "give it a contract and tests");
    }
    if task.done_when.is_empty() {
        let message = format!("`{}` has no check list", task.id);
        check.task(&NO_CHECKLIST, task, "", message, "add the section Done When");
    }
}
