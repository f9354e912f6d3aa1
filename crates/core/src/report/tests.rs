//! Test reports: duplicates, the worse outcome, merging of reports, and names in files.

use super::TestOutcome::{Errored, Failed, Passed, Skipped};
use super::*;

fn report(results: &[(&str, TestOutcome)]) -> TestReport {
    let mut report = TestReport::new(Runner::Pytest);
    for (name, outcome) in results {
        report.record(*name, *outcome);
    }
    report
}

#[test]
fn of_two_results_the_worse_one_stays() {
    // From best to worst.
    let order = [Passed, Skipped, Failed, Errored];
    for (at, better) in order.into_iter().enumerate() {
        for worse in &order[at..] {
            for pair in [[better, *worse], [*worse, better]] {
                let twice = report(&[("t", pair[0]), ("t", pair[1])]);
                assert_eq!(twice.tests["t"], *worse, "{pair:?}");
                assert_eq!(twice.duplicates, ["t"], "{pair:?}");
            }
        }
    }
}

#[test]
fn a_duplicate_is_listed_once_and_names_are_exact() {
    let thrice = report(&[("t", Passed), ("t", Passed), ("t", Passed), ("T", Passed), ("t ", Passed)]);
    assert_eq!(thrice.duplicates, ["t"]);
    assert_eq!(thrice.names(Passed).collect::<Vec<_>>(), ["T", "t", "t "]);
}

#[test]
fn a_second_call_of_the_same_script_makes_no_duplicates() {
    let mut first = report(&[("a", Passed), ("b", Failed), ("d", Passed), ("d", Passed)]);
    let mut second =
        report(&[("a", Failed), ("b", Passed), ("c", Skipped), ("d", Passed), ("e", Passed), ("e", Passed)]);
    second.messages.insert("a".into(), "assert 1 == 2".into());
    first.absorb(second);
    let outcomes: Vec<(&str, TestOutcome)> = first.tests.iter().map(|(n, o)| (n.as_str(), *o)).collect();
    assert_eq!(outcomes, [("a", Failed), ("b", Failed), ("c", Skipped), ("d", Passed), ("e", Passed)]);
    assert_eq!(first.duplicates, ["d", "e"], "those of each report, and no others");
    assert_eq!(first.messages["a"], "assert 1 == 2");
}

#[test]
fn outcomes_are_counted_and_named_in_order() {
    let report = report(&[("z", Failed), ("a", Failed), ("m", Passed)]);
    assert_eq!(report.names(Failed).collect::<Vec<_>>(), ["a", "z"]);
    assert_eq!([Passed, Failed, Errored, Skipped].map(|o| report.count(o)), [1, 2, 0, 0]);
}

#[test]
fn a_report_in_evidence_has_no_messages_and_no_empty_lists() {
    let mut report = report(&[("t", Errored)]);
    report.messages.insert("t".into(), "a long text".into());
    let json = serde_json::to_value(&report).unwrap();
    assert_eq!(json, serde_json::json!({"runner": "pytest", "tests": {"t": "errored"}}));
    let back: TestReport = serde_json::from_value(json).unwrap();
    assert!(back.messages.is_empty() && back.duplicates.is_empty());
}

#[test]
fn runners_have_fixed_names_in_files() {
    let table = [
        (Runner::Pytest, "pytest"),
        (Runner::CargoTest, "cargo-test"),
        (Runner::Nextest, "nextest"),
        (Runner::Vitest, "vitest"),
        (Runner::Jest, "jest"),
        (Runner::NodeTest, "node-test"),
        (Runner::GoTest, "go-test"),
        (Runner::Unittest, "unittest"),
        (Runner::Rspec, "rspec"),
        (Runner::Minitest, "minitest"),
        (Runner::Phpunit, "phpunit"),
        (Runner::Ctest, "ctest"),
        (Runner::Junit, "junit"),
        (Runner::Tap, "tap"),
    ];
    for (runner, name) in table {
        assert_eq!(serde_json::to_value(runner).unwrap(), name);
        assert_eq!(serde_json::from_value::<Runner>(name.into()).unwrap(), runner);
    }
}
