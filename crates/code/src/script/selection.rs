//! Whether a script picks single tests by name.

use super::report_options::has_option;
use super::runner_call::{Kind, runner_call};
use super::shell::ShellScript;

/// Whether the script picks tests by their exact names or marks, so that a test it does not know would not run.
pub fn selects_by_name(script: &str) -> bool {
    ShellScript::parse(script).commands.iter().any(|call| {
        let Some(found) = runner_call(&call.words) else { return false };
        let args = &call.words[found.at + 1..];
        let has = |name: &str| has_option(args, name);
        let anchored = |names: &[&str]| {
            args.iter().zip(args.iter().skip(1)).any(|(option, value)| {
                names.iter().any(|name| option.text == *name) && value.text.contains('$')
            }) || args
                .iter()
                .any(|arg| names.iter().any(|n| arg.text.starts_with(n)) && arg.text.contains('$'))
        };
        match found.kind {
            Kind::Pytest => {
                args.iter().any(|arg| arg.text.contains("::"))
                    || has("-m")
                    || has("--deselect")
                    || has("--lf")
            }
            Kind::CargoTest | Kind::Nextest => has("--exact") || has("-E") || has("--filter-expr"),
            Kind::Vitest | Kind::Jest => has("-t") || has("--testNamePattern"),
            Kind::NodeTest | Kind::NodeFile => anchored(&["--test-name-pattern"]),
            Kind::GoTest => anchored(&["-run", "--run"]),
            Kind::Mocha => has("-g") || has("--grep"),
            Kind::Unittest => has("-k"),
            Kind::Rspec => has("-e") || has("--example") || args.iter().any(|arg| arg.text.contains(".rb:")),
            Kind::RubyTest => has("-n") || has("--name"),
            Kind::Phpunit => anchored(&["--filter"]),
            Kind::Maven => args.iter().any(|arg| arg.text.starts_with("-Dtest=") && arg.text.contains('#')),
            // Gradle picks classes and CTest programs: an anchored one is a file.
            Kind::Gradle | Kind::Ctest => false,
        }
    })
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
