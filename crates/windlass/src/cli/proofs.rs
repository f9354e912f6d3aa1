//! What proves a task that its format does not say, found before the plan is checked: conventions of names, and test
//! commands that name their test.

use std::path::Path;

use windlass_code::detect::{ConventionalTest, conventional_test, is_test_path, make_target};
use windlass_core::plan::{Plan, Proof, Task};
use windlass_engine::survey::DiskTree;
use windlass_formats::Dialect;

/// Gives tasks without a stated proof the test that their name implies, and tasks with nothing but a test command what
/// it is a test of.
pub(super) fn settle(plan: &mut Plan, dialect: Dialect, top: Option<&Path>) {
    let unproved = |task: &Task| task.proof() == Proof::Nothing && task.test.none.is_none();
    let tree = plan.tasks.iter().any(unproved).then(|| top.map(DiskTree::open)).flatten();
    let is_commanded = commands_are_tests(dialect);
    for task in &mut plan.tasks {
        if let Some(tree) = tree.as_ref().filter(|_| unproved(task)) {
            match conventional_test(tree, &task.id) {
                Some(ConventionalTest::File(path)) => task.test.file = Some(path),
                Some(ConventionalTest::Target(target)) => task.test.command = Some(make_target(&target)),
                None => {}
            }
        }
        if is_commanded && task.owned().next().is_none() && task.test.required.is_none() {
            from_command(task);
        }
    }
}

/// Whether a test command without files is the test of a task in this format, and not a gate.
fn commands_are_tests(dialect: Dialect) -> bool {
    match dialect {
        Dialect::Homerun | Dialect::Superplanner => true,
        Dialect::Native
        | Dialect::Zerg
        | Dialect::Ccw
        | Dialect::Contract
        | Dialect::Taskmaster
        | Dialect::Speckit => false,
    }
}

/// The test file that the command names, if it names one; in any case an agent has to make the command pass.
fn from_command(task: &mut Task) {
    let Some(command) = task.test.command.as_deref() else { return };
    let words = command.split_whitespace().map(|word| word.split("::").next().unwrap_or(word));
    let mut tests = words.filter(|word| word.contains('.') && is_test_path(word));
    match (tests.next(), tests.next()) {
        (Some(path), None) => task.test.file = Some(path.trim_start_matches("./").to_owned()),
        _ => task.test.required = Some(true),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_command_alone_is_a_test_where_the_format_says_so() {
        let table = [
            (Dialect::Superplanner, "pytest tests/test_a.py -q", Some("tests/test_a.py"), None),
            (Dialect::Superplanner, "pytest tests/test_a.py::test_x", Some("tests/test_a.py"), None),
            (Dialect::Homerun, "make check", None, Some(true)),
            (Dialect::Zerg, "make check", None, None),
        ];
        for (dialect, command, file, required) in table {
            let mut task = Task { id: "a".into(), ..Task::default() };
            task.test.command = Some(command.into());
            let mut plan = Plan { tasks: vec![task], ..Plan::default() };
            settle(&mut plan, dialect, None);
            let test = &plan.tasks[0].test;
            assert_eq!((test.file.as_deref(), test.required), (file, required), "{command}");
        }
    }

    #[test]
    fn a_task_without_a_test_has_the_one_of_its_name() {
        let dir = tempfile::tempdir().unwrap();
        std::fs::create_dir(dir.path().join("tests")).unwrap();
        for (path, text) in [
            ("tests/test_alpha.py", ""),
            ("Makefile", "test-beta:\n\tpytest\ntest-alpha:\n\tpytest\n"),
            ("gamma_test.py", ""),
            ("test_delta.py", ""),
        ] {
            std::fs::write(dir.path().join(path), text).unwrap();
        }
        let task = |id: &str| Task { id: id.into(), ..Task::default() };
        let tasks = ["alpha", "beta", "gamma", "delta", "epsilon"].map(task).to_vec();
        let mut plan = Plan { tasks, ..Plan::default() };
        settle(&mut plan, Dialect::Superplanner, Some(dir.path()));
        let said: Vec<String> = plan
            .tasks
            .iter()
            .map(|t| t.test.file.clone().or_else(|| t.test.command.clone()).unwrap_or_default())
            .collect();
        assert_eq!(said, ["tests/test_alpha.py", "make test-beta", "gamma_test.py", "test_delta.py", ""]);
        assert_eq!(plan.tasks[1].test.required, Some(true), "a command alone is for an agent");
    }
}
