//! Where everything stands, told in every way.

use windlass_core::event::{Event, RunEnd, RunEvent, TaskEvent};
use windlass_core::plan::Action;
use windlass_core::policy::Rung;

use crate::journal::{
    blocked, candidate, ended, id, journal, keep_view, merged, output, paths, plan_sealed, refused,
    run_started, sealed, started, step, step_over, turn,
};
use crate::plans;
use crate::space::Space;

fn tasks() -> Event {
    plan_sealed(vec![
        sealed("a", "Add the model", &[]),
        sealed("b", "Add the endpoint", &["a"]),
        sealed("c", "Write the page", &["a"]),
        sealed("d", "Describe it", &["b", "c"]),
    ])
}

/// `a` is merged, `b` is repaired at this moment, `c` needs a person, `d` waits.
fn busy(space: &Space) {
    let said = output(space, "writing model.py\nall tests pass\n");
    let tests = output(space, "3 failed\n");
    journal(
        space,
        &[
            run_started(std::process::id()),
            tasks(),
            started("a", 1, Rung::First),
            step("a", 1, 0, Action::WriteTest),
            step_over("a", 1, 0, Action::WriteTest, Some(tests)),
            step("a", 1, 2, Action::Implement),
            turn("a", 1, said),
            step_over("a", 1, 2, Action::Implement, None),
            candidate("a", 1),
            merged("a", 1),
            started("b", 1, Rung::First),
            candidate("b", 1),
            refused("b", 1),
            started("b", 2, Rung::BugHunter(1)),
            step("b", 2, 2, Action::Implement),
            started("c", 1, Rung::First),
            TaskEvent::AttemptEnded {
                attempt: windlass_core::ids::AttemptNo(1),
                end: windlass_core::event::AttemptEnd::Failed {
                    failure: windlass_core::failure::Failure::SpecContradiction {
                        reason: "the test wants 2 + 2 to be 5".into(),
                    },
                },
                output: None,
            }
            .of(id("c")),
            blocked("c"),
        ],
    );
}

#[test]
fn a_run_at_work() {
    let space = Space::repository();
    busy(&space);
    insta::assert_snapshot!(space.run(&["status"]), @r#"
    plan shop · running · branch windlass/shop at dddddddd
    ███████░░░░░░░░░░░░░░░░░░░░░░░ 1 of 4 completed · 1 in progress · 1 blocked · 1 pending (0 ready)
    1m 39s · 2 jobs · 12.3k tokens · $0.42

      ✓ a  completed       7s Add the model
      ▶ b  in progress 1m 28s Add the endpoint · [··▶···] implement · attempt 2 · bug-hunter 1 · cmd:./…
      ■ c  blocked         1s Write the page
                              the test wants 2 + 2 to be 5
                              next: `windlass answer c "…"` goes on with your decision; or correct the task or its tests, then `windlass retry c`
      · d  pending            Describe it · waits for `b`, `c`

    next: `windlass answer c "…"`, or `windlass show c`
    --- exit 0
    "#);
    let before = space.run(&["status"]);
    keep_view(&space);
    assert_eq!(space.run(&["status"]), before, "a kept view changes nothing");
}

#[test]
fn one_task() {
    let space = Space::repository();
    busy(&space);
    insta::assert_snapshot!(space.run(&["status", "b"]), @"
      ▶ b  in progress 1m 28s Add the endpoint · [··▶···] implement · attempt 2 · bug-hunter 1 · cmd:./…
          · write_test   pending
          · verify_fail  pending
          ▶ implement    running
          · verify_pass  pending
          · format       pending
          · commit       pending

    more: `windlass show b`, `windlass logs b`
    --- exit 0
    ");
    insta::assert_snapshot!(space.run(&["status", "bb"]), @"
    --- told
    error: there is no task `bb`
      hint: did you mean `b`?
    --- exit 2
    ");
}

#[test]
fn for_machines() {
    let space = Space::repository();
    busy(&space);
    insta::assert_snapshot!(space.run(&["status", "c", "--json"]), @r#"
    {"schema":"windlass.status/1","plan":"shop","state":"running","branch":"windlass/shop","tip":"dddddddddddddddddddddddddddddddddddddddd","counts":{"total":4,"pending":1,"ready":0,"in_progress":1,"testing":0,"test_failed":0,"completed":1,"failed":0,"blocked":1,"skipped":0,"stale":0},"cost_usd":0.42,"tokens":12345,"tasks":[{"id":"c","title":"Write the page","state":"blocked","attempt":1,"steps":[{"action":"write_test","state":"pending"},{"action":"verify_fail","state":"pending"},{"action":"implement","state":"pending"},{"action":"verify_pass","state":"pending"},{"action":"format","state":"pending"},{"action":"commit","state":"pending"}],"agent":"cmd:./agent.sh","seconds":1.0,"why":"the test wants 2 + 2 to be 5","cause":"the test wants 2 + 2 to be 5","remedy":"`windlass answer c \"…\"` goes on with your decision; or correct the task or its tests, then `windlass retry c`","attempts":[{"attempt":1,"rung":"first try","agent":"cmd:./agent.sh","tier":"small","started":16000,"ended":17000,"seconds":1.0,"outcome":"spec-contradiction","why":"the agent is blocked: the test wants 2 + 2 to be 5","tokens":0,"cost_usd":null,"turns":[]}]}],"attention":[{"need":"question","task":"c","title":"Write the page","text":"the test wants 2 + 2 to be 5","next":"`windlass answer c \"…\"`","offers":["answer","retry","skip"]}]}
    --- exit 0
    "#);
    let all = space.run(&["status", "--json"]);
    assert!(all.contains("\"state\":\"running\"") && all.contains("\"completed\":1"), "{all}");
}

#[test]
fn a_story_with_a_good_end_and_one_without() {
    let space = Space::repository();
    busy(&space);
    insta::assert_snapshot!(space.run(&["show", "a"]), @r"
    ✓ a · Add the model · completed
      mode tdd · tier small
      merged as dddddddddddddddddddddddddddddddddddddddd (attempt 1)
      tree      eeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeee
      evidence  ffffffffffffffffffffffffffffffffffffffff

    attempt 1 · first try · cmd:./agent.sh · small · from aaaaaaaa · 7.0s
        implementer · cmd:./agent.sh · 41s · 12.0k tokens in, 345 out · $0.42
          wrote the model and its tests
          transcript .git/windlass/plans/shop/out/d06f61a7c16d15cb954b1eb11129a2f8cb98e46d953f7973bcf40bd1ebc5ae7d
        ✓ write_test   1.2s
        ✓ implement    1.2s
        change  cccccccc (+12 -3 lines)

    more: `windlass logs a`
    --- exit 0
    ");
    insta::assert_snapshot!(space.run(&["show", "b"]), @"
    ▶ b · Add the endpoint · in progress
      mode tdd · tier small · needs a

    attempt 1 · first try · cmd:./agent.sh · small · from aaaaaaaa · 2.0s
        change  cccccccc (+12 -3 lines)
        tests-failed tests: `test_total` failed
              assert total([2, 3]) == 5
          E   assert 6 == 5

    attempt 2 · bug-hunter 1 · cmd:./agent.sh · small · from aaaaaaaa · 1m 26s

    more: `windlass logs b`
    --- exit 0
    ");
    insta::assert_snapshot!(space.run(&["show", "d"]), @"
    · d · Describe it · pending
      waits for `b`, `c`
      mode tdd · tier small · needs b, c

    not tried yet
    --- exit 0
    ");
}

#[test]
fn what_was_printed() {
    let space = Space::repository();
    busy(&space);
    insta::assert_snapshot!(space.run(&["logs", "a"]), @"
    ── attempt 1 · write_test · passed · 1.2s
      3 failed
    ── attempt 1 · implementer · cmd:./agent.sh · 41s
      writing model.py
      all tests pass
    --- exit 0
    ");
    insta::assert_snapshot!(space.run(&["logs", "d"]), @"--- exit 0");
}

#[test]
fn what_is_being_printed() {
    let space = Space::repository();
    busy(&space);
    let live = paths(&space).live(&id("b"));
    std::fs::create_dir_all(&live).unwrap();
    std::fs::write(live.join("1.merged"), "half a li").unwrap();
    journal(&space, &[ended(RunEnd::Interrupted)]);
    insta::assert_snapshot!(space.run(&["logs", "b", "--follow"]), @"
    ── running
      half a li
    --- exit 0
    ");
}

#[test]
fn a_run_that_is_over() {
    let space = Space::repository();
    busy(&space);
    journal(&space, &[ended(RunEnd::Stuck)]);
    insta::assert_snapshot!(space.run(&["status"]), @r#"
    plan shop · stuck · branch windlass/shop at dddddddd
    ███████░░░░░░░░░░░░░░░░░░░░░░░ 1 of 4 completed · 1 in progress · 1 blocked · 1 pending (0 ready)
    18s · 2 jobs · 12.3k tokens · $0.42

      ✓ a  completed       7s Add the model
      ▶ b  in progress     7s Add the endpoint · [··▶···] implement · attempt 2 · bug-hunter 1 · cmd:./…
      ■ c  blocked         1s Write the page
                              the test wants 2 + 2 to be 5
                              next: `windlass answer c "…"` goes on with your decision; or correct the task or its tests, then `windlass retry c`
      · d  pending            Describe it · waits for `b`, `c`

    next: `windlass answer c "…"`, or `windlass show c`
    --- exit 0
    "#);
}

#[test]
fn a_coordinator_that_vanished() {
    let space = Space::repository();
    journal(&space, &[run_started(u32::MAX), tasks()]);
    insta::assert_snapshot!(space.run(&["status", "--watch"]), @"
    plan shop · lost · branch windlass/shop at aaaaaaaa
    ░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░ 0 of 4 completed · 4 pending (1 ready)
    1s · 2 jobs

      · a  pending            Add the model
      · b  pending            Add the endpoint · waits for `a`
      · c  pending            Write the page · waits for `a`
      · d  pending            Describe it · waits for `b`, `c`

    next: `windlass run` goes on
    --- exit 0
    ");
}

#[test]
fn all_done() {
    let space = Space::repository();
    journal(&space, &[run_started(1), plan_sealed(vec![sealed("a", "Add the model", &[])])]);
    journal(
        &space,
        &[started("a", 1, Rung::First), candidate("a", 1), merged("a", 1), ended(RunEnd::Completed)],
    );
    insta::assert_snapshot!(space.run(&["status"]), @"
    plan shop · completed · branch windlass/shop at dddddddd
    ██████████████████████████████ 1 of 1 completed
    5s · 2 jobs

      ✓ a  completed       2s Add the model

    next: `windlass land` brings the branch home
    --- exit 0
    ");
}

#[test]
fn held_up() {
    let space = Space::repository();
    let reason =
        "`windlass/shop` is checked out in `../other`; switch that checkout to another branch".into();
    let limit = "429: come back later".into();
    journal(
        &space,
        &[
            run_started(std::process::id()),
            tasks(),
            Event::Run(RunEvent::MergingPaused { reason }),
            Event::Run(RunEvent::AgentPaused {
                agent: "cmd:./agent.sh".into(),
                until: 220_000,
                reason: limit,
            }),
            Event::Run(RunEvent::Paused),
        ],
    );
    insta::assert_snapshot!(space.run(&["status"]), @r"
    plan shop · paused · branch windlass/shop at aaaaaaaa
    ░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░ 0 of 4 completed · 4 pending (1 ready)
    1m 39s · 2 jobs

      · a  pending            Add the model
      · b  pending            Add the endpoint · waits for `a`
      · c  pending            Write the page · waits for `a`
      · d  pending            Describe it · waits for `b`, `c`

    merging is paused: `windlass/shop` is checked out in `../other`; switch that checkout to another branch

    ‖ cmd:./agent.sh is paused until 00:03:40 UTC (2m 00s left): 429: come back later; no attempt is used up

    next: `windlass resume`
    --- exit 0
    ");
}

#[test]
fn parents_and_what_is_below_them() {
    let space = Space::repository();
    let below = |name: &str, parents: &[&str]| {
        let mut task = sealed(name, &format!("Do {name}"), &[]);
        task.parents = parents.iter().map(|p| (*p).to_owned()).collect();
        task
    };
    let tasks = vec![
        below("api-1", &["api", "shop"]),
        below("api-2", &["api", "shop"]),
        below("docs", &["shop"]),
        below("x", &[]),
    ];
    journal(&space, &[run_started(std::process::id()), plan_sealed(tasks), started("api-1", 1, Rung::First)]);
    insta::assert_snapshot!(space.run(&["status", "--depth", "0"]), @"
    plan shop · running · branch windlass/shop at aaaaaaaa
    ░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░ 0 of 4 completed · 1 in progress · 3 pending (3 ready)
    1m 39s · 2 jobs

      shop (0/3 tasks complete) · in progress
      · x      pending            Do x
    --- exit 0
    ");
    insta::assert_snapshot!(space.run(&["status", "--depth", "2"]), @"
    plan shop · running · branch windlass/shop at aaaaaaaa
    ░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░ 0 of 4 completed · 1 in progress · 3 pending (3 ready)
    1m 39s · 2 jobs

      shop (0/3 tasks complete) · in progress
        api (0/2 tasks complete) · in progress
          ▶ api-1  in progress 1m 37s Do api-1 · [······] · cmd:./agent.sh
          · api-2  pending            Do api-2
        · docs   pending            Do docs
      · x      pending            Do x
    --- exit 0
    ");
}

#[test]
fn a_large_plan_shows_what_wants_attention() {
    let space = Space::repository();
    let mut all = vec![sealed("t0", "The first", &[])];
    all.extend((1..300).map(|n| sealed(&format!("t{n}"), "Another", &["t0"])));
    journal(&space, &[run_started(std::process::id()), plan_sealed(all), started("t0", 1, Rung::First)]);
    insta::assert_snapshot!(space.run(&["status"]), @"
    plan shop · running · branch windlass/shop at aaaaaaaa
    ░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░ 0 of 300 completed · 1 in progress · 299 pending (0 ready)
    1m 39s · 2 jobs

      ▶ t0  in progress 1m 37s The first · [······] · cmd:./agent.sh
      … and 299 more; `windlass status --all` lists every task
    --- exit 0
    ");
    assert_eq!(space.run(&["status", "--all"]).lines().filter(|l| l.contains("Another")).count(), 299);
}

#[test]
fn never_run() {
    let space = Space::repository();
    plans::whole(&space);
    insta::assert_snapshot!(space.run(&["status"]), @"
    plan shop was never run

    next: `windlass check`, then `windlass run`
    --- exit 0
    ");
    insta::assert_snapshot!(space.run(&["status", "--json"]), @r#"
    {"schema":"windlass.status/1","plan":"shop","state":"new","counts":{"total":0,"pending":0,"ready":0,"in_progress":0,"testing":0,"test_failed":0,"completed":0,"failed":0,"blocked":0,"skipped":0,"stale":0},"tasks":[]}
    --- exit 0
    "#);
    insta::assert_snapshot!(space.run(&["show", "a"]), @"
    --- told
    error: plan `shop` was never run
      hint: start it with `windlass run`
    --- exit 2
    ");
}

#[test]
fn words_of_agents_do_not_command_the_terminal() {
    let space = Space::repository();
    let nasty = output(&space, "\u{1b}[2Jgone\u{7}\n");
    journal(&space, &[run_started(1), plan_sealed(vec![sealed("a", "T\u{1b}[31mitle", &[])])]);
    journal(&space, &[started("a", 1, Rung::First), step("a", 1, 0, Action::WriteTest)]);
    journal(&space, &[step_over("a", 1, 0, Action::WriteTest, Some(nasty))]);
    for command in [&["status"][..], &["logs", "a"], &["show", "a"], &["status", "a"]] {
        assert!(!space.run(command).contains('\u{1b}'), "{command:?}");
    }
}

/// A test that is not known to depend on the code is seen wherever the task is.
#[test]
fn weak_tests_of_a_merged_task() {
    let space = Space::repository();
    let mut end = merged("a", 1);
    if let Event::Task { event: TaskEvent::Merged { weak, .. }, .. } = &mut end {
        *weak = vec!["tests/test_a.py::test_idle".into()];
    }
    let sealed = plan_sealed(vec![sealed("a", "Add the model", &[])]);
    journal(
        &space,
        &[
            run_started(1),
            sealed,
            started("a", 1, Rung::First),
            candidate("a", 1),
            end,
            ended(RunEnd::Completed),
        ],
    );
    let shown = space.run(&["status"]);
    assert!(shown.contains("Add the model · 1 weak test\n"), "{shown}");
    let json = space.run(&["status", "--json"]);
    assert!(json.contains("\"weak_tests\""), "{json}");
    let report = space.run(&["report"]);
    assert!(report.contains("## Weak tests\n"), "{report}");
    assert!(report.contains("| a | tests/test_a.py::test_idle |\n"), "{report}");
}
