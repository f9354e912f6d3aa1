//! Tests of `tap`.

use super::*;

#[test]
fn results_by_description() {
    let text = "TAP version 13\n1..5\nok 1 - adds\nnot ok 2 - fails\n  ---\n  message: x\n  ...\nok 3 - later # SKIP not now\nnot ok 4 wip # TODO\nok 5\n# tests 5\n";
    let report = read(Runner::Tap, text.as_bytes()).unwrap().unwrap();
    insta::assert_debug_snapshot!(report.tests, @r##"
        {
            "#5": Passed,
            "adds": Passed,
            "fails": Failed,
            "later": Skipped,
            "wip": Skipped,
        }
        "##);
}

#[test]
fn sub_tests_carry_their_parents() {
    let text = "TAP version 13\n# Subtest: suite\n    # Subtest: inner\n    ok 1 - inner\n    not ok 2 - bad\n    1..2\nnot ok 1 - suite\nok 2 - top\n1..2\n";
    let report = read(Runner::Tap, text.as_bytes()).unwrap().unwrap();
    insta::assert_debug_snapshot!(report.tests, @r#"
        {
            "suite > bad": Failed,
            "suite > inner": Passed,
            "top": Passed,
        }
        "#);
}

#[test]
fn two_documents_are_two_calls() {
    let text = "1..1\nok 1 - works\n1..2\nok 1 - works\nnot ok 2 - more\n";
    let report = read(Runner::Tap, text.as_bytes()).unwrap().unwrap();
    assert!(report.duplicates.is_empty());
    assert_eq!(report.tests.len(), 2);
    let twice = read(Runner::Tap, b"1..2\nok 1 - works\nok 2 - works\n").unwrap().unwrap();
    assert_eq!(twice.duplicates, ["works"]);
}

#[test]
fn a_plan_is_needed_and_must_be_kept() {
    assert_eq!(read(Runner::Tap, b"ok 1 - looks fine\nokay\n"), Ok(None));
    assert_eq!(read(Runner::Tap, b"counting\n1..5\n"), Ok(None));
    assert!(matches!(
        read(Runner::Tap, b"1..3\nok 1\nok 2\n"),
        Err(ReportError::CountMismatch { stated: 3, named: 2, .. })
    ));
    assert_eq!(read(Runner::Tap, b"1..0 # SKIP none\n").unwrap().unwrap().tests.len(), 0);
}

fn shown(text: &str) -> String {
    match read(Runner::Tap, text.as_bytes()) {
        Ok(Some(report)) => {
            let all: Vec<String> =
                report.tests.iter().map(|(name, outcome)| format!("{name} {outcome:?}")).collect();
            all.join(", ")
        }
        Ok(None) => "none".to_owned(),
        Err(error) => error.to_string(),
    }
}

#[test]
fn lines() {
    let table = [
        ("1..1\nok 1 - a\n", "a Passed"),
        ("ok 1 - a\n1..1\n", "a Passed"),
        ("1..1\r\nok 1 - a\r\n", "a Passed"),
        ("1..1\nok a\n", "a Passed"),
        ("1..1\nok\n", "#1 Passed"),
        ("1..1\nnot ok\n", "#1 Failed"),
        ("1..1\nok 1 -a\n", "a Passed"),
        ("1..1\nnot ok 1 - a\n  ---\n  ok: no\n  ...\n", "a Failed"),
        ("1..1\nok 1 - a # SKIP slow\n", "a Skipped"),
        ("1..1\nok 1 - a # skipped\n", "a Skipped"),
        ("1..1\nnot ok 1 - a # TODO later\n", "a Skipped"),
        ("1..1\nok 1 # SKIP\n", "#1 Skipped"),
        ("1..1\nok 1 - a # 3 ms\n", "a Passed"),
        ("1..1\nok 1 - issue#3\n", "issue#3 Passed"),
        ("1..1\nok 1 - a \\# b\n", "a \\# b Passed"),
        ("1..1\n\u{1b}[32mok 1 - a\u{1b}[0m\n", "a Passed"),
        ("1..1\nokay\nnot okay\nok: x\nok 1 a\n", "a Passed"),
        ("1..1\nok 1 a\nBail out! no database\n", "Bail out! Errored, a Passed"),
        ("TAP version 14\n1..0 # SKIP no perl\n", ""),
        ("", "none"),
        ("ok 1 - a\n", "none"),
        ("1..99999999999999999999\nok 1\n", "none"),
        ("1..2\nok 1\n", "the report says 2 tests in its plan but names 1"),
        ("1..1\nok 1 a\nok 2 b\n", "the report says 1 tests in its plan but names 2"),
    ];
    for (text, expected) in table {
        assert_eq!(shown(text), expected, "{text:?}");
    }
}

/// A sub-test counts by its parts, unless it failed and none of them did.
#[test]
fn sub_tests() {
    let table = [
        ("# Subtest: s\n    ok 1 - a\n    1..1\nok 1 - s\n1..1\n", "s > a Passed"),
        ("# Subtest: s\n    not ok 1 - a\n    1..1\nnot ok 1 - s\n1..1\n", "s > a Failed"),
        ("# Subtest: s\n    ok 1 - a\n    1..1\nnot ok 1 - s\n1..1\n", "s Failed, s > a Passed"),
        ("# Subtest: s\n    1..0\nok 1 - s\n1..1\n", "s Passed"),
        (
            "# Subtest: s\n    # Subtest: t\n        ok 1 - a\n        1..1\n    ok 1 - t\n    1..1\nok 1 - s\n1..1\n",
            "s > t > a Passed",
        ),
    ];
    for (text, expected) in table {
        assert_eq!(shown(text), expected, "{text}");
    }
}
