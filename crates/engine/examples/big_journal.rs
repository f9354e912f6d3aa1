//! Writes the journal of a long run: `big_journal FILE TASKS [OPEN]`. Every task goes through one attempt with all its
//! steps and is merged, but for the last OPEN ones. With OPEN the journal looks as in the middle of a run: the view beside
//! it is as old as the dispatcher lets it become. For figures only.

#![expect(clippy::unwrap_used, clippy::expect_used, reason = "an example fails by panicking")]
#![expect(clippy::print_stdout, reason = "it says what it made")]

use std::path::Path;

use windlass_core::event::{
    AttemptStarted, Claim, Event, RedKind, RedTests, Role, RunEnd, RunEvent, RunStarted, SealedTask, Stamped,
    StepResult, TaskEvent, TestAuthor, TurnEnded, Usage,
};
use windlass_core::ids::{AttemptNo, BlobName, Oid, TaskId};
use windlass_core::plan::{Mode, Tier, template};
use windlass_core::policy::{Rung, Settings};
use windlass_core::view::{View, encode, encode_glance};
use windlass_engine::chronicle::{to_record, to_time};
use windlass_engine::journal::JournalWriter;

/// How many events lie between two kept views, as in the dispatcher.
const FOLD_EVERY: usize = 2_000;
const START: i64 = 1_800_000_000_000;

fn main() {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let [path, tasks, rest @ ..] = args.as_slice() else { panic!("usage: big_journal FILE TASKS [OPEN]") };
    let tasks: usize = tasks.parse().expect("a number of tasks");
    let open: usize = rest.first().map_or(0, |n| n.parse().expect("a number of open tasks"));
    let events = story(tasks, open);
    let written = write(Path::new(path), &events, open > 0);
    println!("{tasks} tasks, {written} events");
}

fn story(tasks: usize, open: usize) -> Vec<Event> {
    let ids: Vec<TaskId> = (1..=tasks).map(|n| TaskId::new(&format!("task-{n:06}")).unwrap()).collect();
    let mut events = vec![started(), sealed(&ids)];
    for id in &ids[..tasks - open] {
        attempt(&mut events, id);
    }
    if open == 0 {
        events.push(Event::Run(RunEvent::RunEnded { end: RunEnd::Completed }));
    }
    events
}

fn started() -> Event {
    Event::Run(RunEvent::RunStarted(RunStarted {
        version: "0".into(),
        // A coordinator that is alive: only then is a run in its middle.
        pid: 1,
        pid_started: start_of(1),
        branch: "windlass/big".into(),
        tip: oid(),
        base: oid(),
        settings: Box::new(Settings::default()),
        only: Vec::new(),
        sandbox: String::new(),
        source: String::new(),
    }))
}

/// When a process started, in kernel ticks: the 20th field after its name.
fn start_of(pid: u32) -> u64 {
    let stat = std::fs::read_to_string(format!("/proc/{pid}/stat")).unwrap_or_default();
    let after_name = stat.rsplit_once(") ").map_or("", |(_, rest)| rest);
    after_name.split(' ').nth(19).and_then(|field| field.parse().ok()).unwrap_or(1)
}

fn sealed(ids: &[TaskId]) -> Event {
    let task = |(n, id): (usize, &TaskId)| SealedTask {
        id: id.clone(),
        title: format!("Do the thing with the number {n}"),
        hash: format!("{n:064x}"),
        mode: Mode::Tdd,
        tier: Tier::Medium,
        agent: None,
        deps: n.checked_sub(7).map(|before| ids[before].clone()).into_iter().collect(),
        parents: Vec::new(),
        priority: 1,
        steps: template(Mode::Tdd).iter().map(|s| s.action).collect(),
        pools: Vec::new(),
        needs: Vec::new(),
        needs_approval: false,
        criteria: Vec::new(),
    };
    let tasks = ids.iter().enumerate().map(task).collect();
    Event::Run(RunEvent::PlanSealed { hash: "0".into(), text: None, tasks, pools: Vec::new() })
}

fn attempt(events: &mut Vec<Event>, id: &TaskId) {
    let (task, attempt) = (id.clone(), AttemptNo(1));
    let (agent, tier) = ("cmd:agent".to_owned(), Tier::Medium);
    events.push(
        TaskEvent::AttemptStarted(AttemptStarted {
            attempt,
            rung: Rung::First,
            agent,
            tier,
            test_writer: None,
            place: None,
            base: oid(),
        })
        .of(task),
    );
    for (step, action) in (0..).zip(template(Mode::Tdd).iter().map(|s| s.action)) {
        let task = id.clone();
        events.push(TaskEvent::StepStarted { attempt, step, action }.of(task.clone()));
        match step {
            1 => events.push(frozen(id)),
            2 => events.push(turn(id)),
            3 => events.extend(candidate(id)),
            _ => {}
        }
        let (result, millis) = (StepResult::Passed, 1_000);
        events.push(
            TaskEvent::StepEnded { attempt, step, action, result, millis, output: Some(blob()) }.of(task),
        );
    }
    let task = id.clone();
    events.push(TaskEvent::Verified { attempt, tree: oid(), proof: blob() }.of(task.clone()));
    events.push(TaskEvent::MergeIntended { attempt, commit: oid() }.of(task.clone()));
    events.push(
        TaskEvent::Merged {
            attempt,
            commit: oid(),
            tree: oid(),
            evidence: oid(),
            criteria: Vec::new(),
            weak: Vec::new(),
        }
        .of(task),
    );
}

fn frozen(id: &TaskId) -> Event {
    let tests = vec!["tests/test_it.py::test_one".into(), "tests/test_it.py::test_two".into()];
    let (task, attempt) = (id.clone(), AttemptNo(1));
    TaskEvent::TestsFrozen {
        attempt,
        commit: oid(),
        red: RedKind::Assertion,
        tests,
        conditional: Vec::new(),
        seen: RedTests::new(),
        files: Vec::new(),
        author: TestAuthor::Plan,
    }
    .of(task)
}

fn turn(id: &TaskId) -> Event {
    TaskEvent::TurnEnded(TurnEnded {
        attempt: AttemptNo(1),
        role: Role::Implementer,
        agent: "cmd:agent".into(),
        millis: 60_000,
        claim: Claim::Done,
        usage: Usage { input_tokens: 9_000, output_tokens: 900, cost_usd: Some(0.02), ..Usage::default() },
        model: Some("claude-sonnet-4-5".into()),
        session: Some("0a1b2c3d-4e5f-6789-abcd-ef0123456789".into()),
        summary: Some("did the thing".into()),
        brief: blob(),
        output: blob(),
    })
    .of(id.clone())
}

fn candidate(id: &TaskId) -> [Event; 3] {
    let (task, attempt) = (id.clone(), AttemptNo(1));
    [
        TaskEvent::CandidateMade { attempt, commit: oid(), added: 40, removed: 2 }.of(task.clone()),
        TaskEvent::VerifyIntended { attempt, onto: oid(), place: None }.of(task.clone()),
        TaskEvent::VerifyStarted { attempt, merge: oid(), tree: oid() }.of(task),
    ]
}

fn oid() -> Oid {
    Oid::new(&"a".repeat(40)).unwrap()
}

fn blob() -> BlobName {
    BlobName::of(b"output")
}

/// Writes the events and the view of them, which is a little too old in the middle of a run.
fn write(path: &Path, events: &[Event], in_the_middle: bool) -> usize {
    let mut writer = JournalWriter::open(path).unwrap();
    let mut view = View::default();
    let kept_at =
        if in_the_middle { events.len() - (FOLD_EVERY - 1).min(events.len() - 1) } else { events.len() };
    let mut kept = Vec::new();
    for (seq, event) in (1..).zip(events) {
        let at = START + i64::try_from(seq).unwrap() * 10;
        view.apply(&Stamped { seq, at, event: event.clone() }).unwrap();
        if usize::try_from(seq).unwrap() == kept_at {
            kept = encode(&view).unwrap();
        }
    }
    // The look is half a second old at most; at this pace that is a few dozen events.
    let glance = encode_glance(&view).unwrap();
    for (n, batch) in events.chunks(1_000).enumerate() {
        let items: Vec<(String, String)> = batch.iter().map(|e| to_record(e).unwrap()).collect();
        let at = START + i64::try_from(n).unwrap() * 10_000;
        writer.append(&to_time(at), &items).unwrap();
    }
    writer.store_fold(kept_at as u64, &kept).unwrap();
    if in_the_middle {
        writer.store_glance(&glance).unwrap();
        let late = Event::Run(RunEvent::Finding { message: "written after the last look".into() });
        writer.append(&to_time(START), &[to_record(&late).unwrap()]).unwrap();
    }
    events.len()
}
