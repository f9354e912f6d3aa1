//! Tests of `selection`.

use super::*;

#[test]
fn commands_that_pick_single_tests() {
    for yes in [
        "pytest tests/test_a.py::test_b",
        "python -m pytest -m fast",
        "cargo test --test a -- --exact adds",
        "go test -run '^TestA$' ./...",
        "npx vitest run -t adds",
    ] {
        assert!(selects_by_name(yes), "{yes}");
    }
    for no in
        ["pytest -q tests", "pytest -k adds", "cargo test adds", "go test -run TestA ./...", "make test"]
    {
        assert!(!selects_by_name(no), "{no}");
    }
}
