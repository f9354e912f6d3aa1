//! The JSON of `rspec --format json`.

use serde::Deserialize;
use windlass_core::report::{Runner, TestOutcome, TestReport};

use super::source::{ReportError, ReportFormat, check_count, keep_message};

#[derive(Deserialize)]
struct RspecDocument {
    #[serde(default)]
    messages: Vec<String>,
    examples: Vec<Example>,
    summary: RspecTotals,
}

#[derive(Deserialize)]
struct Example {
    full_description: String,
    status: String,
    file_path: String,
    exception: Option<Exception>,
}

#[derive(Deserialize)]
struct Exception {
    #[serde(default)]
    class: String,
    #[serde(default)]
    message: String,
}

#[derive(Deserialize)]
struct RspecTotals {
    #[serde(rename = "example_count")]
    examples: u64,
    #[serde(rename = "failure_count")]
    failures: u64,
    #[serde(default, rename = "errors_outside_of_examples_count")]
    outside: u64,
}

/// Reads a whole document.
pub(super) fn read(bytes: &[u8]) -> Result<TestReport, ReportError> {
    let document: RspecDocument = serde_json::from_slice(bytes).map_err(|error| ReportError::Malformed {
        format: ReportFormat::RspecJson,
        detail: error.to_string(),
    })?;
    let mut report = TestReport::new(Runner::Rspec);
    let mut failed = 0;
    for example in &document.examples {
        let name = format!("{}::{}", file(&example.file_path), example.full_description.trim());
        let outcome = match example.status.as_str() {
            "passed" => TestOutcome::Passed,
            "pending" => TestOutcome::Skipped,
            _ => TestOutcome::Failed,
        };
        failed += u64::from(outcome == TestOutcome::Failed);
        if let Some(exception) = &example.exception
            && outcome == TestOutcome::Failed
        {
            keep_message(&mut report, &name, &format!("{}:\n{}", exception.class, exception.message));
        }
        report.record(name, outcome);
    }
    check_count("examples", document.summary.examples, document.examples.len() as u64)?;
    check_count("failures", document.summary.failures, failed)?;
    outside(&document, &mut report);
    Ok(report)
}

/// A file that does not load has no examples; the message about it names it.
fn outside(document: &RspecDocument, report: &mut TestReport) {
    if document.summary.outside == 0 {
        return;
    }
    let mut named = false;
    for message in &document.messages {
        let loading = message.split_once("while loading ").map(|(_, rest)| rest);
        let Some(path) = loading.and_then(|rest| rest.split(".rb").next()) else { continue };
        let name = format!("{}.rb", file(path));
        keep_message(report, &name, message);
        report.record(name, TestOutcome::Errored);
        named = true;
    }
    if !named {
        keep_message(report, "rspec", &document.messages.join("\n"));
        report.record("rspec", TestOutcome::Errored);
    }
}

fn file(path: &str) -> &str {
    path.trim_start_matches("./")
}

#[cfg(test)]
mod tests;
