//! Tests whose code comes with a later task: they cannot be green before it, so they become its red commit.
//!
//! The task that only writes the tests becomes a name for the one that implements them: it is done when that one is, what
//! waits for it waits for that one, and what it waits for that one waits for. Nothing else is known here; whether the
//! tests are red is seen at run time.

use super::{Mode, Plan, Task, infer_mode};

/// A pair that was joined.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Handover {
    /// The task that writes the tests.
    pub tests: String,
    /// The task that makes them pass.
    pub code: String,
}

/// Joins every task that only writes tests with the later task that makes them pass.
pub fn hand_over(plan: &mut Plan, is_test: &dyn Fn(&str) -> bool) -> Vec<Handover> {
    let mut joined = Vec::new();
    for at in 0..plan.tasks.len() {
        if let Some(to) = implementer(plan, at, is_test) {
            join(plan, at, to);
            joined.push(Handover { tests: plan.tasks[at].id.clone(), code: plan.tasks[to].id.clone() });
        }
    }
    joined
}

/// The one task that depends on these tests and is proved by them.
fn implementer(plan: &Plan, at: usize, is_test: &dyn Fn(&str) -> bool) -> Option<usize> {
    let tests = &plan.tasks[at];
    let is_parent = plan.tasks.iter().any(|t| t.parent.as_deref() == Some(&tests.id));
    if is_parent || infer_mode(tests, is_test) != Mode::TestsOnly {
        return None;
    }
    let files: Vec<&str> = tests.owned().collect();
    let mut found = plan.tasks.iter().enumerate().filter(|(_, t)| {
        t.depends_on.contains(&tests.id) && infer_mode(t, is_test) == Mode::Tdd && is_proved_by(t, &files)
    });
    match (found.next(), found.next()) {
        (Some((to, _)), None) => Some(to),
        _ => None,
    }
}

/// Whether a task's own proof names one of these files.
fn is_proved_by(task: &Task, files: &[&str]) -> bool {
    let script = task.verification.as_ref().map_or("", |v| v.script.as_str());
    let command = task.test.command.as_deref().unwrap_or("");
    files.iter().any(|f| task.test.file.as_deref() == Some(f) || script.contains(f) || command.contains(f))
}

fn join(plan: &mut Plan, at: usize, to: usize) {
    let tests = std::mem::take(&mut plan.tasks[at]);
    let code = &mut plan.tasks[to];
    code.depends_on.retain(|d| *d != tests.id);
    code.files.create.extend(tests.files.create.iter().cloned());
    code.files.modify.extend(tests.files.modify.iter().cloned());
    if code.test.file.is_none() {
        code.test.file = tests.test.file.clone().or_else(|| tests.owned().next().map(str::to_owned));
    }
    code.test_code.extend(tests.test_code.iter().cloned());
    code.criteria.extend(tests.criteria.iter().cloned());
    for text in [&tests.objective, &tests.description].into_iter().filter(|t| !t.is_empty()) {
        if !code.description.is_empty() {
            code.description.push_str("\n\n");
        }
        code.description.push_str(&format!("Tests ({}): {text}", tests.id));
    }
    let above = code.parent.replace(tests.id.clone());
    plan.tasks[at] = Task {
        id: tests.id,
        title: tests.title,
        depends_on: tests.depends_on,
        parent: tests.parent.or(above),
        places: tests.places,
        ..Task::default()
    };
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::plan::{Files, TestPlan, Verification};

    fn is_test(path: &str) -> bool {
        path.contains("test")
    }

    fn task(id: &str, deps: &[&str], create: &[&str]) -> Task {
        Task {
            id: id.into(),
            depends_on: deps.iter().map(|d| (*d).into()).collect(),
            files: Files { create: create.iter().map(|c| (*c).into()).collect(), ..Files::default() },
            ..Task::default()
        }
    }

    fn proved_by(mut task: Task, file: &str) -> Task {
        task.verification = Some(Verification { script: format!("pytest {file}"), timeout_seconds: None });
        task
    }

    #[test]
    fn tests_for_later_code_become_that_tasks_red() {
        let mut plan = Plan::default();
        plan.tasks.push(task("setup", &[], &["x.py"]));
        plan.tasks.push(task("tests", &["setup"], &["tests/test_buffer.py"]));
        plan.tasks.push(proved_by(task("impl", &["tests"], &["buffer.py"]), "tests/test_buffer.py"));
        plan.tasks.push(task("after", &["tests"], &["y.py"]));
        let joined = hand_over(&mut plan, &is_test);
        assert_eq!(joined, [Handover { tests: "tests".into(), code: "impl".into() }]);
        let code = plan.task("impl").unwrap();
        assert_eq!(code.parent.as_deref(), Some("tests"));
        assert_eq!(code.test.file.as_deref(), Some("tests/test_buffer.py"));
        assert!(code.depends_on.is_empty());
        assert_eq!(plan.task("tests").unwrap().depends_on, ["setup"]);
        assert!(plan.task("tests").unwrap().files.is_empty());
    }

    #[test]
    fn tests_for_code_that_exists_stay_what_they_are() {
        let mut plan = Plan::default();
        plan.tasks.push(task("impl", &[], &["buffer.py"]));
        plan.tasks.push(task("tests", &["impl"], &["tests/test_buffer.py"]));
        plan.tasks.push(proved_by(task("other", &["tests"], &["y.py"]), "tests/test_other.py"));
        let before = plan.clone();
        assert!(hand_over(&mut plan, &is_test).is_empty());
        assert_eq!(plan, before);
    }

    #[test]
    fn two_candidates_are_one_too_many() {
        let mut plan = Plan::default();
        plan.tasks.push(task("tests", &[], &["tests/test_b.py"]));
        for id in ["one", "two"] {
            let mut t = task(id, &["tests"], &[id]);
            t.test = TestPlan { file: Some("tests/test_b.py".into()), ..TestPlan::default() };
            plan.tasks.push(t);
        }
        assert!(hand_over(&mut plan, &is_test).is_empty());
    }
}
