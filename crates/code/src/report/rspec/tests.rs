//! Tests of `rspec`.

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

/// A report with one example of this status.
fn one(status: &str, failures: u32) -> String {
    format!(
        r#"{{"examples":[{{"full_description":" A b ","status":"{status}","file_path":"./spec/a_spec.rb"}}],"summary":{{"example_count":1,"failure_count":{failures}}}}}"#
    )
}

#[test]
fn every_status() {
    let table = [
        ("passed", 0, TestOutcome::Passed),
        ("pending", 0, TestOutcome::Skipped),
        ("failed", 1, TestOutcome::Failed),
        ("unknown", 1, TestOutcome::Failed),
    ];
    for (status, failures, expected) in table {
        let report = read(one(status, failures).as_bytes()).unwrap();
        assert_eq!(report.tests.get("spec/a_spec.rb::A b"), Some(&expected), "{status}");
    }
    assert_eq!(
        read(one("passed", 1).as_bytes()),
        Err(ReportError::CountMismatch { what: "failures", stated: 1, named: 0 })
    );
}

/// Errors outside of examples, by the file that they name.
#[test]
fn errors_outside_of_examples() {
    let table = [
        ("while loading ./spec/a_spec.rb.", 1, "spec/a_spec.rb"),
        ("An error occurred in a `before(:suite)` hook.", 1, "rspec"),
        ("", 1, "rspec"),
        ("while loading ./spec/a_spec.rb.", 0, ""),
    ];
    for (message, count, expected) in table {
        let text = format!(
            r#"{{"messages":["{message}"],"examples":[],"summary":{{"example_count":0,"failure_count":0,"errors_outside_of_examples_count":{count}}}}}"#
        );
        let names: Vec<String> = read(text.as_bytes()).unwrap().tests.into_keys().collect();
        assert_eq!(names.join(", "), expected, "{message}");
    }
}
