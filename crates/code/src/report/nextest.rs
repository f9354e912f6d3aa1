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
mod tests;
