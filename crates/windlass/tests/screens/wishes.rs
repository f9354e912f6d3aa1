//! Wishes: what is left for the coordinator, and what a person is told.

use windlass_core::event::RunEnd;
use windlass_engine::requests::Requests;

use crate::journal::{ended, journal, paths, plan_sealed, run_started, sealed};
use crate::space::Space;

fn ran(pid: u32) -> Space {
    let space = Space::repository();
    journal(&space, &[run_started(pid), plan_sealed(vec![sealed("a", "One", &[]), sealed("b", "Two", &[])])]);
    space
}

fn wishes(space: &Space) -> Vec<String> {
    Requests::open(&paths(space).requests())
        .unwrap()
        .pending()
        .unwrap()
        .into_iter()
        .map(|(_, json)| json)
        .collect()
}

#[test]
fn every_wish_is_left_in_order() {
    let space = ran(1);
    journal(&space, &[ended(RunEnd::Stuck)]);
    insta::assert_snapshot!(space.run(&["pause"]), @"
    no run of `shop` is at work: there is nothing to pause
    --- exit 0
    ");
    insta::assert_snapshot!(space.run(&["retry", "a", "b"]), @"
    `a` is pending: `windlass run` goes on with it
    `b` is pending: `windlass run` goes on with it
    --- exit 0
    ");
    insta::assert_snapshot!(space.run(&["skip", "a"]), @"
    skipping `a`; no run of `shop` is at work: it is applied by the next `windlass run`
    --- exit 0
    ");
    insta::assert_snapshot!(space.run(&["approve", "b"]), @"
    --- told
    error: task `b` does not wait for approval
      hint: `windlass status` lists what waits for you
    --- exit 2
    ");
    insta::assert_snapshot!(space.run(&["cancel", "b"]), @"
    no run of `shop` is at work: there is no attempt to cancel
    --- exit 0
    ");
    insta::assert_snapshot!(space.run(&["cancel"]), @"
    no run of `shop` is at work: there is nothing to cancel
    --- exit 0
    ");
    insta::assert_snapshot!(space.run(&["resume"]), @"
    no run of `shop` is at work: `windlass run` continues by itself
    --- exit 0
    ");
    insta::assert_snapshot!(wishes(&space).join("\n"), @r#"{"wish":"skip","task":"a"}"#);
}

#[test]
fn a_run_at_work_is_told() {
    let space = ran(std::process::id());
    let said = space.run(&["pause"]).replace(&std::process::id().to_string(), "[PID]");
    insta::assert_snapshot!(said, @"
    pausing; the run of `shop` (process [PID]) was told
    --- exit 0
    ");
}

#[test]
fn nothing_is_left_for_a_task_nobody_knows() {
    let space = ran(1);
    insta::assert_snapshot!(space.run(&["retry", "a", "bee"]), @"
    `a` is pending: `windlass run` goes on with it
    --- told
    error: there is no task `bee`
      hint: did you mean `b`?
    --- exit 2
    ");
    assert!(wishes(&space).is_empty());
}

#[test]
fn a_plan_nobody_ran() {
    let space = Space::repository();
    crate::plans::whole(&space);
    insta::assert_snapshot!(space.run(&["pause"]), @"
    --- told
    error: plan `shop` was never run
      hint: start it with `windlass run`
    --- exit 2
    ");
    insta::assert_snapshot!(space.run(&["pause", "--plan", "nope"]), @"
    --- told
    error: `nope` does not exist
      hint: plans here: `plans/shop`
    --- exit 2
    ");
}
