//! A plan that changes between two runs.

use insta::assert_snapshot;
use windlass_testkit::PlanTask;

use crate::world::{evidence, state, two_tasks};

#[test]
fn what_is_pending_follows_the_plan_and_what_is_done_waits_for_a_retry() {
    let repo = two_tasks();
    repo.run(&["--until", "a"]).ends(0);
    // The test of `a` asks for something else now; so does the one of `b`, which was not begun.
    let louder = |id: &str| {
        let path = format!("plans/demo/tasks/{id}.md");
        let (old, new) = (format!("= {id} ]"), format!("= {id}! ]"));
        let text = repo.read(&path);
        assert!(text.contains(&old), "{text}");
        repo.write(&path, &text.replace(&old, &new));
    };
    louder("a");
    louder("b");
    repo.script("write {task}.sh echo {task}!\n");
    repo.run(&[]).ends(0);
    assert_eq!(repo.git(&["show", "windlass/demo:a.sh"]), "echo a", "what is done stays as it is");
    assert_eq!(repo.git(&["show", "windlass/demo:b.sh"]), "echo b!", "what was pending follows the plan");
    assert_snapshot!(repo.windlass(&["status"]).ends(0).screen(), @r"
    plan demo · completed · branch windlass/demo at [oid]
    ██████████████████████████████ 2 of 2 completed · 1 stale
    [time] · 2 jobs

      ~ a  stale [time] Say a
                              the plan changed after it was completed; `windlass retry` carries it out …
      ✓ b  completed [time] Say b

    next: `windlass land` brings the branch home
    ");

    repo.windlass(&["retry", "a"]).ends(0);
    repo.run(&[]).ends(0);
    assert_eq!(repo.git(&["show", "windlass/demo:a.sh"]), "echo a!");
    assert_eq!(state(&repo, "a"), "completed");
    assert_snapshot!(repo.windlass(&["audit"]).ends(0).screen(), @r"
    ✔ [oid]  a
    ✔ [oid]  b
    ✔ [oid]  a (revision 2)
    3 records on windlass/demo: all hold
    ");
}

#[test]
fn a_task_that_is_gone_is_not_asked_for_and_a_new_one_is() {
    let repo = two_tasks();
    repo.run(&["--until", "a"]).ends(0);
    std::fs::remove_file(repo.path("plans/demo/tasks/b.md")).unwrap();
    let repo = repo.plan("demo", &[PlanTask::shell("c").after(&["a"])]);
    repo.run(&[]).ends(0);
    let tasks: Vec<String> = evidence(&repo, "windlass/demo").iter().map(|e| e.task.to_string()).collect();
    assert_eq!(tasks, ["a", "c"]);
}

#[test]
fn what_is_done_and_says_the_same_is_not_done_again() {
    let repo = two_tasks();
    repo.run(&[]).ends(0);
    let before = repo.git(&["rev-parse", "windlass/demo"]);
    assert_snapshot!(repo.windlass(&["retry", "a"]).ends(2).screen(), @"
    error: task `a` is completed, and its text has not changed since
      hint: change its text and `retry` it, or `windlass reopen a --because REASON`
    ");
    // A wish that was left all the same, by another front end, leads to nothing.
    let requests =
        windlass_engine::requests::Requests::open(&repo.path(".git/windlass/plans/demo/requests.db"))
            .unwrap();
    let wish = windlass_core::wish::Wish::Retry { task: windlass_core::ids::TaskId::new("a").unwrap() };
    requests.submit("2026-01-01T00:00:00Z", &wish.to_json().unwrap()).unwrap();
    repo.run(&[]).ends(0).says("it is completed, and its text has not changed since");
    assert_eq!(repo.git(&["rev-parse", "windlass/demo"]), before);
    assert_eq!(state(&repo, "a"), "completed");
}

#[test]
fn an_edited_task_can_be_retried_before_the_next_run_sees_the_edit() {
    let repo = two_tasks();
    repo.run(&[]).ends(0);
    let path = "plans/demo/tasks/a.md";
    repo.write(path, &repo.read(path).replace("= a ]", "= a! ]"));
    repo.script("write {task}.sh echo {task}!\n");
    repo.windlass(&["retry", "a"]).ends(0);
    repo.run(&[]).ends(0);
    assert_eq!(repo.git(&["show", "windlass/demo:a.sh"]), "echo a!");
    let revisions: Vec<u32> = evidence(&repo, "windlass/demo").iter().map(|e| e.revision).collect();
    assert_eq!(revisions, [1, 1, 2]);
    let last = repo.git(&["log", "-1", "--format=%B", "windlass/demo"]);
    assert!(last.contains("Windlass-Revision: 2"), "{last}");
}
