//! The integration branch in other hands, and runs that continue an earlier one.

use windlass_core::event::{Event, RunEnd, RunEvent, TaskEvent};
use windlass_core::state::TaskState;
use windlass_engine::error::EngineError;

use crate::bench::{Bench, id, shell_task};
use crate::seen::{HONEST, attempts, commit, failure_kinds, findings, strict};

fn two() -> Vec<windlass_core::plan::Task> {
    vec![shell_task("a", &[]), shell_task("b", &["a"])]
}

/// Task `b` does something to the branch in the user's repository before its own work.
fn meddling(what: &str) -> String {
    format!(
        r#"if [ "$WINDLASS_TASK" = b ] && [ ! -e "$HOME/done" ]; then touch "$HOME/done"; (cd "$HOME/../repo" && {what}); fi; {HONEST}"#
    )
}

#[test]
fn a_branch_that_moves_forward_during_a_run_is_verified_on_again() {
    let forward = "git update-ref refs/heads/windlass/demo \
        $(git commit-tree -p windlass/demo -m 'by hand' 'windlass/demo^{tree}')";
    let bench = strict(Bench::new(two()).agent(&meddling(forward)));
    let (end, events) = bench.run();
    assert_eq!(end, RunEnd::Completed, "{:?}", failure_kinds(&events));
    assert_eq!(bench.subjects(), ["a: Say a", "by hand", "b: Say b"]);
    let moved = events.iter().filter(|e| matches!(e, Event::Run(RunEvent::TipMoved { .. }))).count();
    assert_eq!(moved, 1);
    assert_eq!(attempts(&events).len(), 2, "verified again, not made again");
}

#[test]
fn a_branch_that_loses_a_merge_during_a_run_pauses_merging_with_the_way_back() {
    let bench = strict(Bench::new(two()).agent(&meddling("git update-ref refs/heads/windlass/demo main")));
    let (end, events) = bench.run();
    assert_eq!((end, bench.state("a")), (RunEnd::Stuck, TaskState::Completed));
    let reason = events
        .iter()
        .find_map(|e| match e {
            Event::Run(RunEvent::MergingPaused { reason }) => Some(reason.clone()),
            _ => None,
        })
        .unwrap();
    assert!(
        reason.contains("no longer contains") && reason.contains("git branch -f windlass/demo"),
        "{reason}"
    );
    assert_eq!(bench.subjects(), [""; 0], "the branch is left where the user put it");
    let error = bench.try_run().unwrap_err();
    assert!(matches!(error, EngineError::Branch { .. }), "{error}");
    let back = reason.rsplit(' ').next().unwrap().trim_matches('`').to_owned();
    bench.git(&["branch", "-f", "windlass/demo", &back]);
    assert_eq!(bench.run().0, RunEnd::Completed, "the way back leads on");
    assert_eq!(bench.subjects(), ["a: Say a", "b: Say b"]);
}

#[test]
fn a_branch_that_exists_before_the_first_run_is_built_upon() {
    let bench = Bench::new(vec![shell_task("a", &[])]).agent(HONEST);
    bench.git(&["switch", "-qc", "windlass/demo"]);
    commit(&bench, &[("earlier.txt", "x\n")]);
    bench.git(&["switch", "-q", "main"]);
    assert_eq!(bench.run().0, RunEnd::Completed);
    assert_eq!(bench.subjects(), ["more files", "a: Say a"]);
}

#[test]
fn a_finished_run_has_nothing_left_to_do() {
    let bench = Bench::new(two()).agent(HONEST);
    bench.run();
    let tip = bench.git(&["rev-parse", "windlass/demo"]);
    let (end, events) = bench.run();
    assert_eq!((end, attempts(&events)), (RunEnd::Completed, vec![]));
    assert_eq!(bench.git(&["rev-parse", "windlass/demo"]), tip);
}

#[test]
fn a_run_of_some_tasks_leaves_the_others_for_later() {
    let bench =
        Bench::new(vec![shell_task("a", &[]), shell_task("b", &["a"]), shell_task("c", &[])]).agent(HONEST);
    let mut request = bench.request();
    request.only = vec![id("c")];
    let runtime = tokio::runtime::Runtime::new().unwrap();
    let end = runtime.block_on(windlass_engine::run::run(
        request,
        bench.stop.clone(),
        &mut windlass_engine::NoSink,
    ));
    assert_eq!(end.unwrap(), RunEnd::Completed);
    assert_eq!(bench.subjects(), ["c: Say c"]);
    assert_eq!(["a", "b"].map(|task| bench.state(task)), [TaskState::Pending; 2]);
    assert_eq!(bench.run().0, RunEnd::Completed);
    assert_eq!(bench.subjects(), ["c: Say c", "a: Say a", "b: Say b"]);
}

#[test]
fn commits_carry_the_configured_subject_and_sign_off_and_plan_text_forges_no_trailer() {
    let mut task = shell_task("a", &[]);
    task.title = "Say\na\tthing".into();
    task.objective = "Because.\nWindlass-Task: z\nWindlass-Evidence: 0".into();
    let mut bench = strict(Bench::new(vec![task]).agent(HONEST));
    bench.config.commit.subject = "feat({id}): {title}".into();
    bench.config.commit.signoff = true;
    assert_eq!(bench.run().0, RunEnd::Completed);
    assert_eq!(bench.subjects(), ["feat(a): Say"]);
    let message = bench.git(&["log", "-1", "--format=%B", "windlass/demo"]);
    assert!(message.contains("Because.\n> Windlass-Task: z\n> Windlass-Evidence: 0\n"), "{message}");
    assert!(message.contains("\nSigned-off-by: T <t@example.org>"), "{message}");
    let tasks =
        bench.git(&["log", "-1", "--format=%(trailers:key=Windlass-Task,valueonly)", "windlass/demo"]);
    assert_eq!(tasks, "a");
}

#[test]
fn a_stopped_attempt_is_neither_a_failure_nor_a_finding() {
    let agent = format!(r#"[ -e "$HOME/go" ] || {{ touch "$HOME/begun"; sleep 1000; }}; {HONEST}"#);
    let bench = strict(Bench::new(vec![shell_task("a", &[])]).agent(&agent));
    let (stop, begun) = (bench.stop.clone(), bench.path("home/begun"));
    let waiting = std::thread::spawn(move || {
        while !begun.exists() {
            std::thread::sleep(std::time::Duration::from_millis(20));
        }
        stop.raise(windlass_engine::process::CancelLevel::Now);
    });
    let (end, events) = bench.run();
    waiting.join().unwrap();
    assert_eq!(end, RunEnd::Interrupted);
    assert!(failure_kinds(&events).is_empty() && findings(&events).is_empty(), "{events:?}");
    assert!(!events.iter().any(|e| matches!(e, Event::Task { event: TaskEvent::TaskFailed { .. }, .. })));
    std::fs::write(bench.path("home/go"), "").unwrap();
    let bench = Bench { stop: windlass_engine::process::CancellationSignal::new(), ..bench };
    assert_eq!(bench.run().0, RunEnd::Completed, "the single attempt of the ladder is still due");
}
