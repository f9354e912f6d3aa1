//! Is this run green?
//!
//! Exit code 0 and, where names are known, every required test among those that passed. A failing exit code is accepted only if
//! the report names the tests that failed and each of them failed without the change as well.

use windlass_core::report::{TestOutcome, TestReport};

use super::verdict::{Green, GreenFailure, GreenInput, RunExit, Strength};
use crate::syntax::same_test;

/// Judges a run on the candidate tree.
pub fn green(input: &GreenInput<'_>) -> Green {
    match judge(input) {
        Ok((tests, strength)) => Green::Passed { tests, strength },
        Err(failure) => Green::Failed(failure),
    }
}

fn judge(input: &GreenInput<'_>) -> Result<(Vec<String>, Strength), GreenFailure> {
    check_exit(input)?;
    let Some(report) = input.report else {
        // Names were seen before, or a runner promised them: their absence is not a pass.
        let expected = input.runner.is_some() || !input.required.is_empty();
        return if expected { Err(GreenFailure::NoReport) } else { Ok((Vec::new(), Strength::ExitOnly)) };
    };
    let failed = held_against(input, report);
    if !failed.is_empty() {
        return Err(GreenFailure::Tests { failed });
    }
    // Of a name that occurs twice, as cases of a table may, the worse result counts.
    check_required(report, input)?;
    let passed: Vec<String> = report.names(TestOutcome::Passed).map(str::to_owned).collect();
    if passed.is_empty() {
        let skipped: Vec<String> = report.names(TestOutcome::Skipped).map(str::to_owned).collect();
        return Err(if skipped.is_empty() {
            GreenFailure::NoTests
        } else {
            GreenFailure::Skipped { names: skipped }
        });
    }
    Ok((passed, Strength::Named))
}

fn check_exit(input: &GreenInput<'_>) -> Result<(), GreenFailure> {
    match input.exit {
        RunExit::Code(0) => Ok(()),
        RunExit::Code(code @ (126 | 127)) => Err(GreenFailure::CommandNotFound(code)),
        RunExit::Code(code @ 129..=159) => Err(GreenFailure::Signal(code - 128)),
        RunExit::Code(code) => {
            let failed = input.report.map(|report| held_against(input, report)).unwrap_or_default();
            let explained = input.report.is_some_and(|report| !not_passed(report).is_empty());
            match (failed.is_empty(), explained) {
                (true, true) => Ok(()),
                (true, false) => Err(GreenFailure::Exit(code)),
                (false, _) => Err(GreenFailure::Tests { failed }),
            }
        }
        RunExit::Signal(signal) => Err(GreenFailure::Signal(signal)),
        RunExit::TimedOut => Err(GreenFailure::TimedOut),
        RunExit::NotStarted => Err(GreenFailure::NotStarted),
    }
}

/// The tests whose failure counts.
fn held_against(input: &GreenInput<'_>, report: &TestReport) -> Vec<String> {
    let is_required =
        |name: &str| input.required.iter().any(|wanted| name == wanted || same_test(name, wanted));
    let may_fail = |name: &String| input.failing_before.contains(name) && !is_required(name);
    not_passed(report).into_iter().filter(|name| !may_fail(name)).collect()
}

fn not_passed(report: &TestReport) -> Vec<String> {
    [TestOutcome::Failed, TestOutcome::Errored]
        .into_iter()
        .flat_map(|o| report.names(o))
        .map(str::to_owned)
        .collect()
}

fn check_required(report: &TestReport, input: &GreenInput<'_>) -> Result<(), GreenFailure> {
    let mut missing = Vec::new();
    let mut skipped = Vec::new();
    // The code that lists the cases could as well leave one out, so a case that is skipped proves no less than that.
    let may_skip = |name: &String, found: &[TestOutcome]| {
        input.listed_by_code.contains(name) && found.contains(&TestOutcome::Passed)
    };
    for name in input.required {
        let found = outcomes(report, name);
        if found.is_empty() {
            missing.push(name.clone());
        } else if found.contains(&TestOutcome::Skipped) && !may_skip(name, &found) {
            skipped.push(name.clone());
        }
    }
    if !missing.is_empty() {
        Err(GreenFailure::Missing { names: missing })
    } else if !skipped.is_empty() {
        Err(GreenFailure::Skipped { names: skipped })
    } else {
        Ok(())
    }
}

/// What became of a required test: by its exact name, or else by the name it has in its source.
fn outcomes(report: &TestReport, name: &str) -> Vec<TestOutcome> {
    match report.tests.get(name) {
        Some(outcome) => vec![*outcome],
        None => report.tests.iter().filter(|(known, _)| same_test(known, name)).map(|(_, o)| *o).collect(),
    }
}

#[cfg(test)]
mod tests;
