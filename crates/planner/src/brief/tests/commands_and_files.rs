//! The command of a turn, and the list of files.

use super::*;
use windlass_code::runner::TestOpening;

/// The command of the turn is shown; without one, the verification of the task.
#[test]
fn the_command_of_the_turn_comes_before_that_of_the_task() {
    let verification =
        windlass_core::plan::Verification { script: "make test".into(), timeout_seconds: None };
    let task = Task { id: "T-1".into(), verification: Some(verification), ..Task::default() };
    let plan = plan();
    let checked = |command: Option<&str>| {
        let command = command.map(str::to_owned);
        render(&Brief { task: &task, command, ..brief(&plan, Purpose::Implement) }).unwrap()
    };
    assert!(checked(Some("pytest")).contains("```bash\npytest\n```"));
    assert!(checked(None).contains("```bash\nmake test\n```"));
}

/// A test-writer reads how a test begins where its runner defines nothing.
#[test]
fn a_test_writer_is_told_how_a_test_of_its_runner_begins() {
    let plan = plan();
    let told = |purpose| {
        let mut brief = brief(&plan, purpose);
        let lines = vec!["import test from 'node:test';".into()];
        brief.context.opening = Some(TestOpening { runner: "node --test", lines });
        render(&brief).unwrap()
    };
    let text = told(Purpose::WriteTest);
    assert!(text.contains("`node --test` defines no names in a test file."), "{text}");
    assert!(text.contains("```js\nimport test from 'node:test';\n```\n"), "{text}");
    assert!(!told(Purpose::Implement).contains("node --test"));
}

#[test]
fn files_are_listed_with_what_may_be_done_to_them() {
    let mut task = Task { id: "T-1".into(), focus_paths: vec!["src".into()], ..Task::default() };
    task.files.delete = vec!["old.py".into()];
    task.files.read = vec!["docs/a.md".into()];
    let plan = plan();
    let mut brief =
        Brief { task: &task, context: CodeContext::default(), ..brief(&plan, Purpose::Implement) };
    brief.may_change = vec!["a.py".into()];
    brief.frozen = vec!["tests/test_a.py".into()];
    let text = render(&brief).unwrap();
    let (_, rest) = text.split_once("## Files\n").unwrap();
    let (files, _) = rest.split_once("\n\n").unwrap();
    assert_eq!(
        files.lines().collect::<Vec<_>>(),
        [
            "- you may change `a.py`",
            "- delete `old.py`",
            "- `tests/test_a.py` is frozen: do not touch it",
            "- read `docs/a.md`",
            "- look at `src`",
        ]
    );
}
