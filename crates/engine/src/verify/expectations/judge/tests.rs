//! Outcomes as a table.

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
