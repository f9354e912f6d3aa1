//! Tests of `green`.

use windlass_core::report::Runner;

use super::*;

fn report(tests: &[(&str, TestOutcome)]) -> TestReport {
    let mut report = TestReport::new(Runner::Pytest);
    for (name, outcome) in tests {
        report.record(*name, *outcome);
    }
    report
}

fn judged(exit: RunExit, report: Option<&TestReport>, required: &[&str]) -> String {
    let required: Vec<String> = required.iter().map(|name| (*name).to_owned()).collect();
    let input = GreenInput {
        exit,
        report,
        runner: Some(Runner::Pytest),
        required: &required,
        failing_before: &[],
        listed_by_code: &[],
    };
    match green(&input) {
        Green::Passed { tests, strength } => format!("passed {tests:?} {strength:?}"),
        Green::Failed(failure) => failure.to_string(),
    }
}

#[test]
fn only_named_passes_count() {
    use TestOutcome::{Failed, Passed, Skipped};
    let ok = RunExit::Code(0);
    let good = report(&[("t.py::test_a[1]", Passed), ("t.py::test_a[2]", Passed), ("t.py::test_s", Skipped)]);
    let bad = report(&[("t.py::test_a", Failed)]);
    let idle = report(&[("t.py::test_a", Skipped)]);
    let twice = report(&[("t.py::test_a", Passed), ("t.py::test_a", Passed)]);
    let mixed = report(&[("t.py::test_a", Passed), ("t.py::test_a", Failed), ("t.py::test_a", Passed)]);
    let half = report(&[("t.py::test_a", Skipped), ("t.py::test_a", Passed)]);
    let table = [
        (
            judged(ok, Some(&good), &["t.py::test_a"]),
            r#"passed ["t.py::test_a[1]", "t.py::test_a[2]"] Named"#,
        ),
        (
            judged(ok, Some(&good), &["t.py::test_a[1]", "t.py::test_b"]),
            "tests seen at red did not run: t.py::test_b",
        ),
        (judged(ok, Some(&good), &["t.py::test_s"]), "tests were skipped: t.py::test_s"),
        (judged(ok, Some(&bad), &[]), "tests failed: t.py::test_a"),
        (judged(RunExit::Code(1), Some(&bad), &[]), "tests failed: t.py::test_a"),
        (judged(RunExit::Code(1), Some(&good), &[]), "the command exited with code 1"),
        (judged(ok, Some(&idle), &[]), "tests were skipped: t.py::test_a"),
        (judged(ok, Some(&twice), &["t.py::test_a"]), r#"passed ["t.py::test_a"] Named"#),
        (judged(ok, Some(&mixed), &["t.py::test_a"]), "tests failed: t.py::test_a"),
        (judged(ok, Some(&half), &["t.py::test_a"]), "tests were skipped: t.py::test_a"),
        (judged(ok, Some(&twice), &[]), r#"passed ["t.py::test_a"] Named"#),
        (judged(ok, Some(&report(&[])), &[]), "no test ran"),
        (judged(ok, None, &[]), "the runner left no report"),
        (
            judged(RunExit::Code(127), None, &[]),
            "the command was not found or cannot be executed (exit code 127)",
        ),
        (judged(RunExit::Code(139), None, &[]), "the run was ended by signal 11"),
        (judged(RunExit::Signal(9), Some(&good), &[]), "the run was ended by signal 9"),
        (judged(RunExit::TimedOut, Some(&good), &[]), "the run ran out of time"),
    ];
    for (found, expected) in table {
        assert_eq!(found, expected);
    }
    let unknown = GreenInput {
        exit: ok,
        report: None,
        runner: None,
        required: &[],
        failing_before: &[],
        listed_by_code: &[],
    };
    assert_eq!(green(&unknown), Green::Passed { tests: Vec::new(), strength: Strength::ExitOnly });
}

#[test]
fn tests_that_failed_before_may_fail_unless_they_are_required() {
    use TestOutcome::{Errored, Failed, Passed};
    let judged = |exit, report: &TestReport, required: &[&str]| {
        let names = |all: &[&str]| -> Vec<String> { all.iter().map(|name| (*name).to_owned()).collect() };
        let (required, failing_before) = (names(required), names(&["t.py::test_old", "u.py"]));
        let runner = Some(Runner::Pytest);
        let input = GreenInput {
            exit: RunExit::Code(exit),
            report: Some(report),
            runner,
            required: &required,
            failing_before: &failing_before,
            listed_by_code: &[],
        };
        match green(&input) {
            Green::Passed { tests, .. } => format!("passed {tests:?}"),
            Green::Failed(failure) => failure.to_string(),
        }
    };
    let old = report(&[("t.py::test_a", Passed), ("t.py::test_old", Failed), ("u.py", Errored)]);
    let new = report(&[("t.py::test_a", Passed), ("t.py::test_old", Failed), ("t.py::test_b", Failed)]);
    let fine = report(&[("t.py::test_a", Passed)]);
    assert_eq!(judged(1, &old, &["t.py::test_a"]), r#"passed ["t.py::test_a"]"#);
    assert_eq!(judged(1, &old, &["t.py::test_old"]), "tests failed: t.py::test_old");
    assert_eq!(judged(1, &new, &[]), "tests failed: t.py::test_b");
    assert_eq!(judged(1, &fine, &[]), "the command exited with code 1");
    assert_eq!(judged(1, &old, &["t.py::test_gone"]), "tests seen at red did not run: t.py::test_gone");
    assert_eq!(judged(139, &old, &[]), "the run was ended by signal 11");
}

/// A case that is skipped counts as one that the code does not list, and only beside one that passes.
#[test]
fn cases_that_the_code_lists_may_be_skipped() {
    use TestOutcome::{Failed, Passed, Skipped};
    let judged = |tests: &[(&str, TestOutcome)], listed: &[&str]| {
        let (report, required) = (report(tests), ["t.py::test_a".to_owned()]);
        let listed: Vec<String> = listed.iter().map(|name| (*name).to_owned()).collect();
        let input = GreenInput {
            exit: RunExit::Code(0),
            report: Some(&report),
            runner: Some(Runner::Pytest),
            required: &required,
            failing_before: &[],
            listed_by_code: &listed,
        };
        matches!(green(&input), Green::Passed { .. })
    };
    let half = [("t.py::test_a[1]", Passed), ("t.py::test_a[2]", Skipped)];
    assert!(judged(&half, &["t.py::test_a"]));
    assert!(!judged(&half, &[]) && !judged(&half, &["t.py::test_b"]));
    assert!(!judged(&[("t.py::test_a[2]", Skipped), ("t.py::test_b", Passed)], &["t.py::test_a"]));
    assert!(!judged(&[("t.py::test_a[1]", Failed), half[1]], &["t.py::test_a"]));
}
