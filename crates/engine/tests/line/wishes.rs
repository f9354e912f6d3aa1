//! Wishes that people leave for a run: before it starts and while it works.

use std::time::Duration;

use windlass_core::event::{Event, RunEnd, RunEvent, TaskEvent};
use windlass_core::state::TaskState;
use windlass_core::wish::Wish;

use crate::bench::{Bench, id, shell_task};
use crate::seen::{
    HONEST, attempts, begins, commit, failure_kinds, findings, leave, position, requests, run_findings,
    strict,
};

/// Tells that it has begun, then waits until it is let go.
const WAITS: &str = r#"touch "$HOME/begun-$WINDLASS_TASK"
    while [ ! -e "$HOME/go" ]; do sleep 0.05; done; echo "echo $WINDLASS_TASK" > "$WINDLASS_TASK.sh""#;

fn until(done: impl Fn() -> bool) {
    while !done() {
        std::thread::sleep(Duration::from_millis(20));
    }
}

/// Leaves a wish and waits until the run has taken it.
fn leave_and_wait(bench: &Bench, wish: &Wish) {
    leave(bench, wish);
    let requests = requests(bench);
    until(|| requests.pending().unwrap().is_empty());
}

/// Runs, and does something meanwhile.
fn run_while(bench: &Bench, meanwhile: impl FnOnce() + Send) -> (RunEnd, Vec<Event>) {
    std::thread::scope(|scope| {
        let other = scope.spawn(meanwhile);
        let run = bench.run();
        other.join().unwrap();
        run
    })
}

fn let_go(bench: &Bench) {
    std::fs::write(bench.path("home/go"), "").unwrap();
}

#[test]
fn a_wish_that_cannot_be_followed_is_answered_and_changes_nothing() {
    let bench = Bench::new(vec![shell_task("a", &[])]).agent(HONEST);
    bench.run();
    let task = || id("a");
    let table = [
        (Wish::Skip { task: task() }, "the task has already ended"),
        (Wish::Retry { task: task() }, "it is completed, and its text has not changed since"),
        (Wish::Approve { task: task(), files: Vec::new() }, "it does not wait for approval"),
    ];
    for (wish, why) in table {
        leave(&bench, &wish);
        let (_, events) = bench.run();
        assert_eq!(findings(&events), [format!("request ignored: {why}")], "{wish:?}");
        assert_eq!(attempts(&events), [""; 0], "{wish:?}");
        assert_eq!(bench.state("a"), TaskState::Completed, "{wish:?}");
        assert!(requests(&bench).pending().unwrap().is_empty(), "{wish:?}");
    }
    assert_eq!(bench.subjects(), ["a: Say a"]);
}

#[test]
fn wishes_about_nothing_are_findings_of_the_run() {
    let bench = Bench::new(vec![shell_task("a", &[])]).agent(HONEST);
    for wish in [
        Wish::Retry { task: id("zz") },
        Wish::Skip { task: id("zz") },
        Wish::Approve { task: id("zz"), files: Vec::new() },
    ] {
        leave(&bench, &wish);
    }
    requests(&bench).submit("now", "{\"wish\":\"fly\"}").unwrap();
    let (end, events) = bench.run();
    assert_eq!(end, RunEnd::Completed, "the work goes on");
    let mut told = run_findings(&events);
    told.retain(|message| message.starts_with("a request "));
    assert_eq!(told[..3], ["a request names task `zz`, which the plan does not have"; 3]);
    assert!(told[3].starts_with("a request cannot be read: "), "{told:?}");
    assert_eq!(told.len(), 4);
}

#[test]
fn wishes_about_a_run_that_is_over_do_not_concern_the_next_one() {
    for wish in [Wish::Pause {}, Wish::Resume {}, Wish::Cancel { task: None }] {
        let bench = Bench::new(vec![shell_task("a", &[])]).agent(HONEST);
        leave(&bench, &wish);
        let (end, events) = bench.run();
        assert_eq!(end, RunEnd::Completed, "{wish:?}");
        let concerned = position(&events, |e| {
            matches!(e, Event::Run(RunEvent::Paused | RunEvent::Resumed | RunEvent::StopRequested { .. }))
        });
        assert_eq!(concerned, None, "{wish:?}");
    }
}

#[test]
fn a_skipped_task_takes_what_needs_it_along_and_a_retry_brings_them_back() {
    let bench =
        Bench::new(vec![shell_task("a", &[]), shell_task("b", &["a"]), shell_task("c", &[])]).agent(HONEST);
    leave(&bench, &Wish::Skip { task: id("a") });
    let (_, events) = bench.run();
    assert_eq!(attempts(&events), ["first try by it"], "only c is worked on");
    let states = |bench: &Bench| ["a", "b", "c"].map(|task| bench.state(task));
    assert_eq!(states(&bench), [TaskState::Skipped, TaskState::Skipped, TaskState::Completed]);
    assert_eq!(bench.subjects(), ["c: Say c"]);

    leave(&bench, &Wish::Retry { task: id("a") });
    let (end, _) = bench.run();
    assert_eq!((end, states(&bench)), (RunEnd::Completed, [TaskState::Completed; 3]));
    assert_eq!(bench.subjects(), ["c: Say c", "a: Say a", "b: Say b"]);
}

#[test]
fn a_failed_task_is_left_alone_until_it_is_retried() {
    let agent = format!(r#"[ -e "$HOME/fixed" ] || exit 3; {HONEST}"#);
    let bench = strict(Bench::new(vec![shell_task("a", &[])]).agent(&agent));
    bench.run();
    std::fs::write(bench.path("home/fixed"), "").unwrap();
    let (end, events) = bench.run();
    assert_eq!((end, attempts(&events)), (RunEnd::Stuck, vec![]), "another run is not a retry");
    leave(&bench, &Wish::Retry { task: id("a") });
    let (end, events) = bench.run();
    assert_eq!(end, RunEnd::Completed);
    assert_eq!(attempts(&events), ["first try by it"], "the ladder begins anew");
    let message = bench.git(&["log", "-1", "--format=%B", "windlass/demo"]);
    assert!(message.contains("Windlass-Attempt: 2"), "attempts are counted on: {message}");
}

#[test]
fn a_completed_task_whose_text_changed_can_be_carried_out_again() {
    let mut bench = Bench::new(vec![shell_task("a", &[])]).agent(HONEST);
    bench.run();
    bench.plan.tasks[0].test_code[0].code =
        "echo 1..1\nsh a.sh | grep -q more || { echo 'not ok 1 - says more'; exit 1; }\necho 'ok 1 - says more'\n"
            .into();
    let bench = bench.agent(r#"echo "echo more" > a.sh"#);
    leave(&bench, &Wish::Retry { task: id("a") });
    let (end, events) = bench.run();
    assert_eq!(end, RunEnd::Completed, "{:?}", failure_kinds(&events));
    let message = bench.git(&["log", "-1", "--format=%B", "windlass/demo"]);
    assert!(message.contains("Windlass-Revision: 2"), "{message}");
    assert_eq!(bench.git(&["show", "windlass/demo:a.sh"]), "echo more");
}

#[test]
fn a_task_at_work_is_cancelled_and_the_others_go_on() {
    let table = [
        // What was cancelled is taken up by the next run, what was skipped is not.
        (Wish::Cancel { task: Some(id("a")) }, TaskState::Pending),
        (Wish::Skip { task: id("a") }, TaskState::Skipped),
    ];
    for (wish, state) in table {
        let agent = format!(r#"[ "$WINDLASS_TASK" = a ] && {{ {WAITS}; exit; }}; {HONEST}"#);
        let bench = Bench::new(vec![shell_task("a", &[]), shell_task("b", &[])]).agent(&agent);
        let (_, events) = run_while(&bench, || {
            until(|| bench.path("home/begun-a").exists());
            leave_and_wait(&bench, &wish);
        });
        assert_eq!((bench.state("a"), bench.state("b")), (state, TaskState::Completed));
        assert_eq!(failure_kinds(&events), [""; 0], "{wish:?}: an interruption is no failure");
        assert_eq!(bench.subjects(), ["b: Say b"], "{wish:?}");
    }
}

#[test]
fn a_cancelled_run_stops_its_workers_and_the_next_run_goes_on() {
    let bench = Bench::new(vec![shell_task("a", &[])]).agent(WAITS);
    let (end, _) = run_while(&bench, || {
        until(|| bench.path("home/begun-a").exists());
        leave_and_wait(&bench, &Wish::Cancel { task: None });
    });
    assert_eq!((end, bench.state("a")), (RunEnd::Cancelled, TaskState::Pending));
    let_go(&bench);
    let (end, events) = bench.run();
    assert_eq!((end, attempts(&events).len()), (RunEnd::Completed, 1));
}

#[test]
fn a_paused_run_finishes_what_is_under_way_and_begins_nothing_new() {
    let bench = Bench::new(vec![shell_task("a", &[]), shell_task("b", &["a"])]).agent(WAITS);
    let (end, events) = run_while(&bench, || {
        until(|| bench.path("home/begun-a").exists());
        leave_and_wait(&bench, &Wish::Pause {});
        leave_and_wait(&bench, &Wish::Pause {});
        let_go(&bench);
        until(|| bench.state("a") == TaskState::Completed);
        // Time for a second task to begin, if it were to.
        std::thread::sleep(Duration::from_millis(500));
        // One only: the run may end before it hears a second one.
        leave_and_wait(&bench, &Wish::Resume {});
    });
    assert_eq!(end, RunEnd::Completed);
    let count = |wanted: &RunEvent| events.iter().filter(|e| **e == Event::Run(wanted.clone())).count();
    assert_eq!(
        (count(&RunEvent::Paused), count(&RunEvent::Resumed)),
        (1, 1),
        "a second pause says nothing new"
    );
    let resumed = position(&events, |e| *e == Event::Run(RunEvent::Resumed)).unwrap();
    assert!(position(&events, |e| begins(e, "b")).unwrap() > resumed, "b waits for the end of the pause");
}

#[test]
fn a_retry_of_a_task_at_work_is_not_followed() {
    let bench = Bench::new(vec![shell_task("a", &[])]).agent(WAITS);
    let (end, events) = run_while(&bench, || {
        until(|| bench.path("home/begun-a").exists());
        leave_and_wait(&bench, &Wish::Retry { task: id("a") });
        let_go(&bench);
    });
    assert_eq!((end, attempts(&events).len()), (RunEnd::Completed, 1));
    assert_eq!(findings(&events), ["request ignored: the task has not ended"]);
}

#[test]
fn an_approval_is_used_once() {
    let mut task = shell_task("n", &[]);
    task.test_code.clear();
    task.verification = None;
    task.test =
        windlass_core::plan::TestPlan { none: Some("documentation_only".into()), ..Default::default() };
    task.files.create = vec!["GUIDE.md".into()];
    let bench = Bench::new(vec![task]).agent("echo hi > GUIDE.md");
    commit(&bench, &[("NOTES.md", "x\n")]);
    let (_, events) = bench.run();
    assert!(
        position(&events, |e| matches!(e, Event::Task { event: TaskEvent::TaskBlocked { .. }, .. }))
            .is_some()
    );
    leave(&bench, &Wish::Approve { task: id("n"), files: Vec::new() });
    leave(&bench, &Wish::Approve { task: id("n"), files: Vec::new() });
    let (end, events) = bench.run();
    assert_eq!(end, RunEnd::Completed);
    let approved =
        events.iter().filter(|e| matches!(e, Event::Task { event: TaskEvent::Approved, .. })).count();
    assert_eq!(approved, 1);
}
