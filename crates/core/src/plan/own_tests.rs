//! Which of its files a task is proved by, where the plan does not say.
//!
//! Most other tools' plans list tests among the files a task creates and name no test file. A command that fails because
//! those are not written yet shows nothing: they are written first, and by nobody who writes the code, once they are known.

use super::{Mode, Plan, Task, infer_mode};

/// Gives every task that is to be seen red and owns tests without naming one its test file. Says how many there were.
pub fn name_tests(plan: &mut Plan, is_test: &dyn Fn(&str) -> bool) -> usize {
    let mut named = 0;
    for task in &mut plan.tasks {
        if let Some(file) = unnamed(task, is_test) {
            task.test.file = Some(file);
            named += 1;
        }
    }
    named
}

/// The test among a task's own files that proves it: one that its command names, else one that is called a test.
fn unnamed(task: &Task, is_test: &dyn Fn(&str) -> bool) -> Option<String> {
    let stated = task.test.inline || !task.test_files().is_empty();
    if stated || infer_mode(task, is_test) != Mode::Tdd {
        return None;
    }
    let changed = task.files.create.iter().chain(&task.files.modify).map(String::as_str);
    let tests: Vec<&str> = changed.filter(|path| is_test(path)).collect();
    let script = task.verification.as_ref().map_or("", |v| v.script.as_str());
    let command = task.test.command.as_deref().unwrap_or("");
    let run = tests.iter().find(|path| script.contains(**path) || command.contains(**path));
    run.or_else(|| tests.iter().find(|path| is_called_test(path))).map(|path| (*path).to_owned())
}

/// Whether a file is called a test itself, and is not only something that tests use.
fn is_called_test(path: &str) -> bool {
    let name = path.rsplit('/').next().unwrap_or(path).to_ascii_lowercase();
    let stem = name.split('.').next().unwrap_or_default();
    let said = name
        .split(|c: char| !c.is_ascii_alphanumeric())
        .any(|word| matches!(word, "test" | "tests" | "spec"));
    said || stem != "conftest" && ["test", "tests", "spec"].iter().any(|word| stem.ends_with(word))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::plan::{Files, TestPlan, Verification};

    fn is_test(path: &str) -> bool {
        path.contains("test") || path.contains("spec")
    }

    fn task(create: &[&str], script: &str) -> Task {
        Task {
            id: "A".into(),
            files: Files { create: create.iter().map(|c| (*c).into()).collect(), ..Files::default() },
            verification: Some(Verification { script: script.into(), ..Verification::default() }),
            ..Task::default()
        }
    }

    #[test]
    fn tests_among_the_files_are_the_test_file() {
        let table: [(&[&str], &str, Option<&str>); 8] = [
            (
                &["calc/add.py", "tests/test_add.py"],
                "python3 -m unittest tests.test_add",
                Some("tests/test_add.py"),
            ),
            (
                &["a.py", "tests/test_a.py", "tests/test_b.py"],
                "pytest tests/test_b.py",
                Some("tests/test_b.py"),
            ),
            (&["a.py", "tests/conftest.py", "tests/test_a.py"], "make check", Some("tests/test_a.py")),
            (&["src/a.ts", "src/a.spec.ts"], "npm test", Some("src/a.spec.ts")),
            (&["A.java", "src/test/AdderTest.java"], "mvn test", Some("src/test/AdderTest.java")),
            // Only what tests use; only code; only tests, which are no code that has to be red first.
            (&["a.py", "tests/conftest.py"], "pytest", None),
            (&["a.py"], "pytest", None),
            (&["tests/test_a.py"], "pytest", None),
        ];
        for (create, script, expected) in table {
            let mut plan = Plan { tasks: vec![task(create, script)], ..Plan::default() };
            let named = name_tests(&mut plan, &is_test);
            assert_eq!(plan.tasks[0].test.file.as_deref(), expected, "{create:?} {script}");
            assert_eq!(named, usize::from(expected.is_some()));
        }
    }

    #[test]
    fn what_the_plan_says_stays() {
        let stated = TestPlan { file: Some("tests/test_b.py".into()), ..TestPlan::default() };
        let reason = TestPlan { none: Some("config".into()), ..TestPlan::default() };
        for test in [stated, reason] {
            let own = Task { test, ..task(&["a.py", "tests/test_a.py"], "pytest") };
            let mut plan = Plan { tasks: vec![own], ..Plan::default() };
            let before = plan.clone();
            assert_eq!(name_tests(&mut plan, &is_test), 0);
            assert_eq!(plan, before);
        }
    }
}
