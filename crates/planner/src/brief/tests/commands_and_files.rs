//! The command of a turn, and the list of files.

use super::*;

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
