//! The language of the stories.
//!
//! Each line is an event, told to the scheduler, or an expectation:
//!
//! - `? start a (first try); merge b` — `decide` gives exactly these commands; `? -` none
//! - `! green a` — the event is refused
//!
//! Commits are named by single digits and letters; `0` is the tip that the run starts with.

use std::collections::BTreeMap;

use windlass_core::event::{
    AttemptEnd, AttemptStarted, BlockReason, Event, Millis, PoolLimit, Role, RunEvent, RunStarted,
    SealedTask, Stamped, TaskEvent,
};
use windlass_core::failure::{Failure, Gate};
use windlass_core::ids::{AttemptNo, BlobName, Oid, TaskId};
use windlass_core::plan::{Mode, Tier};
use windlass_core::policy::{Rung, Settings};
use windlass_core::schedule::{ApplyError, Command, Scheduler};
use windlass_core::team::{Issue, IssueSeverity, Verdict};

/// A plan being carried out.
pub(crate) struct Story {
    pub(crate) scheduler: Scheduler,
    attempts: BTreeMap<String, u32>,
    seq: u64,
    now: Millis,
}

pub(crate) fn id(text: &str) -> TaskId {
    TaskId::new(text).unwrap()
}

fn oid(name: &str) -> Oid {
    Oid::new(&name.repeat(40)[..40]).unwrap()
}

/// A task from `b: a` (depends on a), `c @db` (takes a place in a pool), `d !` (needs approval), `e +gpu` (needs a
/// place with it).
fn sealed(text: &str) -> SealedTask {
    let (head, deps) = text.split_once(':').unwrap_or((text, ""));
    let mut words = head.split_whitespace();
    let name = words.next().expect("a task has a name");
    let mut task = SealedTask {
        id: id(name),
        title: name.into(),
        hash: name.into(),
        mode: Mode::Tdd,
        tier: Tier::Small,
        agent: None,
        deps: deps.split_whitespace().map(id).collect(),
        parents: Vec::new(),
        priority: 1,
        steps: Vec::new(),
        pools: Vec::new(),
        needs: Vec::new(),
        needs_approval: false,
        criteria: Vec::new(),
    };
    for word in words {
        match word.split_at(1) {
            ("!", _) => task.needs_approval = true,
            ("+", need) => task.needs.push(need.into()),
            ("@", pool) => task.pools.push(pool.into()),
            ("%", priority) => task.priority = priority.parse().unwrap(),
            other => panic!("no word `{other:?}` of a task"),
        }
    }
    task
}

impl Story {
    /// A run of these tasks, one per line of `plan`.
    pub(crate) fn of(settings: Settings, plan: &str) -> Self {
        let scheduler = Scheduler::default();
        let mut story = Self { scheduler, attempts: BTreeMap::new(), seq: 0, now: 0 };
        story.begin(settings);
        story.seal("h", plan);
        story
    }

    /// A run with so many jobs.
    pub(crate) fn new(jobs: u32, plan: &str) -> Self {
        Self::of(Settings { jobs, ..Settings::default() }, plan)
    }

    pub(crate) fn begin(&mut self, settings: Settings) {
        let started = RunStarted {
            version: "0".into(),
            pid: 1,
            pid_started: 0,
            branch: "windlass/x".into(),
            tip: self.scheduler.tip().cloned().unwrap_or_else(|| oid("0")),
            base: oid("0"),
            settings: Box::new(settings),
            only: Vec::new(),
            sandbox: String::new(),
            source: String::new(),
        };
        self.tell(Event::Run(RunEvent::RunStarted(started))).unwrap();
    }

    pub(crate) fn seal(&mut self, hash: &str, plan: &str) {
        let tasks = plan.lines().map(str::trim).filter(|l| !l.is_empty()).map(sealed).collect();
        let pools = vec![PoolLimit { name: "db".into(), depth: 1 }];
        self.tell(Event::Run(RunEvent::PlanSealed { hash: hash.into(), text: None, tasks, pools })).unwrap();
    }

    pub(crate) fn tell(&mut self, event: Event) -> Result<(), ApplyError> {
        let stamped = Stamped { seq: self.seq + 1, at: self.now, event };
        self.scheduler.apply(&stamped)?;
        self.seq += 1;
        Ok(())
    }

    pub(crate) fn commands(&self) -> Vec<String> {
        self.scheduler.decide(self.now).iter().map(words).collect()
    }

    /// Plays a script.
    pub(crate) fn play(&mut self, script: &str) -> &mut Self {
        for line in script.lines().map(str::trim).filter(|l| !l.is_empty()) {
            if let Some(expected) = line.strip_prefix("? ") {
                let expected: Vec<&str> = expected.split("; ").filter(|c| *c != "-").collect();
                assert_eq!(self.commands(), expected, "at `{line}`");
            } else if let Some(line) = line.strip_prefix("! ") {
                let refused = self.events(line).into_iter().any(|event| self.tell(event).is_err());
                assert!(refused, "`{line}` was accepted");
            } else {
                for event in self.events(line) {
                    self.tell(event).unwrap_or_else(|e| panic!("`{line}`: {e}"));
                }
            }
        }
        self
    }

    /// The events of a line.
    fn events(&mut self, line: &str) -> Vec<Event> {
        let words: Vec<&str> = line.split_whitespace().collect();
        let run = |event| vec![Event::Run(event)];
        match words.as_slice() {
            ["at", millis] => {
                self.now = millis.parse().unwrap();
                Vec::new()
            }
            ["pause"] => run(RunEvent::Paused),
            ["resume"] => run(RunEvent::Resumed),
            ["stop"] => run(RunEvent::StopRequested { cancel: false }),
            ["cancel"] => run(RunEvent::StopRequested { cancel: true }),
            ["tip", commit] => run(RunEvent::TipMoved { tip: oid(commit) }),
            ["merging", "off"] => run(RunEvent::MergingPaused { reason: "checked out".into() }),
            ["merging", "on"] => run(RunEvent::MergingResumed),
            ["rest", agent, "until", until] => run(RunEvent::AgentPaused {
                agent: (*agent).into(),
                until: until.parse().unwrap(),
                reason: "429".into(),
            }),
            ["gone", place] => {
                let until = self.scheduler.rest_of_place(place, self.now);
                run(RunEvent::PlaceLost { place: (*place).into(), reason: "gone".into(), until })
            }
            [verb, task, rest @ ..] => {
                let events = self.task_events(verb, task, rest);
                events.into_iter().map(|event| event.of(id(task))).collect()
            }
            _ => panic!("no event in `{line}`"),
        }
    }

    fn task_events(&mut self, verb: &str, task: &str, rest: &[&str]) -> Vec<TaskEvent> {
        if verb == "start" {
            *self.attempts.entry(task.into()).or_default() += 1;
        }
        let attempt = AttemptNo(self.attempts.get(task).copied().unwrap_or(1));
        let ended = |end| vec![TaskEvent::AttemptEnded { attempt, end, output: None }];
        let verdict = |verdict| vec![TaskEvent::Reviewed { attempt, verdict }];
        match (verb, rest) {
            ("start", rest) => vec![TaskEvent::AttemptStarted(AttemptStarted {
                attempt,
                rung: rung_of(&rest[..rest.len() - at_place(rest).len()]),
                agent: "x".into(),
                tier: Tier::Small,
                test_writer: None,
                place: at_place(rest).get(1).map(|place| (*place).to_owned()),
                base: oid("0"),
            })],
            ("candidate", []) => {
                vec![TaskEvent::CandidateMade { attempt, commit: oid("c"), added: 1, removed: 0 }]
            }
            ("intend", ["onto", onto]) => {
                vec![TaskEvent::VerifyIntended { attempt, onto: oid(onto), place: None }]
            }
            ("verify", ["onto", onto, "as", merge, rest @ ..]) => vec![
                TaskEvent::VerifyIntended {
                    attempt,
                    onto: oid(onto),
                    place: at_place(rest).get(1).map(|place| (*place).to_owned()),
                },
                TaskEvent::VerifyStarted { attempt, merge: oid(merge), tree: oid(merge) },
            ],
            ("abandon", []) => vec![TaskEvent::VerifyAbandoned { attempt }],
            ("green", []) => {
                vec![TaskEvent::Verified { attempt, tree: oid("e"), proof: BlobName::of(b"proof") }]
            }
            ("merge", ["as", commit]) => {
                let (commit, tree, evidence) = (oid(commit), oid("e"), oid("f"));
                let intended = TaskEvent::MergeIntended { attempt, commit: commit.clone() };
                vec![
                    intended,
                    TaskEvent::Merged {
                        attempt,
                        commit,
                        tree,
                        evidence,
                        criteria: Vec::new(),
                        weak: Vec::new(),
                    },
                ]
            }
            ("fail", what) => ended(AttemptEnd::Failed { failure: failure_of(what) }),
            ("interrupt", []) => ended(AttemptEnd::Interrupted),
            ("lose", []) => ended(AttemptEnd::Lost),
            ("failed", []) => vec![TaskEvent::TaskFailed { reason: "no".into() }],
            ("blocked", []) => vec![TaskEvent::TaskBlocked { block: BlockReason::AwaitingApproval }],
            ("skipped", ["because", of]) => vec![TaskEvent::TaskSkipped { because: Some(id(of)) }],
            ("cancelled", []) => vec![TaskEvent::TaskCancelled],
            ("skipped", []) => vec![TaskEvent::TaskSkipped { because: None }],
            ("reset", []) => vec![TaskEvent::TaskReset],
            ("approve", []) => vec![TaskEvent::Approved],
            ("review", []) => vec![TaskEvent::ReviewStarted { attempt, agent: "judge".into() }],
            ("unreview", []) => vec![TaskEvent::ReviewAbandoned { attempt }],
            ("reviewed", ["yes"]) => verdict(Verdict::Approved { issues: Vec::new() }),
            ("reviewed", ["no"]) => verdict(Verdict::Rejected { issues: vec![issue("low", None)] }),
            ("reviewed", ["unknown"]) => verdict(Verdict::Unknown { reason: "no object".into() }),
            other => panic!("no event {other:?}"),
        }
    }
}

/// Settings with a reviewer.
pub(crate) fn reviewed(jobs: u32) -> Settings {
    Settings { jobs, team: [(Role::Reviewer, "judge".to_owned())].into(), ..Settings::default() }
}

/// The place that a start names at its end.
fn at_place<'a>(words: &[&'a str]) -> Vec<&'a str> {
    match words {
        [.., "at", place] => vec!["at", place],
        _ => Vec::new(),
    }
}

fn rung_of(words: &[&str]) -> Rung {
    match words {
        [] => Rung::First,
        ["hunter", n] => Rung::BugHunter(n.parse().unwrap()),
        ["same", n] => Rung::SameAgent(n.parse().unwrap()),
        ["fresh", n] => Rung::FreshAgent(n.parse().unwrap()),
        ["up", n] => Rung::TierUp(n.parse().unwrap()),
        other => panic!("no rung {other:?}"),
    }
}

fn issue(severity: &str, against: Option<&str>) -> Issue {
    let severity = if severity == "high" { IssueSeverity::High } else { IssueSeverity::Low };
    Issue { criterion: None, severity, message: "x".into(), file: None, against: against.map(str::to_owned) }
}

fn failure_of(words: &[&str]) -> Failure {
    match words {
        ["tests", test] => Failure::TestsFailed {
            gate: Gate::Tests,
            failed: vec![(*test).into()],
            summary: String::new(),
            excerpt: String::new(),
        },
        ["no-change"] => Failure::NoChange,
        ["limited"] => Failure::RateLimited { agent: "x".into(), retry_after_seconds: None, outage: None },
        ["conflict"] => Failure::Conflict { paths: vec!["a".into()] },
        ["needs", file] => Failure::NeedsFiles { files: vec![((*file).into(), "owned by b".into())] },
        ["contradiction"] => Failure::SpecContradiction { reason: "two truths".into() },
        ["environment"] => Failure::Environment { message: "no compiler".into() },
        ["grave"] => Failure::Rejected { issues: vec![issue("high", None)] },
        ["rejected"] => Failure::Rejected { issues: vec![issue("low", None)] },
        ["rejected", "against", other] => Failure::Rejected { issues: vec![issue("low", Some(other))] },
        other => panic!("no failure {other:?}"),
    }
}

fn words(command: &Command) -> String {
    match command {
        Command::Start { task, rung, place, .. } => {
            let at = place.as_ref().map(|place| format!(" at {place}")).unwrap_or_default();
            format!("start {task} ({}){at}", rung.label())
        }
        Command::Verify { task, onto, place, .. } => {
            let at = place.as_ref().map(|place| format!(" at {place}")).unwrap_or_default();
            format!("verify {task} onto {}{at}", &onto.as_str()[..1])
        }
        Command::Abandon { task, .. } => format!("abandon {task}"),
        Command::Merge { task, .. } => format!("merge {task}"),
        Command::Review { task, agent, .. } => format!("review {task} by {agent}"),
        Command::Fail { task, .. } => format!("fail {task}"),
        Command::Block { task, block } => format!("block {task} ({})", block_name(block)),
        Command::Skip { task, because } => format!("skip {task} because {because}"),
        Command::Finish(end) => format!("finish {end:?}"),
    }
}

fn block_name(block: &BlockReason) -> &'static str {
    match block {
        BlockReason::AgentBlocked { .. } => "agent",
        BlockReason::NeedsFiles { .. } => "files",
        BlockReason::AwaitingApproval => "approval",
        BlockReason::Deadlock { .. } => "deadlock",
        BlockReason::Escalated { .. } => "escalated",
        BlockReason::NoVerdict { .. } => "no verdict",
        BlockReason::Unordered { .. } => "unordered",
    }
}
