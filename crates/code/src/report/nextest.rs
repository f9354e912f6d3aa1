//! The JSON lines of `cargo nextest run --message-format libtest-json`.
//!
//! Other lines are output for people and are skipped.

use std::collections::BTreeSet;

use serde_json::Value;
use windlass_core::report::{Runner, TestOutcome, TestReport};

use super::source::{ReportError, check_count};

/// Reads every event; `Ok(None)` when there is none.
pub(super) fn read(bytes: &[u8]) -> Result<Option<TestReport>, ReportError> {
    let text = String::from_utf8_lossy(bytes);
    let mut report = TestReport::new(Runner::Nextest);
    let mut started = BTreeSet::new();
    let mut stated = StatedTotals::default();
    let mut events = 0u64;
    for line in text.lines().filter(|line| line.starts_with('{')) {
        let Ok(value) = serde_json::from_str::<Value>(line) else { continue };
        let field = |key| value.get(key).and_then(Value::as_str).unwrap_or_default();
        match (field("type"), field("event")) {
            ("suite", "started") => events += 1,
            ("suite", "ok" | "failed") => stated.add(&value),
            ("test", "started") => {
                started.insert(display_name(field("name")));
            }
            ("test", event) => {
                if let Some(outcome) = outcome(event) {
                    let name = display_name(field("name"));
                    started.remove(&name);
                    report.record(name, outcome);
                }
            }
            _ => {}
        }
    }
    if events == 0 && report.tests.is_empty() {
        return Ok(None);
    }
    // A test that started and never ended was killed.
    for name in started {
        report.record(name, TestOutcome::Errored);
    }
    check_count("passed tests", stated.passed, report.count(TestOutcome::Passed) as u64)?;
    check_count("failed tests", stated.failed, report.count(TestOutcome::Failed) as u64)?;
    Ok(Some(report))
}

/// Nextest repeats the number of ignored tests for each part of a suite, so only these two can be added up.
#[derive(Default)]
struct StatedTotals {
    passed: u64,
    failed: u64,
}

impl StatedTotals {
    fn add(&mut self, value: &Value) {
        let number = |key| value.get(key).and_then(Value::as_u64).unwrap_or(0);
        self.passed = self.passed.saturating_add(number("passed"));
        self.failed = self.failed.saturating_add(number("failed"));
    }
}

fn outcome(event: &str) -> Option<TestOutcome> {
    match event {
        "ok" => Some(TestOutcome::Passed),
        "failed" => Some(TestOutcome::Failed),
        "timeout" => Some(TestOutcome::Errored),
        "ignored" => Some(TestOutcome::Skipped),
        _ => None,
    }
}

fn display_name(name: &str) -> String {
    name.replacen('$', " ", 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    const RUN: &str = r#"    Starting 5 tests across 2 binaries
{"type":"suite","event":"started","test_count":4}
{"type":"test","event":"started","name":"mycrate::mycrate$tests::adds"}
{"type":"test","event":"started","name":"mycrate::mycrate$tests::ign"}
{"type":"test","event":"ignored","name":"mycrate::mycrate$tests::ign"}
{"type":"test","event":"ok","name":"mycrate::mycrate$tests::adds","exec_time":0.010}
        PASS [   0.011s] (2/5) mycrate tests::adds
{"type":"suite","event":"ok","passed":1,"failed":0,"ignored":1,"measured":0,"filtered_out":0}
{"type":"suite","event":"started","test_count":4}
{"type":"test","event":"started","name":"mycrate::it$slow"}
{"type":"test","event":"failed","name":"mycrate::it$fails","stdout":"left: 3"}
{"type":"suite","event":"failed","passed":0,"failed":1,"ignored":1,"measured":0,"filtered_out":2}
"#;

    #[test]
    fn events_become_outcomes() {
        let report = read(RUN.as_bytes()).unwrap().unwrap();
        insta::assert_debug_snapshot!(report.tests, @r#"
        {
            "mycrate::it fails": Failed,
            "mycrate::it slow": Errored,
            "mycrate::mycrate tests::adds": Passed,
            "mycrate::mycrate tests::ign": Skipped,
        }
        "#);
    }

    #[test]
    fn a_hidden_test_is_an_error() {
        let lost = RUN.replace(
            r#"{"type":"test","event":"ok","name":"mycrate::mycrate$tests::adds","exec_time":0.010}"#,
            "",
        );
        assert!(matches!(
            read(lost.as_bytes()),
            Err(ReportError::CountMismatch { what: "passed tests", .. })
        ));
    }

    #[test]
    fn without_events_there_is_no_report() {
        assert_eq!(read(b"error: no such command\n{}\n"), Ok(None));
    }
}
