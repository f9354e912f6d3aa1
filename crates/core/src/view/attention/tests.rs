//! What waits for a person, by the events that led there.

use super::*;
use crate::event::{AttemptEnd, Event, LeftOut, PersonAnswer, RunEvent, TaskEvent, TurnProgress};
use crate::ids::AttemptNo;
use crate::plan::Action;
use crate::policy::Rung;
use crate::view::tests::testing::{
    ended, fold, id, plan_sealed, run_started, sealed, stamp, started, step_started,
};
use crate::view::{Activities, TaskHistory};

fn plan() -> Vec<Event> {
    let tasks: Vec<_> = ["a", "b", "c", "d"].iter().map(|name| sealed(name, &[], &[])).collect();
    vec![run_started(), plan_sealed(&tasks)]
}

/// A task whose agent asks something.
fn asks(task: &str) -> Vec<Event> {
    let reason = "which port?".to_owned();
    let failure = Failure::SpecContradiction { reason: reason.clone() };
    vec![
        started(task, 1, Rung::First),
        ended(task, 1, AttemptEnd::Failed { failure }),
        TaskEvent::TaskBlocked { block: BlockReason::AgentBlocked { reason } }.of(id(task)),
    ]
}

fn answered(task: &str) -> Event {
    let (question, answer) = ("which port?".to_owned(), "8080".to_owned());
    TaskEvent::Answered(PersonAnswer { question, answer }).of(id(task))
}

#[test]
fn the_run_comes_first_then_questions_and_failures_last() {
    let blocked = |task: &str, block| TaskEvent::TaskBlocked { block }.of(id(task));
    let mut events = plan();
    events.push(TaskEvent::TaskFailed { reason: "every attempt failed".into() }.of(id("a")));
    events.push(blocked("b", BlockReason::AwaitingApproval));
    events.push(blocked("c", BlockReason::NeedsFiles { files: vec![("x.rs".into(), "d".into())] }));
    events.extend(asks("d"));
    events.push(Event::Run(RunEvent::MergingPaused { reason: "the branch is checked out".into() }));
    let view = fold(&events);
    let lines: Vec<String> = view
        .waits_for_person()
        .iter()
        .map(|one| {
            let task = one.task.as_ref().map_or("-", TaskId::as_str);
            format!("{} {} {task}: {} | {}", one.need.mark(), one.need.as_str(), one.text, one.next)
        })
        .collect();
    insta::assert_snapshot!(lines.join("\n"), @r#"
    ‖ run -: merging is paused: the branch is checked out | `windlass run` continues
    ? question d: which port? | `windlass answer d "…"`
    ◇ approval b: verified; waits for `windlass approve` | `windlass diff b`, then `windlass approve b`
    + files c: needs files beyond its own: `x.rs (d)`; `windlass approve --files` gives them | `windlass approve c --files x.rs`
    ✗ failed a: every attempt failed | `windlass show a`
    "#);
}

#[test]
fn what_was_left_out_is_named_where_a_run_of_tests_failed() {
    let left = |paths: &[&str]| {
        let paths = paths.iter().map(|path| (*path).to_owned()).collect();
        let left_out = LeftOut { paths, frozen: vec!["tests/a.py".into()] };
        TaskEvent::ChangesLeftOut { attempt: AttemptNo(1), left_out }.of(id("a"))
    };
    let next = |failure: Failure, left_out: Event| {
        let mut events = plan();
        events.extend([started("a", 1, Rung::First), left_out]);
        events.push(ended("a", 1, AttemptEnd::Failed { failure }));
        events.push(TaskEvent::TaskFailed { reason: "every attempt failed".into() }.of(id("a")));
        fold(&events).waits_for_person()[0].next.clone()
    };
    let wrong = || Failure::WrongRed {
        reason: "no fixture".into(),
        by_plan: false,
        environment: false,
        skipped: false,
    };
    let named = next(wrong(), left(&["README.md", "tests/conftest.py"]));
    let wanted = "; left out of its work: `tests/conftest.py`; if the tests need that, give it to the task in the plan";
    assert!(named.ends_with(wanted), "{named}");
    assert!(!next(wrong(), left(&["README.md"])).contains("left out"));
    let passes = Failure::NotRed {
        reason: "the tests pass already".into(),
        by_plan: false,
        passing: true,
        without_tests: false,
    };
    for failure in [Failure::NoChange, passes] {
        assert!(!next(failure, left(&["b.py"])).contains("left out"));
    }
}

#[test]
fn an_answer_lets_the_task_go_on() {
    let mut events = plan();
    events.extend(asks("a"));
    assert_eq!(fold(&events).waits_for_person().len(), 1);
    events.push(answered("a"));
    let view = fold(&events);
    assert_eq!(view.waits_for_person(), []);
    assert_eq!(view.task("a").unwrap().state, TaskState::Pending);
    let mut history = TaskHistory::new(id("a"));
    for event in &stamp(&events) {
        history.apply(event);
    }
    assert_eq!(history.blocked, None);
    assert_eq!(history.answers[0].1.answer, "8080");
}

#[test]
fn what_an_agent_is_doing_is_known_while_it_works() {
    let beat = |tool: &str| {
        let progress = TurnProgress { tool: Some(tool.into()), ..TurnProgress::default() };
        TaskEvent::Heartbeat { attempt: AttemptNo(1), bytes: 1, progress: Some(progress) }.of(id("a"))
    };
    let doing = |more: &[Event]| {
        let mut activities = Activities::default();
        for event in &stamp(more) {
            activities.apply(event);
        }
        activities.of(&id("a")).and_then(super::super::AgentActivity::doing)
    };
    let begun = started("a", 1, Rung::First);
    assert_eq!(doing(std::slice::from_ref(&begun)), None);
    assert_eq!(doing(&[begun.clone(), beat("Read x")]).as_deref(), Some("Read x"));
    assert_eq!(doing(&[begun.clone(), beat("Read x"), beat("Bash ls")]).as_deref(), Some("Bash ls"));
    assert_eq!(doing(&[begun.clone(), beat("x"), step_started("a", 1, 3, Action::VerifyPass)]), None);
    assert_eq!(doing(&[begun, beat("x"), ended("a", 1, AttemptEnd::Interrupted)]), None);
}
