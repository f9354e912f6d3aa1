//! Journals of large and of odd plans, written as a run writes them.

use windlass_core::event::{
    AttemptStarted, BlockReason, Event, Role, RunEvent, RunStarted, SealedTask, StepResult, TaskEvent,
    TurnEnded, Usage,
};
use windlass_core::ids::{AttemptNo, BlobName, Oid, TaskId};
use windlass_core::plan::{Action, Mode, Tier};
use windlass_core::policy::{Rung, Settings};
use windlass_engine::chronicle::{to_record, to_time};
use windlass_engine::journal::JournalWriter;
use windlass_testkit::TestRepo;

/// A journal that is being written by this test.
pub(crate) struct WrittenJournal {
    writer: JournalWriter,
    oid: Oid,
    at: i64,
}

/// A journal began ten minutes ago.
fn began() -> i64 {
    let now = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).unwrap();
    i64::try_from(now.as_millis()).unwrap() - 600_000
}

pub(crate) fn id(n: usize) -> TaskId {
    TaskId::new(&format!("T-{n:05}")).unwrap()
}

/// A sealed task.
pub(crate) fn sealed(id: &TaskId, title: &str, deps: Vec<TaskId>, parents: &[&str]) -> SealedTask {
    SealedTask {
        id: id.clone(),
        title: title.to_owned(),
        hash: String::new(),
        mode: Mode::Tdd,
        tier: Tier::Small,
        agent: None,
        deps,
        parents: parents.iter().map(|p| (*p).to_owned()).collect(),
        priority: 10,
        steps: vec![
            Action::WriteTest,
            Action::VerifyFail,
            Action::Implement,
            Action::VerifyPass,
            Action::Commit,
        ],
        pools: Vec::new(),
        needs: Vec::new(),
        needs_approval: false,
        criteria: Vec::new(),
    }
}

impl WrittenJournal {
    /// A run of the plan `big` with these tasks, by a coordinator that is this test.
    pub(crate) fn begin(repo: &TestRepo, tasks: Vec<SealedTask>) -> Self {
        let oid = Oid::new(&repo.git(&["rev-parse", "HEAD"])).unwrap();
        let path = repo.path(".git/windlass/plans/big/journal.db");
        let mut journal = Self { writer: JournalWriter::open(&path).unwrap(), oid: oid.clone(), at: began() };
        journal.write(&[
            Event::Run(RunEvent::RunStarted(RunStarted {
                version: "0".into(),
                pid: std::process::id(),
                pid_started: 0,
                branch: "windlass/big".into(),
                tip: oid.clone(),
                base: oid,
                settings: Box::new(Settings::default()),
                only: Vec::new(),
                sandbox: String::new(),
                source: String::new(),
            })),
            Event::Run(RunEvent::PlanSealed { hash: "x".into(), text: None, tasks, pools: Vec::new() }),
        ]);
        journal
    }

    /// Writes events a second after the ones before.
    pub(crate) fn write(&mut self, events: &[Event]) {
        let records: Vec<(String, String)> = events.iter().map(|event| to_record(event).unwrap()).collect();
        self.at += 1000;
        self.writer.append(&to_time(self.at), &records).unwrap();
    }

    /// An attempt begins, with its first step.
    pub(crate) fn started(&self, task: &TaskId, attempt: u32) -> Vec<Event> {
        let no = AttemptNo(attempt);
        vec![
            TaskEvent::AttemptStarted(AttemptStarted {
                attempt: no,
                rung: Rung::First,
                agent: "claude".into(),
                tier: Tier::Small,
                test_writer: None,
                place: None,
                base: self.oid.clone(),
            })
            .of(task.clone()),
            TaskEvent::StepEnded {
                attempt: no,
                step: 0,
                action: Action::WriteTest,
                result: StepResult::Passed,
                millis: 900,
                output: None,
            }
            .of(task.clone()),
            TaskEvent::StepStarted { attempt: no, step: 2, action: Action::Implement }.of(task.clone()),
        ]
    }

    /// A turn of an agent that cost something.
    pub(crate) fn turn(task: &TaskId, cost: f64) -> Event {
        TaskEvent::TurnEnded(TurnEnded {
            attempt: AttemptNo(1),
            role: Role::Implementer,
            agent: "claude".into(),
            millis: 42_000,
            claim: windlass_core::event::Claim::Done,
            usage: Usage {
                input_tokens: 18_000,
                output_tokens: 900,
                cost_usd: Some(cost),
                ..Usage::default()
            },
            model: Some("sonnet".into()),
            session: None,
            summary: None,
            brief: BlobName::of(b"brief"),
            output: BlobName::of(b"output"),
        })
        .of(task.clone())
    }

    /// A task is carried out and merged.
    pub(crate) fn merged(&self, task: &TaskId) -> Vec<Event> {
        let (no, oid) = (AttemptNo(1), self.oid.clone());
        let mut events = self.started(task, 1);
        events.extend([
            Self::turn(task, 0.04),
            TaskEvent::CandidateMade { attempt: no, commit: oid.clone(), added: 30, removed: 4 }
                .of(task.clone()),
            TaskEvent::Merged {
                attempt: no,
                commit: oid.clone(),
                tree: oid.clone(),
                evidence: oid,
                criteria: Vec::new(),
                weak: Vec::new(),
            }
            .of(task.clone()),
        ]);
        events
    }

    /// A task asks a person something.
    pub(crate) fn asks(task: &TaskId, question: &str) -> Event {
        TaskEvent::TaskBlocked { block: BlockReason::AgentBlocked { reason: question.into() } }
            .of(task.clone())
    }

    /// A task is given up.
    pub(crate) fn failed(task: &TaskId, reason: &str) -> Event {
        TaskEvent::TaskFailed { reason: reason.into() }.of(task.clone())
    }

    /// So many tasks, each after one of the hundred before it, in phases of five hundred if wanted: half of them merged,
    /// some at work, one failed, one with a question.
    pub(crate) fn large(repo: &TestRepo, count: usize, phases: bool) -> Self {
        let task = |n: usize| {
            let deps = if n < 100 { Vec::new() } else { vec![id(n - 100), id(n - 100 + (n * 7) % 90)] };
            let phase = format!("phase-{:02}", n / 500);
            let parents = [phase.as_str()];
            sealed(
                &id(n),
                &format!("Carry out part number {n} of the whole"),
                deps,
                if phases { &parents } else { &[] },
            )
        };
        let mut journal = Self::begin(repo, (0..count).map(task).collect());
        let done: Vec<Event> = (0..count / 2).flat_map(|n| journal.merged(&id(n))).collect();
        done.chunks(5000).for_each(|piece| journal.write(piece));
        for n in count / 2..count / 2 + 6 {
            let events = journal.started(&id(n), 1);
            journal.write(&events);
        }
        journal.write(&[
            Self::failed(&id(count - 1), "the ladder is used up"),
            Self::asks(&id(count - 2), "Which currency?"),
        ]);
        journal
    }
}
