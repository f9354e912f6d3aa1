//! Whether a script picks single tests by name.

use super::shell::ShellScript;
use crate::runner::runner_call;

/// Whether the script picks tests by their exact names or marks, so that a test it does not know would not run.
pub fn selects_by_name(script: &str) -> bool {
    ShellScript::parse(script).commands.iter().filter_map(runner_call).any(|call| call.selects_by_name())
}

#[cfg(test)]
mod tests {
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
}
