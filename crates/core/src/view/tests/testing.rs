//! Short ways to write events down in tests.

use crate::event::{
    AttemptEnd, AttemptStarted, Event, RunEvent, RunStarted, SealedTask, Stamped, StepResult, TaskEvent,
};
use crate::failure::{Failure, Gate};
use crate::ids::{AttemptNo, Oid, TaskId};
use crate::plan::{Action, Mode, Tier, template};
use crate::policy::{Rung, Settings};
use crate::view::fold::View;

pub(crate) fn id(text: &str) -> TaskId {
    TaskId::new(text).unwrap()
}

pub(crate) fn oid(digit: char) -> Oid {
    Oid::new(&digit.to_string().repeat(40)).unwrap()
}

pub(crate) fn sealed(name: &str, deps: &[&str], parents: &[&str]) -> SealedTask {
    SealedTask {
        id: id(name),
        title: format!("Do {name}"),
        hash: format!("hash of {name}"),
        mode: Mode::Tdd,
        tier: Tier::Small,
        agent: None,
        deps: deps.iter().map(|d| id(d)).collect(),
        parents: parents.iter().map(|p| (*p).to_owned()).collect(),
        priority: 1,
        steps: template(Mode::Tdd).iter().map(|s| s.action).collect(),
        pools: Vec::new(),
        needs: Vec::new(),
        needs_approval: false,
        criteria: Vec::new(),
    }
}

pub(crate) fn run_started() -> Event {
    Event::Run(RunEvent::RunStarted(RunStarted {
        version: "0.1.0".into(),
        pid: 4242,
        pid_started: 7,
        branch: "windlass/shop".into(),
        tip: oid('a'),
        base: oid('a'),
        settings: Box::new(Settings::default()),
        only: Vec::new(),
        sandbox: String::new(),
        source: String::new(),
    }))
}

pub(crate) fn plan_sealed(tasks: &[SealedTask]) -> Event {
    Event::Run(RunEvent::PlanSealed {
        hash: "p".into(),
        text: None,
        tasks: tasks.to_vec(),
        pools: Vec::new(),
    })
}

pub(crate) fn started(task: &str, attempt: u32, rung: Rung) -> Event {
    TaskEvent::AttemptStarted(AttemptStarted {
        attempt: AttemptNo(attempt),
        rung,
        agent: "mechanical".into(),
        tier: Tier::Small,
        test_writer: None,
        place: None,
        base: oid('a'),
    })
    .of(id(task))
}

pub(crate) fn step_started(task: &str, attempt: u32, step: u32, action: Action) -> Event {
    TaskEvent::StepStarted { attempt: AttemptNo(attempt), step, action }.of(id(task))
}

pub(crate) fn step_ended(task: &str, attempt: u32, step: u32, action: Action) -> Event {
    TaskEvent::StepEnded {
        attempt: AttemptNo(attempt),
        step,
        action,
        result: StepResult::Passed,
        millis: 10,
        output: None,
    }
    .of(id(task))
}

pub(crate) fn candidate(task: &str, attempt: u32) -> Event {
    TaskEvent::CandidateMade { attempt: AttemptNo(attempt), commit: oid('c'), added: 12, removed: 3 }
        .of(id(task))
}

pub(crate) fn merged(task: &str, attempt: u32) -> Event {
    TaskEvent::Merged {
        attempt: AttemptNo(attempt),
        commit: oid('d'),
        tree: oid('e'),
        evidence: oid('f'),
        criteria: Vec::new(),
        weak: Vec::new(),
    }
    .of(id(task))
}

pub(crate) fn refused(task: &str, attempt: u32) -> Event {
    let failure = Failure::TestsFailed {
        gate: Gate::Tests,
        failed: vec!["adds".into()],
        summary: String::new(),
        excerpt: String::new(),
    };
    ended(task, attempt, AttemptEnd::Failed { failure })
}

pub(crate) fn ended(task: &str, attempt: u32, end: AttemptEnd) -> Event {
    TaskEvent::AttemptEnded { attempt: AttemptNo(attempt), end, output: None }.of(id(task))
}

/// The events a second apart, from second 1.
pub(crate) fn stamp(events: &[Event]) -> Vec<Stamped> {
    (1u64..)
        .zip(1i64..)
        .zip(events)
        .map(|((seq, s), e)| Stamped { seq, at: s * 1000, event: e.clone() })
        .collect()
}

pub(crate) fn fold(events: &[Event]) -> View {
    let mut view = View::default();
    for event in stamp(events) {
        view.apply(&event).unwrap();
    }
    view
}
