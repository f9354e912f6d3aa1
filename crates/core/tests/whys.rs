//! Why a task is in its state: every reason, where it comes from, and how it is worded.
#![expect(clippy::unwrap_used, reason = "a test whose data is wrong must fail")]

use windlass_core::event::{
    AttemptEnd, AttemptStarted, BlockReason, Event, RunEvent, RunStarted, SealedTask, Stamped, TaskEvent,
};
use windlass_core::failure::{Failure, Gate};
use windlass_core::ids::{AttemptNo, BlobName, Oid, TaskId};
use windlass_core::plan::{Mode, Tier};
use windlass_core::policy::{Rung, Settings};
use windlass_core::team::{Issue, IssueSeverity, Verdict};
use windlass_core::view::{View, Why};

fn id(text: &str) -> TaskId {
    TaskId::new(text).unwrap()
}

fn oid() -> Oid {
    Oid::new(&"a".repeat(40)).unwrap()
}

fn sealed(name: &str, deps: &[&str], hash: &str) -> SealedTask {
    SealedTask {
        id: id(name),
        title: format!("Do {name}"),
        hash: hash.into(),
        mode: Mode::Tdd,
        tier: Tier::Small,
        agent: None,
        deps: deps.iter().map(|d| id(d)).collect(),
        parents: Vec::new(),
        priority: 1,
        steps: Vec::new(),
        pools: Vec::new(),
        needs: Vec::new(),
        needs_approval: false,
        criteria: Vec::new(),
    }
}

fn plan(hash: &str) -> Event {
    let wide: Vec<String> = (1..=5).map(|n| format!("w{n}")).collect();
    let wide: Vec<&str> = wide.iter().map(String::as_str).collect();
    let mut tasks = vec![sealed("a", &[], hash), sealed("b", &["a"], "b"), sealed("wide", &wide, "wide")];
    tasks.extend(wide.iter().map(|name| sealed(name, &[], name)));
    Event::Run(RunEvent::PlanSealed { hash: hash.into(), text: None, tasks, pools: Vec::new() })
}

fn run_started() -> Event {
    Event::Run(RunEvent::RunStarted(RunStarted {
        version: "0".into(),
        pid: 1,
        pid_started: 0,
        branch: "windlass/x".into(),
        tip: oid(),
        base: oid(),
        settings: Box::new(Settings::default()),
        only: Vec::new(),
        sandbox: String::new(),
        source: String::new(),
    }))
}

const FIRST: AttemptNo = AttemptNo(1);

fn started() -> Event {
    started_at(None)
}

fn started_at(place: Option<&str>) -> Event {
    let base = oid();
    let (rung, tier, agent) = (Rung::First, Tier::Small, "x".into());
    TaskEvent::AttemptStarted(AttemptStarted {
        attempt: FIRST,
        rung,
        agent,
        tier,
        test_writer: None,
        place: place.map(str::to_owned),
        base,
    })
    .of(id("a"))
}

fn about_a(event: TaskEvent) -> Event {
    event.of(id("a"))
}

fn candidate() -> Event {
    about_a(TaskEvent::CandidateMade { attempt: FIRST, commit: oid(), added: 1, removed: 0 })
}

fn ended(end: AttemptEnd) -> Vec<Event> {
    vec![started(), about_a(TaskEvent::AttemptEnded { attempt: FIRST, end, output: None })]
}

fn lost_at(place: &str) -> Vec<Event> {
    let end = AttemptEnd::Lost;
    let ended = about_a(TaskEvent::AttemptEnded { attempt: FIRST, end, output: None });
    vec![started_at(Some(place)), ended]
}

fn blocked(block: BlockReason) -> Vec<Event> {
    vec![about_a(TaskEvent::TaskBlocked { block })]
}

fn reviewed(verdict: Verdict) -> Vec<Event> {
    vec![started(), candidate(), about_a(TaskEvent::Reviewed { attempt: FIRST, verdict })]
}

fn merged() -> Vec<Event> {
    let merged = TaskEvent::Merged {
        attempt: FIRST,
        commit: oid(),
        tree: oid(),
        evidence: oid(),
        criteria: Vec::new(),
        weak: Vec::new(),
    };
    vec![started(), candidate(), about_a(merged)]
}

fn issue() -> Issue {
    Issue {
        criterion: None,
        severity: IssueSeverity::Low,
        message: "a\nlong name".into(),
        file: None,
        against: None,
    }
}

fn why(task: &str, events: &[Event]) -> Option<Why> {
    let mut view = View::default();
    let all = [run_started(), plan("first")].into_iter().chain(events.iter().cloned());
    for (seq, event) in (1..).zip(all) {
        view.apply(&Stamped { seq, at: 1000, event }).unwrap();
    }
    view.why(view.task(task).unwrap())
}

/// A task, what happened, and the words for it; no words where there is no reason.
fn table() -> Vec<(&'static str, Vec<Event>, &'static str)> {
    let reason = || "two\n truths".to_owned();
    vec![
        ("a", vec![], ""),
        ("b", vec![], "waits for `a`"),
        ("wide", vec![], "waits for `w1`, `w2`, `w3` and 2 more"),
        ("a", vec![started()], ""),
        ("a", ended(AttemptEnd::Failed { failure: Failure::NoChange }), "the agent changed nothing"),
        (
            "a",
            ended(AttemptEnd::Failed {
                failure: Failure::RateLimited {
                    agent: "claude".into(),
                    retry_after_seconds: None,
                    outage: None,
                },
            }),
            "waits for `claude`, which is paused; no attempt was used up",
        ),
        (
            "a",
            ended(AttemptEnd::Failed {
                failure: Failure::TestsFailed {
                    gate: Gate::Suite,
                    failed: vec!["adds".into()],
                    summary: String::new(),
                    excerpt: "much output\nassert 1 == 2\nmore output\n".into(),
                },
            }),
            "suite: `adds` failed",
        ),
        ("a", ended(AttemptEnd::Interrupted), "interrupted; the next run continues it"),
        ("a", ended(AttemptEnd::Lost), "Windlass ended while it ran; the next run continues it"),
        ("a", lost_at("big"), "lost at place `big`; no attempt was used up, and it is tried again"),
        ("a", vec![about_a(TaskEvent::TaskFailed { reason: reason() })], "two truths"),
        ("a", blocked(BlockReason::AgentBlocked { reason: reason() }), "two truths"),
        (
            "a",
            blocked(BlockReason::NeedsFiles { files: vec![("x.py".into(), "owned by b".into())] }),
            "needs files beyond its own: `x.py (owned by b)`; `windlass approve --files` gives them",
        ),
        ("a", blocked(BlockReason::AwaitingApproval), "verified; waits for `windlass approve`"),
        (
            "a",
            blocked(BlockReason::Deadlock { reason: reason() }),
            "two truths: look at it, then `approve`, `retry` or `skip` it",
        ),
        (
            "a",
            blocked(BlockReason::Escalated { reason: reason() }),
            "two truths; no task starts until you `retry`, `approve` or `skip` it",
        ),
        (
            "a",
            blocked(BlockReason::NoVerdict { reason: reason() }),
            "green, but the reviewer gave no verdict (two truths): look at it, then `approve` or `retry`",
        ),
        (
            "a",
            blocked(BlockReason::Unordered { with: vec![id("b")], reason: reason() }),
            "in conflict with `b` (two truths): say in the plan which comes first",
        ),
        ("a", vec![about_a(TaskEvent::TaskCancelled)], "cancelled; the next run continues it"),
        ("a", vec![about_a(TaskEvent::TaskSkipped { because: None })], "a person skipped it"),
        (
            "a",
            vec![about_a(TaskEvent::TaskSkipped { because: Some(id("b")) })],
            "needs `b`, which did not complete",
        ),
        ("a", reviewed(Verdict::Approved { issues: vec![] }), ""),
        ("a", reviewed(Verdict::Approved { issues: vec![issue()] }), "approved in review: low: a long name"),
        ("a", reviewed(Verdict::Rejected { issues: vec![issue()] }), "rejected in review: low: a long name"),
        ("a", reviewed(Verdict::Unknown { reason: reason() }), "the review gave no verdict: two truths"),
        ("a", merged(), ""),
        (
            "a",
            [merged(), vec![plan("second")]].concat(),
            "the plan changed after it was completed; `windlass retry` carries it out again",
        ),
        ("a", [ended(AttemptEnd::Lost), vec![started()]].concat(), ""),
    ]
}

#[test]
fn every_reason_is_worded_in_one_line() {
    for (task, events, words) in table() {
        let why = why(task, &events);
        assert_eq!(why.as_ref().map(Why::to_string).unwrap_or_default(), words, "{events:?}");
        assert!(!words.contains('\n'));
    }
}

#[test]
fn every_reason_survives_the_stored_view() {
    for (task, events, _) in table() {
        let Some(why) = why(task, &events) else { continue };
        let json = serde_json::to_string(&why).unwrap();
        assert_eq!(serde_json::from_str::<Why>(&json).unwrap(), why, "{json}");
        assert!(!json.contains("much output"), "one line of the output of commands is kept in the view");
    }
}

#[test]
fn only_an_approval_asks_for_approve() {
    for (task, events, words) in table() {
        let asks = why(task, &events).is_some_and(|why| why.awaits_approval());
        assert_eq!(asks, words.contains("`windlass approve`"), "{words}");
    }
}

#[test]
fn a_task_that_waits_says_for_what_and_nothing_else() {
    for (task, events, words) in table() {
        let waits = why(task, &events).is_some_and(|why| why.waits_for_tasks());
        assert_eq!(waits, task != "a", "{words}");
    }
}

#[test]
fn a_verdict_is_kept_with_its_turn() {
    let proof = BlobName::of(b"proof");
    let verified = about_a(TaskEvent::Verified { attempt: FIRST, tree: oid(), proof });
    let events = [reviewed(Verdict::Unknown { reason: "x".into() }), vec![verified]].concat();
    assert_eq!(why("a", &events), Some(Why::Reviewed(Verdict::Unknown { reason: "x".into() })));
}
