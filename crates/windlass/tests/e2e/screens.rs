//! Every screen a person reads on an ordinary day, from `init` to `land`.

use insta::assert_snapshot;
use windlass_testkit::PlanTask;

use crate::world::{empty, evidence, state, two_tasks};

#[test]
fn an_ordinary_day() {
    let repo = empty().file("README.md", "hello\n").committed();
    assert_snapshot!(repo.windlass(&["init"]).ends(0).screen(), @r#"
    wrote windlass.toml
    state is kept in .git/windlass (only you can read it)

    next: describe what you want in a document, then `windlass plan DOCUMENT`;
          `windlass init --spec` writes one to fill in, `windlass plan "an idea"` takes a sentence
    "#);
    let repo = repo.plan("demo", &[PlanTask::shell("a"), PlanTask::shell("b").after(&["a"])]);
    repo.commit("a plan");
    assert_snapshot!(repo.windlass(&["check"]).ends(0).screen(), @r"
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

    plan `demo` (native, 2 tasks): 2 notes
    for more on a finding: windlass explain WL0517
    ");
    assert_snapshot!(repo.windlass(&["run", "--dry-run"]).ends(0).screen(), @"
    plan demo on branch windlass/demo, 2 at once

      a            tdd        medium by mechanical             265 tokens  Say a
      b            tdd        medium by mechanical             265 tokens  Say b

    first briefs: 530 tokens in all
    at most 16 agent turns, if every rung of the ladder is climbed for every task
    no limit on money is set (`--max-cost`)
    ");
    assert_snapshot!(repo.windlass(&["status"]).screen(), @r"
    plan demo was never run

    next: `windlass check`, then `windlass run`
    ");
    repo.script("[* implement]\nsay working on {task}\nwrite {task}.sh echo wrong\n[* fix]\nsay mending {task}\nwrite {task}.sh echo {task}\n");
    assert_snapshot!(repo.run(&["--jobs", "1", "--until", "a"]).ends(0).screen(), @r"
    ⚓ branch windlass/demo at [oid]
    ▶ a  by cmd:fake-agent from [oid]
    · a  tests first
    ● a  red: the tests fail as they should: says a
    · a  candidate with +4 −0 lines, to be verified on the merge
    ✘ a  tests: `says a` failed
    ▶ a  bug-hunter 1, by cmd:fake-agent from [oid]
    · a  candidate with +4 −0 lines, to be verified on the merge
    ● a  green on tree [oid]
    ✔ a  merged as [oid]: Say a
    ! closing run: 1 command passed on [oid]

    done: 1 of 2 completed · 1 pending (1 ready)
    next: `windlass run` runs the rest, `windlass land` lands what is done
    ── on standard error
    note: the hosts of `cmd:fake-agent` are not known, so it reaches the whole network; `[sandbox] allow` limits it
    ");
    assert_snapshot!(repo.windlass(&["status"]).ends(0).screen(), @r"
    plan demo · completed as far as asked · branch windlass/demo at [oid]
    ███████████████░░░░░░░░░░░░░░░ 1 of 2 completed · 1 pending (1 ready)
    [time] · 1 job

      ✓ a  completed [time] Say a
      · b  pending            Say b

    next: `windlass run` carries out the rest
    ");
    assert_snapshot!(repo.windlass(&["next"]).ends(0).screen(), @r"
    b  pending      Say b

    2 total · 1 pending · 1 completed · 1 ready
    ");
    assert_snapshot!(repo.windlass(&["explain", "b"]).ends(0).screen(), @"
    b · Say b · pending
    everything it needs is merged: it is ready
      a  completed     the plan says so

    it runs in mode `tdd`
    it may change: b.sh, tests/b_test.sh

    next: `windlass run` carries it out when its turn comes
    ");
    assert_snapshot!(anywhere(&repo.windlass(&["show", "a"]).ends(0).screen()), @r"
    ✓ a · Say a · completed
      mode tdd · tier medium
      merged as [oid] (attempt 2)
      tree      [oid]
      evidence  [oid]

    attempt 1 · first try · cmd:fake-agent · medium · from [oid] · [time]
        implementer · cmd:fake-agent · [time]
          transcript .git/windlass/plans/demo/out/2ac7e6e6160d09b8aa58db2f1089a267fd0473a728272aae106c2b29f62d2d2a
        ✓ write_test [time]
        ✓ verify_fail [time]
        ✓ implement [time]
        ✗ verify_pass [time]
        red     1 test: an assertion failed: says a
        frozen  1 file
        change  [oid] (+4 -0 lines)
        tests-failed tests: `says a` failed
          1..1
          not ok 1 - says a

    attempt 2 · bug-hunter 1 · cmd:fake-agent · medium · from [oid] · [time]
        bug-hunter · cmd:fake-agent · [time]
          transcript .git/windlass/plans/demo/out/addbc9d82b2c39d8d2d51e2feedff84665bcc4396bbbda12696d8a5db1e832e9
        ✓ implement [time]
        ✓ verify_pass [time]
        - format [time]
        ✓ commit [time]
        change  [oid] (+4 -0 lines)

    evidence
      tree         [oid] on [oid]
      changes      2 files, all its own: a.sh, tests/a_test.sh
      ran with     [machine]
      red          1 test on [oid]
        ✘ says a: an assertion failed
      frozen       tests/a_test.sh [oid]
      tests        sh tests/a_test.sh → exit 0 in [time]
        ✔ says a
      bites        tests/a_test.sh: fails with `[drawn]` in place of `a` (tests/a_test.sh:3)
      bites        says a: fails with `[drawn]` in place of `a` (tests/a_test.sh:3)

    more: `windlass logs a`
    ");
    assert_snapshot!(repo.windlass(&["logs", "a"]).ends(0).screen(), @r"
    ── attempt 1 · verify_fail · passed · [time]
      1..1
      not ok 1 - says a
    ── attempt 1 · implementer · cmd:fake-agent · [time]
      working on a
    ── attempt 1 · tests: `says a` failed
      1..1
      not ok 1 - says a
    ── attempt 2 · bug-hunter · cmd:fake-agent · [time]
      mending a
    ");
    repo.run(&["--jobs", "1"]).ends(0);
    assert_eq!(state(&repo, "b"), "completed");
    assert_eq!(evidence(&repo, "windlass/demo").len(), 2);
    assert_snapshot!(repo.windlass(&["status"]).ends(0).screen(), @r"
    plan demo · completed · branch windlass/demo at [oid]
    ██████████████████████████████ 2 of 2 completed
    [time] · 1 job

      ✓ a  completed [time] Say a
      ✓ b  completed [time] Say b

    next: `windlass land` brings the branch home
    ");
    assert_snapshot!(repo.windlass(&["land"]).ends(0).screen(), @"landed: `main` is at [oid] by fast-forward");
    assert_eq!(repo.read("b.sh"), "echo b\n", "the checkout follows its branch");
    assert_eq!(repo.git(&["status", "--porcelain"]), "");
    assert_snapshot!(repo.windlass(&["land"]).ends(0).screen(), @"`main` has everything of `windlass/demo` already");
}

#[test]
fn landing_on_a_branch_that_moved_is_verified_like_any_candidate() {
    let repo = crate::world::one_task();
    repo.run(&[]).ends(0);
    repo.write("mine.txt", "mine\n");
    repo.commit("mine");
    assert_snapshot!(repo.windlass(&["land"]).ends(0).screen(), @"landed: `main` is at [oid] by a verified merge");
    assert_eq!(repo.read("a.sh"), "echo a\n");
    assert_eq!(repo.read("mine.txt"), "mine\n");

    let repo = crate::world::one_task();
    repo.run(&[]).ends(0);
    repo.write("a.sh", "echo mine\n");
    repo.commit("mine");
    let before = repo.git(&["rev-parse", "main"]);
    assert_snapshot!(repo.windlass(&["land"]).ends(3).screen(), @r"
    error: `windlass/demo` and `main` conflict in a.sh
      hint: merge `main` into `windlass/demo` by hand, then land again
    ");
    assert_eq!(repo.git(&["rev-parse", "main"]), before, "never forced");
}

#[test]
fn a_machine_reads_the_same_as_a_person() {
    let repo = crate::world::one_task();
    let run = repo.run(&["--json"]).ends(0);
    let events: Vec<serde_json::Value> =
        run.stdout.lines().map(|l| serde_json::from_str(l).unwrap()).collect();
    assert!(events.len() > 10, "{run}");
    let status: serde_json::Value =
        serde_json::from_str(&repo.windlass(&["status", "--json"]).ends(0).stdout).unwrap();
    assert_eq!(status["schema"], "windlass.status/1");
    assert_eq!((&status["plan"], &status["state"]), (&"demo".into(), &"completed".into()));
}

/// A screen without what differs from machine to machine: the sandbox, and the variables that commands had.
fn anywhere(screen: &str) -> String {
    let line = |line: &str| match (line.split_once("ran with     "), line.split_once(": fails with `")) {
        (Some((before, _)), _) => format!("{before}ran with     [machine]\n"),
        (None, Some((before, behind))) => {
            let behind = behind.split_once('`').map_or("", |(_, behind)| behind);
            format!("{before}: fails with `[drawn]`{behind}\n")
        }
        (None, None) => format!("{line}\n"),
    };
    screen.lines().map(line).collect()
}

#[test]
fn a_plan_is_found_by_its_path_whether_it_was_written_since_or_not() {
    let repo = two_tasks();
    repo.run(&["plans/demo"]).ends(0);
    let by_name = repo.windlass(&["status", "--plan", "demo"]).ends(0);
    assert!(by_name.stdout.contains("2 of 2"), "{by_name}");
    for path in ["plans/demo", "./plans/../plans/demo/"] {
        assert_eq!(repo.windlass(&["status", "--plan", path]).ends(0).stdout, by_name.stdout, "{path}");
    }
    // Another plan at the same path: what ran there before is not it.
    repo.write("plans/demo/plan.toml", "name = \"other\"\n");
    let other = repo.windlass(&["status", "--plan", "plans/demo"]).ends(0);
    assert!(other.stdout.contains("plan other was never run"), "{other}");
}
