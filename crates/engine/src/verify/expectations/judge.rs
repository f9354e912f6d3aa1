//! What became of tests with changed expectations. Runs nothing.

use windlass_code::syntax::same_test;
use windlass_core::report::{TestOutcome, TestReport};

use super::super::script::ScriptRun;
use super::pick::{MutantSet, MutatedTest};
use crate::process::ProcessExit;

/// What a test did with a changed expectation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Outcome {
    /// It failed, as it must.
    Failed,
    /// It passed.
    Passed,
    /// It did not run: it was not loaded, not compiled, or skipped.
    Unknown,
}

/// What became of every test of a run.
pub(super) fn of_run(set: &MutantSet, run: &ScriptRun) -> Vec<Outcome> {
    let of = |test: &MutatedTest| {
        if !set.named {
            return of_script(run);
        }
        // Two changed tests with one title: which of them failed is seen when each is changed alone.
        let title = test.inner_title();
        let alone = set.tests.iter().filter(|other| other.inner_title() == title).count() < 2;
        if alone { of_test(test, report_of(run)) } else { of_outer(test, report_of(run)) }
    };
    set.tests.iter().map(of).collect()
}

/// The named results of a run, if they can be believed.
pub(super) fn report_of(run: &ScriptRun) -> Option<&TestReport> {
    run.report.as_ref().ok().and_then(Option::as_ref)
}

/// What became of a test with its mutant, which may stand in a test inside it that is reported by its own title alone.
pub(super) fn of_test(test: &MutatedTest, report: Option<&TestReport>) -> Outcome {
    let seen = of_outer(test, report);
    let inner = test.inner_title().filter(|_| seen == Outcome::Passed).zip(report);
    let failed = inner.is_some_and(|(title, report)| {
        // Other runners name the inner test behind the outer one.
        let own = report.tests.keys().filter(|name| same_test(name, &test.seen.test)).count();
        let item = format!("{} > {title}", test.path);
        own == 1 && report.names(TestOutcome::Failed).any(|name| same_test(name, &item))
    });
    if failed { Outcome::Failed } else { seen }
}

/// What became of a test with its mutant by its own name. Where every case has another expectation, every case must fail.
fn of_outer(test: &MutatedTest, report: Option<&TestReport>) -> Outcome {
    let seen = outcome(&test.seen.test, report);
    let passes = |report: &TestReport| {
        let mut own = report.tests.iter().filter(|(name, _)| same_test(name, &test.seen.test));
        own.any(|(_, outcome)| *outcome == TestOutcome::Passed)
    };
    if seen == Outcome::Failed && test.mutant().every_case && report.is_some_and(passes) {
        return Outcome::Passed;
    }
    seen
}

/// What became of a test. The cases of a table are one test: their names may contain the changed value, so one of them
/// must fail, whichever.
pub(super) fn outcome(test: &str, report: Option<&TestReport>) -> Outcome {
    let Some(report) = report else { return Outcome::Unknown };
    let own = report.tests.iter().filter(|(name, _)| *name == test || same_test(name, test));
    let own: Vec<TestOutcome> = own.map(|(_, outcome)| *outcome).collect();
    if own.contains(&TestOutcome::Failed) {
        Outcome::Failed
    } else if own.contains(&TestOutcome::Passed) && !own.contains(&TestOutcome::Errored) {
        Outcome::Passed
    } else {
        Outcome::Unknown
    }
}

/// What became of a changed script: what it says of its tests, and its exit code.
pub(super) fn of_script(run: &ScriptRun) -> Outcome {
    let says_no = report_of(run).is_some_and(|report| report.names(TestOutcome::Failed).next().is_some());
    if says_no { Outcome::Failed } else { by_exit(&run.exit) }
}

/// What an exit code says of a changed script.
fn by_exit(exit: &ProcessExit) -> Outcome {
    match exit {
        ProcessExit::Code(0) => Outcome::Passed,
        ProcessExit::Code(126 | 127)
        | ProcessExit::TimedOut(_)
        | ProcessExit::NotStarted(_)
        | ProcessExit::Cancelled => Outcome::Unknown,
        ProcessExit::Code(_) | ProcessExit::Signal(_) => Outcome::Failed,
    }
}

/// Required tests that failed although nothing in them was changed.
pub(super) fn others(tests: &[MutatedTest], required: &[String], report: Option<&TestReport>) -> Vec<String> {
    let Some(report) = report else { return Vec::new() };
    let changed = |name: &str| {
        tests.iter().any(|test| {
            let inner = || test.inner_title().map(|title| format!("{} > {title}", test.path));
            same_test(name, &test.seen.test) || inner().is_some_and(|inner| same_test(name, &inner))
        })
    };
    let wanted = |name: &str| required.iter().any(|other| other == name || same_test(name, other));
    report
        .names(TestOutcome::Failed)
        .filter(|name| wanted(name) && !changed(name))
        .map(str::to_owned)
        .collect()
}

#[cfg(test)]
mod tests;
