//! Work of a fixed size for `scripts/instructions`: `hot_paths WHAT TASKS`. What is done is the same in every run, so that the
//! number of instructions shows what changed.
//!
//! | WHAT | |
//! |---|---|
//! | `seal` | a plan is checked and becomes a graph |
//! | `schedule` | its tasks are carried out by agents that take no time, eight at a time |
//! | `places` | the same, a thousand at a time over ten places, five of them trusted with verifications |
//! | `resume` | the scheduler is folded from the journal of such a run |
//! | `view` | what people see is folded from it |

#![expect(clippy::unwrap_used, clippy::expect_used, reason = "an example fails by panicking")]
#![expect(clippy::print_stdout, reason = "it says what it did")]

use std::collections::{BTreeMap, VecDeque};

use windlass_core::event::{AttemptStarted, Event, RunEvent, RunStarted, SealedTask, Stamped, TaskEvent};
use windlass_core::graph::{Graph, Overlap, SealOptions, seal};
use windlass_core::ids::{AttemptNo, BlobName, Oid, TaskId};
use windlass_core::plan::{Mode, Plan, Task, Tier};
use windlass_core::policy::{PlaceRules, PlaceTable, Settings};
use windlass_core::schedule::{Command, Scheduler};
use windlass_core::view::View;

fn main() {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let [what, tasks] = args.as_slice() else { panic!("usage: hot_paths WHAT TASKS") };
    let tasks: usize = tasks.parse().expect("a number of tasks");
    let graph = sealed(&plan(tasks));
    let said = match what.as_str() {
        "seal" => graph.nodes().len(),
        "schedule" => Run::of(&graph, 8, PlaceTable::new()).finish().len(),
        "places" => Run::of(&graph, 8, places()).finish().len(),
        "resume" => {
            let mut scheduler = Scheduler::default();
            let journal = Run::of(&graph, 8, PlaceTable::new()).finish();
            for event in &journal {
                scheduler.apply(event).expect("a possible event");
            }
            scheduler.tasks().len()
        }
        "view" => {
            let mut view = View::default();
            let journal = Run::of(&graph, 8, PlaceTable::new()).finish();
            for event in &journal {
                view.apply(event).expect("a possible event");
            }
            view.tasks.len()
        }
        other => panic!("`{other}` is not known"),
    };
    println!("{what}: {said}");
}

/// Tasks in groups of ten; each waits for the first of its group, and a group for the one before the last.
fn plan(tasks: usize) -> Plan {
    let id = |n: usize| format!("task-{n:06}");
    let task = |n: usize| {
        let group = n - n % 10;
        let mut depends_on = Vec::new();
        if n > group {
            depends_on.push(id(group));
        } else if group >= 200 {
            depends_on.push(id(group - 200));
        }
        let mut task = Task { id: id(n), title: format!("Task {n}"), depends_on, ..Task::default() };
        task.files.create.push(format!("src/file{n}.rs"));
        task
    };
    Plan { name: "p".into(), tasks: (0..tasks).map(task).collect(), ..Plan::default() }
}

fn sealed(plan: &Plan) -> Graph {
    let options = SealOptions {
        is_test: &|_| false,
        max_depth: 20,
        overlap: Overlap::Order,
        tier_limits: BTreeMap::new(),
        pools: BTreeMap::new(),
    };
    seal(plan, &options).expect("a sound plan").graph
}

/// Ten places with a hundred slots each; every second one is trusted with verifications.
fn places() -> PlaceTable {
    let rules = |n: u32| PlaceRules { slots: 100, labels: Vec::new(), verify: n.is_multiple_of(2) };
    (0..10).map(|n| (format!("place{n}"), rules(n))).collect()
}

/// A run whose work ends in the order in which it began.
struct Run {
    scheduler: Scheduler,
    journal: Vec<Stamped>,
    under_way: VecDeque<Event>,
    serial: u64,
}

impl Run {
    fn of(graph: &Graph, jobs: u32, places: PlaceTable) -> Self {
        let mut run = Run {
            scheduler: Scheduler::default(),
            journal: Vec::new(),
            under_way: VecDeque::new(),
            serial: 0,
        };
        let tip = run.oid();
        let settings = Settings { jobs, places, ..Settings::default() };
        run.tell(Event::Run(RunEvent::RunStarted(RunStarted {
            version: "0".into(),
            pid: 1,
            pid_started: 0,
            branch: "windlass/p".into(),
            tip: tip.clone(),
            base: tip,
            settings: Box::new(settings),
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
            deps: node.deps.iter().map(|dep| graph.node(*dep).id.clone()).collect(),
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
        self.serial += 1;
        Oid::new(&format!("{:040x}", self.serial)).unwrap()
    }

    fn tell(&mut self, event: Event) {
        let stamped = Stamped { seq: self.journal.len() as u64 + 1, at: 0, event };
        self.scheduler.apply(&stamped).expect("a possible event");
        self.journal.push(stamped);
    }

    fn finish(mut self) -> Vec<Stamped> {
        loop {
            let commands = self.scheduler.decide(0);
            if commands.is_empty() {
                let event = self.under_way.pop_front().expect("a run that goes on");
                self.tell(event);
            }
            for command in commands {
                match command {
                    Command::Start { task, attempt, rung, agent, tier, place, .. } => {
                        let base = self.scheduler.tip().unwrap().clone();
                        let test_writer = None;
                        let started = AttemptStarted { attempt, rung, agent, tier, test_writer, place, base };
                        self.tell(TaskEvent::AttemptStarted(started).of(task.clone()));
                        let commit = self.oid();
                        let made = TaskEvent::CandidateMade { attempt, commit, added: 0, removed: 0 };
                        self.under_way.push_back(made.of(task));
                    }
                    Command::Verify { task, attempt, onto, place } => {
                        self.tell(TaskEvent::VerifyIntended { attempt, onto, place }.of(task.clone()));
                        self.verify(task, attempt);
                    }
                    Command::Merge { task, attempt } => {
                        self.merge(task, attempt);
                        break;
                    }
                    Command::Finish(_) => return self.journal,
                    other => panic!("nothing fails here: {other:?}"),
                }
            }
        }
    }

    fn verify(&mut self, task: TaskId, attempt: AttemptNo) {
        let (merge, tree) = (self.oid(), self.oid());
        self.tell(TaskEvent::VerifyStarted { attempt, merge, tree: tree.clone() }.of(task.clone()));
        let verified = TaskEvent::Verified { attempt, tree, proof: BlobName::of(b"proof") };
        self.under_way.push_back(verified.of(task));
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
