//! Tests of `tap`.

use super::*;

#[test]
fn results_by_description() {
    let text = "TAP version 13\n1..5\nok 1 - adds\nnot ok 2 - fails\n  ---\n  message: x\n  ...\nok 3 - later # SKIP not now\nnot ok 4 wip # TODO\nok 5\n# tests 5\n";
    let report = read(Runner::Tap, text.as_bytes(), TapUnit::Result).unwrap().unwrap();
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
    let report = read(Runner::Tap, text.as_bytes(), TapUnit::Result).unwrap().unwrap();
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
    let report = read(Runner::Tap, text.as_bytes(), TapUnit::Result).unwrap().unwrap();
    assert!(report.duplicates.is_empty());
    assert_eq!(report.tests.len(), 2);
    let twice = read(Runner::Tap, b"1..2\nok 1 - works\nok 2 - works\n", TapUnit::Result).unwrap().unwrap();
    assert_eq!(twice.duplicates, ["works"]);
}

#[test]
fn a_plan_is_needed_and_must_be_kept() {
    assert_eq!(read(Runner::Tap, b"ok 1 - looks fine\nokay\n", TapUnit::Result), Ok(None));
    assert_eq!(read(Runner::Tap, b"counting\n1..5\n", TapUnit::Result), Ok(None));
    assert!(matches!(
        read(Runner::Tap, b"1..3\nok 1\nok 2\n", TapUnit::Result),
        Err(ReportError::CountMismatch { stated: 3, named: 2, .. })
    ));
    assert_eq!(read(Runner::Tap, b"1..0 # SKIP none\n", TapUnit::Result).unwrap().unwrap().tests.len(), 0);
}

fn shown(text: &str) -> String {
    match read(Runner::Tap, text.as_bytes(), TapUnit::Result) {
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

#[test]
fn tests_of_node_tap_are_its_sub_tests() {
    let text = "TAP version 14\n1..1\n# Subtest: t/a.test.js\n    # Subtest: adds\n        ok 1 - should be equal\n        \
        ok 2 - should be equal\n        1..2\n    ok 1 - adds # time=49.418ms\n    \n    # Subtest: outer\n        \
        # Subtest: inner\n            not ok 1 - should be equal\n              ---\n              at: x\n              \
        ...\n            1..1\n        not ok 1 - inner\n        1..1\n    not ok 2 - outer\n    ok 3 - sk # SKIP\n    \
        1..3\nnot ok 1 - t/a.test.js # time=219.051ms\n";
    let report = read(Runner::NodeTap, text.as_bytes(), TapUnit::Subtest).unwrap().unwrap();
    insta::assert_debug_snapshot!(report.tests, @r#"
        {
            "t/a.test.js > adds": Passed,
            "t/a.test.js > outer > inner": Failed,
            "t/a.test.js > sk": Skipped,
        }
        "#);
    assert!(report.duplicates.is_empty());
}

#[test]
fn tests_of_tape_are_its_comments() {
    let text = "TAP version 13\n# adds\nok 1 should be strictly equal\nok 2 should be strictly equal\n# subs\nnot ok 3 \
        should be strictly equal\n  ---\n    operator: equal\n  ...\nok 4 fine\n\n1..4\n# tests 4\n# pass  3\n# fail  1\n";
    let report = read(Runner::Tape, text.as_bytes(), TapUnit::Title).unwrap().unwrap();
    insta::assert_debug_snapshot!(report.tests, @r#"
        {
            "adds": Passed,
            "subs": Failed,
        }
        "#);
    let silent =
        "TAP version 13\n# outer\n# inner\nok 1 yes\n# says nothing\n\n1..1\n# tests 1\n# pass  1\n\n# ok\n";
    let report = read(Runner::Tape, silent.as_bytes(), TapUnit::Title).unwrap().unwrap();
    let names: Vec<&str> = report.names(TestOutcome::Passed).collect();
    assert_eq!(names, ["inner", "outer", "says nothing"], "a test without assertions that ended has passed");
    let cut = text.split("# subs").next().unwrap();
    assert_eq!(read(Runner::Tape, cut.as_bytes(), TapUnit::Title).unwrap(), None, "no plan, no report");
}

/// tape ends with the exception of a test, without a plan.
#[test]
fn a_test_of_tape_that_throws_has_failed() {
    let thrown = "/src/index.js:3\n  return Object.keys(null)\n                ^\n\nTypeError: Cannot convert undefined or null \
        to object\n    at keys (<anonymous>)\n\nNode.js v20.0.0\n";
    let text = format!("TAP version 13\n# halves\nok 1 should be strictly equal\n# empty input\n{thrown}");
    let report = read(Runner::Tape, text.as_bytes(), TapUnit::Title).unwrap().unwrap();
    let of = |outcome| report.names(outcome).collect::<Vec<_>>();
    assert_eq!((of(TestOutcome::Passed), of(TestOutcome::Failed)), (vec!["halves"], vec!["empty input"]));
    assert!(report.messages["empty input"].contains("TypeError"));
    // What is thrown while a file is loaded is of no test, and a comment before TAP begins is no title.
    for loading in [format!("TAP version 13\n{thrown}"), format!("# npm test\n{thrown}")] {
        assert_eq!(read(Runner::Tape, loading.as_bytes(), TapUnit::Title).unwrap(), None);
    }
}

/// A file of node-tap that cannot be loaded has not failed by a test.
#[test]
fn a_file_without_results_did_not_load() {
    let text = "TAP version 13\n# Subtest: test/a.js\n    1..0 # no tests found\nnot ok 1 - test/a.js # time=9ms\n\
                # Subtest: test/b.js\n    not ok 1 - should be equal\n    1..1\nnot ok 2 - test/b.js\n1..2\n";
    let report = read(Runner::NodeTap, text.as_bytes(), TapUnit::Subtest).unwrap().unwrap();
    let all: Vec<_> = report.tests.iter().map(|(name, outcome)| (name.as_str(), *outcome)).collect();
    assert_eq!(all, [("test/a.js", TestOutcome::Errored), ("test/b.js", TestOutcome::Failed)]);
}

/// node-tap ends a file that takes too long: the tests inside that were done keep their results.
#[test]
fn a_sub_test_that_did_not_end_has_failed() {
    let text = "TAP version 14\n1..1\n# Subtest: test/a.js\n    # Subtest: quick\n        ok 1 - is\n        1..1\n    \
                ok 1 - quick\n    # Subtest: endless\n        ok 1 - begins\nnot ok 1 - timeout!\n";
    let report = read(Runner::NodeTap, text.as_bytes(), TapUnit::Subtest).unwrap().unwrap();
    let failed: Vec<&str> = report.names(TestOutcome::Failed).collect();
    let passed: Vec<&str> = report.names(TestOutcome::Passed).collect();
    assert_eq!((passed, failed), (vec!["test/a.js > quick"], vec!["test/a.js > endless"]));
}
