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
    assert_snapshot!(second.screen(), @r"
    note: the hosts of `cmd:fake-agent` are not known, so it reaches the whole network; `[sandbox] allow` limits it
    error: another `windlass run` is at work in this repository: plan `demo`, process [pid]
      hint: wait for it, or stop it with `windlass cancel`
    ");
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
    assert_snapshot!(run.screen(), @r"
    ⚓ branch windlass/demo at [oid]
    ▶ a  by cmd:fake-agent from [oid]
    · a  tests first
    ● a  red: the tests fail as they should: says a
    · a  candidate with +4 −0 lines, to be verified on the merge
    ● a  green on tree [oid]
    ‖ merging is paused: the branch `windlass/demo` is checked out at [dir]/repo; switch to another branch there

    not everything is done: 0 of 1 completed · 1 testing
    merging is paused: the branch `windlass/demo` is checked out at [dir]/repo; switch to another branch there
    next: `windlass run` continues once that is done
    ── on standard error
    note: the hosts of `cmd:fake-agent` are not known, so it reaches the whole network; `[sandbox] allow` limits it
    ");
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
    assert_snapshot!(refused.screen(), @r"
    note: the hosts of `cmd:fake-agent` are not known, so it reaches the whole network; `[sandbox] allow` limits it
    error: the branch `windlass/demo` no longer contains [oid]
      hint: restore it with `git branch -f windlass/demo [oid]`
    ");
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
    assert_snapshot!(repo.run(&[]).ends(3).screen(), @r"
    note: the hosts of `cmd:fake-agent` are not known, so it reaches the whole network; `[sandbox] allow` limits it
    error: `refs/heads/windlass/demo` cannot be created while `refs/heads/windlass` exists
      hint: rename it, for example `git branch -m windlass windlass-old`
    ");
}

#[test]
fn a_repository_that_cannot_be_used_is_refused_plainly() {
    let nobody = one_task();
    std::fs::remove_file(nobody.home().join(".gitconfig")).unwrap();
    assert_snapshot!(nobody.run(&[]).ends(4).screen(), @r"
    note: the hosts of `cmd:fake-agent` are not known, so it reaches the whole network; `[sandbox] allow` limits it
    error: git has no user name and address to commit under
      hint: set them with `git config user.name` and `git config user.email`, or with `GIT_AUTHOR_NAME`, `GIT_AUTHOR_EMAIL`, `GIT_COMMITTER_NAME` and `GIT_COMMITTER_EMAIL`
    ");

    let unborn = empty().plan("demo", &[PlanTask::shell("a")]).agent(HONEST);
    assert_snapshot!(unborn.run(&[]).ends(4).screen(), @r"
    note: the hosts of `cmd:fake-agent` are not known, so it reaches the whole network; `[sandbox] allow` limits it
    error: the repository has no commits yet
      hint: make a first commit, for example `git commit --allow-empty`
    ");

    let nowhere = TestRepo::without_git(env!("CARGO_BIN_EXE_windlass")).plan("demo", &[PlanTask::shell("a")]);
    nowhere.windlass(&["check"]).ends(0);
    assert_snapshot!(nowhere.run(&[]).ends(4).screen(), @r"
    error: `[dir]/repo` is not inside a git repository
      hint: run `git init` and make a first commit
    ");
    assert_snapshot!(nowhere.windlass(&["status"]).ends(4).screen(), @r"
    error: `[dir]/repo` is not inside a git repository
      hint: state is kept in the repository; `windlass check` and `graph` need none
    ");
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
    assert_snapshot!(unreadable.run(&[]).screen(), @r#"
    error[WL0002]: the TOML cannot be read: invalid basic string, expected `"`
      --> plans/demo/plan.toml:1:13
       |
     1 | name = "demo
       |             ^

    note[WL0517]: the tests of `a` have no error case
       --> plans/demo/tasks/a.md:12:4
        |
     12 | ## Test Specification
        |    ^^^^^^^^^^^^^^^^^^
        = help: test a wrong or missing input

    plan `demo` (native, 1 task): 1 error, 1 note
    the run does not start: fix the errors first (`windlass check` shows them all)
    "#);

    let cycle = with_plan(&[PlanTask::shell("a").after(&["b"]), PlanTask::shell("b").after(&["a", "z"])]);
    let refused = cycle.run(&[]).ends(1);
    assert_snapshot!(refused.screen(), @r#"
    error[WL0150]: dependency cycle: a → b → a
      --> plans/demo/tasks/a.md:5:14
       |
     5 | depends_on: ["b"]
       |              ^^^
      ::: plans/demo/tasks/b.md:5:14
       |
     5 | depends_on: ["a", "z"]
       |              --- `b` depends on `a`
       = help: remove one of these dependencies

    error[WL0151]: `b` depends on `z`, which is not in the plan
      --> plans/demo/tasks/b.md:5:19
       |
     5 | depends_on: ["a", "z"]
       |                   ^^^

    note[WL0517]: the tests of `a` have no error case
       --> plans/demo/tasks/a.md:12:4
        |
     12 | ## Test Specification
        |    ^^^^^^^^^^^^^^^^^^
        = help: test a wrong or missing input

    note[WL0517]: the tests of `b` have no error case
       --> plans/demo/tasks/b.md:12:4
        |
     12 | ## Test Specification
        |    ^^^^^^^^^^^^^^^^^^
        = help: test a wrong or missing input

    plan `demo` (native, 2 tasks): 2 errors, 2 notes
    the run does not start: fix the errors first (`windlass check` shows them all)
    "#);
    assert!(cycle.try_git(&["rev-parse", "--verify", "windlass/demo"]).is_err(), "no branch was made");
}

#[test]
fn warnings_are_asked_about_and_without_a_terminal_it_says_what_to_pass() {
    let two = [PlanTask::shell("a").front("colour: red\nstatus: done"), PlanTask::shell("b")];
    let repo = with_plan(&two);
    let refused = repo.run(&[]).ends(2);
    assert_snapshot!(refused.screen(), @r"
    warning[WL0006]: a plan holds no state; the journal records what is done
      --> plans/demo/tasks/a.md:6:1
       |
     6 | status: done
       | ^^^^^^
       = help: remove `status`

    note[WL0517]: the tests of `a` have no error case
       --> plans/demo/tasks/a.md:14:4
        |
     14 | ## Test Specification
        |    ^^^^^^^^^^^^^^^^^^
        = help: test a wrong or missing input

    note[WL0517]: the tests of `b` have no error case
       --> plans/demo/tasks/b.md:12:4
        |
     12 | ## Test Specification
        |    ^^^^^^^^^^^^^^^^^^
        = help: test a wrong or missing input

    plan `demo` (native, 2 tasks): 1 warning, 2 notes
    error: the plan has warnings, and there is no terminal to ask on
      hint: continue with `--yes`, or set `auto_mode = true` in windlass.toml
    ");
    repo.run(&["--yes"]).ends(0);
    repo.write("windlass.toml", "auto_mode = true\n");
    repo.run(&[]).ends(0);
}

#[test]
fn a_task_without_any_way_to_verify_it_is_an_error() {
    let task = PlanTask::new("a", "Do something").section("Output Files", "", "WRITE: a.sh");
    let refused = with_plan(&[task]).run(&["--yes"]).ends(1);
    assert_snapshot!(refused.screen(), @r"
    error[WL0301]: nothing verifies `a`
      --> plans/demo/tasks/a.md:7:3
       |
     7 | # a
       |   ^
       = help: give it a test file, a verification script, or one of the reasons for having no test

    plan `demo` (native, 1 task): 1 error
    the run does not start: fix the errors first (`windlass check` shows them all)
    ");
}

/// Tests that do not end on the base are cut off, too, and the message names the limit.
#[test]
fn tests_that_never_end_are_cut_off_at_red() {
    let task = PlanTask::new("a", "Say a")
        .front("test_file: tests/a_test.sh\ntimeout_seconds: 1")
        .section("Test Specification", "sh", "# tests/a_test.sh\nexec sleep 1000")
        .section("Output Files", "", "WRITE: a.sh\nWRITE: tests/a_test.sh")
        .verified_by("sh tests/a_test.sh");
    let repo = with_plan(&[task]).file("windlass.toml", STRICT);
    let run = repo.run(&[]).ends(1);
    assert!(run.screen().contains("the verification ran longer than 1 s"), "{}", run.screen());
    assert_eq!(repo.left_behind(), []);
}

#[test]
fn a_command_that_never_ends_is_cut_off() {
    let task = PlanTask::shell("a").front("timeout_seconds: 1");
    let repo =
        with_plan(&[task]).file("windlass.toml", &format!("{STRICT}[limits]\nverification = \"2s\"\n"));
    // The honest test ends; the program under test does not.
    repo.script("write a.sh exec sleep 1000\n");
    let run = repo.run(&[]).ends(1);
    assert_snapshot!(run.screen(), @r"
    ⚓ branch windlass/demo at [oid]
    ▶ a  by cmd:fake-agent from [oid]
    · a  tests first
    ● a  red: the tests fail as they should: says a
    · a  candidate with +4 −0 lines, to be verified on the merge
    ✘ a  the verification ran longer than 1 s
    ✘ a  failed: every attempt failed: the verification ran longer than 1 s

    not everything is done: 0 of 1 completed · 1 failed
      a failed
        every attempt failed: the verification ran longer than 1 s
        next: raise `[limits] verification`, then `windlass retry a`
    next: `windlass status`, then `windlass retry TASK`, `answer` or `skip`
    ── on standard error
    note: the hosts of `cmd:fake-agent` are not known, so it reaches the whole network; `[sandbox] allow` limits it
    ");
    assert_eq!(state(&repo, "a"), "failed");
    assert_eq!(repo.left_behind(), []);
}
