//! Tests of `unittest`.

use super::*;

/// As Python 3.11 prints it.
const RUN: &str = "test_bad (tests.test_text.TestText.test_bad) ... FAIL\ntest_err (tests.test_text.TestText.test_err) ... ERROR\ntest_ok (tests.test_text.TestText.test_ok)\nIt says so. ... ok\ntest_skip (tests.test_text.TestText.test_skip) ... skipped 'no'\ntest_sub (tests.test_text.TestText.test_sub) ... \n  test_sub (tests.test_text.TestText.test_sub) (i=0) ... FAIL\ntest_xf (tests.test_text.TestText.test_xf) ... expected failure\n\n======================================================================\nERROR: test_err (tests.test_text.TestText.test_err)\n----------------------------------------------------------------------\nTraceback (most recent call last):\nValueError: x\n\n======================================================================\nFAIL: test_bad (tests.test_text.TestText.test_bad)\n----------------------------------------------------------------------\nAssertionError: 'a' != 'b'\n\n----------------------------------------------------------------------\nRan 6 tests in 0.006s\n\nFAILED (failures=2, errors=1)\n";

fn shown(text: &str) -> String {
    match read(text.as_bytes()) {
        Ok(Some(report)) => format!("{:?}", report.tests),
        Ok(None) => "none".into(),
        Err(error) => error.to_string(),
    }
}

#[test]
fn tests_by_class() {
    let report = read(RUN.as_bytes()).unwrap().unwrap();
    insta::assert_debug_snapshot!(report.tests, @r#"
        {
            "tests.test_text.TestText::test_bad": Failed,
            "tests.test_text.TestText::test_err": Failed,
            "tests.test_text.TestText::test_ok": Passed,
            "tests.test_text.TestText::test_skip": Skipped,
            "tests.test_text.TestText::test_sub": Failed,
            "tests.test_text.TestText::test_xf": Passed,
        }
        "#);
    assert!(report.messages["tests.test_text.TestText::test_bad"].contains("'a' != 'b'"));
}

#[test]
fn other_runs() {
    let older = "test_ok (tests.test_text.TestText) ... ok\n\nRan 1 test in 0.000s\n\nOK\n";
    let gone = "test_nope (unittest.loader._FailedTest.test_nope) ... ERROR\n\n======\nERROR: test_nope (unittest.loader._FailedTest.test_nope)\n------\nImportError: x\nRan 1 test in 0.000s\n";
    let empty = "\n----------------------------------------------------------------------\nRan 0 tests in 0.000s\n\nOK\n";
    let hidden = "test_ok (a.T.test_ok) ... ok\n\nRan 2 tests in 0.000s\n\nOK\n";
    insta::assert_snapshot!([older, gone, empty, hidden, "nothing\n"].map(shown).join("\n"), @r#"
        {"tests.test_text.TestText::test_ok": Passed}
        {"test_nope": Errored}
        {}
        the report says 2 tests but names 1
        none
        "#);
}

#[test]
fn outcomes_of_a_line() {
    let table = [
        ("ok", "Passed"),
        ("FAIL", "Failed"),
        ("ERROR", "Failed"),
        ("skipped 'slow'", "Skipped"),
        ("expected failure", "Passed"),
        ("unexpected success", "Failed"),
        ("something printed", "Failed"),
    ];
    for (word, expected) in table {
        let text = format!("test_a (m.T.test_a) ... {word}\n\nRan 1 test in 0.0s\n");
        assert_eq!(shown(&text), format!("{{\"m.T::test_a\": {expected}}}"), "{word}");
        assert_eq!(shown(&text.replace('\n', "\r\n")), format!("{{\"m.T::test_a\": {expected}}}"), "{word}");
    }
}

#[test]
fn names() {
    let table = [
        ("test_a (m.T.test_a)", Some("m.T::test_a")),
        ("test_a (m.T)", Some("m.T::test_a")),
        ("test_a (pkg.m.T.test_a) [x]", Some("pkg.m.T::test_a")),
        ("m (unittest.loader._FailedTest.m)", Some("m")),
        ("two words (m.T)", None),
        ("test_a (T)", None),
        (" (m.T)", None),
        ("test_a", None),
    ];
    for (title, expected) in table {
        assert_eq!(name_of(title).as_deref(), expected, "{title}");
    }
}

#[test]
fn totals() {
    let table = [
        ("Ran 1 test in 0.000s", Some(1)),
        ("Ran 12 tests in 3.1s", Some(12)),
        ("Ran 0 tests in 0.000s", Some(0)),
        ("Ran many tests in 1s", None),
        ("Ran 1 testing", None),
        (" Ran 1 test in 0s", None),
    ];
    for (line, expected) in table {
        assert_eq!(total(line), expected, "{line}");
    }
    // Two runs in one output are added up.
    let two = "test_a (m.T.test_a) ... ok\nRan 1 test in 0s\ntest_b (m.T.test_b) ... ok\nRan 1 test in 0s\n";
    assert_eq!(shown(two), r#"{"m.T::test_a": Passed, "m.T::test_b": Passed}"#);
}
