//! What a person wants of a run: told while it is at work, or while it is not.

use insta::assert_snapshot;
use windlass_testkit::{PlanTask, TestRepo, eventually};

use crate::world::{HONEST, STRICT, one_task, state, states, two_tasks, with_plan};

/// Writes when it begins and goes on when it may.
const PATIENT: &str =
    "write {home}/{task}-began yes\nwait-for {home}/{task}-go\nwrite {task}.sh echo {task}\n";

fn began(repo: &TestRepo, task: &str) {
    let path = repo.home().join(format!("{task}-began"));
    eventually(&format!("{task} has begun"), || path.exists());
}

fn go(repo: &TestRepo, task: &str) {
    std::fs::write(repo.home().join(format!("{task}-go")), "").unwrap();
}

/// How many journaled events are of this kind.
fn heard(repo: &TestRepo, kind: &str) -> usize {
    use windlass_engine::journal::JournalReader;
    let reader = JournalReader::open(&repo.path(".git/windlass/plans/demo/journal.db")).unwrap();
    let records = reader.map(|r| r.read_after(0, 100_000).unwrap()).unwrap_or_default();
    records.iter().filter(|r| r.kind == kind).count()
}

#[test]
fn pause_lets_no_new_task_begin_until_resume() {
    let repo = two_tasks().agent(PATIENT);
    let run = repo.start_run(&[]);
    began(&repo, "a");
    repo.windlass(&["pause"]).ends(0).says("was told");
    eventually("the pause was heard", || heard(&repo, "paused") == 1);
    go(&repo, "a");
    eventually("a is merged", || state(&repo, "a") == "completed");
    repo.windlass(&["status"]).ends(0).says("paused");
    std::thread::sleep(std::time::Duration::from_millis(500));
    assert_eq!(state(&repo, "b"), "pending");
    go(&repo, "b");
    repo.windlass(&["resume"]).ends(0).says("was told");
    run.wait().ends(0);
    assert_eq!(states(&repo), [("a".into(), "completed".into()), ("b".into(), "completed".into())]);
}

#[test]
fn cancel_stops_the_run_and_keeps_what_is_done() {
    let repo = two_tasks().agent(PATIENT);
    let run = repo.start_run(&[]);
    go(&repo, "a");
    began(&repo, "b");
    repo.windlass(&["cancel"]).ends(0);
    run.wait().ends(130).says("cancelled");
    assert_eq!(repo.left_behind(), []);
    assert_eq!(states(&repo), [("a".into(), "completed".into()), ("b".into(), "pending".into())]);
}

#[test]
fn skip_while_it_runs_stops_the_attempt_and_retry_brings_it_back() {
    let repo = with_plan(&[PlanTask::shell("a"), PlanTask::shell("b"), PlanTask::shell("c").after(&["b"])]);
    repo.script(PATIENT);
    let run = repo.start_run(&[]);
    began(&repo, "a");
    began(&repo, "b");
    repo.windlass(&["skip", "b"]).ends(0);
    go(&repo, "a");
    let run = run.wait().ends(3);
    assert!(run.stdout.contains("skipped because of b"), "{run}");
    let ends: Vec<String> = states(&repo).into_iter().map(|(_, s)| s).collect();
    assert_eq!(ends, ["completed", "skipped", "skipped"]);
    repo.script(HONEST);
    assert_snapshot!(repo.windlass(&["retry", "b", "c"]).ends(0).screen(), @"trying again: `b`, `c`; no run of `demo` is at work: it is applied by the next `windlass run`");
    repo.run(&[]).ends(0);
}

/// A cancelled attempt leaves its task as it was: this run does not start it again, `retry` or the next run does. What depends on
/// it waits, and nothing is skipped.
#[test]
fn cancel_stops_one_attempt_and_the_next_run_continues_it() {
    let repo = with_plan(&[PlanTask::shell("a"), PlanTask::shell("b"), PlanTask::shell("c").after(&["b"])]);
    repo.script(PATIENT);
    let run = repo.start_run(&[]);
    began(&repo, "a");
    began(&repo, "b");
    assert_snapshot!(repo.windlass(&["cancel", "b"]).ends(0).screen(), @"cancelling the attempt of `b`, which the next `windlass run` continues; the run of `demo` (process [pid]) was told");
    eventually("b was cancelled", || heard(&repo, "task_cancelled") == 1);
    repo.windlass(&["status", "b"]).ends(0).says("cancelled; the next run continues it");
    go(&repo, "a");
    run.wait().ends(3).says("cancelled as you wished").says("next: `windlass run` goes on");
    assert_eq!(repo.left_behind(), []);
    let ends: Vec<String> = states(&repo).into_iter().map(|(_, s)| s).collect();
    assert_eq!(ends, ["completed", "pending", "pending"]);
    repo.windlass(&["cancel", "b"])
        .ends(0)
        .says("no run of `demo` is at work: there is no attempt to cancel");
    repo.windlass(&["retry", "b"]).ends(0).says("`windlass run` goes on with it");
    repo.script(HONEST);
    repo.run(&[]).ends(0);
}

#[test]
fn retry_takes_a_cancelled_task_up_in_the_same_run() {
    let repo = with_plan(&[PlanTask::shell("a"), PlanTask::shell("b")]);
    repo.script(PATIENT);
    let run = repo.start_run(&[]);
    began(&repo, "a");
    began(&repo, "b");
    repo.windlass(&["cancel", "b"]).ends(0);
    eventually("b was cancelled", || heard(&repo, "task_cancelled") == 1);
    go(&repo, "b");
    repo.windlass(&["retry", "b"]).ends(0).says("was told");
    eventually("b is merged", || heard(&repo, "merged") == 1);
    go(&repo, "a");
    run.wait().ends(0);
}

#[test]
fn a_failed_task_waits_for_retry() {
    let repo = one_task().file("windlass.toml", STRICT).agent("exit 1\n");
    repo.run(&[]).ends(1);
    repo.script(HONEST);
    repo.run(&[]).ends(1);
    repo.windlass(&["retry", "a"]).ends(0);
    repo.run(&[]).ends(0);
}

#[test]
fn retry_while_the_run_is_at_work() {
    let repo = with_plan(&[PlanTask::shell("a"), PlanTask::shell("b")]).file("windlass.toml", STRICT);
    repo.script("[a]\nexit 1\n[b]\nwrite {home}/b-began yes\nwait-for {home}/b-go\nwrite b.sh echo b\n");
    let run = repo.start_run(&[]);
    began(&repo, "b");
    eventually("a has failed", || heard(&repo, "task_failed") == 1);
    repo.script(HONEST);
    repo.windlass(&["retry", "a"]).ends(0).says("was told");
    eventually("a is merged", || heard(&repo, "merged") == 1);
    go(&repo, "b");
    run.wait().ends(0);
}

#[test]
fn documentation_waits_for_approval() {
    let task = PlanTask::new("guide", "Write the guide").front("no_test_reason: documentation_only").section(
        "Output Files",
        "",
        "WRITE: GUIDE.md",
    );
    let repo = with_plan(&[task]).agent("write GUIDE.md hello\n");
    repo.run(&[]).ends(3).says("waits for `windlass approve guide`");
    assert_eq!(state(&repo, "guide"), "blocked");
    repo.windlass(&["approve", "guide"]).ends(0);
    repo.run(&[]).ends(0);
    assert_eq!(repo.git(&["show", "windlass/demo:GUIDE.md"]), "hello");
}

#[test]
fn approve_while_the_run_is_at_work_and_skip_while_it_is_not() {
    let guide = PlanTask::new("guide", "Write the guide")
        .front("no_test_reason: documentation_only")
        .section("Output Files", "", "WRITE: GUIDE.md");
    let repo = with_plan(&[guide, PlanTask::shell("a"), PlanTask::shell("b")]);
    repo.script(&format!("[guide]\nwrite GUIDE.md hello\n[*]\n{PATIENT}"));
    let run = repo.start_run(&["--until", "guide", "--until", "a", "--jobs", "3"]);
    eventually("the guide waits", || heard(&repo, "task_blocked") == 1);
    repo.windlass(&["approve", "guide"]).ends(0).says("was told");
    eventually("the guide is merged", || state(&repo, "guide") == "completed");
    go(&repo, "a");
    run.wait().ends(0);
    repo.windlass(&["skip", "b"]).ends(0).says("applied by the next");
    repo.run(&[]).ends(3);
    assert_eq!(state(&repo, "b"), "skipped");
}

#[test]
fn wishes_about_a_run_need_one() {
    let repo = two_tasks();
    repo.run(&["--until", "a"]).ends(0);
    // A pause has nothing to hold up: the next run goes on.
    repo.windlass(&["pause"]).ends(0).says("there is nothing to pause");
    repo.windlass(&["resume"]).ends(0).says("continues by itself");
    repo.run(&[]).ends(0);
    // A cancel has nothing to stop.
    assert_snapshot!(repo.windlass(&["cancel"]).ends(0).screen(), @"no run of `demo` is at work: there is nothing to cancel");
    repo.run(&[]).ends(0);
}

#[test]
fn a_wish_for_a_task_nobody_knows_is_refused() {
    let repo = one_task();
    repo.windlass(&["retry", "a"]).ends(2).says("was never run");
    repo.run(&[]).ends(0);
    assert_snapshot!(repo.windlass(&["skip", "A"]).ends(2).screen(), @r"
    error: there is no task `A`
      hint: tasks: a
    ");
}
