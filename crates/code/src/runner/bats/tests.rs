//! bats files.

use super::super::tests::{assert_commands, assert_untouched};

/// TAP is read out of the output, so the script stays as it is.
#[test]
fn scripts_that_print_tap_are_run_as_they_are() {
    assert_untouched(&["bats --tap tests/a.bats", "bats tests", "prove -v t", "./run-tests"]);
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
