//! What a run does on good and bad days.

use std::time::Duration;

use windlass_core::event::{AttemptEnd, BlockReason, Event, RunEnd, RunEvent, TaskEvent};
use windlass_core::failure::Failure;
use windlass_core::plan::Task;
use windlass_core::policy::Ladder;
use windlass_core::state::TaskState;
use windlass_engine::config::AgentSpec;
use windlass_engine::error::EngineError;
use windlass_engine::process::CancelLevel;

use crate::bench::{Bench, shell_task};

/// Writes the script its task is about.
const HONEST: &str = r#"echo "echo $WINDLASS_TASK" > "$WINDLASS_TASK.sh""#;

/// No second chances: what a story wants to see is seen at once.
fn strict(mut bench: Bench) -> Bench {
    bench.config.settings.ladder =
        Ladder { bug_hunter: 0, same_agent: 0, fresh_agent: 0, tier_up: 0, ..Ladder::default() };
    bench
}

fn one() -> Vec<Task> {
    vec![shell_task("a", &[])]
}

/// The failure of the only attempt.
fn only_failure(events: &[Event]) -> Failure {
    let mut failures = events.iter().filter_map(|e| match e {
        Event::Task {
            event: TaskEvent::AttemptEnded { end: AttemptEnd::Failed { failure }, .. }, ..
        } => Some(failure.clone()),
        _ => None,
    });
    let first = failures.next().expect("an attempt failed");
    assert!(failures.next().is_none(), "only one attempt failed");
    first
}

#[test]
fn three_tasks_become_three_commits_and_the_checkout_stays_as_it_was() {
    let bench = Bench::new(vec![shell_task("a", &[]), shell_task("b", &[]), shell_task("c", &["a", "b"])])
        .agent(HONEST);
    std::fs::write(bench.path("repo/README.md"), "being edited\n").unwrap();
    let before = (bench.git(&["status", "--porcelain"]), bench.git(&["rev-parse", "HEAD"]));
    let (end, _) = bench.run();
    assert_eq!(end, RunEnd::Completed);
    let subjects = bench.subjects();
    assert_eq!(subjects.len(), 3, "{subjects:?}");
    assert_eq!(subjects[2], "c: Say c");
    assert_eq!(before, (bench.git(&["status", "--porcelain"]), bench.git(&["rev-parse", "HEAD"])));
    let message = bench.git(&["log", "-1", "--format=%B", "windlass/demo"]);
    assert!(message.contains("Windlass-Task: c") && message.contains("Windlass-Evidence: "), "{message}");
    let files = bench.git(&["ls-tree", "-r", "--name-only", "windlass/demo"]);
    assert_eq!(files.lines().count(), 7, "{files}");
}

#[test]
fn the_evidence_binds_the_task_to_the_tree_of_its_commit() {
    let bench = Bench::new(one()).agent(HONEST);
    bench.run();
    let blob =
        bench.git(&["log", "-1", "--format=%(trailers:key=Windlass-Evidence,valueonly)", "windlass/demo"]);
    let text = bench.git(&["cat-file", "blob", blob.trim()]);
    let evidence: windlass_engine::integrate::Evidence = serde_json::from_str(&text).unwrap();
    assert_eq!(evidence.green.tree.as_str(), bench.git(&["rev-parse", "windlass/demo^{tree}"]));
    assert_eq!(evidence.onto.as_str(), bench.git(&["rev-parse", "main"]));
    let red = evidence.red.unwrap();
    assert_eq!(red.tests, ["says a"]);
    let reachable = bench.git(&["rev-list", "refs/windlass/demo/evidence"]);
    assert!(reachable.contains(red.commit.as_str()), "the red commit is kept by the evidence ref");
}

#[test]
fn the_bug_hunter_repairs_what_the_verifier_refused() {
    let agent = r#"case $WINDLASS_STEP in
        implement) echo "echo wrong" > "$WINDLASS_TASK.sh" ;;
        fix) grep -q 'not ok 1 - says a' "$WINDLASS_BRIEF" && echo "echo $WINDLASS_TASK" > "$WINDLASS_TASK.sh" ;;
    esac"#;
    let bench = Bench::new(one()).agent(agent);
    let (end, events) = bench.run();
    assert_eq!(end, RunEnd::Completed);
    assert!(matches!(only_failure(&events), Failure::TestsFailed { .. }));
}

#[test]
fn every_way_to_fail_has_its_own_name() {
    type Expected = fn(&Failure) -> bool;
    let table: [(&str, Expected); 9] = [
        ("true", |f| matches!(f, Failure::NoChange)),
        ("exit 3", |f| matches!(f, Failure::AgentError { .. })),
        ("echo x > other.txt", |f| matches!(f, Failure::OutOfScope { .. })),
        ("echo x > a.sh; echo x > other.txt", |f| matches!(f, Failure::TestsFailed { .. })),
        ("echo x > a.sh; ln -s /etc/passwd link", |f| matches!(f, Failure::NeverTaken { .. })),
        ("echo true > tests/a_test.sh", |f| matches!(f, Failure::FrozenChanged { .. })),
        ("rm tests/a_test.sh; echo 'echo no' > a.sh", |f| matches!(f, Failure::TestsFailed { .. })),
        ("echo 'echo no' > a.sh", |f| matches!(f, Failure::TestsFailed { .. })),
        ("echo nonsense > $WINDLASS_RESULT", |f| matches!(f, Failure::AgentError { .. })),
    ];
    for (agent, expected) in table {
        let bench = strict(Bench::new(one()).agent(agent));
        let (end, events) = bench.run();
        assert_eq!(end, RunEnd::Stuck, "{agent}");
        let failure = only_failure(&events);
        assert!(expected(&failure), "{agent}: {failure:?}");
        assert_eq!(bench.state("a"), TaskState::Failed, "{agent}");
        assert!(bench.subjects().is_empty(), "{agent}");
    }
}

#[test]
fn what_a_turn_may_not_change_is_left_out_and_the_rest_is_verified() {
    for (agent, told) in [
        ("echo 'echo a' > a.sh; echo x > other.txt", "left out of the candidate (out-of-scope): `other.txt`"),
        (
            "echo 'echo a' > a.sh; rm tests/a_test.sh",
            "put back as frozen (frozen-changed): `tests/a_test.sh`",
        ),
        (
            "echo 'echo a' > a.sh; echo true > tests/a_test.sh",
            "put back as frozen (frozen-changed): `tests/a_test.sh`",
        ),
    ] {
        let bench = strict(Bench::new(one()).agent(agent));
        let (end, events) = bench.run();
        assert_eq!(end, RunEnd::Completed, "{agent}");
        let said = events.iter().any(|e| {
            matches!(e, Event::Task { event: TaskEvent::ChangesLeftOut { left_out, .. }, .. } if left_out.words() == told)
        });
        assert!(said, "{agent}: {events:?}");
        let changed = bench.git(&["diff", "--name-only", "main", "windlass/demo"]);
        assert!(changed.contains("a.sh") && !changed.contains("other.txt"), "{agent}: {changed}");
    }
}

#[test]
fn an_owned_file_that_was_moved_elsewhere_is_out_of_scope() {
    let bench = strict(Bench::new(one()).agent("mv a.sh b.sh"));
    std::fs::write(bench.path("repo/a.sh"), "echo wrong\n").unwrap();
    bench.git(&["add", "-A"]);
    bench.git(&["commit", "-qm", "a.sh is there"]);
    assert!(matches!(only_failure(&bench.run().1), Failure::MovedOut { .. }));
}

#[test]
fn agent_work_is_kept_even_when_it_is_refused() {
    let bench = strict(Bench::new(one()).agent("echo x > other.txt"));
    bench.run();
    let kept = bench.git(&["show", "refs/windlass/demo/a/1/implement:other.txt"]);
    assert_eq!(kept, "x");
}

#[test]
fn a_contradiction_is_a_question_to_a_person_and_not_a_failure() {
    let agent =
        r#"echo '{"status":"blocked","reason":"the test wants 5, the text says 4"}' > $WINDLASS_RESULT"#;
    let bench = Bench::new(one()).agent(agent);
    let (end, events) = bench.run();
    assert_eq!(end, RunEnd::Stuck);
    assert_eq!(bench.state("a"), TaskState::Blocked);
    let said = events.iter().any(|e| {
        matches!(e, Event::Task { event: TaskEvent::TaskBlocked { block: BlockReason::AgentBlocked { reason } }, .. } if reason.contains("wants 5"))
    });
    assert!(said, "{events:?}");
}

#[test]
fn a_file_nobody_owns_is_granted_and_one_that_an_unfinished_task_owns_is_not() {
    let agent = r#"case $WINDLASS_TASK in
        a) echo '{"needs_files":["shared.sh"]}' > $WINDLASS_RESULT; echo s > shared.sh; echo "echo a" > a.sh ;;
        b) echo '{"status":"blocked","needs_files":["c.sh"]}' > $WINDLASS_RESULT ;;
        c) sleep 2; echo "echo c" > c.sh ;;
    esac"#;
    let bench =
        Bench::new(vec![shell_task("a", &[]), shell_task("b", &[]), shell_task("c", &[])]).agent(agent);
    let (end, _) = bench.run();
    assert_eq!(end, RunEnd::Stuck);
    assert_eq!(bench.state("a"), TaskState::Completed);
    assert_eq!(bench.git(&["show", "windlass/demo:shared.sh"]), "s");
    assert_eq!(bench.state("b"), TaskState::Blocked);
    assert_eq!(bench.state("c"), TaskState::Completed);
}

#[test]
fn a_rate_limit_costs_no_try() {
    let agent = r#"if [ -e "$HOME/again" ]; then echo "echo a" > a.sh; else
        touch "$HOME/again"; echo '{"status":"rate_limited","retry_after_seconds":1}' > $WINDLASS_RESULT; exit 1; fi"#;
    let bench = strict(Bench::new(one()).agent(agent));
    let (end, events) = bench.run();
    assert_eq!(end, RunEnd::Completed, "{events:?}");
    assert!(events.iter().any(|e| matches!(e, Event::Run(RunEvent::AgentPaused { .. }))));
}

#[test]
fn a_test_of_the_plan_that_is_not_red_needs_a_person() {
    let mut task = shell_task("a", &[]);
    task.test_code[0].code = "echo 'ok 1 - always'\n".into();
    let bench = Bench::new(vec![task]).agent(HONEST);
    bench.run();
    assert_eq!(bench.state("a"), TaskState::Blocked);
    assert!(bench.subjects().is_empty());
}

#[test]
fn red_needs_the_right_reason() {
    for script in ["sh tests/missing_test.sh\nno-such-command", "no-such-command", "kill -9 $$"] {
        let mut task = shell_task("a", &[]);
        task.verification.as_mut().unwrap().script = script.into();
        let bench = Bench::new(vec![task]).agent(HONEST);
        bench.run();
        let state = bench.state("a");
        if script.starts_with("sh") {
            continue; // `sh` on a missing file exits with 2 or 127, by system; either way nothing is completed.
        }
        assert_eq!(state, TaskState::Blocked, "{script}");
    }
}

#[test]
fn the_test_writer_writes_tests_and_nothing_else() {
    let mut task = shell_task("a", &[]);
    let code = task.test_code.remove(0).code;
    let write = format!("mkdir -p tests; cat > tests/a_test.sh <<'E'\n{code}E\n");
    let agent = format!("case $WINDLASS_STEP in write_test) {write} ;; *) echo 'echo a' > a.sh ;; esac");
    let bench = Bench::new(vec![task.clone()]).agent(&agent);
    assert_eq!(bench.run().0, RunEnd::Completed);
    let greedy = format!("{write}\necho 'echo a' > a.sh");
    let bench = strict(Bench::new(vec![task.clone()]).agent(&greedy));
    assert_eq!(bench.run().0, RunEnd::Completed, "code that comes with the tests is left out");
    let bench = strict(Bench::new(vec![task]).agent("echo 'echo a' > a.sh"));
    assert!(matches!(only_failure(&bench.run().1), Failure::CodeBeforeTests { .. }));
}

#[test]
fn a_command_that_never_ends_and_an_agent_that_floods_are_cut_off() {
    let mut bench = strict(Bench::new(one()).agent("sleep 1000"));
    bench.config.timeouts.attempt = Duration::from_millis(500);
    assert!(matches!(only_failure(&bench.run().1), Failure::Timeout { .. }));

    let flood = r#"head -c 200000000 /dev/zero | tr '\0' 'x'; echo "echo a" > a.sh"#;
    let mut bench = strict(Bench::new(one()).agent(flood));
    bench.config.sizes.output_bytes = 1 << 20;
    assert_eq!(bench.run().0, RunEnd::Completed);
}

#[test]
fn a_daemon_does_not_outlive_its_attempt() {
    let agent = r#"echo "echo a" > a.sh
        (setsid sh -c 'echo $$ > "$HOME/pid"; exec sleep 1000' >/dev/null 2>&1 &) ; sleep 0.3"#;
    let bench = Bench::new(one()).agent(agent);
    assert_eq!(bench.run().0, RunEnd::Completed);
    let pid = std::fs::read_to_string(bench.path("home/pid")).unwrap();
    let alive =
        std::fs::read_to_string(format!("/proc/{}/comm", pid.trim())).is_ok_and(|c| c.contains("sleep"));
    assert!(!alive, "process {pid} is still there");
}

#[test]
fn a_conflict_is_tried_again_on_the_new_tip() {
    // Two tasks that add to one file are ordered by their files; a granted file is what can still collide.
    let agent = r#"echo "echo $WINDLASS_TASK" > "$WINDLASS_TASK.sh"
        echo '{"needs_files":["shared.sh"]}' > $WINDLASS_RESULT
        [ "$WINDLASS_TASK" = b ] && sleep 1
        [ -e shared.sh ] && grep -q "$WINDLASS_TASK" shared.sh || echo "$WINDLASS_TASK" >> shared.sh; true"#;
    let bench = Bench::new(vec![shell_task("a", &[]), shell_task("b", &[])]).agent(agent);
    let (end, events) = bench.run();
    let blocked = bench.state("b") == TaskState::Blocked;
    assert!(end == RunEnd::Completed || blocked, "{events:?}");
}

#[test]
fn stopping_loses_nothing_and_the_next_run_goes_on() {
    let bench = Bench::new(vec![shell_task("a", &[]), shell_task("b", &["a"])])
        .agent(r#"[ "$WINDLASS_TASK" = b ] && [ ! -e "$HOME/go" ] && { touch "$HOME/begun"; sleep 1000; }; echo "echo $WINDLASS_TASK" > "$WINDLASS_TASK.sh""#);
    let (stop, begun) = (bench.stop.clone(), bench.path("home/begun"));
    let waiting = std::thread::spawn(move || {
        while !begun.exists() {
            std::thread::sleep(Duration::from_millis(20));
        }
        stop.raise(CancelLevel::Stop);
    });
    let (end, _) = bench.run();
    waiting.join().unwrap();
    assert_eq!(end, RunEnd::Interrupted);
    assert_eq!((bench.state("a"), bench.state("b")), (TaskState::Completed, TaskState::Pending));
    std::fs::write(bench.path("home/go"), "").unwrap();
    let bench = Bench { stop: windlass_engine::process::CancellationSignal::new(), ..bench };
    assert_eq!(bench.run().0, RunEnd::Completed);
    assert_eq!(bench.subjects(), ["a: Say a", "b: Say b"]);
}

#[test]
fn a_second_run_is_refused_and_told_of_the_first() {
    let bench = Bench::new(one()).agent("sleep 1000");
    let (stop, other) = (bench.stop.clone(), bench.request());
    let first = std::thread::scope(|scope| {
        let first = scope.spawn(|| bench.try_run());
        std::thread::sleep(Duration::from_millis(800));
        let runtime = tokio::runtime::Runtime::new().unwrap();
        let refused = runtime.block_on(windlass_engine::run::run(
            other,
            windlass_engine::process::CancellationSignal::new(),
            &mut windlass_engine::NoSink,
        ));
        let Err(EngineError::AlreadyRunning { note }) = refused else { panic!("{refused:?}") };
        assert!(note.contains("demo"), "{note}");
        stop.raise(CancelLevel::Now);
        first.join().unwrap()
    });
    assert_eq!(first.unwrap().0, RunEnd::Interrupted);
}

#[test]
fn a_branch_that_is_checked_out_is_left_alone() {
    let bench = Bench::new(one()).agent(HONEST);
    bench.git(&["switch", "-qc", "windlass/demo"]);
    let (end, _) = bench.run();
    assert_eq!(end, RunEnd::Stuck);
    assert_eq!(bench.git(&["rev-parse", "HEAD"]), bench.git(&["rev-parse", "main"]));
    bench.git(&["switch", "-q", "main"]);
    assert_eq!(bench.run().0, RunEnd::Completed);
}

#[test]
fn commits_of_the_user_on_the_branch_are_built_upon() {
    let bench = Bench::new(vec![shell_task("a", &[]), shell_task("b", &["a"])]).agent(HONEST);
    let mut early = bench.request();
    early.only = vec![crate::bench::id("a")];
    let runtime = tokio::runtime::Runtime::new().unwrap();
    let end =
        runtime.block_on(windlass_engine::run::run(early, bench.stop.clone(), &mut windlass_engine::NoSink));
    assert_eq!(end.unwrap(), RunEnd::Completed);
    bench.git(&["switch", "-q", "windlass/demo"]);
    bench.git(&["commit", "-q", "--allow-empty", "-m", "by hand"]);
    bench.git(&["switch", "-q", "main"]);
    assert_eq!(bench.run().0, RunEnd::Completed);
    assert_eq!(bench.subjects(), ["a: Say a", "by hand", "b: Say b"]);
}

#[test]
fn a_branch_that_was_moved_away_is_refused_with_the_way_back() {
    let bench = Bench::new(vec![shell_task("a", &[]), shell_task("b", &["a"])]).agent(HONEST);
    bench.run();
    bench.git(&["branch", "-f", "windlass/demo", "main"]);
    let error = bench.try_run().unwrap_err();
    assert!(error.hint().unwrap().contains("git branch -f windlass/demo"), "{error}");
    bench.git(&["branch", "-D", "windlass/demo"]);
    assert!(bench.try_run().unwrap_err().to_string().contains("is gone"));
}

#[test]
fn a_repository_that_cannot_be_used_is_refused_plainly() {
    let bench = Bench::new(one()).agent(HONEST);
    bench.git(&["branch", "windlass"]);
    let error = bench.try_run().unwrap_err();
    assert!(error.to_string().contains("windlass"), "{error}");
    assert!(error.hint().is_some());
    bench.git(&["branch", "-D", "windlass"]);
    bench.git(&["config", "--unset", "user.name"]);
    assert!(matches!(bench.try_run().unwrap_err(), EngineError::NoIdentity));
    bench.git(&["config", "user.name", "T"]);
    bench.git(&["checkout", "-q", "--detach"]);
    assert_eq!(bench.run().0, RunEnd::Completed, "a detached head is fine");
}

#[test]
fn a_recorded_run_can_be_replayed() {
    let agent = r#"case $WINDLASS_STEP in implement) echo "echo wrong" ;; fix) echo "echo $WINDLASS_TASK" ;; esac > "$WINDLASS_TASK.sh""#;
    let mut first = Bench::new(vec![shell_task("a", &[]), shell_task("b", &["a"])]).agent(agent);
    first.config.record = Some(first.path("tape"));
    assert_eq!(first.run().0, RunEnd::Completed);
    let mut second = Bench::new(vec![shell_task("a", &[]), shell_task("b", &["a"])]).agent("false");
    second.config.agents.insert("it".into(), AgentSpec::Replay { dir: first.path("tape") });
    assert_eq!(second.run().0, RunEnd::Completed);
    let tree = |b: &Bench| b.git(&["rev-parse", "windlass/demo^{tree}"]);
    assert_eq!(tree(&first), tree(&second));
}

#[test]
fn an_edited_pending_task_is_run_as_edited_and_a_completed_one_is_left() {
    let mut bench = strict(Bench::new(vec![shell_task("a", &[]), shell_task("b", &["a"])]).agent(
        r#"[ "$WINDLASS_TASK" = b ] && grep -q 'the new text' "$WINDLASS_BRIEF" || [ "$WINDLASS_TASK" = a ] || exit 1
        echo "echo $WINDLASS_TASK" > "$WINDLASS_TASK.sh""#,
    ));
    bench.config.settings.ladder.same_agent = 0;
    bench.run();
    assert_eq!(bench.state("b"), TaskState::Failed);
    for task in &mut bench.plan.tasks {
        task.description = "the new text".into();
    }
    bench.run();
    assert_eq!(bench.state("b"), TaskState::Failed, "a failed task waits for `retry`");
    assert!(bench.view().task("a").unwrap().is_stale());
    assert_eq!(bench.state("a"), TaskState::Completed);
    assert_eq!(bench.subjects(), ["a: Say a"]);
}

#[test]
fn an_audit_needs_only_the_commits_and_finds_what_was_tampered_with() {
    let bench = Bench::new(vec![shell_task("a", &[]), shell_task("b", &["a"])]).agent(HONEST);
    bench.run();
    let request = bench.request();
    let audited =
        || windlass_engine::audit::audit(&request.repo, &request.name, "windlass/demo").unwrap().records;
    assert!(audited().iter().all(|r| r.problems.is_empty()), "{:?}", audited());
    assert_eq!(audited().len(), 2);
    // A commit that borrows another's evidence.
    bench.git(&["switch", "-q", "windlass/demo"]);
    std::fs::write(bench.path("repo/b.sh"), "echo cheat\n").unwrap();
    bench.git(&["commit", "-q", "--amend", "-a", "--no-edit"]);
    let found = audited();
    assert!(found[0].problems.is_empty());
    assert!(found[1].problems.iter().any(|p| p.contains("another tree")), "{found:?}");
}
