//! The program may die at any moment: what was begun is finished by the next run, once, and to the same end.

use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use windlass_testkit::{Outcome, PlanTask, TestRepo, eventually};

use crate::world::{HONEST, evidence, one_task, users_own, with_plan};

/// The variables that set how often the program is killed, and how many tasks a run has then.
const KILLS: &str = "WINDLASS_KILLS";
const TASKS: &str = "WINDLASS_TORTURE_TASKS";

/// How long a run of many tasks may take.
const PATIENCE: Duration = Duration::from_mins(10);

/// Two tasks side by side, and one that needs both.
fn three_tasks() -> TestRepo {
    with_plan(&[PlanTask::shell("a"), PlanTask::shell("b"), PlanTask::shell("c").after(&["a", "b"])])
}

/// The tree that three tasks lead to when nothing happens.
fn undisturbed() -> String {
    let repo = three_tasks();
    repo.run(&[]).ends(0);
    repo.git(&["rev-parse", "windlass/demo^{tree}"])
}

/// What must hold at the end, however often it was interrupted.
#[track_caller]
fn holds(repo: &TestRepo, tree: &str, before: &[String], what: &str) {
    assert_eq!(repo.git(&["rev-parse", "windlass/demo^{tree}"]), tree, "{what}: the same tree");
    let mut tasks: Vec<String> = evidence(repo, "windlass/demo").iter().map(|e| e.task.to_string()).collect();
    tasks.sort();
    assert_eq!(tasks, ["a", "b", "c"], "{what}: each task once, with evidence of its own tree");
    assert_eq!(users_own(repo), before, "{what}: what is the user's is untouched");
    assert_eq!(repo.left_behind(), [], "{what}: nothing is left running");
}

/// A run that is to die at some point.
fn doomed(repo: &TestRepo, point: &(&str, String)) -> Outcome {
    repo.start_with(&[(point.0, &point.1)], &["run", "--agent", "cmd:fake-agent"]).wait()
}

fn after_write(n: u64) -> (&'static str, String) {
    ("WINDLASS_TEST_CRASH_AFTER", n.to_string())
}

#[test]
fn ten_deaths_in_a_row_inside_recovery_lose_nothing() {
    let tree = undisturbed();
    let repo = three_tasks();
    let before = users_own(&repo);
    assert_eq!(doomed(&repo, &after_write(9)).code, None);
    // Each recovery gets one write further than the one before, and then dies.
    for n in 1..=10 {
        let run = doomed(&repo, &after_write(n));
        assert!(matches!(run.code, None | Some(0)), "death {n}\n{run}");
    }
    repo.run(&[]).ends(0);
    holds(&repo, &tree, &before, "ten deaths inside recovery");
}

/// Dies at a point, now and then twice more in its recovery, and goes on. `false` if a run does not come to that point.
fn dies_at(point: &(&str, String), again: bool, tree: &str) -> bool {
    let repo = three_tasks();
    let before = users_own(&repo);
    let run = doomed(&repo, point);
    if run.code == Some(0) {
        return false;
    }
    assert_eq!(run.code, None, "{point:?}: it died of a signal\n{run}");
    for early in [1, 2].into_iter().filter(|_| again) {
        assert_eq!(doomed(&repo, &after_write(early)).code, None, "{point:?}: it dies again at once");
    }
    let resumed = repo.run(&[]);
    assert_eq!(resumed.code, Some(0), "{point:?}\n{resumed}");
    holds(&repo, tree, &before, &format!("{point:?}"));
    true
}

#[test]
fn dying_after_any_write_of_the_journal_loses_nothing() {
    let tree = undisturbed();
    let (next, last) = (AtomicU64::new(1), AtomicU64::new(0));
    std::thread::scope(|scope| {
        for _ in 0..2 {
            scope.spawn(|| {
                loop {
                    let n = next.fetch_add(1, Ordering::Relaxed);
                    if !dies_at(&after_write(n), n.is_multiple_of(3), &tree) {
                        return;
                    }
                    last.fetch_max(n, Ordering::Relaxed);
                }
            });
        }
    });
    let last = last.into_inner();
    assert!(last > 20, "three tasks take more writes than {last}");
}

#[test]
fn dying_between_a_deed_and_its_record_loses_nothing() {
    let tree = undisturbed();
    let of_the_run = ["run_started", "plan_sealed", "run_ended"].map(|kind| (kind, 1));
    let of_a_task = [
        "attempt_started",
        "tests_frozen",
        "turn_ended",
        "candidate_made",
        "verified",
        "merge_intended",
        "merged",
    ];
    let of_tasks = of_a_task.into_iter().flat_map(|kind| [(kind, 1), (kind, 3)]);
    let points: Mutex<Vec<(&str, i32)>> = Mutex::new(of_the_run.into_iter().chain(of_tasks).collect());
    std::thread::scope(|scope| {
        for _ in 0..2 {
            scope.spawn(|| {
                while let Some((kind, nth)) = { points.lock().unwrap().pop() } {
                    let point = ("WINDLASS_TEST_CRASH_BEFORE", format!("{kind}:{nth}"));
                    assert!(dies_at(&point, false, &tree), "a run comes to {point:?}");
                }
            });
        }
    });
}

/// A plan of several tasks, in which every third waits for two others.
fn wide(tasks: u64) -> TestRepo {
    let task = |n: u64| {
        let task = PlanTask::shell(&format!("t{n}"));
        if n % 3 == 2 { task.after(&[&format!("t{}", n - 1), &format!("t{}", n - 2)]) } else { task }
    };
    with_plan(&(0..tasks).map(task).collect::<Vec<_>>())
}

#[test]
fn kill_9_at_any_moment_loses_nothing() {
    let number = |name: &str, quick| std::env::var(name).ok().and_then(|n| n.parse().ok()).unwrap_or(quick);
    let (kills, tasks): (u64, u64) = (number(KILLS, 10), number(TASKS, 3));
    let calm = wide(tasks);
    calm.start_run(&[]).wait_for(PATIENCE).ends(0);
    let tree = calm.git(&["rev-parse", "windlass/demo^{tree}"]);
    // A fixed seed: the moments differ from each other, not from run to run of this test.
    let mut dice: u64 = 0x9e37_79b9_7f4a_7c15;
    let (mut killed, mut rounds) = (0, 0);
    while killed < kills {
        rounds += 1;
        let repo = wide(tasks);
        let before = users_own(&repo);
        // The later the kills, the more is done in between: a run comes to its end in any case.
        for grace in 0.. {
            dice = dice.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            let run = repo.start_run(&[]);
            std::thread::sleep(Duration::from_millis(30 + (dice >> 33) % 500 + grace * 5));
            run.kill();
            let ended = run.wait();
            match ended.code {
                None => killed += 1,
                Some(0) => break,
                Some(_) => panic!("{ended}"),
            }
            if killed >= kills {
                break;
            }
        }
        repo.start_run(&[]).wait_for(PATIENCE).ends(0);
        let mut done: Vec<String> =
            evidence(&repo, "windlass/demo").iter().map(|e| e.task.to_string()).collect();
        done.sort();
        let mut all: Vec<String> = (0..tasks).map(|n| format!("t{n}")).collect();
        all.sort();
        assert_eq!(done, all, "after {killed} kills: each task once, with evidence of its own tree");
        assert_eq!(
            repo.git(&["rev-parse", "windlass/demo^{tree}"]),
            tree,
            "after {killed} kills: the same tree"
        );
        assert_eq!(users_own(&repo), before, "after {killed} kills: what is the user's is untouched");
        assert_eq!(repo.left_behind(), [], "after {killed} kills: nothing is left running");
        println!("{killed} kills in {rounds} runs of {tasks} tasks");
    }
}

#[test]
fn what_a_killed_program_leaves_running_dies_at_the_next_start() {
    // Without a sandbox, and its watch killed first: otherwise nothing is left.
    let repo = one_task().agent("daemon {home}/daemon.pid\nwrite {home}/began yes\nwait-for {home}/never\n");
    let run = repo.start_run(&["--sandbox", "off", "--allow-unsandboxed"]);
    eventually("the agent has begun", || repo.home().join("began").exists());
    let watch = watch_of(run.pid()).expect("a run has somebody who watches over it");
    let killed = std::process::Command::new("kill").args(["-KILL", &watch.to_string()]).status().unwrap();
    assert!(killed.success());
    run.kill();
    run.wait();
    let left: Vec<String> = repo.left_behind().into_iter().map(|left| left.command).collect();
    let is_left = |name: &str| left.iter().any(|command| command.contains(name));
    assert!(is_left("fake-agent") && is_left("sleep 600"), "there is something to clear up: {left:?}");
    repo.script(HONEST);
    repo.run(&[]).ends(0).says("interrupted when Windlass ended; starts again");
    assert_eq!(repo.left_behind(), []);
}

/// The process that watches over a run: a child of it.
fn watch_of(run: u32) -> Option<u32> {
    let threads = std::fs::read_dir(format!("/proc/{run}/task")).ok()?.flatten();
    let children = threads.filter_map(|thread| std::fs::read_to_string(thread.path().join("children")).ok());
    let pids: Vec<u32> = children
        .flat_map(|list| list.split(' ').filter_map(|pid| pid.parse().ok()).collect::<Vec<_>>())
        .collect();
    let is_watch = |pid: &u32| {
        std::fs::read(format!("/proc/{pid}/cmdline")).is_ok_and(|line| line.ends_with(b"\0__watch\0"))
    };
    pids.into_iter().find(is_watch)
}
