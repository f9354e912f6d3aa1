//! The JSON lines of `go test -json`.

use std::collections::BTreeSet;

use serde::Deserialize;
use windlass_core::report::{Runner, TestOutcome, TestReport};

use super::source::ReportError;

#[derive(Deserialize)]
#[serde(rename_all = "PascalCase")]
struct GoEvent {
    action: String,
    package: Option<String>,
    test: Option<String>,
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
    let mut open = BTreeSet::new();
    let mut failed_packages = BTreeSet::new();
    let mut seen = false;
    for line in text.lines().filter(|line| line.starts_with('{')) {
        let Ok(event) = serde_json::from_str::<GoEvent>(line) else { continue };
        let Some(package) = event.package.map(placed) else { continue };
        seen = true;
        match (event.test, event.action.as_str()) {
            (Some(test), "run") => {
                open.insert(format!("{package} {test}"));
            }
            (Some(test), action) => {
                if let Some(outcome) = outcome(action) {
                    let name = format!("{package} {test}");
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
    for name in open {
        report.record(name, TestOutcome::Errored);
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
mod tests {
    use super::*;

    const RUN: &str = r#"{"Action":"start","Package":"example.com/lab/calc"}
{"Action":"run","Package":"example.com/lab/calc","Test":"TestAdd"}
{"Action":"output","Package":"example.com/lab/calc","Test":"TestAdd","Output":"--- PASS: TestAdd (0.00s)\n"}
{"Action":"pass","Package":"example.com/lab/calc","Test":"TestAdd","Elapsed":0}
{"Action":"run","Package":"example.com/lab/calc","Test":"TestTable/b_b"}
{"Action":"skip","Package":"example.com/lab/calc","Test":"TestTable/b_b"}
{"Action":"run","Package":"example.com/lab/calc","Test":"TestHangs"}
not json
{"Action":"fail","Package":"example.com/lab/calc","Elapsed":0.004}
{"ImportPath":"example.com/lab/miss [example.com/lab/miss.test]","Action":"build-fail"}
{"Action":"fail","Package":"example.com/lab/miss","Elapsed":0,"FailedBuild":"example.com/lab/miss"}
"#;

    #[test]
    fn events_become_outcomes() {
        let report = read(RUN.as_bytes(), None).unwrap().unwrap();
        insta::assert_debug_snapshot!(report.tests, @r#"
        {
            "example.com/lab/calc TestAdd": Passed,
            "example.com/lab/calc TestHangs": Errored,
            "example.com/lab/calc TestTable/b_b": Skipped,
            "example.com/lab/miss": Errored,
        }
        "#);
        assert_eq!(read(b"FAIL\n", None), Ok(None));
        let event = br#"{"Action":"pass","Package":"example.com/api/store","Test":"TestA"}"#;
        let placed = read(event, Some("example.com/api backend")).unwrap().unwrap();
        assert_eq!(placed.tests.keys().collect::<Vec<_>>(), ["backend/store TestA"]);
    }
}
