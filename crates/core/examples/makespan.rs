//! How close the scheduler comes to the best possible: 200 tasks with known durations on 32 slots, on a simulated
//! clock. Prints makespan / lower bound per shape of plan; the bound is the longer of the critical path, verification
//! included, and all the work spread evenly over the slots. The goal is 1.05.

#![expect(clippy::unwrap_used, clippy::expect_used, reason = "an example fails by panicking")]
#![expect(clippy::print_stdout, reason = "the figures are what it is for")]

#[path = "../tests/simulation/dice.rs"]
#[expect(dead_code, reason = "the simulation uses all of it")]
mod dice;

use std::collections::BTreeMap;

use dice::Dice;
use windlass_core::event::{
    AttemptStarted, Event, Millis, RunEvent, RunStarted, SealedTask, Stamped, TaskEvent,
};
use windlass_core::graph::{Graph, Overlap, SealOptions, seal};
use windlass_core::ids::{AttemptNo, BlobName, Oid, TaskId};
use windlass_core::plan::{Mode, Plan, Task, Tier};
use windlass_core::policy::Settings;
use windlass_core::schedule::{Command, Scheduler};

const TASKS: usize = 200;
const SLOTS: u32 = 32;

/// How a plan hangs together: the most dependencies of a task, and how far back they may reach.
const SHAPES: [(&str, u64, u64); 5] =
    [("independent", 0, 1), ("wide", 2, 200), ("layered", 3, 60), ("narrow", 2, 30), ("chains", 1, 20)];

/// Durations in milliseconds: of the attempt, and of the verification.
struct Known {
    attempt: Vec<Millis>,
    verify: Vec<Millis>,
}

fn main() {
    println!("{:<12} {:>9} {:>9} {:>7}", "shape", "bound s", "run s", "ratio");
    for (name, deps, reach) in SHAPES {
        let (mut worst, mut sums) = (0.0_f64, (0, 0));
        for seed in 0..10 {
            let (graph, known) = draw(&mut Dice::new(seed), deps, reach);
            let (bound, took) = (bound(&graph, &known), Run::of(&graph, &known).finish());
            worst = worst.max(ratio(took, bound));
            sums = (sums.0 + bound, sums.1 + took);
        }
        let mean = ratio(sums.1, sums.0);
        println!("{name:<12} {:>9} {:>9} {mean:>7.3}  worst {worst:.3}", sums.0 / 10_000, sums.1 / 10_000);
    }
}

fn ratio(took: Millis, bound: Millis) -> f64 {
    let float = |n: Millis| f64::from(u32::try_from(n / 10).unwrap());
    float(took) / float(bound)
}

fn draw(dice: &mut Dice, deps: u64, reach: u64) -> (Graph, Known) {
    let mut known = Known { attempt: Vec::new(), verify: Vec::new() };
    let mut tasks = Vec::new();
    for at in 0..TASKS as u64 {
        let mut task = Task { id: format!("t{at}"), ..Task::default() };
        for _ in 0..dice.below(deps + 1) {
            if let Some(dep) = at.checked_sub(1 + dice.below(reach)) {
                task.depends_on.push(format!("t{dep}"));
            }
        }
        let attempt = 60 + dice.below(840);
        task.estimate_minutes = u32::try_from(attempt).ok().map(|s| f64::from(s) / 60.0);
        known.attempt.push(i64::try_from(attempt).unwrap() * 1_000);
        known.verify.push(i64::try_from(5 + dice.below(55)).unwrap() * 1_000);
        tasks.push(task);
    }
    let options = SealOptions {
        is_test: &|_| false,
        max_depth: 3,
        overlap: Overlap::Order,
        tier_limits: BTreeMap::new(),
        pools: BTreeMap::new(),
    };
    let plan = Plan { name: "p".into(), tasks, ..Plan::default() };
    (seal(&plan, &options).expect("an acyclic plan").graph, known)
}

/// No schedule can be shorter.
fn bound(graph: &Graph, known: &Known) -> Millis {
    let mut ends = vec![0; graph.nodes().len()];
    for ix in graph.order() {
        let own = known.attempt[ix.at()] + known.verify[ix.at()];
        ends[ix.at()] = own + graph.node(*ix).deps.iter().map(|d| ends[d.at()]).max().unwrap_or(0);
    }
    let work: Millis = known.attempt.iter().chain(&known.verify).sum();
    let spread = work / i64::from(SLOTS);
    ends.into_iter().max().unwrap_or(0).max(spread)
}

/// One run in which nothing fails.
struct Run<'a> {
    graph: &'a Graph,
    known: &'a Known,
    scheduler: Scheduler,
    agenda: BTreeMap<(Millis, u64), Event>,
    now: Millis,
    seq: u64,
}

impl<'a> Run<'a> {
    fn of(graph: &'a Graph, known: &'a Known) -> Run<'a> {
        let scheduler = Scheduler::default();
        let mut run = Run { graph, known, scheduler, agenda: BTreeMap::new(), now: 0, seq: 0 };
        let tip = run.oid();
        run.tell(Event::Run(RunEvent::RunStarted(RunStarted {
            version: "0".into(),
            pid: 1,
            pid_started: 0,
            branch: "windlass/p".into(),
            tip: tip.clone(),
            base: tip,
            settings: Box::new(Settings { jobs: SLOTS, ..Settings::default() }),
            only: Vec::new(),
            sandbox: String::new(),
            source: String::new(),
        })));
        let leaf = |node: &windlass_core::graph::Node| SealedTask {
            id: node.id.clone(),
            title: String::new(),
            hash: node.id.to_string(),
            mode: Mode::Tdd,
            tier: Tier::Small,
            agent: None,
            deps: node.deps.iter().map(|d| graph.node(*d).id.clone()).collect(),
            parents: Vec::new(),
            priority: node.priority,
            steps: Vec::new(),
            pools: Vec::new(),
            needs: Vec::new(),
            needs_approval: false,
            criteria: Vec::new(),
        };
        let tasks = graph.nodes().iter().map(leaf).collect();
        run.tell(Event::Run(RunEvent::PlanSealed { hash: "h".into(), text: None, tasks, pools: Vec::new() }));
        run
    }

    fn oid(&mut self) -> Oid {
        self.seq += 1;
        Oid::new(&format!("{:040x}", self.seq)).unwrap()
    }

    fn tell(&mut self, event: Event) {
        self.seq += 1;
        self.scheduler.apply(&Stamped { seq: self.seq, at: self.now, event }).expect("a possible event");
    }

    fn later(&mut self, millis: Millis, event: Event) {
        self.seq += 1;
        self.agenda.insert((self.now + millis, self.seq), event);
    }

    fn finish(mut self) -> Millis {
        loop {
            let commands = self.scheduler.decide(self.now);
            if commands.is_empty() {
                let ((at, _), event) = self.agenda.pop_first().expect("a run that goes on");
                self.now = at;
                self.tell(event);
            }
            for command in commands {
                match command {
                    Command::Start { task, attempt, rung, agent, tier, .. } => {
                        let base = self.scheduler.tip().unwrap().clone();
                        let id = task.clone();
                        self.tell(
                            TaskEvent::AttemptStarted(AttemptStarted {
                                attempt,
                                rung,
                                agent,
                                tier,
                                test_writer: None,
                                place: None,
                                base,
                            })
                            .of(id),
                        );
                        self.attempt(task, attempt);
                    }
                    Command::Verify { task, attempt, onto, .. } => {
                        self.tell(TaskEvent::VerifyIntended { attempt, onto, place: None }.of(task.clone()));
                        self.verify(task, attempt);
                    }
                    Command::Merge { task, attempt } => self.merge(task, attempt),
                    Command::Finish(_) => return self.now,
                    other => panic!("nothing fails here: {other:?}"),
                }
            }
        }
    }

    fn at(&self, task: &TaskId) -> usize {
        self.graph.find(task.as_str()).unwrap().at()
    }

    fn attempt(&mut self, task: TaskId, attempt: AttemptNo) {
        let (millis, commit) = (self.known.attempt[self.at(&task)], self.oid());
        self.later(millis, TaskEvent::CandidateMade { attempt, commit, added: 0, removed: 0 }.of(task));
    }

    fn verify(&mut self, task: TaskId, attempt: AttemptNo) {
        let (merge, tree) = (self.oid(), self.oid());
        let millis = self.known.verify[self.at(&task)];
        self.tell(TaskEvent::VerifyStarted { attempt, merge, tree: tree.clone() }.of(task.clone()));
        self.later(millis, TaskEvent::Verified { attempt, tree, proof: BlobName::of(b"proof") }.of(task));
    }

    fn merge(&mut self, task: TaskId, attempt: AttemptNo) {
        let (commit, tree, evidence) = (self.oid(), self.oid(), self.oid());
        self.tell(TaskEvent::MergeIntended { attempt, commit: commit.clone() }.of(task.clone()));
        self.tell(
            TaskEvent::Merged { attempt, commit, tree, evidence, criteria: Vec::new(), weak: Vec::new() }
                .of(task),
        );
    }
}
