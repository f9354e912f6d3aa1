//! Each mode of proof, carried out.

use windlass_core::event::{Event, RunEnd, TaskEvent};
use windlass_core::plan::{Files, Mode, Task, TestPlan, Verification};
use windlass_core::state::TaskState;
use windlass_core::wish::Wish;
use windlass_engine::requests::Requests;

use crate::bench::{Bench, shell_task};

const HONEST: &str = r#"echo "echo $WINDLASS_TASK" > "$WINDLASS_TASK.sh""#;

fn verified_by(script: &str) -> Verification {
    Verification { script: script.into(), timeout_seconds: None }
}

#[test]
fn a_gate_owns_nothing_and_leaves_an_empty_commit() {
    let gate = Task {
        id: "gate".into(),
        title: "Everything holds".into(),
        depends_on: vec!["a".into()],
        verification: Some(verified_by("sh tests/a_test.sh")),
        ..Task::default()
    };
    let bench = Bench::new(vec![shell_task("a", &[]), gate]).agent(HONEST);
    assert_eq!(bench.run().0, RunEnd::Completed);
    assert_eq!(bench.subjects(), ["a: Say a", "gate: Everything holds"]);
    assert_eq!(bench.git(&["diff", "--stat", "windlass/demo~1", "windlass/demo"]), "");
}

#[test]
fn a_gate_that_does_not_hold_does_not_complete() {
    let gate = Task {
        id: "gate".into(),
        title: "Never".into(),
        verification: Some(verified_by("test -e never")),
        ..Task::default()
    };
    let bench = Bench::new(vec![gate]).agent(HONEST);
    assert_eq!(bench.run().0, RunEnd::Stuck);
    assert_eq!(bench.state("gate"), TaskState::Failed);
    assert!(bench.subjects().is_empty());
}

fn tests_only(code: &str) -> Task {
    let mut task = shell_task("a", &[]);
    task.id = "t".into();
    task.title = "Test what is there".into();
    task.files =
        Files { create: vec!["tests/a_test.sh".into()], read: vec!["a.sh".into()], ..Files::default() };
    task.test_code[0].code = code.into();
    task
}

#[test]
fn tests_for_code_that_exists_must_pass_and_are_flagged_when_they_prove_nothing() {
    let with_code = |task: Task| {
        let bench = Bench::new(vec![task]).agent(HONEST);
        std::fs::write(bench.path("repo/a.sh"), "echo a\n").unwrap();
        bench.git(&["add", "-A"]);
        bench.git(&["commit", "-qm", "code"]);
        let (end, events) = bench.run();
        let weak = events
            .iter()
            .any(|e| matches!(e, Event::Task { event: TaskEvent::Finding { message }, .. } if message.starts_with("weak tests:")));
        (end, weak)
    };
    assert_eq!(with_code(tests_only("test \"$(sh a.sh)\" = a\n")), (RunEnd::Completed, false));
    assert_eq!(with_code(tests_only("true\n")), (RunEnd::Completed, true));
    assert_eq!(with_code(tests_only("test \"$(sh a.sh)\" = b\n")).0, RunEnd::Stuck);
}

#[test]
fn a_refactoring_is_green_before_and_after() {
    let task = Task {
        id: "r".into(),
        title: "Tidy".into(),
        mode: Some(Mode::Refactor),
        files: Files { modify: vec!["a.sh".into()], ..Files::default() },
        verification: Some(verified_by("test \"$(sh a.sh)\" = a")),
        ..Task::default()
    };
    let run = |code: &str, agent: &str| {
        let bench = Bench::new(vec![task.clone()]).agent(agent);
        std::fs::write(bench.path("repo/a.sh"), code).unwrap();
        bench.git(&["add", "-A"]);
        bench.git(&["commit", "-qm", "code"]);
        bench.run();
        bench.state("r")
    };
    assert_eq!(run("echo a\n", "echo 'printf a' > a.sh"), TaskState::Completed);
    assert_eq!(run("echo a\n", "echo 'printf b' > a.sh"), TaskState::Failed);
    assert_eq!(run("echo b\n", "echo 'printf a' > a.sh"), TaskState::Blocked, "not green before");
}

fn without_test(path: &str, reason: &str) -> Task {
    Task {
        id: "n".into(),
        title: "No test".into(),
        files: Files { create: vec![path.into()], ..Files::default() },
        test: TestPlan { none: Some(reason.into()), ..TestPlan::default() },
        ..Task::default()
    }
}

#[test]
fn documentation_waits_for_approval_and_goes_on_after_it() {
    let bench = Bench::new(vec![without_test("GUIDE.md", "documentation only")]).agent("echo hi > GUIDE.md");
    assert_eq!(bench.run().0, RunEnd::Stuck);
    assert_eq!(bench.state("n"), TaskState::Blocked);
    assert!(bench.subjects().is_empty());
    let request = bench.request();
    let requests = Requests::open(&request.paths.plan(&request.name).requests()).unwrap();
    let wish = Wish::Approve { task: crate::bench::id("n"), files: Vec::new() };
    requests.submit("now", &wish.to_json().unwrap()).unwrap();
    assert_eq!(bench.run().0, RunEnd::Completed);
    assert_eq!(bench.git(&["show", "windlass/demo:GUIDE.md"]), "hi");
}

#[test]
fn static_configuration_must_parse() {
    let run = |agent: &str| {
        let bench = Bench::new(vec![without_test("c.json", "config_static")]).agent(agent);
        bench.run().0
    };
    assert_eq!(run("echo '{\"a\": 1}' > c.json"), RunEnd::Completed);
    assert_eq!(run("echo '{' > c.json"), RunEnd::Stuck);
}

#[test]
fn mechanical_writes_what_the_plan_contains() {
    let mut task = shell_task("a", &[]);
    task.steps = windlass_core::plan::template(Mode::Tdd);
    task.steps[2].file = Some("a.sh".into());
    task.steps[2].code = Some("echo a".into());
    let mut bench = Bench::new(vec![task, shell_task("b", &[])]).agent("false");
    bench.config.agents.insert("it".into(), windlass_engine::config::AgentSpec::Mechanical);
    bench.run();
    assert_eq!(bench.state("a"), TaskState::Completed);
    assert_eq!(bench.state("b"), TaskState::Blocked, "with nothing to write it is blocked");
}
