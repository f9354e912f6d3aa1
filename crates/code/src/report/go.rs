//! The JSON lines of `go test -json`.

use std::collections::{BTreeMap, BTreeSet};

use serde::Deserialize;
use windlass_core::report::{Runner, TestOutcome, TestReport};

use super::source::ReportError;

#[derive(Deserialize)]
#[serde(rename_all = "PascalCase")]
struct GoEvent {
    action: String,
    package: Option<String>,
    test: Option<String>,
    #[serde(default)]
    output: String,
}

/// What a test that has not ended was doing.
enum Underway {
    Running,
    /// It waits for its turn to run in parallel.
    Paused,
}

/// Reads every event; `Ok(None)` when there is none. `module` has a module's name and, behind a blank, the directory that
/// takes its place in names.
#[expect(clippy::unnecessary_wraps, reason = "every reader has the same shape")]
pub(super) fn read(bytes: &[u8], module: Option<&str>) -> Result<Option<TestReport>, ReportError> {
    let placed = |package: String| match module.and_then(|m| m.split_once(' ')) {
        Some((name, dir)) => match package.strip_prefix(name) {
            Some(inner) if inner.is_empty() || inner.starts_with('/') => format!("{dir}{inner}"),
            _ => package,
        },
        None => package,
    };
    let text = String::from_utf8_lossy(bytes);
    let mut report = TestReport::new(Runner::GoTest);
    let (mut open, mut cut_off) = (BTreeMap::new(), BTreeSet::new());
    let mut failed_packages = BTreeSet::new();
    let mut seen = false;
    for line in text.lines().filter(|line| line.starts_with('{')) {
        let Ok(event) = serde_json::from_str::<GoEvent>(line) else { continue };
        let closing = event.package.as_ref().map(|package| format!("ok  \t{package}\t"));
        let Some(package) = event.package.map(placed) else { continue };
        seen = true;
        match (event.test, event.action.as_str()) {
            (Some(test), "run" | "cont") => {
                open.insert(format!("{package} {test}"), Underway::Running);
            }
            (Some(test), "pause") => {
                open.insert(format!("{package} {test}"), Underway::Paused);
            }
            // The tool's own last line while a test is under way: the program has ended in the middle of it, with success,
            // and the tool takes the test for passed. It stays open.
            (Some(test), "output")
                if closing.as_deref().is_some_and(|line| event.output.starts_with(line)) =>
            {
                cut_off.insert(format!("{package} {test}"));
            }
            (Some(test), action) => {
                let name = format!("{package} {test}");
                if let Some(outcome) = outcome(action).filter(|_| !cut_off.contains(&name)) {
                    open.remove(&name);
                    report.record(name, outcome);
                }
            }
            (None, "fail") => {
                failed_packages.insert(package);
            }
            (None, _) => {}
        }
    }
    if !seen {
        return Ok(None);
    }
    for (name, underway) in open {
        // A panic outside the test's own goroutine ends the program without a word about the test.
        let (package, _) = name.split_once(' ').unwrap_or((&name, ""));
        let outcome = match underway {
            Underway::Running if failed_packages.contains(package) && !cut_off.contains(&name) => {
                TestOutcome::Failed
            }
            Underway::Running | Underway::Paused => TestOutcome::Errored,
        };
        report.record(name, outcome);
    }
    for package in failed_packages {
        if !has_failure(&report, &package) {
            report.record(package, TestOutcome::Errored);
        }
    }
    Ok(Some(report))
}

fn has_failure(report: &TestReport, package: &str) -> bool {
    let below = format!("{package} ");
    report.tests.iter().any(|(name, outcome)| {
        name.starts_with(&below) && matches!(outcome, TestOutcome::Failed | TestOutcome::Errored)
    })
}

fn outcome(action: &str) -> Option<TestOutcome> {
    match action {
        "pass" => Some(TestOutcome::Passed),
        "fail" => Some(TestOutcome::Failed),
        "skip" => Some(TestOutcome::Skipped),
        _ => None,
    }
}

#[cfg(test)]
mod tests;
