//! The invariants, kept by a second, naive account of what happened. Knows events and the graph, not the scheduler.

use std::collections::{BTreeMap, BTreeSet};

use windlass_core::event::{AttemptEnd, Event, RunEvent, TaskEvent};
use windlass_core::failure::Failure;
use windlass_core::graph::{Graph, Node, PoolIx, TaskIx};
use windlass_core::ids::{Oid, TaskId};
use windlass_core::plan::{Mode, Tier};
use windlass_core::state::TaskState;
use windlass_core::team::{IssueSeverity, Verdict};

/// What a commit holds: the tasks merged into it, and commits by others.
pub(crate) type Tree = BTreeSet<String>;

/// What a task does at the moment.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Doing {
    Nothing,
    Working,
    Verifying,
    /// The branch is being moved: short, and never kept waiting for a free job.
    Moving,
}

#[derive(Debug)]
struct Known {
    state: TaskState,
    doing: Doing,
    /// How often it may stand in the branch: one, and one more for each time a person had it done again.
    allowed: u32,
    merged: u32,
    /// The tier of the latest attempt.
    tier: Option<Tier>,
    /// What the last verification was green on.
    green: Option<Tree>,
    /// Whether a reviewer looks at it.
    reviewing: bool,
    /// Whether its candidate was approved by a reviewer, or by a person.
    approved: bool,
    by_person: bool,
    /// Whether its last rejection was grave, and no person has looked at it since.
    grave: bool,
}

impl Known {
    /// What reviewers and people say about it.
    fn heed(&mut self, event: &TaskEvent) {
        match event {
            TaskEvent::CandidateMade { .. } => self.approved = false,
            TaskEvent::ReviewStarted { .. } => {
                assert!(self.green.is_some(), "a review before every gate was green");
                self.reviewing = true;
            }
            TaskEvent::Reviewed { verdict, .. } => {
                assert!(self.reviewing);
                self.reviewing = false;
                self.approved = matches!(verdict, Verdict::Approved { .. });
            }
            TaskEvent::ReviewAbandoned { .. } => self.reviewing = false,
            TaskEvent::AttemptEnded { end, .. } => {
                self.reviewing = false;
                if let AttemptEnd::Failed { failure: Failure::Rejected { issues } } = end {
                    self.grave = issues.iter().any(|i| i.severity == IssueSeverity::High);
                }
            }
            TaskEvent::Approved => (self.by_person, self.grave) = (true, false),
            TaskEvent::TaskReset => (self.by_person, self.grave) = (false, false),
            _ => {}
        }
    }
}

/// The account.
#[derive(Debug)]
pub(crate) struct Account {
    jobs: u32,
    tasks: BTreeMap<String, Known>,
    pub(crate) trees: BTreeMap<Oid, Tree>,
    pub(crate) tip: Oid,
    paused: bool,
    resting: BTreeMap<String, i64>,
    /// Whether a reviewer must approve what is merged.
    reviewed: bool,
    /// The integrator's edges.
    edges: Vec<(TaskId, TaskId)>,
    /// Whether all tasks are wanted.
    all_wanted: bool,
}

impl Account {
    pub(crate) fn new(graph: &Graph, jobs: u32, tip: Oid, reviewed: bool) -> Account {
        let fresh = || Known {
            state: TaskState::Pending,
            doing: Doing::Nothing,
            allowed: 1,
            merged: 0,
            tier: None,
            green: None,
            reviewing: false,
            approved: false,
            by_person: false,
            grave: false,
        };
        let tasks = graph.nodes().iter().map(|n| (n.id.to_string(), fresh())).collect();
        let trees = BTreeMap::from([(tip.clone(), Tree::new())]);
        let (edges, resting) = (Vec::new(), BTreeMap::new());
        Account { jobs, tasks, trees, tip, paused: false, resting, reviewed, edges, all_wanted: true }
    }

    /// The state of a task.
    pub(crate) fn state(&self, task: &TaskId) -> TaskState {
        self.tasks[task.as_str()].state
    }

    /// Takes in an event and checks everything that must hold after it.
    pub(crate) fn see(&mut self, graph: &Graph, event: &Event) {
        match event {
            Event::Run(event) => self.see_run(event),
            Event::Task { task, event } => self.see_task(graph, task, event),
        }
        self.check_limits(graph);
    }

    fn see_run(&mut self, event: &RunEvent) {
        match event {
            RunEvent::Paused => self.paused = true,
            RunEvent::Resumed => self.paused = false,
            RunEvent::RunStarted(started) => {
                (self.paused, self.all_wanted) = (false, started.only.is_empty());
            }
            RunEvent::PlanSealed { .. } => self.edges.clear(),
            RunEvent::QueueFormed { edges, .. } => self.edges.clone_from(edges),
            RunEvent::AgentPaused { agent, until, .. } => drop(self.resting.insert(agent.clone(), *until)),
            RunEvent::TipMoved { tip } => self.tip = tip.clone(),
            RunEvent::Synced(synced) => self.tip = synced.commit.clone(),
            RunEvent::SyncIntended(_)
            | RunEvent::RunEnded { .. }
            | RunEvent::StopRequested { .. }
            | RunEvent::MergingPaused { .. }
            | RunEvent::MergingResumed
            | RunEvent::ProviderStopped { .. }
            | RunEvent::ProviderResumed { .. }
            | RunEvent::BudgetSpent { .. }
            | RunEvent::PlanJudged(_)
            | RunEvent::ClosingFailed { .. }
            | RunEvent::Finding { .. } => {}
        }
    }

    fn see_task(&mut self, graph: &Graph, id: &TaskId, event: &TaskEvent) {
        if let TaskEvent::AttemptStarted(started) = event {
            self.on_start(graph, id, &started.base);
            self.tasks.get_mut(id.as_str()).expect("a known task").tier = Some(started.tier);
        }
        if let TaskEvent::Merged { commit, .. } = event {
            self.on_merged(graph, id, commit);
        }
        if let TaskEvent::TaskReset = event {
            self.on_reset(id);
        }
        let known = self.tasks.get_mut(id.as_str()).expect("only sealed tasks are spoken of");
        known.state = known.state.after(event).expect("a legal move");
        known.doing = match event {
            TaskEvent::AttemptStarted(_) => Doing::Working,
            TaskEvent::VerifyIntended { .. } => Doing::Verifying,
            TaskEvent::MergeIntended { .. } => Doing::Moving,
            TaskEvent::CandidateMade { .. }
            | TaskEvent::VerifyAbandoned { .. }
            | TaskEvent::Verified { .. }
            | TaskEvent::Merged { .. }
            | TaskEvent::AttemptEnded { .. } => Doing::Nothing,
            _ => known.doing,
        };
        if let TaskEvent::AttemptEnded { end: AttemptEnd::Failed { .. }, .. } = event {
            known.green = None;
        }
        known.heed(event);
    }

    /// Notes what a verification was green on.
    pub(crate) fn green(&mut self, task: &TaskId, tree: Tree) {
        self.tasks.get_mut(task.as_str()).expect("a known task").green = Some(tree);
    }

    /// Forgets what was going on: the plan's text of these tasks changed, so they begin anew.
    pub(crate) fn edited(&mut self, task: &str) {
        let known = self.tasks.get_mut(task).expect("a known task");
        if !known.state.is_end() {
            (known.state, known.doing) = (TaskState::Pending, Doing::Nothing);
            (known.grave, known.by_person, known.reviewing) = (false, false, false);
        }
    }

    /// I8: what a task depends on is merged, and its base contains it.
    fn on_start(&self, graph: &Graph, task: &TaskId, base: &Oid) {
        assert!(!self.is_held(), "`{task}` started although a reviewer found something grave");
        for (first, then) in self.edges.iter().filter(|_| self.all_wanted) {
            let before = self.state(first);
            assert!(then != task || before == TaskState::Completed, "`{task}` started before `{first}`");
        }
        let ix = graph.find(task.as_str()).expect("a leaf");
        for dep in &graph.node(ix).deps {
            let dep = &graph.node(*dep).id;
            assert_eq!(self.state(dep), TaskState::Completed, "`{task}` started before `{dep}` was merged");
        }
        for dep in graph.ancestors(ix) {
            let dep = &graph.node(dep).id;
            assert!(self.trees[base].contains(dep.as_str()), "`{dep}` is not in the base of `{task}`");
        }
    }

    /// I1 and I2: merged once, and the branch's tree is the one that was verified.
    fn on_merged(&mut self, graph: &Graph, task: &TaskId, commit: &Oid) {
        let gate = graph.node(graph.find(task.as_str()).expect("a leaf")).mode == Mode::Gate;
        let known = self.tasks.get_mut(task.as_str()).expect("a known task");
        known.merged += 1;
        let seen = !self.reviewed || gate || known.approved || known.by_person;
        assert!(seen, "`{task}` was merged without a reviewer's word");
        assert!(known.merged <= known.allowed, "`{task}` is in the branch {} times", known.merged);
        let tree = &self.trees[commit];
        assert_eq!(known.green.as_ref(), Some(tree), "`{task}` was verified on another tree");
        let mut expected = self.trees[&self.tip].clone();
        expected.insert(task.to_string());
        assert_eq!(*tree, expected, "the branch lost something");
        self.tip = commit.clone();
    }

    fn on_reset(&mut self, task: &TaskId) {
        let known = self.tasks.get_mut(task.as_str()).expect("a known task");
        if known.state == TaskState::Completed {
            known.allowed += 1;
        }
    }

    fn doing(&self, what: Doing) -> impl Iterator<Item = &String> {
        self.tasks.iter().filter(move |(_, k)| k.doing == what).map(|(id, _)| id)
    }

    fn check_limits(&self, graph: &Graph) {
        let looked_at = self.tasks.values().filter(|k| k.reviewing).count();
        let busy = self.doing(Doing::Working).count() + self.doing(Doing::Verifying).count() + looked_at;
        assert!(busy <= self.jobs as usize, "{busy} at once, {} allowed", self.jobs);
        let mut used = vec![0_u32; graph.pools().len()];
        for id in self.doing(Doing::Working) {
            for pool in self.places_of(graph, id) {
                used[pool.at()] += 1;
            }
        }
        for (pool, used) in graph.pools().iter().zip(used) {
            assert!(used <= pool.depth, "{used} in `{}`", pool.name);
        }
        self.check_owners(graph);
    }

    /// The pools a task at work takes a place in: its own, with its tier's replaced by that of its latest attempt.
    fn places_of(&self, graph: &Graph, id: &str) -> Vec<PoolIx> {
        let node = graph.node(graph.find(id).expect("a leaf"));
        let own = graph.tier_pool(node.tier.unwrap_or(Tier::Medium));
        let now = self.tasks[id].tier.and_then(|t| graph.tier_pool(t));
        let moved = |p: &PoolIx| if Some(*p) == own { now } else { Some(*p) };
        node.resources.iter().filter_map(moved).collect()
    }

    /// No two owners of a path are in work at once, from the start of an attempt to the merge. A completed task that
    /// a person has done again is the exception: those behind it need not wait for it a second time.
    fn check_owners(&self, graph: &Graph) {
        let in_work = |id: &TaskId| {
            let once = self.tasks[id.as_str()].allowed == 1;
            once && matches!(self.state(id), TaskState::InProgress | TaskState::Testing)
        };
        let mut owner: BTreeMap<&str, &str> = BTreeMap::new();
        for node in graph.nodes().iter().filter(|n| in_work(&n.id)) {
            for path in &node.owned {
                if let Some(other) = owner.insert(path, node.id.as_str()) {
                    panic!("`{other}` and `{}` both work on `{path}`", node.id);
                }
            }
        }
    }

    /// Whether a reviewer found something grave that no person has looked at.
    pub(crate) fn is_held(&self) -> bool {
        let ended = |k: &Known| matches!(k.state, TaskState::Completed | TaskState::Skipped);
        self.tasks.values().any(|k| k.grave && !ended(k))
    }

    /// A task that could start now, were there a free job; by the naive account.
    pub(crate) fn could_start(&self, graph: &Graph, agent: &str, now: i64) -> Option<String> {
        let reviews = self.tasks.values().filter(|k| k.reviewing).count();
        let busy = self.tasks.values().filter(|k| k.doing != Doing::Nothing).count() + reviews;
        // After a refusal fewer may run at once; how many is the governor's business, but one always may.
        let refused = self.resting.get(agent).is_some_and(|until| *until > now || busy > 0);
        if self.paused || refused || self.is_held() || busy >= self.jobs as usize {
            return None;
        }
        // The next try may be one tier up, which this account does not know: every tier must have a place.
        let tiers = [Tier::Small, Tier::Medium, Tier::Large].into_iter().filter_map(|t| graph.tier_pool(t));
        let tiers: Vec<PoolIx> = tiers.collect();
        let free = |node: &Node| {
            node.resources.iter().chain(&tiers).all(|pool| {
                let uses = |id: &&String| self.places_of(graph, id).contains(pool);
                self.doing(Doing::Working).filter(uses).count() < graph.pool(*pool).depth as usize
            })
        };
        self.open(graph).find(|id| free(graph.node(graph.find(id).expect("a leaf")))).map(str::to_owned)
    }

    /// The tasks that only wait for their turn: not begun, and everything they depend on is merged.
    pub(crate) fn open<'a>(&'a self, graph: &'a Graph) -> impl Iterator<Item = &'a str> {
        let waits = |s| matches!(s, TaskState::Pending | TaskState::TestFailed);
        let done = |d: &TaskIx| self.state(&graph.node(*d).id) == TaskState::Completed;
        let queued = |id: &TaskId| {
            let mut before = self.edges.iter().filter(|(_, then)| then == id);
            before.all(|(first, _)| self.state(first) == TaskState::Completed)
        };
        let nodes = graph.nodes().iter();
        let open = move |n: &&Node| waits(self.state(&n.id)) && n.deps.iter().all(done) && queued(&n.id);
        nodes.filter(open).map(|n| n.id.as_str())
    }
}
