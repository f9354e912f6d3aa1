//! Tests of `jest`.

use super::*;

const RUN: &str = r#"{"numFailedTests":1,"numPassedTests":1,"numPendingTests":1,"numTotalTests":3,"success":false,
      "testResults":[
        {"name":"/w/t/a.test.js","status":"failed","assertionResults":[
          {"ancestorTitles":["suite","deep"],"fullName":"suite deep z","status":"passed","title":"z"},
          {"ancestorTitles":[],"fullName":"fails","status":"failed","title":"fails"},
          {"ancestorTitles":[],"fullName":"later","status":"todo","title":"later"}]},
        {"name":"/w/t/gone.test.js","status":"failed","assertionResults":[],"message":"Cannot find module"}]}"#;

#[test]
fn cases_are_named_by_file_and_titles() {
    let report = read(RUN.as_bytes(), Some("/w")).unwrap();
    insta::assert_debug_snapshot!(report.tests, @r#"
        {
            "t/a.test.js > fails": Failed,
            "t/a.test.js > later": Skipped,
            "t/a.test.js > suite > deep > z": Passed,
            "t/gone.test.js": Errored,
        }
        "#);
}

#[test]
fn the_message_of_a_file_is_plain_text() {
    let colours = r"\u001b[96mt/gone.test.ts\u001b[0m:\u001b[93m1\u001b[0m - \u001b[91merror\u001b[0m\u001b[90m TS2305: \u001b[0mno";
    let report = read(RUN.replace("Cannot find module", colours).as_bytes(), Some("/w")).unwrap();
    assert_eq!(report.messages["t/gone.test.js"], "t/gone.test.ts:1 - error TS2305: no");
}

#[test]
fn totals_must_agree() {
    let lying = RUN.replace(r#""numPassedTests":1"#, r#""numPassedTests":2"#);
    assert!(matches!(read(lying.as_bytes(), None), Err(ReportError::CountMismatch { .. })));
    assert!(read(b"{", None).is_err());
}

/// A report of one file with one test.
fn one(status: &str, (passed, failed, total): (u32, u32, u32)) -> String {
    format!(
        r#"{{"numFailedTests":{failed},"numPassedTests":{passed},"numTotalTests":{total},"testResults":[
        {{"name":"/w/a.js","status":"x","assertionResults":[{{"ancestorTitles":[],"title":"t","status":"{status}"}}]}}]}}"#
    )
}

#[test]
fn every_status() {
    let table = [
        ("passed", (1, 0, 1), TestOutcome::Passed),
        ("failed", (0, 1, 1), TestOutcome::Failed),
        ("pending", (0, 0, 1), TestOutcome::Skipped),
        ("skipped", (0, 0, 1), TestOutcome::Skipped),
        ("todo", (0, 0, 1), TestOutcome::Skipped),
        ("disabled", (0, 0, 1), TestOutcome::Skipped),
        ("focused", (0, 0, 1), TestOutcome::Skipped),
        ("", (0, 0, 1), TestOutcome::Errored),
        ("PASSED", (0, 0, 1), TestOutcome::Errored),
    ];
    for (status, totals, expected) in table {
        let report = read(one(status, totals).as_bytes(), Some("/w")).unwrap();
        assert_eq!(report.tests.get("a.js > t"), Some(&expected), "{status}");
    }
}

#[test]
fn every_total_is_checked() {
    for (totals, what) in [
        ((2, 0, 1), "passed tests"),
        ((1, 1, 1), "failed tests"),
        ((1, 0, 2), "tests"),
        ((0, 0, 1), "passed tests"),
    ] {
        match read(one("passed", totals).as_bytes(), None) {
            Err(ReportError::CountMismatch { what: found, .. }) => assert_eq!(found, what),
            other => panic!("{totals:?}: {other:?}"),
        }
    }
}

#[test]
fn paths_below_the_directory_it_was_started_in() {
    let table = [
        ("/w/a.js", Some("/w"), "a.js"),
        ("/w/b/a.js", Some("/w"), "b/a.js"),
        ("/wide/a.js", Some("/w"), "/wide/a.js"),
        ("/w/a.js", Some("/w/"), "/w/a.js"),
        ("/w/a.js", None, "/w/a.js"),
        ("a.js", Some("/w"), "a.js"),
    ];
    for (path, root, expected) in table {
        assert_eq!(relative(path, root), expected);
    }
}

#[test]
fn files_without_tests() {
    let file = |status: &str| {
        format!(
            r#"{{"numFailedTests":0,"numPassedTests":0,"numTotalTests":0,"testResults":[{{"name":"a.js","status":"{status}","message":"boom","assertionResults":[]}}]}}"#
        )
    };
    let failed = read(file("failed").as_bytes(), None).unwrap();
    assert_eq!(failed.tests.get("a.js"), Some(&TestOutcome::Errored));
    assert_eq!(failed.messages["a.js"], "boom");
    assert!(read(file("passed").as_bytes(), None).unwrap().tests.is_empty());
    let empty = r#"{"numFailedTests":0,"numPassedTests":0,"numTotalTests":0,"testResults":[]}"#;
    assert!(read(empty.as_bytes(), None).unwrap().tests.is_empty());
    for broken in ["", "{}", "[]", "null", &empty[..40]] {
        assert!(matches!(read(broken.as_bytes(), None), Err(ReportError::Malformed { .. })), "{broken}");
    }
}
