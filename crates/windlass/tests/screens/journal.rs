//! Journals of runs that never were.

use windlass_core::event::{
    AttemptEnd, AttemptStarted, BlockReason, Claim, Event, Role, RunEnd, RunEvent, RunStarted, SealedTask,
    StepResult, TaskEvent, TurnEnded, Usage,
};
use windlass_core::failure::{Failure, Gate};
use windlass_core::ids::{AttemptNo, BlobName, Oid, PlanName, TaskId};
use windlass_core::plan::{Action, Mode, Tier, template};
use windlass_core::policy::{Rung, Settings};
use windlass_core::view::{View, encode};
use windlass_engine::chronicle::{from_record, to_record, to_time};
use windlass_engine::journal::{JournalReader, JournalWriter};
use windlass_engine::output::OutputStore;
use windlass_engine::paths::{Paths, PlanPaths};

use crate::space::Space;

pub(crate) fn id(text: &str) -> TaskId {
    TaskId::new(text).unwrap()
}

fn oid(digit: char) -> Oid {
    Oid::new(&digit.to_string().repeat(40)).unwrap()
}

pub(crate) fn sealed(name: &str, title: &str, deps: &[&str]) -> SealedTask {
    SealedTask {
        id: id(name),
        title: title.into(),
        hash: "h".into(),
        mode: Mode::Tdd,
        tier: Tier::Small,
        agent: None,
        deps: deps.iter().map(|d| id(d)).collect(),
        parents: Vec::new(),
        priority: 1,
        steps: template(Mode::Tdd).iter().map(|s| s.action).collect(),
        pools: Vec::new(),
        needs: Vec::new(),
        needs_approval: false,
        criteria: Vec::new(),
    }
}

/// A run as it starts; `pid` 0 is no process.
pub(crate) fn run_started(pid: u32) -> Event {
    Event::Run(RunEvent::RunStarted(RunStarted {
        version: "0.1.0".into(),
        pid,
        pid_started: 0,
        branch: "windlass/shop".into(),
        tip: oid('a'),
        base: oid('a'),
        settings: Box::new(Settings::default()),
        only: Vec::new(),
        sandbox: String::new(),
        source: String::new(),
    }))
}

pub(crate) fn plan_sealed(tasks: Vec<SealedTask>) -> Event {
    Event::Run(RunEvent::PlanSealed { hash: "p".into(), text: None, tasks, pools: Vec::new() })
}

pub(crate) fn started(task: &str, attempt: u32, rung: Rung) -> Event {
    let agent = "cmd:./agent.sh".into();
    TaskEvent::AttemptStarted(AttemptStarted {
        attempt: AttemptNo(attempt),
        rung,
        agent,
        tier: Tier::Small,
        test_writer: None,
        place: None,
        base: oid('a'),
    })
    .of(id(task))
}

pub(crate) fn step(task: &str, attempt: u32, step: u32, action: Action) -> Event {
    TaskEvent::StepStarted { attempt: AttemptNo(attempt), step, action }.of(id(task))
}

pub(crate) fn step_over(
    task: &str,
    attempt: u32,
    step: u32,
    action: Action,
    output: Option<BlobName>,
) -> Event {
    let (task, attempt, result) = (id(task), AttemptNo(attempt), StepResult::Passed);
    TaskEvent::StepEnded { attempt, step, action, result, millis: 1200, output }.of(task)
}

pub(crate) fn turn(task: &str, attempt: u32, output: BlobName) -> Event {
    TaskEvent::TurnEnded(TurnEnded {
        attempt: AttemptNo(attempt),
        role: Role::Implementer,
        agent: "cmd:./agent.sh".into(),
        millis: 41_000,
        claim: Claim::Done,
        usage: Usage { input_tokens: 12_000, output_tokens: 345, cost_usd: Some(0.42), ..Usage::default() },
        model: None,
        session: None,
        summary: Some("wrote the model and its tests".into()),
        brief: BlobName::of(b"brief"),
        output,
    })
    .of(id(task))
}

pub(crate) fn candidate(task: &str, attempt: u32) -> Event {
    TaskEvent::CandidateMade { attempt: AttemptNo(attempt), commit: oid('c'), added: 12, removed: 3 }
        .of(id(task))
}

pub(crate) fn merged(task: &str, attempt: u32) -> Event {
    let (commit, tree, evidence) = (oid('d'), oid('e'), oid('f'));
    TaskEvent::Merged {
        attempt: AttemptNo(attempt),
        commit,
        tree,
        evidence,
        criteria: Vec::new(),
        weak: Vec::new(),
    }
    .of(id(task))
}

pub(crate) fn refused(task: &str, attempt: u32) -> Event {
    let failure = Failure::TestsFailed {
        gate: Gate::Tests,
        failed: vec!["test_total".into()],
        summary: "1 of 3 failed".into(),
        excerpt: "    assert total([2, 3]) == 5\nE   assert 6 == 5".into(),
    };
    let end = AttemptEnd::Failed { failure };
    TaskEvent::AttemptEnded { attempt: AttemptNo(attempt), end, output: None }.of(id(task))
}

pub(crate) fn blocked(task: &str) -> Event {
    let reason = "the test wants 2 + 2 to be 5".into();
    TaskEvent::TaskBlocked { block: BlockReason::AgentBlocked { reason } }.of(id(task))
}

pub(crate) fn ended(end: RunEnd) -> Event {
    Event::Run(RunEvent::RunEnded { end })
}

/// Where the state of `shop` lies.
pub(crate) fn paths(space: &Space) -> PlanPaths {
    Paths::new(&space.work().join(".git"), &space.work()).plan(&PlanName::new("shop").unwrap())
}

/// Keeps an output.
pub(crate) fn output(space: &Space, text: &str) -> BlobName {
    OutputStore::open(&paths(space).out()).unwrap().put_bytes(text.as_bytes()).unwrap()
}

/// Writes the events a second apart, from second 1, after those that are there.
pub(crate) fn journal(space: &Space, events: &[Event]) {
    let mut writer = JournalWriter::open(&paths(space).journal()).unwrap();
    for event in events {
        let at = i64::try_from(writer.last_seq() + 1).unwrap() * 1000;
        writer.append(&to_time(at), &[to_record(event).unwrap()]).unwrap();
    }
}

/// Keeps the view of everything written so far.
pub(crate) fn keep_view(space: &Space) {
    let path = paths(space).journal();
    let reader = JournalReader::open(&path).unwrap().unwrap();
    let mut view = View::default();
    for record in reader.read_after(0, usize::MAX).unwrap() {
        view.apply(&from_record(&record).unwrap()).unwrap();
    }
    let mut writer = JournalWriter::open(&path).unwrap();
    writer.store_fold(view.seq, &encode(&view).unwrap()).unwrap();
}
