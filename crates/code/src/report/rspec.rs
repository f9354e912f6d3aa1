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
mod tests {
    use super::*;

    /// As rspec 3.12 writes it.
    const EXAMPLES: &str = r#"{"version":"3.12.0","examples":[
{"id":"./spec/text_spec.rb[1:1]","description":"ok","full_description":"slug ok","status":"passed","file_path":"./spec/text_spec.rb","line_number":3,"pending_message":null},
{"id":"./spec/text_spec.rb[1:2]","description":"bad","full_description":"slug bad","status":"failed","file_path":"./spec/text_spec.rb","line_number":6,"exception":{"class":"RSpec::Expectations::ExpectationNotMetError","message":"\nexpected: \"a\"\n     got: \"b\"\n","backtrace":[]}},
{"id":"./spec/text_spec.rb[1:4]","description":"later","full_description":"slug later","status":"pending","file_path":"./spec/text_spec.rb","line_number":12,"pending_message":"Not yet implemented"}],
"summary":{"duration":0.01,"example_count":3,"failure_count":1,"pending_count":1,"errors_outside_of_examples_count":0},"summary_line":"3 examples"}"#;

    #[test]
    fn examples_by_file_and_description() {
        let report = read(EXAMPLES.as_bytes()).unwrap();
        insta::assert_debug_snapshot!(report.tests, @r#"
        {
            "spec/text_spec.rb::slug bad": Failed,
            "spec/text_spec.rb::slug later": Skipped,
            "spec/text_spec.rb::slug ok": Passed,
        }
        "#);
        assert!(report.messages["spec/text_spec.rb::slug bad"].contains("expected: \"a\""));
    }

    #[test]
    fn a_file_that_does_not_load_is_named() {
        let text = r#"{"version":"3.12.0","messages":["\nAn error occurred while loading ./spec/gone_spec.rb. - Did you mean?\n\nLoadError:\n  cannot load such file -- /w/lib/nope\n","No examples found."],"examples":[],"summary":{"example_count":0,"failure_count":0,"errors_outside_of_examples_count":1}}"#;
        let report = read(text.as_bytes()).unwrap();
        insta::assert_debug_snapshot!(report.tests, @r#"
        {
            "spec/gone_spec.rb": Errored,
        }
        "#);
    }

    #[test]
    fn what_does_not_add_up_is_refused() {
        let hidden = EXAMPLES.replace("\"example_count\":3", "\"example_count\":4");
        assert_eq!(
            read(hidden.as_bytes()),
            Err(ReportError::CountMismatch { what: "examples", stated: 4, named: 3 })
        );
        assert!(read(b"{}").is_err() && read(&EXAMPLES.as_bytes()[..200]).is_err());
    }
}
