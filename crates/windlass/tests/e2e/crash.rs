//! The program may die at any moment: what was begun is finished by the next run, once, and to the same end.

use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};

use windlass_testkit::{Outcome, PlanTask, TestRepo, eventually};

use crate::world::{HONEST, evidence, one_task, users_own, with_plan};

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

fn run_until_write(repo: &TestRepo, n: u64) -> Outcome {
    let n = n.to_string();
    repo.start_with(&[("WINDLASS_TEST_CRASH_AFTER", &n)], &["run", "--agent", "cmd:fake-agent"]).wait()
}

/// Dies after the `n`-th write of the journal, then twice more in its recovery, then goes on. `false` if there is no such
/// write.
fn dies_after(n: u64, tree: &str) -> bool {
    let repo = three_tasks();
    let before = users_own(&repo);
    let run = run_until_write(&repo, n);
    if run.code == Some(0) {
        return false;
    }
    assert_eq!(run.code, None, "write {n}: it died of a signal\n{run}");
    if n.is_multiple_of(3) {
        for early in [1, 2] {
            assert_eq!(run_until_write(&repo, early).code, None, "write {n}: it dies again at once");
        }
    }
    let resumed = repo.run(&[]);
    assert_eq!(resumed.code, Some(0), "write {n}\n{resumed}");
    holds(&repo, tree, &before, &format!("write {n}"));
    true
}

#[test]
fn dying_after_any_write_of_the_journal_loses_nothing() {
    let tree = undisturbed();
    let (next, last) = (AtomicU64::new(1), Mutex::new(0));
    std::thread::scope(|scope| {
        for _ in 0..2 {
            scope.spawn(|| {
                loop {
                    let n = next.fetch_add(1, Ordering::Relaxed);
                    if !dies_after(n, &tree) {
                        return;
                    }
                    let mut last = last.lock().unwrap();
                    *last = n.max(*last);
                }
            });
        }
    });
    let last = last.into_inner().unwrap();
    assert!(last > 20, "three tasks take more writes than {last}");
}

#[test]
fn kill_9_at_any_moment_loses_nothing() {
    let tree = undisturbed();
    let repo = three_tasks();
    let before = users_own(&repo);
    // A fixed seed: the moments differ from each other, not from run to run of this test.
    let mut dice: u64 = 0x9e37_79b9_7f4a_7c15;
    for _ in 0..10 {
        dice = dice.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        let run = repo.start_run(&[]);
        std::thread::sleep(std::time::Duration::from_millis(30 + (dice >> 33) % 500));
        run.kill();
        let ended = run.wait();
        assert!(matches!(ended.code, None | Some(0)), "{ended}");
    }
    repo.run(&[]).ends(0);
    holds(&repo, &tree, &before, "ten kills");
}

#[test]
fn what_a_killed_program_leaves_running_dies_at_the_next_start() {
    let repo = one_task().agent("daemon {home}/daemon.pid\nwrite {home}/began yes\nwait-for {home}/never\n");
    let run = repo.start_run(&[]);
    eventually("the agent has begun", || repo.home().join("began").exists());
    run.kill();
    run.wait();
    let left: Vec<String> = repo.left_behind().into_iter().map(|left| left.command).collect();
    let is_left = |name: &str| left.iter().any(|command| command.contains(name));
    assert!(is_left("fake-agent") && is_left("sleep 600"), "there is something to clear up: {left:?}");
    repo.script(HONEST);
    repo.run(&[]).ends(0).says("was lost with the program");
    assert_eq!(repo.left_behind(), []);
}
