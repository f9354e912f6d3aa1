//! What a run on wrong code says.

use std::collections::BTreeMap;

use windlass_core::report::Runner;

use super::*;

fn report(tests: &[(&str, TestOutcome)]) -> TestReport {
    let tests: BTreeMap<String, TestOutcome> = tests.iter().map(|(n, o)| ((*n).to_owned(), *o)).collect();
    TestReport { tests, ..TestReport::new(Runner::Pytest) }
}

#[test]
fn a_test_notices_a_mutant_only_by_running_and_failing() {
    use TestOutcome::{Errored, Failed, Passed, Skipped};
    let passed = ["t.py::a".to_owned(), "t.py::b".to_owned()];
    type Outcomes = &'static [(&'static str, TestOutcome)];
    let table: [(Outcomes, Option<&[&str]>); 6] = [
        (&[("t.py::a", Failed), ("t.py::b", Passed)], Some(&["t.py::a"])),
        (&[("t.py::a", Errored)], Some(&["t.py::a"])),
        (&[("t.py::a", Passed), ("t.py::b", Passed)], Some(&[])),
        (&[("t.py::a", Skipped)], Some(&[])),
        // The module did not even load: nothing ran, so nothing was noticed.
        (&[("t.py", Errored)], None),
        (&[], None),
    ];
    for (tests, expected) in table {
        let seen = failed_of(&report(tests), &passed);
        assert_eq!(
            seen.as_deref().map(|s| s.iter().map(String::as_str).collect::<Vec<_>>()).as_deref(),
            expected
        );
    }
}

/// Quick tests are not waited for until the limit of a verification; slow ones have as long as any.
#[test]
fn wrong_code_that_goes_on_for_ever_is_ended_soon() {
    let (most, seconds) = (Duration::from_mins(5), Duration::from_secs);
    for (plain, limit) in [(0, 20), (3, 29), (60, 200), (100, 300), (10_000, 300)] {
        assert_eq!(limit_on_wrong_code(seconds(plain), most), seconds(limit), "{plain}");
    }
    assert_eq!(limit_on_wrong_code(seconds(3), seconds(10)), seconds(10));
}
