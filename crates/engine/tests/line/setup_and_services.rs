//! What a task needs around it: set-up, copied files, services, formatters, hooks, the suite and its neighbours.

use std::time::Duration;

use windlass_core::event::{AttemptEnd, Event, RunEnd, TaskEvent};
use windlass_core::failure::{Failure, Gate};
use windlass_core::policy::Ladder;
use windlass_core::state::TaskState;
use windlass_engine::config::{OwnFormatter, SetupCommand, TestService};

use crate::bench::{Bench, shell_task};

const HONEST: &str = r#"echo "echo $WINDLASS_TASK" > "$WINDLASS_TASK.sh""#;

fn one_try(mut bench: Bench) -> Bench {
    bench.config.settings.ladder =
        Ladder { bug_hunter: 0, same_agent: 0, fresh_agent: 0, tier_up: 0, ..Ladder::default() };
    bench
}

fn failures(events: &[Event]) -> Vec<Failure> {
    let failed = |e: &Event| match e {
        Event::Task {
            event: TaskEvent::AttemptEnded { end: AttemptEnd::Failed { failure }, .. }, ..
        } => Some(failure.clone()),
        _ => None,
    };
    events.iter().filter_map(failed).collect()
}

#[test]
fn set_up_runs_in_slots_and_exports_and_what_it_makes_is_not_the_agents_work() {
    let mut task = shell_task("a", &[]);
    task.verification.as_mut().unwrap().script = "test -e deps/ready && sh tests/a_test.sh".into();
    let agent = format!("test -e deps/ready || exit 9\n{HONEST}");
    let mut bench = one_try(Bench::new(vec![task]).agent(&agent));
    bench.config.setup = SetupCommand::Command("mkdir -p deps && touch deps/ready".into());
    bench.config.setup_outputs = vec!["deps".into()];
    let (end, events) = bench.run();
    assert_eq!(end, RunEnd::Completed, "{:?}", failures(&events));
    let files = bench.git(&["ls-tree", "-r", "--name-only", "windlass/demo"]);
    assert!(!files.contains("deps"), "{files}");
}

/// A stated set-up may call several package managers: what the others leave is kept beside the crates or modules.
#[test]
fn a_stated_set_up_that_fetches_crates_or_modules_keeps_its_other_outputs() {
    let outputs = || vec!["deps".to_owned()];
    for (fetch, stated) in
        [("cargo fetch", Vec::new()), ("cargo fetch", outputs()), ("go mod download", outputs())]
    {
        let mut task = shell_task("a", &[]);
        task.verification.as_mut().unwrap().script = "test -e deps/ready && sh tests/a_test.sh".into();
        let mut bench = one_try(Bench::new(vec![task]).agent(HONEST));
        let command = format!("{fetch} 2>/dev/null || true; mkdir -p deps && touch deps/ready");
        bench.config.setup = SetupCommand::Command(command.clone());
        bench.config.setup_outputs = stated;
        let (end, events) = bench.run();
        assert_eq!(end, RunEnd::Completed, "{command}: {:?}", failures(&events));
    }
}

#[test]
fn a_set_up_that_fails_on_the_untouched_base_needs_a_person() {
    let mut bench = Bench::new(vec![shell_task("a", &[])]).agent(HONEST);
    bench.config.setup = SetupCommand::Command("echo no network >&2; false".into());
    bench.run();
    assert_eq!(bench.state("a"), TaskState::Blocked);
}

#[test]
fn named_untracked_files_are_brought_and_never_committed() {
    let mut task = shell_task("a", &[]);
    task.verification.as_mut().unwrap().script = "grep -q secret .env.test && sh tests/a_test.sh".into();
    let mut bench = one_try(Bench::new(vec![task]).agent(HONEST));
    std::fs::write(bench.path("repo/.gitignore"), ".env.test\n").unwrap();
    bench.git(&["add", "-A"]);
    bench.git(&["commit", "-qm", "ignore"]);
    std::fs::write(bench.path("repo/.env.test"), "secret\n").unwrap();
    bench.config.copy = vec![".env.test".into()];
    let (end, events) = bench.run();
    assert_eq!(end, RunEnd::Completed, "{:?}", failures(&events));
    assert!(!bench.git(&["ls-tree", "-r", "--name-only", "windlass/demo"]).contains(".env.test"));
}

#[test]
fn services_are_ready_before_the_tests_and_gone_after_them() {
    let mut task = shell_task("a", &[]);
    task.verification.as_mut().unwrap().script = "test -e up || exit 1\nsh tests/a_test.sh".into();
    let mut bench = one_try(Bench::new(vec![task]).agent(HONEST));
    let service = TestService {
        name: "db".into(),
        command: "echo $$ > \"$HOME/service.pid\"; sleep 0.3; touch up; exec sleep 1000".into(),
        ready: Some("test -e up".into()),
        timeout: Duration::from_secs(20),
        stop: None,
    };
    bench.config.verify.services = vec![service];
    let (end, events) = bench.run();
    assert_eq!(end, RunEnd::Completed, "{:?}", failures(&events));
    let pid = std::fs::read_to_string(bench.path("home/service.pid")).unwrap();
    let comm = std::fs::read_to_string(format!("/proc/{}/comm", pid.trim())).unwrap_or_default();
    assert!(!comm.contains("sleep"), "the service is still there");
}

#[test]
fn a_service_that_never_gets_ready_needs_a_person() {
    let mut bench = Bench::new(vec![shell_task("a", &[])]).agent(HONEST);
    bench.config.verify.services = vec![TestService {
        name: "db".into(),
        command: "exit 1".into(),
        ready: Some("false".into()),
        timeout: Duration::from_secs(2),
        stop: None,
    }];
    bench.run();
    assert_eq!(bench.state("a"), TaskState::Blocked);
}

#[test]
fn files_are_formatted_and_what_the_formatter_changed_is_verified_again() {
    let mut bench = one_try(Bench::new(vec![shell_task("a", &[])]).agent("printf \'echo a   \\n\' > a.sh"));
    let command = vec!["sed".into(), "-i".into(), "s/ *$//".into()];
    bench.config.format.own = vec![OwnFormatter { pattern: "*.sh".into(), command }];
    let (end, events) = bench.run();
    assert_eq!(end, RunEnd::Completed, "{:?}", failures(&events));
    assert_eq!(bench.git(&["show", "windlass/demo:a.sh"]), "echo a");
    let announced = events
        .iter()
        .filter(|e| matches!(e, Event::Task { event: TaskEvent::VerifyStarted { .. }, .. }))
        .count();
    assert_eq!(announced, 2, "once as the agent left it, once as the formatter left it");
}

#[test]
fn a_formatter_that_breaks_the_code_breaks_the_attempt_and_not_the_branch() {
    let mut bench = one_try(Bench::new(vec![shell_task("a", &[])]).agent(HONEST));
    let command = vec!["sed".into(), "-i".into(), "s/echo a/echo b/".into()];
    bench.config.format.own = vec![OwnFormatter { pattern: "a.sh".into(), command }];
    let (end, _) = bench.run();
    assert_eq!(end, RunEnd::Stuck);
    assert!(bench.subjects().is_empty());
}

#[test]
fn the_repositorys_own_hooks_run_on_owned_files() {
    let bench = one_try(Bench::new(vec![shell_task("a", &[])]).agent(HONEST));
    std::fs::create_dir(bench.path("repo/.husky")).unwrap();
    let hook =
        "#!/bin/sh\nfor f in $(git diff --cached --name-only); do sed -i 's/echo a/printf a/' \"$f\"; done\n";
    std::fs::write(bench.path("repo/.husky/pre-commit"), hook).unwrap();
    bench.git(&["add", "-A"]);
    bench.git(&["update-index", "--chmod=+x", ".husky/pre-commit"]);
    bench.git(&["commit", "-qm", "hooks"]);
    let (end, events) = bench.run();
    assert_eq!(end, RunEnd::Completed, "{:?}", failures(&events));
    assert_eq!(bench.git(&["show", "windlass/demo:a.sh"]), "printf a");
}

#[test]
fn the_suite_must_pass_at_every_commit() {
    let mut bench = one_try(Bench::new(vec![shell_task("a", &[])]).agent(HONEST));
    bench.config.verify.suite = Some("test ! -e a.sh".into());
    let (_, events) = bench.run();
    let failed = failures(&events);
    assert!(matches!(failed.as_slice(), [Failure::TestsFailed { gate: Gate::Suite, .. }]), "{failed:?}");
}

#[test]
fn what_a_neighbour_proved_must_still_hold() {
    let mut second = shell_task("b", &["a"]);
    second.files.modify = vec!["a.sh".into()];
    let agent = r#"case $WINDLASS_TASK in a) echo "echo a" > a.sh ;; b) echo "echo b" > b.sh; echo "echo x" > a.sh ;; esac"#;
    let bench = one_try(Bench::new(vec![shell_task("a", &[]), second]).agent(agent));
    let (_, events) = bench.run();
    let failed = failures(&events);
    assert!(matches!(failed.as_slice(), [Failure::TestsFailed { gate: Gate::Neighbours, .. }]), "{failed:?}");
    assert_eq!(bench.subjects(), ["a: Say a"]);
}

#[test]
fn a_verification_that_changes_tracked_files_proves_nothing() {
    let mut task = shell_task("a", &[]);
    task.verification.as_mut().unwrap().script = "sh tests/a_test.sh && echo changed > README.md".into();
    let bench = one_try(Bench::new(vec![task]).agent(HONEST));
    let (_, events) = bench.run();
    let failed = failures(&events);
    assert!(matches!(failed.as_slice(), [Failure::TestsFailed { gate: Gate::Purity, .. }]), "{failed:?}");
}

#[test]
fn nothing_of_the_plan_is_seen_in_a_slot_and_the_environment_is_a_list() {
    let agent = r#"[ -e plans ] && exit 7; git log --all --format=%H -- plans | grep -q . && exit 8
        env | grep -q CARGO_PKG_NAME && exit 9; echo "echo a" > a.sh"#;
    let bench = one_try(Bench::new(vec![shell_task("a", &[])]).agent(agent));
    std::fs::create_dir(bench.path("repo/plans")).unwrap();
    std::fs::write(bench.path("repo/plans/x.md"), "the held-out answer\n").unwrap();
    bench.git(&["add", "-A"]);
    bench.git(&["commit", "-qm", "plan"]);
    let (end, events) = bench.run();
    assert_eq!(end, RunEnd::Completed, "{:?}", failures(&events));
    assert!(bench.git(&["ls-tree", "-r", "--name-only", "windlass/demo"]).contains("plans/x.md"));
}
