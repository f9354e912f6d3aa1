//! What a run refuses, in words that say what to do.

use insta::assert_snapshot;
use windlass_testkit::{PlanTask, TestRepo, eventually};

use crate::world::{HONEST, STRICT, empty, one_task, state, two_tasks, users_own, with_plan};

#[test]
fn a_second_run_is_told_of_the_first() {
    let repo = one_task().agent("write {home}/began yes\nwait-for {home}/go\nwrite a.sh echo a\n");
    let first = repo.start_run(&[]);
    eventually("the first run is at work", || repo.home().join("began").exists());
    let second = repo.run(&[]).ends(3);
    assert!(second.stderr.contains(&format!("process {}", first.pid())), "{second}");
    assert_snapshot!(second.screen(), @"");
    std::fs::write(repo.home().join("go"), "").unwrap();
    first.wait().ends(0);
}

#[test]
fn a_branch_that_is_checked_out_waits_until_it_is_not() {
    let repo = one_task();
    repo.git(&["switch", "-q", "-c", "windlass/demo"]);
    let before = users_own(&repo);
    let run = repo.run(&[]).ends(3);
    assert_eq!(users_own(&repo), before);
    assert_snapshot!(run.screen(), @"");
    repo.git(&["switch", "-q", "main"]);
    repo.run(&[]).ends(0);
    assert_eq!(repo.subjects("windlass/demo"), ["a: Say a"]);
}

#[test]
fn a_branch_that_was_moved_away_is_not_built_upon() {
    let repo = two_tasks();
    repo.run(&["--until", "a"]).ends(0);
    repo.git(&["branch", "-f", "windlass/demo", "main"]);
    let refused = repo.run(&[]).ends(3);
    assert_snapshot!(refused.screen(), @"");
    let hint = refused.stderr.split("`git branch").nth(1).unwrap().split('`').next().unwrap();
    let words: Vec<&str> = std::iter::once("branch").chain(hint.split_whitespace()).collect();
    repo.git(&words);
    repo.run(&[]).ends(0);
    assert_eq!(repo.subjects("windlass/demo"), ["a: Say a", "b: Say b"]);
}

#[test]
fn a_branch_called_windlass_is_in_the_way() {
    let repo = one_task();
    repo.git(&["branch", "windlass"]);
    assert_snapshot!(repo.run(&[]).ends(3).screen(), @"");
}

#[test]
fn a_repository_that_cannot_be_used_is_refused_plainly() {
    let nobody = one_task();
    std::fs::remove_file(nobody.home().join(".gitconfig")).unwrap();
    assert_snapshot!(nobody.run(&[]).ends(4).screen(), @"");

    let unborn = empty().plan("demo", &[PlanTask::shell("a")]).agent(HONEST);
    assert_snapshot!(unborn.run(&[]).ends(4).screen(), @"");

    let nowhere = TestRepo::without_git(env!("CARGO_BIN_EXE_windlass")).plan("demo", &[PlanTask::shell("a")]);
    nowhere.windlass(&["check"]).ends(0);
    assert_snapshot!(nowhere.run(&[]).ends(4).screen(), @"");
    assert_snapshot!(nowhere.windlass(&["status"]).ends(4).screen(), @"");
}

#[test]
fn a_bare_repository_works_with_a_plan_from_elsewhere() {
    let repo = one_task();
    let bare = repo.top().join("bare.git");
    repo.git(&["clone", "-q", "--bare", ".", bare.to_str().unwrap()]);
    let plan = repo.path("plans/demo");
    repo.windlass(&[
        "-C",
        bare.to_str().unwrap(),
        "run",
        "--agent",
        "cmd:fake-agent",
        plan.to_str().unwrap(),
    ])
    .ends(0);
    let log = repo.git(&["-C", bare.to_str().unwrap(), "log", "--format=%s", "main..windlass/demo"]);
    assert_eq!(log, "a: Say a");
}

#[test]
fn a_plan_that_does_not_hold_is_shown_where() {
    let unreadable = one_task().file("plans/demo/plan.toml", "name = \"demo\nobjective = 3\n");
    assert_snapshot!(unreadable.run(&[]).screen(), @"");

    let cycle = with_plan(&[PlanTask::shell("a").after(&["b"]), PlanTask::shell("b").after(&["a", "z"])]);
    let refused = cycle.run(&[]).ends(1);
    assert_snapshot!(refused.screen(), @"");
    assert!(cycle.try_git(&["rev-parse", "--verify", "windlass/demo"]).is_err(), "no branch was made");
}

#[test]
fn warnings_are_asked_about_and_without_a_terminal_it_says_what_to_pass() {
    let two = [PlanTask::shell("a").front("colour: red\nstatus: done"), PlanTask::shell("b")];
    let repo = with_plan(&two);
    let refused = repo.run(&[]).ends(2);
    assert_snapshot!(refused.screen(), @"");
    repo.run(&["--yes"]).ends(0);
    repo.write("windlass.toml", "auto_mode = true\n");
    repo.run(&[]).ends(0);
}

#[test]
fn a_task_without_any_way_to_verify_it_is_an_error() {
    let task = PlanTask::new("a", "Do something").section("Output Files", "", "WRITE: a.sh");
    let refused = with_plan(&[task]).run(&["--yes"]).ends(1);
    assert_snapshot!(refused.screen(), @"");
}

#[test]
fn a_command_that_never_ends_is_cut_off() {
    let task = PlanTask::shell("a").front("timeout_seconds: 1");
    let repo =
        with_plan(&[task]).file("windlass.toml", &format!("{STRICT}[limits]\nverification = \"2s\"\n"));
    // The honest test ends; the program under test does not.
    repo.script("write a.sh exec sleep 1000\n");
    let run = repo.run(&[]).ends(1);
    assert_snapshot!(run.screen(), @"");
    assert_eq!(state(&repo, "a"), "failed");
    assert_eq!(repo.left_behind(), []);
}
