//! The invariants, kept by a second, naive account of what happened. Knows events and the graph, not the scheduler.

use std::collections::{BTreeMap, BTreeSet};

use windlass_core::event::{AttemptEnd, Event};
use windlass_core::graph::{Graph, Node, PoolIx, TaskIx};
use windlass_core::ids::{Oid, TaskId};
use windlass_core::plan::Tier;
use windlass_core::state::TaskState;

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
}

impl Account {
    pub(crate) fn new(graph: &Graph, jobs: u32, tip: Oid) -> Account {
        let fresh = || Known {
            state: TaskState::Pending,
            doing: Doing::Nothing,
            allowed: 1,
            merged: 0,
            tier: None,
            green: None,
        };
        let tasks = graph.nodes().iter().map(|n| (n.id.to_string(), fresh())).collect();
        let trees = BTreeMap::from([(tip.clone(), Tree::new())]);
        Account { jobs, tasks, trees, tip, paused: false, resting: BTreeMap::new() }
    }

    /// The state of a task.
    pub(crate) fn state(&self, task: &TaskId) -> TaskState {
        self.tasks[task.as_str()].state
    }

    /// Takes in an event and checks everything that must hold after it.
    pub(crate) fn see(&mut self, graph: &Graph, event: &Event) {
        match event {
            Event::Paused => self.paused = true,
            Event::Resumed | Event::RunStarted { .. } => self.paused = false,
            Event::AgentPaused { agent, until, .. } => drop(self.resting.insert(agent.clone(), *until)),
            Event::TipMoved { tip } => self.tip = tip.clone(),
            Event::AttemptStarted { task, base, tier, .. } => {
                self.on_start(graph, task, base);
                self.tasks.get_mut(task.as_str()).expect("a known task").tier = Some(*tier);
            }
            Event::Merged { task, commit, .. } => self.on_merged(task, commit),
            Event::TaskReset { task } => self.on_reset(task),
            _ => {}
        }
        if let Some(id) = event.task() {
            let known = self.tasks.get_mut(id.as_str()).expect("only sealed tasks are spoken of");
            known.state = known.state.after(event).expect("a legal move");
            known.doing = match event {
                Event::AttemptStarted { .. } => Doing::Working,
                Event::VerifyIntended { .. } => Doing::Verifying,
                Event::MergeIntended { .. } => Doing::Moving,
                Event::CandidateMade { .. }
                | Event::VerifyAbandoned { .. }
                | Event::Verified { .. }
                | Event::Merged { .. }
                | Event::AttemptEnded { .. } => Doing::Nothing,
                _ => known.doing,
            };
            if let Event::AttemptEnded { end: AttemptEnd::Failed { .. }, .. } = event {
                known.green = None;
            }
        }
        self.check_limits(graph);
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
        }
    }

    /// I8: what a task depends on is merged, and its base contains it.
    fn on_start(&self, graph: &Graph, task: &TaskId, base: &Oid) {
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
    fn on_merged(&mut self, task: &TaskId, commit: &Oid) {
        let known = self.tasks.get_mut(task.as_str()).expect("a known task");
        known.merged += 1;
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
        let busy = self.doing(Doing::Working).count() + self.doing(Doing::Verifying).count();
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

    /// A task that could start now, were there a free job; by the naive account.
    pub(crate) fn could_start(&self, graph: &Graph, agent: &str, now: i64) -> Option<String> {
        let busy = self.tasks.values().filter(|k| k.doing != Doing::Nothing).count();
        let rests = self.resting.get(agent).is_some_and(|until| *until > now);
        if self.paused || rests || busy >= self.jobs as usize {
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
        let nodes = graph.nodes().iter();
        nodes.filter(move |n| waits(self.state(&n.id)) && n.deps.iter().all(done)).map(|n| n.id.as_str())
    }
}
