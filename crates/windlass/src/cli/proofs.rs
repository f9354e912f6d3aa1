//! What a format leaves unsaid about its tasks, found before the plan is checked: what proves a task, by conventions of names
//! and by test commands that name their test; whether it goes on with the session of another.

use std::path::Path;

use windlass_code::detect::{ConventionalTest, conventional_test, is_test_path, make_target};
use windlass_core::plan::{Files, Plan, Proof, Task};
use windlass_engine::survey::DiskTree;
use windlass_formats::Dialect;

/// Gives tasks without a stated proof the test that their name implies, tasks with nothing but a test command what it is a
/// test of, and contract tasks a session of their own.
pub(super) fn settle(plan: &mut Plan, dialect: Dialect, top: Option<&Path>) {
    if matches!(dialect, Dialect::Homerun | Dialect::Ccw) {
        leave_work_to_parts(plan);
    }
    let unproved = |task: &Task| task.proof() == Proof::Nothing && task.test.none.is_none();
    let tree = plan.tasks.iter().any(unproved).then(|| top.map(DiskTree::open)).flatten();
    let is_commanded = commands_are_tests(dialect);
    for task in &mut plan.tasks {
        // The worker of a contract task remembers no other task.
        if dialect == Dialect::Contract {
            task.session.get_or_insert_default().enable_resume.get_or_insert(false);
        }
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

/// A task whose parts do all of its work has none of its own: it is completed with them. A command that it names besides is
/// a gate behind them.
fn leave_work_to_parts(plan: &mut Plan) {
    let files = |part: &Task| part.owned().chain(part.test.file.as_deref()).map(str::to_owned).collect();
    let parts: Vec<(String, Vec<String>)> =
        plan.tasks.iter().filter_map(|part| Some((part.parent.clone()?, files(part)))).collect();
    for task in &mut plan.tasks {
        let of_parts = parts.iter().filter(|(of, _)| *of == task.id).flat_map(|(_, files)| files);
        let of_parts: Vec<&str> = of_parts.map(String::as_str).collect();
        let divided = parts.iter().any(|(of, _)| *of == task.id);
        if divided && task.owned().chain(task.test.file.as_deref()).all(|file| of_parts.contains(&file)) {
            task.files = Files::default();
            task.steps.clear();
            task.test.file = None;
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
