//! Output of test programs that CTest ran.

use windlass_core::report::Runner;

use super::*;

fn shown(printed: &str, outcome: TestOutcome) -> String {
    let mut report = TestReport::new(Runner::Ctest);
    let known = record_inner(&mut report, printed, outcome);
    let all: Vec<String> = report.tests.iter().map(|(name, outcome)| format!("{name} {outcome:?}")).collect();
    format!("{known} {}", all.join(", "))
}

/// Whether the output says what ran, and the tests it names.
#[test]
fn programs() {
    use TestOutcome::{Failed, Passed};
    let table = [
        ("[ RUN      ] A.B\n[       OK ] A.B (0 ms)\n", Passed, "true A.B Passed"),
        ("[ RUN      ] A.B\n[  FAILED  ] A.B (0 ms)\n", Failed, "true A.B Failed"),
        ("[ RUN      ] A.B\n[  SKIPPED ] A.B (0 ms)\n", Passed, "true A.B Skipped"),
        ("[ RUN      ] A/P.B/0\n[       OK ] A/P.B/0, where x = 1 (0 ms)\n", Passed, "true A/P.B/0 Passed"),
        // The program died in the test.
        ("[ RUN      ] A.B\nSegmentation fault\n", Failed, "true A.B Failed"),
        // The end of another test does not end this one.
        ("[ RUN      ] A.B\n[       OK ] A.C (0 ms)\n", Failed, "true A.B Failed"),
        // A program that fails although its tests pass is seen to fail.
        ("[ RUN      ] A.B\n[       OK ] A.B (0 ms)\n", Failed, "false "),
        ("[==========] Running 0 tests from 0 test suites.\n", Passed, "true "),
        ("No tests ran\n", Passed, "true "),
        ("test cases: 0 | 0 passed\n", Passed, "true "),
        ("No tests ran\n", Failed, "false "),
        ("all fine\n", Passed, "false "),
        ("", Passed, "false "),
    ];
    for (printed, outcome, expected) in table {
        assert_eq!(shown(printed, outcome), expected, "{printed}");
    }
}

#[test]
fn a_failure_keeps_what_was_printed_about_it() {
    let mut report = TestReport::new(Runner::Ctest);
    let printed = "[ RUN      ] A.B\nx.cpp:3: Failure\nExpected: 1\n[  FAILED  ] A.B (0 ms)\nlater\n";
    record_inner(&mut report, printed, TestOutcome::Failed);
    assert_eq!(report.messages["A.B"], "x.cpp:3: Failure\nExpected: 1");
}
