//! What each event of a run does to the view, and which journals no program can have written.
#![expect(clippy::unwrap_used, reason = "a test whose data is wrong must fail")]

use windlass_core::event::{
    AttemptStarted, Event, PlanJudged, Role, RunEnd, RunEvent, RunStarted, SealedTask, Stamped, TaskEvent,
    Usage,
};
use windlass_core::ids::{AttemptNo, BlobName, Oid, TaskId};
use windlass_core::plan::{Mode, Tier};
use windlass_core::policy::{Rung, Settings};
use windlass_core::state::TaskState;
use windlass_core::team::Verdict;
use windlass_core::view::{Liveness, RunState, RunView, View, ViewError};

fn id(text: &str) -> TaskId {
    TaskId::new(text).unwrap()
}

fn oid(digit: &str) -> Oid {
    Oid::new(&digit.repeat(40)).unwrap()
}

fn run_started() -> RunEvent {
    RunEvent::RunStarted(RunStarted {
        version: "0.1.0".into(),
        pid: 7,
        pid_started: 9,
        branch: "windlass/x".into(),
        tip: oid("1"),
        base: oid("0"),
        settings: Box::new(Settings::default()),
        only: Vec::new(),
        sandbox: String::new(),
        source: String::new(),
    })
}

fn plan(hash: &str, names: &[&str]) -> RunEvent {
    let sealed = |name: &&str| SealedTask {
        id: id(name),
        title: (*name).into(),
        hash: (*name).into(),
        mode: Mode::Tdd,
        tier: Tier::Small,
        agent: None,
        deps: Vec::new(),
        parents: Vec::new(),
        priority: 1,
        steps: Vec::new(),
        pools: Vec::new(),
        needs: Vec::new(),
        needs_approval: false,
        criteria: Vec::new(),
    };
    RunEvent::PlanSealed {
        hash: hash.into(),
        text: None,
        tasks: names.iter().map(sealed).collect(),
        pools: Vec::new(),
    }
}

fn judged(verdict: Verdict) -> RunEvent {
    RunEvent::PlanJudged(PlanJudged {
        hash: "h".into(),
        role: Role::PlanReviewer,
        agent: "judge".into(),
        millis: 10,
        usage: Usage { cost_usd: Some(0.5), ..Usage::default() },
        model: None,
        session: None,
        verdict,
        brief: BlobName::of(b"brief"),
        output: BlobName::of(b"output"),
    })
}

fn attempt_started(task: &str) -> Event {
    TaskEvent::AttemptStarted(AttemptStarted {
        attempt: AttemptNo(1),
        rung: Rung::First,
        agent: "x".into(),
        tier: Tier::Small,
        test_writer: None,
        place: None,
        base: oid("0"),
    })
    .of(id(task))
}

fn try_fold(events: &[Event]) -> Result<View, ViewError> {
    let mut view = View::default();
    for (seq, event) in (1..).zip(events.iter().cloned()) {
        view.apply(&Stamped { seq, at: i64::try_from(seq).unwrap() * 1000, event })?;
    }
    Ok(view)
}

fn fold(more: &[RunEvent]) -> View {
    let all = [run_started(), plan("h", &["a"])].into_iter().chain(more.iter().cloned());
    try_fold(&all.map(Event::Run).collect::<Vec<_>>()).unwrap()
}

fn run_of(more: &[RunEvent]) -> RunView {
    fold(more).run.unwrap()
}

#[test]
fn events_of_the_run_change_the_run() {
    let paused = run_of(&[RunEvent::Paused]);
    assert!(paused.paused && !run_of(&[RunEvent::Paused, RunEvent::Resumed]).paused);
    assert!(run_of(&[RunEvent::StopRequested { cancel: true }]).stopping);
    assert_eq!(run_of(&[RunEvent::TipMoved { tip: oid("5") }]).tip, oid("5"));
    let off = RunEvent::MergingPaused { reason: "checked out".into() };
    assert_eq!(run_of(std::slice::from_ref(&off)).merging_paused.as_deref(), Some("checked out"));
    assert_eq!(run_of(&[off, RunEvent::MergingResumed]).merging_paused, None);
    let rest = |until| RunEvent::AgentPaused { agent: "claude".into(), until, reason: "429".into() };
    let resting = run_of(&[rest(10_000), rest(20_000)]);
    assert_eq!(resting.resting.len(), 1, "one entry per provider");
    assert_eq!(resting.resting_at(15_000).count(), 1);
    assert_eq!(resting.resting_at(20_000).count(), 0);
}

#[test]
fn a_new_run_forgets_the_pause_and_keeps_the_paused_providers() {
    let rest = RunEvent::AgentPaused { agent: "claude".into(), until: 9, reason: "429".into() };
    let run = run_of(&[RunEvent::Paused, rest, RunEvent::StopRequested { cancel: false }, run_started()]);
    assert!(!run.paused && !run.stopping);
    assert_eq!(run.resting.len(), 1);
}

#[test]
fn a_rejected_plan_holds_the_run_until_it_changes_or_a_task_starts() {
    let no = judged(Verdict::Rejected { issues: Vec::new() });
    assert!(run_of(std::slice::from_ref(&no)).held.is_some());
    assert!(run_of(&[judged(Verdict::Unknown { reason: "x".into() })]).held.is_some());
    assert!(run_of(&[no.clone(), judged(Verdict::Approved { issues: Vec::new() })]).held.is_none());
    assert!(run_of(&[no.clone(), plan("h2", &["a"])]).held.is_none());
    assert!(run_of(&[no.clone(), plan("h", &["a"])]).held.is_some(), "the same plan again");
    assert!(run_of(&[no.clone(), run_started()]).held.is_some(), "another run of it");
    let mut events: Vec<Event> = [run_started(), plan("h", &["a"]), no].map(Event::Run).into();
    events.push(attempt_started("a"));
    assert!(try_fold(&events).unwrap().run.unwrap().held.is_none());
}

#[test]
fn turns_about_the_plan_are_counted() {
    let yes = || judged(Verdict::Approved { issues: Vec::new() });
    let view = fold(&[yes(), yes()]);
    assert_eq!(view.run.as_ref().unwrap().team.len(), 2);
    assert_eq!(view.progress().usage.cost_usd, Some(1.0));
}

#[test]
fn an_end_gives_the_run_its_state() {
    let table = [
        (RunEnd::Completed, RunState::Completed),
        (RunEnd::Stuck, RunState::Stuck),
        (RunEnd::Interrupted, RunState::Interrupted),
        (RunEnd::Cancelled, RunState::Cancelled),
        (RunEnd::BudgetSpent, RunState::BudgetSpent),
        (RunEnd::Broken { message: "x".into() }, RunState::Broken),
    ];
    for (end, state) in table {
        let run = run_of(&[RunEvent::RunEnded { end }]);
        assert_eq!(run.state(Liveness::Gone), state);
        assert_eq!(run.state(Liveness::Alive), state);
    }
    assert_eq!(run_of(&[]).state(Liveness::Alive), RunState::Running);
    assert_eq!(run_of(&[RunEvent::Paused]).state(Liveness::Alive), RunState::Paused);
    assert_eq!(run_of(&[RunEvent::Paused]).state(Liveness::Gone), RunState::Lost);
}

#[test]
fn edges_of_the_integrator_are_dependencies_of_the_plan_they_are_for() {
    let formed = |hash: &str| RunEvent::QueueFormed {
        hash: hash.into(),
        queue: Vec::new(),
        edges: vec![(id("a"), id("b")), (id("a"), id("gone"))],
        conflicts: Vec::new(),
    };
    let view = fold(&[plan("h2", &["a", "b"]), formed("h2")]);
    assert!(!view.is_ready(view.task("b").unwrap()));
    let view = fold(&[plan("h2", &["a", "b"]), formed("h1")]);
    assert!(view.is_ready(view.task("b").unwrap()), "edges for another plan");
}

#[test]
fn a_task_that_left_the_plan_is_archived_and_comes_back_with_its_past() {
    let mut events: Vec<Event> = [run_started(), plan("h", &["a", "b"])].map(Event::Run).into();
    events.push(attempt_started("a"));
    events.push(Event::Run(plan("h2", &["b"])));
    let view = try_fold(&events).unwrap();
    assert!(view.task("a").is_none() && view.archived.len() == 1);
    events.push(Event::Run(plan("h3", &["a", "b"])));
    let view = try_fold(&events).unwrap();
    assert_eq!((view.archived.len(), view.task("a").unwrap().attempt), (0, AttemptNo(1)));
}

#[test]
fn a_journal_that_no_program_can_have_written_is_refused() {
    let mut view = View::default();
    let event = Event::Run(run_started());
    let gap = view.apply(&Stamped { seq: 2, at: 0, event });
    assert_eq!(gap, Err(ViewError::Gap { expected: 1, found: 2 }));

    let run_only = [
        RunEvent::Paused,
        RunEvent::Resumed,
        RunEvent::StopRequested { cancel: true },
        RunEvent::TipMoved { tip: oid("1") },
        RunEvent::MergingPaused { reason: "x".into() },
        RunEvent::MergingResumed,
        RunEvent::AgentPaused { agent: "x".into(), until: 1, reason: "x".into() },
        RunEvent::ProviderStopped { provider: "x".into(), reason: "x".into() },
        RunEvent::ProviderResumed { provider: "x".into() },
        RunEvent::BudgetSpent { reason: "x".into() },
        RunEvent::RunEnded { end: RunEnd::Stuck },
        judged(Verdict::Approved { issues: Vec::new() }),
    ];
    for event in run_only {
        assert_eq!(try_fold(&[Event::Run(event)]), Err(ViewError::NoRun { seq: 1 }));
    }
    let remark = RunEvent::Finding { message: "x".into() };
    assert!(try_fold(&[Event::Run(remark)]).is_ok(), "a remark needs no run");

    let begun = || vec![Event::Run(run_started()), Event::Run(plan("h", &["a"]))];
    let unknown = try_fold(&[begun(), vec![attempt_started("z")]].concat());
    assert_eq!(unknown, Err(ViewError::UnknownTask { seq: 3, task: id("z") }));
    let twice = try_fold(&[begun(), vec![attempt_started("a"), attempt_started("a")]].concat());
    let Err(ViewError::Illegal { seq: 4, task, source }) = twice else { panic!("{twice:?}") };
    assert_eq!((task, source.from), (id("a"), TaskState::InProgress));
}
