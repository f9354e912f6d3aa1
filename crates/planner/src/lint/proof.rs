//! Verification: whether a task can be verified, and whether its verification can fail.

use super::context::{LintRun, TaskScript};
use super::rule::{Levels, Profile, rules};
use super::verification_script::VerificationScript;
use crate::file_kind::is_source;
use crate::runnable::test_file_of;
use windlass_code::detect::is_test_path;
use windlass_code::script::instrument;
use windlass_core::diagnostic::Severity::{Error, Note, Warning};
use windlass_core::path_text::file_name;
use windlass_core::plan::{Mode, NoTestReason, Proof, Task, impossible_order};

rules! {
    Proof;
    NO_PROOF = "WL0301" "no-proof", Levels::all(Error), "a task cannot be verified";
    NEVER_FAILS = "WL0302" "never-fails", Levels::all(Error),
        "the verification cannot fail, whatever the code does";
    MASKED = "WL0303" "masked-exit-code", Levels::all(Error),
        "the verification's exit code is that of a filter";
    BAD_REASON = "WL0304" "unknown-reason", Levels::all(Error),
        "`test.none` is not one of the known reasons";
    NO_TEST = "WL0305" "no-test-file", Levels::off().with(Profile::Homerun, Error),
        "a task has neither a test file nor a reason";
    NOT_A_TEST = "WL0306" "not-a-test", Levels::all(Warning), "the test file does not look like one";
    MODES = "WL0307" "mode", Levels::all(Note), "tasks will not run in the mode `tdd`";
    NO_COVERAGE_TOOL = "WL0308" "coverage-without-tool", Levels::all(Warning),
        "coverage is required and nothing measures it";
    REASON_AND_TEST = "WL0309" "reason-and-test", Levels::all(Warning),
        "a task has a test and a reason for having none";
    REASON_MISFIT = "WL0310" "reason-misfit", Levels::all(Warning),
        "the reason does not fit the files the task changes";
    ONLY_LOOKS = "WL0311" "only-looks", Levels::all(Note).with(Profile::Contract, Warning).with(Profile::Homerun, Warning),
        "the verification only checks that files or words exist";
    BAD_TIMEOUT = "WL0312" "bad-timeout", Levels::all(Warning),
        "a time limit is zero or longer than an attempt";
    BAD_HASH = "WL0313" "bad-hash", Levels::all(Error), "the hash of a held-out test is not a blake3 hash";
    RUNNING = "WL0314" "left-running", Levels::all(Warning), "the verification leaves a command running";
    MODE_MISFIT = "WL0315" "mode-misfit", Levels::all(Error), "a task cannot run in the mode it asks for";
    STEP_ORDER = "WL0316" "step-order", Levels::all(Error), "the listed steps cannot be carried out in their order";
}

/// Checks one task.
pub(super) fn task(check: &mut LintRun<'_>, at: u32, task: &Task) {
    reason(check, task);
    test_file(check, at, task);
    commands(check, task);
    limits(check, task);
    if check.is_parent(at) && check.owned(at).is_empty() {
        return;
    }
    proof(check, task);
    mode_misfit(check, task);
    let mode = check.mode(at);
    if let Some((place, why)) = impossible_order(task, mode) {
        let help = "write_test, verify_fail, implement, verify_pass, format, commit is the order of a test-first task";
        check.task(&STEP_ORDER, task, "steps", format!("step {} of `{}`: {why}", place + 1, task.id), help);
    }
    if mode != Mode::Tdd && task.mode.is_none() {
        check.noted.inferred.entry(mode.as_str()).or_default().push(at);
    }
}

/// Reports the inferred modes, one finding each.
pub(super) fn plan(check: &mut LintRun<'_>) {
    for (mode, tasks) in std::mem::take(&mut check.noted.inferred) {
        let ids = tasks.iter().take(8).map(|at| check.plan.tasks[*at as usize].id.as_str());
        let named = ids.collect::<Vec<_>>().join(", ");
        let more = if tasks.len() > 8 { format!(" and {} more", tasks.len() - 8) } else { String::new() };
        let verb = if tasks.len() == 1 { "runs" } else { "run" };
        let message = format!("{named}{more} {verb} in mode `{mode}`");
        check.whole(&MODES, "name", message, "set `mode` to change it");
    }
}

fn proof(check: &mut LintRun<'_>, task: &Task) {
    let given = task.test.none.as_deref().unwrap_or_default();
    let reported = !given.trim().is_empty() && NoTestReason::parse(given).is_none();
    // A test among the files that the task writes proves it, as the run will take it.
    if task.proof() == Proof::Nothing && !reported && test_file_of(task).is_none() {
        let help = "give it a test file, a verification script, or one of the reasons for having no test";
        check.task(&NO_PROOF, task, "", format!("nothing verifies `{}`", task.id), help);
    }
}

fn reason(check: &mut LintRun<'_>, task: &Task) {
    let Some(given) = task.test.none.as_deref().filter(|r| !r.trim().is_empty()) else { return };
    let Some(reason) = NoTestReason::parse(given) else {
        let known = NoTestReason::ALL.map(NoTestReason::as_str).join(", ");
        let message = format!("`{}` is not a reason for having no test", given.escape_debug());
        check.task(&BAD_REASON, task, "test.none", message, &format!("one of {known}"));
        return;
    };
    if !task.test_files().is_empty() || task.test.command.is_some() {
        let message = format!("`{}` has a test and says `{}`", task.id, reason.as_str());
        check.task(&REASON_AND_TEST, task, "test.none", message, "keep one of the two");
    }
    let odd = task.files.create.iter().chain(&task.files.modify).find(|p| !fits(reason, p));
    if let Some(path) = odd {
        let message = format!("`{}` does not fit `{path}`", reason.as_str());
        check.task(
            &REASON_MISFIT,
            task,
            "test.none",
            message,
            "give the task a test, or move the file to another task",
        );
    }
}

/// Whether a file fits a reason for having no test. Only clear contradictions are reported.
fn fits(reason: NoTestReason, path: &str) -> bool {
    let name = file_name(path).to_ascii_lowercase();
    let source = is_source(path);
    let configuration = name.contains("config") || name.contains("settings") || name.starts_with('.');
    match reason {
        NoTestReason::DocumentationOnly => !source,
        NoTestReason::ConfigStatic => !source || configuration,
        NoTestReason::TypeDefinitionsOnly => !name.ends_with(".sh") && !name.ends_with(".md"),
        NoTestReason::DependencyUpdate | NoTestReason::DeleteDeadCode => true,
    }
}

fn test_file(check: &mut LintRun<'_>, at: u32, task: &Task) {
    let reason = task.test.none.as_deref().is_some_and(|r| !r.trim().is_empty());
    let Some(path) = task.test.file.as_deref() else {
        let missing = !reason && task.test_files().is_empty() && !check.is_parent(at);
        if missing && check.any_on(&[&NO_TEST]) {
            let message = format!("`{}` has neither a test file nor a reason for having none", task.id);
            check.task(&NO_TEST, task, "test.file", message, "set `test_file`, or `no_test_reason`");
        }
        return;
    };
    if !task.test.inline && !is_test_path(path) {
        let message = format!("`{path}` does not look like a test file");
        check.task(
            &NOT_A_TEST,
            task,
            "test.file",
            message,
            "append `(inline tests)` if the tests are inside the source",
        );
    }
}

fn commands(check: &mut LintRun<'_>, task: &Task) {
    let scripts = std::mem::take(&mut check.scripts);
    let mut measured = false;
    for TaskScript { field, text, script, .. } in &scripts {
        measured |= task.test.coverage.is_some() && measures_coverage(text);
        if script.never_fails() {
            let message = format!("`{}` cannot fail", shorten(text));
            check.task(&NEVER_FAILS, task, field, message, "use the exit code of the test command");
        } else if let Some(line) = tests_that_cannot_fail(text) {
            let message = format!("`{}` runs tests and cannot fail", shorten(&line));
            check.task(&NEVER_FAILS, task, field, message, "use the exit code of the test command");
        } else if let Some(filter) = script.mask() {
            masked(check, task, field, filter);
        }
        if script.leaves_running() {
            let message = "a command is started with `&` and its exit code is lost".to_owned();
            check.task(&RUNNING, task, field, message, "start services with `[verify] services`");
        }
        if script.only_looks() && !script.never_fails() {
            let message = format!("the verification of `{}` only looks at files", task.id);
            check.task(&ONLY_LOOKS, task, field, message, "run a test that uses the result of the task");
        }
    }
    check.scripts = scripts;
    if task.test.coverage.is_some() && !measured {
        let message = format!("`{}` requires coverage, and no command measures it", task.id);
        check.task(
            &NO_COVERAGE_TOOL,
            task,
            "test.coverage",
            message,
            "add the option of your test runner that measures it",
        );
    }
}

/// A line of a script that runs tests and ends well whatever they say, though another line may fail.
fn tests_that_cannot_fail(script: &str) -> Option<String> {
    let whole = script.replace("\\\n", " ");
    let runs_tests = |line: &str| instrument(line, "/").runner().is_some();
    let lost = |line: &&str| VerificationScript::parse(line).never_fails() && runs_tests(line);
    whole.lines().find(lost).map(|line| line.trim().to_owned())
}

/// Reports a masked exit code: an error in a native plan, a warning in an imported one.
fn masked(check: &mut LintRun<'_>, task: &Task, field: &str, filter: &str) {
    let message = format!("the exit code is that of `{filter}`, not of the test");
    let before = check.found.len();
    check.task(&MASKED, task, field, message, "remove the filter, or begin with `set -o pipefail`");
    let set = [MASKED.code, MASKED.name].iter().any(|k| check.context.overrides.contains_key(*k));
    if check.is_imported() && !set {
        check.found[before..].iter_mut().for_each(|d| d.severity = Warning);
    }
}

fn measures_coverage(script: &str) -> bool {
    let tools = ["cov", "c8 ", "nyc ", "-cover", "tarpaulin", "jacoco"];
    tools.iter().any(|t| script.contains(t))
}

fn limits(check: &mut LintRun<'_>, task: &Task) {
    if let Some(seconds) = task.verification.as_ref().and_then(|v| v.timeout_seconds) {
        let longest = if check.context.profile == Profile::Zerg { 600 } else { 1800 };
        if seconds == 0 || seconds > longest {
            let message = format!("a time limit of {seconds} seconds; allowed are 1 to {longest}");
            check.task(&BAD_TIMEOUT, task, "verification.timeout_seconds", message, "");
        }
    }
    for held in &task.test.held_out {
        let hash = held.blake3.len() == 64 && held.blake3.bytes().all(|b| b.is_ascii_hexdigit());
        if !hash {
            let message = format!("the hash of `{}` is not 64 hexadecimal digits", held.path.escape_debug());
            check.task(&BAD_HASH, task, "test.held_out", message, "");
        }
    }
}

fn mode_misfit(check: &mut LintRun<'_>, task: &Task) {
    let owns = task.owned().next().is_some();
    let said = match task.mode {
        Some(Mode::Gate) if owns => "is a gate and owns files",
        // A task without a proof is reported as such.
        Some(Mode::Tdd) if !owns && task.proof() != Proof::Nothing => "runs test first and owns no file",
        Some(Mode::None) if task.test.none.is_none() && task.test.required != Some(false) => {
            "runs without a test and gives no reason"
        }
        Some(Mode::Tdd | Mode::TestsOnly | Mode::Refactor | Mode::Gate | Mode::None) | None => return,
    };
    check.task(&MODE_MISFIT, task, "mode", format!("`{}` {said}", task.id), "");
}

/// The first line of a script, cut.
fn shorten(script: &str) -> String {
    let line = script.lines().map(str::trim).find(|l| !l.is_empty()).unwrap_or_default();
    let cut: String = line.chars().take(60).collect();
    if cut.len() < line.len() { format!("{cut}…") } else { cut }
}
