//! A world in which the scheduler is driven: agents that fail, verifications that say no, people with wishes, other
//! people's commits, and crashes at any moment. Time is simulated; everything follows from the seed.

use std::collections::{BTreeMap, BTreeSet};

use windlass_core::event::{
    AttemptEnd, AttemptStarted, BlockReason, Claim, Event, Millis, RedKind, RedTests, Role, RunEnd, RunEvent,
    RunStarted, Stamped, TaskEvent, TestAuthor, TurnEnded, Usage,
};
use windlass_core::failure::Failure;
use windlass_core::graph::Graph;
use windlass_core::ids::{AttemptNo, BlobName, Oid, TaskId};
use windlass_core::policy::{Settings, architecture_labels};
use windlass_core::schedule::{Command, Scheduler};
use windlass_core::state::TaskState;
use windlass_core::team::{Verdict, settle_queue};

use super::bugs::Bug;
use super::cast;
use super::checks::{Account, Tree};
use super::dice::Dice;

/// More rounds than any of these small plans can need: beyond it, something goes in circles.
const ROUNDS: u32 = 6_000;
/// The one agent of this world that writes.
const AGENT: &str = "mechanical";
/// And the one that looks at changes, in some worlds.
const REVIEWER: &str = "reviewer";

/// Something that takes time.
#[derive(Debug, Clone)]
pub(super) enum Job {
    Attempt,
    Merge {
        onto: Oid,
    },
    Verify {
        merge: Oid,
        tree: Oid,
    },
    /// A reviewer looks at the change, whatever becomes of the ground meanwhile.
    Review,
    /// A lost place sends what it did.
    LateAnswer,
    /// A lost place sends the verdict on a tree.
    LateVerdict {
        tree: Oid,
    },
    /// The branch is moved from the tip to the commit, if it still points to the tip.
    Move {
        tip: Oid,
        commit: Oid,
    },
}

/// How the dispatcher takes the commands of one `decide`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Manner {
    AllAtOnce,
    OneByOne,
}

pub(crate) struct World {
    pub(super) dice: Dice,
    pub(super) graph: Graph,
    pub(super) scheduler: Scheduler,
    pub(super) account: Account,
    pub(crate) journal: Vec<Stamped>,
    pub(super) agenda: BTreeMap<(Millis, u64), (TaskId, AttemptNo, Job)>,
    /// The time that passes; the clock may show another one.
    pub(super) now: Millis,
    pub(super) skew: Millis,
    /// What is wrong on purpose.
    pub(super) bug: Option<Bug>,
    pub(super) serial: u64,
    pub(super) settings: Settings,
    pub(super) approvals: u64,
    /// What tasks need of the place of their attempts.
    pub(super) needs: BTreeMap<String, String>,
    pub(super) edition: BTreeMap<String, u32>,
    pub(super) blocks: BTreeMap<TaskId, BlockReason>,
    pub(super) manner: Manner,
    /// Mischief that is left: each kind is finite, so that every world comes to rest.
    pub(super) mischief: u32,
    pub(super) runs: u32,
}

impl World {
    pub(crate) fn new(seed: u64) -> World {
        let mut dice = Dice::new(seed);
        let graph = cast::sealed(cast::plan(&mut dice));
        let reviewed = dice.percent(40);
        let team = reviewed.then(|| (Role::Reviewer, REVIEWER.to_owned())).into_iter().collect();
        let settings = Settings {
            team,
            jobs: u32::try_from(1 + dice.below(4)).unwrap(),
            max_tokens: dice.percent(10).then(|| 1 + dice.below(1_000)),
            here: architecture_labels(cast::ARCH),
            places: cast::places(&mut dice),
            ..Settings::default()
        };
        let needs = cast::needs(&mut dice, &graph, &settings.places);
        let tip = Oid::new(&format!("{:040x}", 1)).unwrap();
        World {
            account: Account::new(&graph, &settings, tip, reviewed, needs.clone()),
            skew: 0,
            bug: None,
            needs,
            graph,
            scheduler: Scheduler::default(),
            journal: Vec::new(),
            agenda: BTreeMap::new(),
            now: 0,
            serial: 1,
            settings,
            approvals: if dice.percent(30) { dice.below(u64::MAX) & dice.below(u64::MAX) } else { 0 },
            edition: BTreeMap::new(),
            blocks: BTreeMap::new(),
            manner: if dice.percent(50) { Manner::AllAtOnce } else { Manner::OneByOne },
            mischief: u32::try_from(dice.below(12)).unwrap(),
            runs: u32::try_from(1 + dice.below(3)).unwrap(),
            dice,
        }
    }

    /// The same world with something wrong in it.
    pub(crate) fn with(self, bug: Bug) -> World {
        World { bug: Some(bug), ..self }
    }

    pub(super) fn has(&self, bug: Bug) -> bool {
        self.bug == Some(bug)
    }

    /// Lives the whole life of a plan: runs, and what people do between them.
    pub(crate) fn live(&mut self) {
        let mut rounds = 0;
        while self.runs > 0 {
            self.runs -= 1;
            self.begin();
            let end = self.run(&mut rounds);
            self.check_end(&end);
            self.between_runs();
        }
        self.refold();
    }

    fn run(&mut self, rounds: &mut u32) -> RunEnd {
        loop {
            *rounds += 1;
            assert!(*rounds < ROUNDS, "the run goes in circles");
            if self.mischief > 0 && self.dice.percent(2) {
                self.mischief -= 1;
                self.make_mischief();
            }
            let commands = self.scheduler.decide(self.clock());
            self.account.look();
            assert_eq!(commands, self.scheduler.decide(self.clock()), "`decide` must only read");
            let commands = match self.bug {
                Some(bug) => bug.decided(commands, &self.scheduler),
                None => commands,
            };
            if commands.is_empty() {
                self.wait();
                continue;
            }
            for command in commands {
                if let Command::Finish(end) = command {
                    self.tell(Event::Run(RunEvent::RunEnded { end: end.clone() }));
                    return end;
                }
                self.obey(command);
                if self.manner == Manner::OneByOne {
                    break;
                }
            }
        }
    }

    /// Writes an event; the scheduler and the account both hear it.
    pub(crate) fn tell(&mut self, event: Event) {
        let stamped = Stamped { seq: self.journal.len() as u64 + 1, at: self.clock(), event };
        hear(self.bug, &mut self.scheduler, &stamped);
        self.account.see(&self.graph, &stamped.event, stamped.at);
        self.journal.push(stamped);
    }

    pub(crate) fn oid(&mut self) -> Oid {
        self.serial += 1;
        Oid::new(&format!("{:040x}", self.serial)).unwrap()
    }

    fn begin(&mut self) {
        let only = self.choose_wanted();
        self.tell(Event::Run(RunEvent::RunStarted(RunStarted {
            version: "0".into(),
            pid: 1,
            pid_started: 0,
            branch: "windlass/p".into(),
            tip: self.account.tip.clone(),
            base: self.account.tip.clone(),
            settings: Box::new(self.settings.clone()),
            only,
            sandbox: String::new(),
            source: String::new(),
        })));
        if self.dice.percent(50) {
            self.seal();
            self.recover();
        } else {
            self.recover();
            self.seal();
        }
        if self.dice.percent(15) {
            self.form_queue();
        }
    }

    /// An integrator has looked at the plan.
    fn form_queue(&mut self) {
        let ids: Vec<TaskId> = self.graph.nodes().iter().map(|n| n.id.clone()).collect();
        let answer = cast::queue(&mut self.dice, &ids);
        let queued = settle_queue(&self.scheduler.order(), &answer);
        let hash = format!("{:?}", self.edition);
        let (queue, edges, conflicts) = (queued.queue, queued.edges, queued.conflicts);
        self.tell(Event::Run(RunEvent::QueueFormed { hash, queue, edges, conflicts }));
    }

    /// All tasks, or one and all it depends on.
    fn choose_wanted(&mut self) -> Vec<TaskId> {
        let all: Vec<_> = self.graph.indices().collect();
        match self.dice.pick(&all).copied() {
            Some(until) if self.dice.percent(15) => {
                let mut wanted = self.graph.ancestors(until);
                wanted.push(until);
                wanted.iter().map(|ix| self.graph.node(*ix).id.clone()).collect()
            }
            _ => Vec::new(),
        }
    }

    fn seal(&mut self) {
        if !self.journal.is_empty() && self.dice.percent(20) {
            let ids: Vec<TaskId> = self.graph.nodes().iter().map(|n| n.id.clone()).collect();
            for id in ids.iter().filter(|_| self.dice.percent(20)) {
                *self.edition.entry(id.to_string()).or_default() += 1;
                self.account.edited(id.as_str());
            }
        }
        let tasks = cast::tasks(&self.graph, self.approvals, &self.edition, &self.needs);
        let pools = cast::pools(&self.graph);
        let hash = format!("{:?}", self.edition);
        self.tell(Event::Run(RunEvent::PlanSealed { hash, text: None, tasks, pools }));
    }

    /// What a coordinator does about the life before it: attempts are lost, verifications begin again, and a branch
    /// that was moved without its event gets the event.
    fn recover(&mut self) {
        let bug = self.bug;
        let lost: Vec<_> = self.scheduler.working().map(|(t, a)| (t.clone(), a)).collect();
        for (task, attempt) in lost.into_iter().filter(|_| bug != Some(Bug::AttemptsForgotten)) {
            self.tell(TaskEvent::AttemptEnded { attempt, end: AttemptEnd::Lost, output: None }.of(task));
        }
        let looked_at: Vec<_> = self.scheduler.reviewing().map(|(t, a)| (t.clone(), a)).collect();
        for (task, attempt) in looked_at.into_iter().filter(|_| bug != Some(Bug::ReviewsForgotten)) {
            self.tell(TaskEvent::ReviewAbandoned { attempt }.of(task));
        }
        let moved: Vec<_> = std::mem::take(&mut self.agenda).into_values().collect();
        for (task, attempt, job) in moved {
            if let Job::Move { tip, commit } = job
                && self.account.tip == tip
                && self.dice.percent(50)
            {
                if self.has(Bug::MoveForgotten) {
                    self.account.branch_moved(&task, commit);
                } else {
                    self.merged(task, attempt, commit);
                }
            }
        }
        if self.has(Bug::VerificationsForgotten) {
            return;
        }
        let again: Vec<_> = self.scheduler.verifying().map(|(t, a)| (t.clone(), a)).collect();
        for (task, attempt) in again {
            self.tell(TaskEvent::VerifyAbandoned { attempt }.of(task));
        }
    }

    fn merged(&mut self, task: TaskId, attempt: AttemptNo, commit: Oid) {
        let (tree, evidence) = (self.oid(), self.oid());
        self.tell(
            TaskEvent::Merged { attempt, commit, tree, evidence, criteria: Vec::new(), weak: Vec::new() }
                .of(task),
        );
    }

    pub(super) fn later(&mut self, millis: u64, task: TaskId, attempt: AttemptNo, job: Job) {
        self.serial += 1;
        let at = self.now + i64::try_from(1 + self.dice.below(millis)).unwrap();
        self.agenda.insert((at, self.serial), (task, attempt, job));
    }

    fn obey(&mut self, command: Command) {
        match command {
            Command::Start { task, attempt, rung, agent, tier, test_writer, place } => {
                let base = self.account.tip.clone();
                let id = task.clone();
                self.tell(
                    TaskEvent::AttemptStarted(AttemptStarted {
                        attempt,
                        rung,
                        agent,
                        tier,
                        test_writer,
                        place,
                        base,
                    })
                    .of(id),
                );
                self.later(1_000, task, attempt, Job::Attempt);
            }
            Command::Verify { task, attempt, onto, place } => {
                self.tell(TaskEvent::VerifyIntended { attempt, onto: onto.clone(), place }.of(task.clone()));
                self.later(20, task, attempt, Job::Merge { onto });
            }
            Command::Abandon { task, attempt } => {
                self.agenda.retain(|_, (t, _, job)| *t != task || matches!(job, Job::Review));
                self.tell(TaskEvent::VerifyAbandoned { attempt }.of(task));
            }
            Command::Review { task, attempt, agent } => {
                self.tell(TaskEvent::ReviewStarted { attempt, agent }.of(task.clone()));
                self.later(400, task, attempt, Job::Review);
            }
            Command::Merge { task, attempt } => {
                let (tip, commit) = (self.account.tip.clone(), self.oid());
                let mut tree = self.account.trees[&tip].clone();
                tree.insert(task.to_string());
                self.account.trees.insert(commit.clone(), tree);
                self.tell(TaskEvent::MergeIntended { attempt, commit: commit.clone() }.of(task.clone()));
                self.later(5, task, attempt, Job::Move { tip, commit });
            }
            Command::Fail { task, reason } => self.tell(TaskEvent::TaskFailed { reason }.of(task)),
            Command::Block { task, block } => {
                self.blocks.insert(task.clone(), block.clone());
                self.tell(TaskEvent::TaskBlocked { block }.of(task));
            }
            Command::Skip { task, because } => {
                self.tell(TaskEvent::TaskSkipped { because: Some(because) }.of(task));
            }
            Command::Finish(_) => {}
        }
    }

    /// Lets time pass until something happens; nothing that could be started may be left lying.
    fn wait(&mut self) {
        if self.scheduler.tasks().iter().all(|t| self.wanted(t.sealed().id.as_str())) {
            let idle = self.account.could_start(&self.graph, AGENT, self.clock());
            let held = self.stopping() || self.settings.max_tokens.is_some();
            assert!(idle.is_none() || held, "`{idle:?}` could start and does not");
        }
        let job = self.agenda.keys().next().copied();
        let wake = self.scheduler.wake_at(self.clock()).map(|at| at - self.skew);
        let wake = wake.filter(|_| !self.has(Bug::SleepsThrough));
        match (job, wake) {
            (Some(key), wake) if wake.is_none_or(|at| key.0 <= at) => {
                self.now = self.now.max(key.0);
                let (task, attempt, job) = self.agenda.remove(&key).unwrap();
                self.happen(task, attempt, job);
            }
            (_, Some(at)) => self.now = at,
            (_, None) => {
                assert!(
                    self.scheduler.is_paused(),
                    "nothing runs, nothing is wanted, and the run does not end"
                );
                self.tell(Event::Run(RunEvent::Resumed));
            }
        }
    }

    fn wanted(&self, task: &str) -> bool {
        let started = self.journal.iter().rev().find_map(|s| match &s.event {
            Event::Run(RunEvent::RunStarted(RunStarted { only, .. })) => Some(only),
            _ => None,
        });
        started.is_some_and(|only| only.is_empty() || only.iter().any(|id| id.as_str() == task))
    }

    fn stopping(&self) -> bool {
        let last = self.journal.iter().rev().find(|s| {
            matches!(s.event, Event::Run(RunEvent::RunStarted(_) | RunEvent::StopRequested { .. }))
        });
        last.is_some_and(|s| matches!(s.event, Event::Run(RunEvent::StopRequested { .. })))
    }

    fn happen(&mut self, task: TaskId, attempt: AttemptNo, job: Job) {
        match job {
            Job::Attempt => self.attempt_ends(task, attempt),
            Job::Merge { .. } if self.dice.percent(4) => {
                self.fail(task, attempt, Failure::Conflict { paths: vec!["x".into()] });
            }
            Job::Merge { onto } => {
                let (merge, tree) = (self.oid(), self.oid());
                let mut holds: Tree = self.account.trees[&onto].clone();
                holds.insert(task.to_string());
                self.account.trees.insert(merge.clone(), holds);
                let told = TaskEvent::VerifyStarted { attempt, merge: merge.clone(), tree: tree.clone() }
                    .of(task.clone());
                self.tell(told);
                self.later(300, task, attempt, Job::Verify { merge, tree });
            }
            Job::Verify { tree, .. } if self.verifier_is_lost(&task) => {
                self.lose_verifier(task, attempt, tree);
            }
            Job::Verify { tree, .. } if self.has(Bug::RedTakenForGreen) && self.dice.percent(15) => {
                self.tell(TaskEvent::Verified { attempt, tree, proof: BlobName::of(b"proof") }.of(task));
            }
            Job::Verify { .. } if self.dice.percent(15) => {
                let verdict = cast::verdict(&mut self.dice);
                self.fail(task, attempt, verdict);
            }
            Job::Verify { merge, tree } => {
                self.account.green(&task, self.account.trees[&merge].clone());
                self.tell(TaskEvent::Verified { attempt, tree, proof: BlobName::of(b"proof") }.of(task));
            }
            Job::Review => self.review_ends(task, attempt),
            Job::LateAnswer => self.late_answer(task, attempt),
            Job::LateVerdict { tree } => self.late_verdict(task, attempt, tree),
            Job::Move { tip, commit } if tip == self.account.tip || self.has(Bug::MovesBlindly) => {
                self.merged(task, attempt, commit);
            }
            Job::Move { .. } => self.tell(TaskEvent::VerifyAbandoned { attempt }.of(task)),
        }
    }

    /// A reviewer has spoken, or its provider would not let it.
    fn review_ends(&mut self, task: TaskId, attempt: AttemptNo) {
        if self.mischief > 0 && self.dice.percent(15) {
            self.mischief -= 1;
            self.refuse(REVIEWER);
            self.tell(TaskEvent::ReviewAbandoned { attempt }.of(task));
            return;
        }
        let others: Vec<TaskId> = self.graph.nodes().iter().map(|n| n.id.clone()).collect();
        let verdict = cast::review(&mut self.dice, &others);
        self.tell(TaskEvent::Reviewed { attempt, verdict: verdict.clone() }.of(task.clone()));
        if let Verdict::Rejected { issues } = verdict {
            self.fail(task, attempt, Failure::Rejected { issues });
        }
    }

    /// A provider refuses, as long as its governor says, or as it says itself.
    fn refuse(&mut self, agent: &str) {
        let told = self.dice.percent(50).then(|| self.dice.below(3));
        if let Some((agent, until)) = self.scheduler.rest(agent, self.clock(), told) {
            self.tell(Event::Run(RunEvent::AgentPaused { agent, until, reason: "429".into() }));
        }
    }

    fn fail(&mut self, task: TaskId, attempt: AttemptNo, failure: Failure) {
        self.agenda.retain(|_, (t, _, _)| *t != task);
        self.tell(
            TaskEvent::AttemptEnded { attempt, end: AttemptEnd::Failed { failure }, output: None }.of(task),
        );
    }

    fn attempt_ends(&mut self, task: TaskId, attempt: AttemptNo) {
        let place = self.scheduler.task(&task).and_then(|t| t.place().map(str::to_owned));
        if let Some(place) = place.filter(|_| self.mischief > 0)
            && self.dice.percent(30)
        {
            self.mischief -= 1;
            self.lose_place(&place, task, attempt);
            return;
        }
        if self.settings.max_tokens.is_some() {
            self.turn(task.clone(), attempt);
        }
        if self.mischief > 0 && self.dice.percent(8) {
            self.mischief -= 1;
            self.refuse(AGENT);
            self.fail(
                task,
                attempt,
                Failure::RateLimited { agent: AGENT.into(), retry_after_seconds: None, outage: None },
            );
        } else if self.dice.percent(20) {
            let failure = cast::agent_failure(&mut self.dice);
            self.fail(task, attempt, failure);
        } else {
            let commit = self.oid();
            if self.dice.percent(50) {
                let (tests, files) = (vec!["t".into()], Vec::new());
                let (task, commit, red) = (task.clone(), commit.clone(), RedKind::Assertion);
                let event = TaskEvent::TestsFrozen {
                    attempt,
                    commit,
                    red,
                    tests,
                    conditional: Vec::new(),
                    seen: RedTests::new(),
                    files,
                    author: TestAuthor::Plan,
                };
                self.tell(event.of(task));
            }
            let made = TaskEvent::CandidateMade { attempt, commit, added: 1, removed: 0 };
            if self.has(Bug::DoneTwice) {
                self.tell(made.clone().of(task.clone()));
            }
            self.tell(made.of(task));
        }
    }

    fn turn(&mut self, task: TaskId, attempt: AttemptNo) {
        let output_tokens = self.dice.below(300);
        self.tell(
            TaskEvent::TurnEnded(TurnEnded {
                attempt,
                role: Role::Implementer,
                agent: AGENT.into(),
                millis: 1,
                claim: Claim::Done,
                usage: Usage { output_tokens, ..Usage::default() },
                model: None,
                session: None,
                summary: None,
                brief: BlobName::of(b"brief"),
                output: BlobName::of(b"output"),
            })
            .of(task),
        );
    }

    /// Kill -9: everything but the journal is gone. The journal folds to the very same state.
    pub(crate) fn crash(&mut self) {
        self.refold();
        self.begin();
    }

    fn refold(&mut self) {
        let mut folded = Scheduler::default();
        let lost = usize::from(self.has(Bug::LastEventLost));
        for stamped in &self.journal[..self.journal.len() - lost] {
            hear(self.bug, &mut folded, stamped);
        }
        assert_eq!(folded, self.scheduler, "the journal folds to another state");
        self.scheduler = folded;
    }

    fn check_end(&self, end: &RunEnd) {
        let states: BTreeSet<TaskState> = self
            .graph
            .nodes()
            .iter()
            .filter(|n| self.wanted(n.id.as_str()))
            .map(|n| self.account.state(&n.id))
            .collect();
        let all_done = states.iter().all(|s| *s == TaskState::Completed);
        match end {
            RunEnd::Completed => assert!(all_done, "{states:?}"),
            RunEnd::Stuck => {
                let free = |id: &&str| self.wanted(id) && !self.account.is_crowded(&self.graph, id);
                let open = self.account.open(&self.graph).find(free);
                let held = self.account.is_held();
                assert!(!all_done && (open.is_none() || held), "{open:?} could still be done");
            }
            RunEnd::Interrupted | RunEnd::Cancelled => assert!(self.stopping()),
            RunEnd::BudgetSpent => assert!(!all_done && self.settings.max_tokens.is_some()),
            RunEnd::Broken { .. } => panic!("{end:?}"),
        }
        for slate in self.scheduler.tasks() {
            let id = &slate.sealed().id;
            assert_eq!(slate.state(), self.account.state(id), "`{id}`");
        }
    }
}

/// Lets the scheduler hear an event, or what a bug makes of it.
fn hear(bug: Option<Bug>, scheduler: &mut Scheduler, stamped: &Stamped) {
    let applied = match bug {
        None => scheduler.apply(stamped),
        Some(bug) => bug.heard(stamped).map_or(Ok(()), |heard| scheduler.apply(&heard)),
    };
    if let Err(error) = applied {
        panic!("{error}: {stamped:?}");
    }
}
