//! Listed steps are what a run executes: each command in its order, and its exit code decides.

use serde_json::{Value, json};
use windlass_testkit::TestRepo;

use crate::frame::{empty, json as printed};

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
    let status = printed(repo, &["status", "--json"]);
    let task = &status["tasks"][0];
    let states = task["steps"].as_array().unwrap().iter().map(|s| s["state"].as_str().unwrap());
    (ran.code.unwrap_or(-1), states.collect::<Vec<_>>().join(" "), task["failed_step"].clone())
}

/// Steps are proof enough: there is no `verification`. Every command is run, in the order of the list, and what it
/// changes among the task's files is in the commit.
pub(super) fn every_command_is_run_in_its_order() {
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

/// Runs a task with this command at a step: it fails, is shown as the step that failed, and says this.
fn fails_at(step: usize, run: &str, verify: &str, said: &str) {
    let repo = repo(&steps(&[(step, run, verify)]));
    let (code, states, failed) = outcome(&repo);
    assert_ne!(code, 0, "step {step}: {states}");
    assert_eq!(failed, step, "{states}");
    let show = repo.windlass(&["show", "F-L1-001"]).stdout;
    assert!(show.contains(said), "{show}");
    assert_eq!(repo.subjects("windlass/f"), [""; 0], "nothing is merged");
}

pub(super) fn an_exit_code_fails_the_task_at_its_step() {
    fails_at(1, "exit 3", "exit_code", "exit code 3");
    fails_at(3, "exit 4", "exit_code", "exit code 4");
    fails_at(4, "exit 5", "exit_code", "exited with code 5");
    fails_at(5, "exit 6", "exit_code", "exit code 6");
}

/// `retry` carries out a task again whose step failed.
pub(super) fn the_failed_step_is_named() {
    fails_at(4, "exit 5", "exit_code", "exited with code 5");
    let repo = repo(&steps(&[(4, "exit 5", "exit_code")]));
    assert_eq!(outcome(&repo).2, 4);
    repo.windlass(&["status", "F-L1-001"]).ends(0).says("✗");
    repo.windlass(&["retry", "F-L1-001"]).ends(0);
    repo.windlass(&["status"]).ends(0).says("retry F-L1-001");
}

pub(super) fn success_where_failure_is_expected_fails() {
    fails_at(3, "true", "exit_code_nonzero", "expected failure but got success");
    let green = repo(&steps(&[(2, "true", "exit_code_nonzero")]));
    let (code, states, failed) = outcome(&green);
    assert_ne!(code, 0, "{states}");
    assert_eq!(failed, 2, "{states}");
}

pub(super) fn a_test_that_passes_already_is_named() {
    fails_at(3, "true", "exit_code_nonzero", "expected failure but got success");
    let green = repo(&steps(&[(2, "true", "exit_code_nonzero")]));
    outcome(&green);
    green.windlass(&["show", "F-L1-001"]).ends(0).says("the test is not red");
}

/// A result is ignored where the step says so, but not that of the test that comes first: red is asked for.
pub(super) fn only_the_test_is_looked_at_in_any_case() {
    assert_eq!(outcome(&repo(&steps(&[(3, "exit 4", "none")]))).0, 0);
    let green = repo(&steps(&[(2, "true", "none"), (4, "true", "exit_code")]));
    let (code, states, _) = outcome(&green);
    assert_ne!(code, 0, "{states}");
}

/// Whatever a command prints, its exit code decides.
pub(super) fn words_in_the_output_decide_nothing() {
    let shouting = "echo FAILED; echo 'AssertionError: 1 failed'; sh tests/a_test.sh";
    let repo = repo(&steps(&[(4, shouting, "exit_code"), (5, "echo error: broken; true", "exit_code")]));
    assert_eq!(outcome(&repo).0, 0);
}

/// Red for the right reason: a command that is not there, a signal and a broken test are not red.
pub(super) fn red_has_the_right_reason() {
    for run in ["no-such-program tests/a_test.sh", "kill -9 $$", "exit 126"] {
        let repo = repo(&steps(&[(2, run, "exit_code_nonzero")]));
        let (code, states, _) = outcome(&repo);
        assert_ne!(code, 0, "{run}: {states}");
    }
    assert_eq!(outcome(&repo(&steps(&[]))).0, 0);
}

/// The strip of a task in `status`, and the list of one task.
pub(super) fn steps_are_shown() {
    let repo = repo(&steps(&[(3, "exit 5", "exit_code")]));
    outcome(&repo);
    repo.windlass(&["status"]).ends(0).says("[✓✓✗···]");
    let one = repo.windlass(&["status", "F-L1-001"]).ends(0).stdout;
    let listed: Vec<&str> = ["write_test", "verify_fail", "implement", "verify_pass", "format", "commit"]
        .into_iter()
        .filter(|step| one.contains(step))
        .collect();
    assert_eq!(listed.len(), 6, "{one}");
}

/// While a step runs, `status` says which of how many.
pub(super) fn the_heartbeat_has_step_and_total() {
    let repo = repo(&steps(&[(3, "sleep 5", "exit_code")]));
    let run = repo.start(&["run", "graph", "--yes", "--agent", "mechanical"]);
    let task = || {
        let out = repo.windlass(&["status", "--json"]);
        let status: Value = serde_json::from_str(&out.stdout).unwrap_or_default();
        status["tasks"][0].clone()
    };
    windlass_testkit::eventually("the third step runs", || task()["step"] == "implement");
    assert_eq!(task()["steps"].as_array().map(Vec::len), Some(6));
    repo.windlass(&["status"]).ends(0).says("[✓✓▶···]");
    run.wait_long().ends(0);
}

/// Without an agent the code of the steps is written as it stands.
pub(super) fn snippets_are_written() {
    let repo = repo(&steps(&[]));
    assert_eq!(outcome(&repo).0, 0);
    assert_eq!(repo.git(&["show", "windlass/f:src/a.txt"]), "good");
    assert_eq!(repo.git(&["show", "windlass/f:tests/a_test.sh"]), TEST.trim_end());
}

/// A task without steps is given to an agent as a whole.
pub(super) fn a_task_without_steps_is_carried_out() {
    let graph = json!({"feature": "f", "version": "2.0", "tasks": [{
        "id": "F-L1-001", "title": "Say good", "description": "Say good.", "phase": "p", "level": 1, "dependencies": [],
        "files": {"create": ["src/a.txt", "tests/a_test.sh"], "modify": [], "read": []},
        "verification": {"command": "sh tests/a_test.sh", "timeout_seconds": 60},
    }]});
    let repo = empty().file("graph/task-graph.json", &graph.to_string()).committed().agent(&format!(
        "[* write_test]\nwrite tests/a_test.sh <<END\n{TEST}END\n[*]\nwrite src/a.txt good\n"
    ));
    repo.run(&["graph", "--yes"]).ends(0);
    assert_eq!(repo.subjects("windlass/f"), ["F-L1-001: Say good"]);
}

/// A step beyond the usual ones runs where it stands; an order that cannot work is an error of `check`.
pub(super) fn further_steps_run_where_they_stand() {
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
