//! The JSON file of `jest --json --outputFile`.

use serde::Deserialize;
use windlass_core::report::{Runner, TestOutcome, TestReport};

use super::source::{ReportError, ReportFormat, check_count, keep_message};

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct JestDocument {
    num_failed_tests: u64,
    num_passed_tests: u64,
    num_total_tests: u64,
    test_results: Vec<JestFile>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct JestFile {
    name: String,
    status: String,
    #[serde(default)]
    message: String,
    assertion_results: Vec<JestTest>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct JestTest {
    ancestor_titles: Vec<String>,
    title: String,
    status: String,
}

/// Reads the document; file names become relative to `root` where they lie below it.
pub(super) fn read(bytes: &[u8], root: Option<&str>) -> Result<TestReport, ReportError> {
    let document: JestDocument = serde_json::from_slice(bytes).map_err(|error| ReportError::Malformed {
        format: ReportFormat::JestJson,
        detail: error.to_string(),
    })?;
    let mut report = TestReport::new(Runner::Jest);
    let (mut passed, mut failed, mut total) = (0u64, 0u64, 0u64);
    for file in &document.test_results {
        let path = relative(&file.name, root);
        for case in &file.assertion_results {
            let outcome = outcome(&case.status);
            total += 1;
            passed += u64::from(outcome == TestOutcome::Passed);
            failed += u64::from(outcome == TestOutcome::Failed);
            let mut name = path.to_owned();
            for title in case.ancestor_titles.iter().chain([&case.title]) {
                name.push_str(" > ");
                name.push_str(title);
            }
            report.record(name, outcome);
        }
        if file.assertion_results.is_empty() && file.status == "failed" {
            report.record(path, TestOutcome::Errored);
            keep_message(&mut report, path, &file.message);
        }
    }
    check_count("passed tests", document.num_passed_tests, passed)?;
    check_count("failed tests", document.num_failed_tests, failed)?;
    check_count("tests", document.num_total_tests, total)?;
    Ok(report)
}

fn outcome(status: &str) -> TestOutcome {
    match status {
        "passed" => TestOutcome::Passed,
        "failed" => TestOutcome::Failed,
        "pending" | "skipped" | "todo" | "disabled" | "focused" => TestOutcome::Skipped,
        _ => TestOutcome::Errored,
    }
}

fn relative<'a>(path: &'a str, root: Option<&str>) -> &'a str {
    root.and_then(|root| path.strip_prefix(root)?.strip_prefix('/')).unwrap_or(path)
}

#[cfg(test)]
mod tests;
