//! Tests of `nextest`.

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
    assert!(matches!(read(lost.as_bytes()), Err(ReportError::CountMismatch { what: "passed tests", .. })));
}

#[test]
fn without_events_there_is_no_report() {
    assert_eq!(read(b"error: no such command\n{}\n"), Ok(None));
}

fn shown(text: &str) -> String {
    match read(text.as_bytes()) {
        Ok(Some(report)) => {
            let all: Vec<String> =
                report.tests.iter().map(|(name, outcome)| format!("{name} {outcome:?}")).collect();
            all.join(", ")
        }
        Ok(None) => "none".to_owned(),
        Err(error) => error.to_string(),
    }
}

/// A suite with one event about test `a::it$t`.
fn suite(event: &str, passed: u32, failed: u32) -> String {
    format!(
        "{{\"type\":\"suite\",\"event\":\"started\"}}\n{{\"type\":\"test\",\"event\":\"{event}\",\"name\":\"a::it$t\"}}\n{{\"type\":\"suite\",\"event\":\"ok\",\"passed\":{passed},\"failed\":{failed}}}\n"
    )
}

#[test]
fn events() {
    let table = [
        (suite("ok", 1, 0), "a::it t Passed"),
        (suite("failed", 0, 1), "a::it t Failed"),
        (suite("ignored", 0, 0), "a::it t Skipped"),
        (suite("timeout", 0, 0), "a::it t Errored"),
        (suite("started", 0, 0), "a::it t Errored"),
        (suite("other", 0, 0), ""),
        (suite("ok", 1, 0).replace('\n', "\r\n"), "a::it t Passed"),
        (suite("ok", 2, 0), "the report says 2 passed tests but names 1"),
        (suite("ok", 1, 1), "the report says 1 failed tests but names 0"),
        (suite("failed", 0, 0), "the report says 0 failed tests but names 1"),
        ("{\"type\":\"suite\",\"event\":\"started\"}\n".to_owned(), ""),
        (String::new(), "none"),
        ("error: could not compile `a`\n".to_owned(), "none"),
        ("{\"type\":\"suite\"\n{}\n[]\n".to_owned(), "none"),
    ];
    for (text, expected) in table {
        assert_eq!(shown(&text), expected, "{text}");
    }
}

/// Only the first `$` stands between the binary and the test.
#[test]
fn names() {
    for (name, expected) in [("a::b$c::d", "a::b c::d"), ("a$b$c", "a b$c"), ("a", "a"), ("", "")] {
        assert_eq!(display_name(name), expected);
    }
}
