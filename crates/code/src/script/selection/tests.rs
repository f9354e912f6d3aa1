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

#[test]
fn commands_that_name_a_test_file() {
    let files = ["tests/test_add.py", "src/roman.rs"];
    for yes in ["pytest tests/test_add.py", "python -m unittest tests.test_add", "cargo test --test roman"] {
        assert!(names_a_file(yes, &files), "{yes}");
    }
    for no in ["pytest -q", "pytest tests", "cargo test", "make test"] {
        assert!(!names_a_file(no, &files), "{no}");
    }
}
