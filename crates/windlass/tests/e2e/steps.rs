//! Listed steps are what a run executes: each command in its order, and its exit code decides.

use serde_json::{Value, json};
use windlass_testkit::TestRepo;

use crate::world::empty;

const TEST: &str = "#!/bin/sh\ngrep -q good src/a.txt\n";

/// The six steps of one ZERG task, with these commands in the place of the usual ones.
fn steps(changes: &[(usize, &str, &str)]) -> Vec<Value> {
    let row = |n: usize, action: &str, file: &str, run: &str, verify: &str| json!({"step": n, "action": action, "file": file, "run": run, "verify": verify});
    let mut all = vec![
        row(1, "write_test", "tests/a_test.sh", "", "none"),
        row(2, "verify_fail", "", "sh tests/a_test.sh", "exit_code_nonzero"),
        row(3, "implement", "src/a.txt", "", "none"),
        row(4, "verify_pass", "", "sh tests/a_test.sh", "exit_code"),
        row(5, "format", "", "", "exit_code"),
        row(6, "commit", "", "git commit -m a", "exit_code"),
    ];
    all[0]["code_snippet"] = TEST.into();
    all[2]["code_snippet"] = "good\n".into();
    for (n, run, verify) in changes {
        all[n - 1]["run"] = (*run).into();
        all[n - 1]["verify"] = (*verify).into();
    }
    all
}

/// A repository with a graph of one task with these steps and no verification of its own.
fn repo(steps: &[Value]) -> TestRepo {
    let graph = json!({"feature": "f", "version": "2.0", "tasks": [{
        "id": "F-L1-001", "title": "Say good", "description": "Say good.", "phase": "p", "level": 1,
        "dependencies": [], "steps": steps,
        "files": {"create": ["src/a.txt", "src/log.txt", "tests/a_test.sh"], "modify": [], "read": []},
    }]});
    empty().file("graph/task-graph.json", &graph.to_string()).committed()
}

/// The exit code of a run by path, the states of the steps, and the step that failed.
fn outcome(repo: &TestRepo) -> (i32, String, Value) {
    let ran = repo.windlass(&["run", "graph", "--yes", "--agent", "mechanical"]);
    let status = repo.windlass(&["status", "--json"]).ends(0);
    let status: Value = serde_json::from_str(&status.stdout).unwrap();
    let task = &status["tasks"][0];
    let states = task["steps"].as_array().unwrap().iter().map(|s| s["state"].as_str().unwrap());
    (ran.code.unwrap_or(-1), states.collect::<Vec<_>>().join(" "), task["failed_step"].clone())
}

/// Steps are proof enough: there is no `verification`. Every command is run, in the order of the list, and what it
/// changes among the task's files is in the commit.
#[test]
fn every_command_is_run_in_its_order() {
    let log = |word: &str| format!("mkdir -p src; echo {word} >> src/log.txt; echo stray > stray.txt");
    let repo = repo(&steps(&[(3, &log("implement"), "exit_code"), (5, &log("format"), "exit_code")]));
    repo.windlass(&["check", "graph"]).ends(0);
    let (code, states, failed) = outcome(&repo);
    assert_eq!((code, failed), (0, Value::Null), "{states}");
    assert_eq!(states, "passed passed passed passed passed passed");
    assert_eq!(repo.git(&["show", "windlass/f:src/log.txt"]), "implement\nformat");
    assert!(repo.try_git(&["show", "windlass/f:stray.txt"]).is_err(), "only the task's files are taken in");
    repo.windlass(&["audit"]).ends(0);
    repo.windlass(&["land"]).ends(0);
    assert_eq!(repo.read("src/a.txt"), "good\n");
}

/// A step whose command does not do what it must fails the attempt, and is shown as the one that failed.
#[test]
fn a_failed_step_fails_the_task() {
    let table: [(usize, &str, &str, &str); 5] = [
        (1, "exit 3", "exit_code", "exit code 3"),
        (3, "exit 4", "exit_code", "exit code 4"),
        (4, "exit 5", "exit_code", "exited with code 5"),
        (5, "exit 6", "exit_code", "exit code 6"),
        (3, "true", "exit_code_nonzero", "expected failure but got success"),
    ];
    for (step, run, verify, said) in table {
        let repo = repo(&steps(&[(step, run, verify)]));
        let (code, states, failed) = outcome(&repo);
        assert_ne!(code, 0, "step {step}: {states}");
        assert_eq!(failed, step, "{states}");
        let show = repo.windlass(&["show", "F-L1-001"]).stdout;
        assert!(show.contains(said), "{show}");
        repo.windlass(&["retry", "F-L1-001"]).ends(0);
        repo.windlass(&["status"]).ends(0).says("retry F-L1-001");
    }
    let ignored = repo(&steps(&[(3, "exit 4", "none")]));
    assert_eq!(outcome(&ignored).0, 0);
}

/// A step beyond the usual ones runs where it stands; an order that cannot work is an error of `check`.
#[test]
fn further_steps_run_where_they_stand() {
    let mut more = steps(&[]);
    let extra =
        json!({"step": 4, "action": "implement", "run": "echo more >> src/a.txt", "verify": "exit_code"});
    more.insert(3, extra);
    for (at, step) in more.iter_mut().enumerate() {
        step["step"] = (at + 1).into();
    }
    let extended = repo(&more);
    let (code, states, _) = outcome(&extended);
    assert_eq!((code, states.as_str()), (0, "passed passed passed passed passed skipped passed"));
    assert_eq!(extended.git(&["show", "windlass/f:src/a.txt"]), "good\nmore");

    let mut turned = steps(&[]);
    turned.swap(0, 2);
    for (at, step) in turned.iter_mut().enumerate() {
        step["step"] = (at + 1).into();
    }
    repo(&turned).windlass(&["check", "graph"]).ends(1).says("WL0316");
}
