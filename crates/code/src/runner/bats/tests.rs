//! bats files.

use super::super::tests::{
    assert_commands, assert_instrumented, assert_runs, assert_runs_no_tests, assert_untouched,
};

/// TAP of other programs is read out of the output, so their scripts stay as they are.
#[test]
fn scripts_that_print_tap_are_run_as_they_are() {
    assert_untouched(&["prove -v t", "./run-tests"]);
}

#[test]
fn one_file() {
    assert_commands(
        &[],
        &[
            ("tests/a.bats", "bats --tap tests/a.bats"),
            ("tests/a b.bats", "bats --tap 'tests/a b.bats'"),
            ("tests/$(rm x).bats", "bats --tap 'tests/$(rm x).bats'"),
        ],
    );
}

#[test]
fn on_the_command_line() {
    assert_runs("bats", &["bats test/a.bats", "npx bats test", "bats --tap test"]);
    assert_runs_no_tests(&["bats --count test", "bats --version"]);
    assert_instrumented(&[
        ("bats test", "( set -o pipefail; bats --tap test 2>&1 | tee /r/report-1.txt )"),
        ("bats --tap test", "( set -o pipefail; bats --tap test 2>&1 | tee /r/report-1.txt )"),
        ("bats -p test", "bats -p test"),
        ("bats test > log.txt", "bats test > log.txt"),
    ]);
}
