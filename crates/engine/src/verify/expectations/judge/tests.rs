//! Outcomes as a table.

use windlass_code::expectation::expectations;
use windlass_core::report::Runner;

use super::*;

fn report(results: &[(&str, TestOutcome)]) -> TestReport {
    let mut report = TestReport::new(Runner::Pytest);
    for (name, outcome) in results {
        report.record(*name, *outcome);
    }
    report
}

#[test]
fn a_test_bites_if_one_of_its_cases_fails_and_survives_only_if_it_ran() {
    use TestOutcome::{Errored, Failed, Passed, Skipped};
    let test = "tests/test_a.py::test_adds";
    let table: [(&[(&str, TestOutcome)], Outcome); 7] = [
        (&[("tests/test_a.py::test_adds", Failed)], Outcome::Failed),
        (&[("tests/test_a.py::test_adds", Passed)], Outcome::Passed),
        // The name of a case contains the changed value.
        (
            &[("tests/test_a.py::test_adds[1-2]", Passed), ("tests/test_a.py::test_adds[3-5]", Failed)],
            Outcome::Failed,
        ),
        (&[("tests/test_a.py::test_adds", Skipped)], Outcome::Unknown),
        (&[("tests/test_a.py::test_adds", Errored)], Outcome::Unknown),
        (&[("tests/test_a.py::test_other", Failed)], Outcome::Unknown),
        (&[], Outcome::Unknown),
    ];
    for (results, expected) in table {
        assert_eq!(outcome(test, Some(&report(results))), expected, "{results:?}");
    }
    assert_eq!(outcome(test, None), Outcome::Unknown, "a run without a report says nothing");
}

#[test]
fn an_exit_code_must_turn() {
    let table = [
        (ProcessExit::Code(0), Outcome::Passed),
        (ProcessExit::Code(1), Outcome::Failed),
        (ProcessExit::Code(127), Outcome::Unknown),
        (ProcessExit::Signal(6), Outcome::Failed),
    ];
    for (exit, expected) in table {
        assert_eq!(by_exit(&exit), expected, "{exit:?}");
    }
}

/// tape reports every test by its own title: the outer one has passed, whatever its inner tests did.
#[test]
fn an_inner_test_that_is_reported_by_its_own_title_bites_for_the_outer_one() {
    use TestOutcome::{Failed, Passed};
    let text = "test('parse', t => {\n  t.test('object', t => { t.equal(f(1), 22); t.end() })\n})\n";
    let seen = expectations("a.test.js", text.as_bytes(), &|_| true, 1).remove(0);
    let test = MutatedTest::new("a.test.js", text.as_bytes(), seen);
    let table: [(&[(&str, TestOutcome)], Outcome); 5] = [
        (&[("parse", Passed), ("object", Failed)], Outcome::Failed),
        (&[("parse", Passed), ("object", Passed)], Outcome::Passed),
        (&[("parse", Passed), ("array", Failed)], Outcome::Passed),
        (&[("parse", Failed), ("object", Passed)], Outcome::Failed),
        // Here the title alone is that of another test.
        (&[("parse", Passed), ("parse > object", Passed), ("object", Failed)], Outcome::Passed),
    ];
    for (results, expected) in table {
        assert_eq!(of_test(&test, Some(&report(results))), expected, "{results:?}");
    }
    let required = ["parse".to_owned(), "object".to_owned(), "array".to_owned()];
    let failed = report(&[("parse", Passed), ("object", Failed), ("array", Failed)]);
    assert_eq!(others(&[test], &required, Some(&failed)), ["array"]);
}
