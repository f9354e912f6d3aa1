//! The invariants, kept by a second, naive account of what happened. Knows events and the graph, not the scheduler.

use std::collections::{BTreeMap, BTreeSet};

use windlass_core::event::{AttemptEnd, Event, RunEvent, TaskEvent};
use windlass_core::failure::Failure;
use windlass_core::graph::{Graph, Node, PoolIx, TaskIx};
use windlass_core::ids::{AttemptNo, Oid, TaskId};
use windlass_core::plan::{Mode, Tier};
use windlass_core::policy::{PlaceTable, Rung, Settings};
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
pub(super) struct Known {
    state: TaskState,
    doing: Doing,
    /// How often it may stand in the branch: one, and one more for each time a person had it done again.
    allowed: u32,
    merged: u32,
    /// The tier of the latest attempt.
    pub(super) tier: Option<Tier>,
    /// The number of the latest attempt.
    pub(super) attempt: Option<AttemptNo>,
    /// The place of the latest attempt.
    pub(super) place: Option<String>,
    /// The commit that has the files of its latest attempt or verification.
    pub(super) files: Option<Oid>,
    /// Its latest merge that was verified.
    merge: Option<Oid>,
    /// The place of the latest verification.
    pub(super) verifier: Option<String>,
    pub(super) rung: Option<Rung>,
    /// The rung of an attempt that was lost: the next one has the same.
    pub(super) again: Option<Rung>,
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
    /// The place besides this machine that works on it.
    pub(super) fn works_at(&self) -> Option<&String> {
        match self.doing {
            Doing::Working => self.place.as_ref(),
            Doing::Verifying => self.verifier.as_ref(),
            Doing::Nothing | Doing::Moving => None,
        }
    }

    /// What reviewers and people say about it.
    fn heed(&mut self, event: &TaskEvent) {
        match event {
            TaskEvent::CandidateMade { .. } => self.approved = false,
            TaskEvent::VerifyStarted { merge, .. } => {
                (self.merge, self.files) = (Some(merge.clone()), Some(merge.clone()));
            }
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
            TaskEvent::TaskReset => (self.by_person, self.grave, self.again) = (false, false, None),
            TaskEvent::Answered(_) => self.again = None,
            _ => {}
        }
    }
}

/// The account.
#[derive(Debug)]
pub(crate) struct Account {
    jobs: u32,
    /// What this machine has.
    pub(super) here: Vec<String>,
    pub(super) places: PlaceTable,
    /// The slots that were free when the scheduler looked, less those taken since.
    pub(super) free: BTreeMap<String, usize>,
    /// The commit that each place has the files of, and was not lost since.
    pub(super) has: BTreeMap<String, Oid>,
    pub(super) needs: BTreeMap<String, String>,
    /// Places that rest, each with the end of its rest.
    pub(super) resting_places: BTreeMap<String, i64>,
    pub(super) tasks: BTreeMap<String, Known>,
    pub(crate) trees: BTreeMap<Oid, Tree>,
    pub(crate) tip: Oid,
    paused: bool,
    stopping: bool,
    merging_paused: bool,
    /// Tokens that the run has used, and may use.
    spent: u64,
    max_tokens: Option<u64>,
    /// Tasks that only a person lets pass.
    approvals: BTreeSet<TaskId>,
    resting: BTreeMap<String, i64>,
    /// Providers whose rest is not over.
    in_rest: BTreeMap<String, i64>,
    /// Whether a reviewer must approve what is merged.
    reviewed: bool,
    /// The integrator's edges.
    edges: Vec<(TaskId, TaskId)>,
    /// Whether all tasks are wanted.
    all_wanted: bool,
}

impl Account {
    pub(crate) fn new(
        graph: &Graph,
        settings: &Settings,
        tip: Oid,
        reviewed: bool,
        needs: BTreeMap<String, String>,
    ) -> Account {
        let (jobs, places, resting_places) = (settings.jobs, settings.places.clone(), BTreeMap::new());
        let fresh = || Known {
            state: TaskState::Pending,
            doing: Doing::Nothing,
            allowed: 1,
            merged: 0,
            tier: None,
            attempt: None,
            place: None,
            files: None,
            merge: None,
            verifier: None,
            rung: None,
            again: None,
            green: None,
            reviewing: false,
            approved: false,
            by_person: false,
            grave: false,
        };
        let tasks = graph.nodes().iter().map(|n| (n.id.to_string(), fresh())).collect();
        let trees = BTreeMap::from([(tip.clone(), Tree::new())]);
        let (edges, resting) = (Vec::new(), BTreeMap::new());
        Account {
            jobs,
            here: settings.here.clone(),
            places,
            free: BTreeMap::new(),
            has: BTreeMap::new(),
            needs,
            resting_places,
            tasks,
            trees,
            tip,
            paused: false,
            stopping: false,
            merging_paused: false,
            spent: 0,
            max_tokens: settings.max_tokens,
            approvals: BTreeSet::new(),
            in_rest: BTreeMap::new(),
            resting,
            reviewed,
            edges,
            all_wanted: true,
        }
    }

    /// The state of a task.
    pub(crate) fn state(&self, task: &TaskId) -> TaskState {
        self.tasks[task.as_str()].state
    }

    /// Takes in an event and checks everything that must hold after it.
    pub(crate) fn see(&mut self, graph: &Graph, event: &Event, now: i64) {
        // A rest that is over stays over, wherever the clock is set.
        self.in_rest.retain(|_, until| *until > now);
        match event {
            Event::Run(event) => self.see_run(event),
            Event::Task { task, event } => self.see_task(graph, task, event, now),
        }
        self.check_limits(graph);
    }

    fn see_run(&mut self, event: &RunEvent) {
        match event {
            RunEvent::Paused => self.paused = true,
            RunEvent::Resumed => self.paused = false,
            RunEvent::RunStarted(started) => {
                (self.paused, self.stopping, self.merging_paused) = (false, false, false);
                self.spent = 0;
                self.all_wanted = started.only.is_empty();
                self.resting_places.clear();
            }
            RunEvent::StopRequested { .. } => self.stopping = true,
            RunEvent::MergingPaused { .. } => self.merging_paused = true,
            RunEvent::MergingResumed => self.merging_paused = false,
            RunEvent::PlanSealed { tasks, .. } => {
                self.edges.clear();
                let asked = tasks.iter().filter(|task| task.needs_approval);
                self.approvals = asked.map(|task| task.id.clone()).collect();
            }
            RunEvent::QueueFormed { edges, .. } => self.edges.clone_from(edges),
            RunEvent::AgentPaused { agent, until, .. } => {
                self.resting.insert(agent.clone(), *until);
                self.in_rest.insert(agent.clone(), *until);
            }
            RunEvent::TipMoved { tip } => self.tip = tip.clone(),
            RunEvent::Synced(synced) => self.tip = synced.commit.clone(),
            RunEvent::PlaceLost { place, until, .. } => {
                self.has.remove(place);
                self.resting_places.remove(place);
                self.resting_places.extend(until.map(|until| (place.clone(), until)));
            }
            RunEvent::SyncIntended(_)
            | RunEvent::RunEnded { .. }
            | RunEvent::ProviderStopped { .. }
            | RunEvent::ProviderResumed { .. }
            | RunEvent::BudgetSpent { .. }
            | RunEvent::PlanJudged(_)
            | RunEvent::ClosingFailed { .. }
            | RunEvent::Finding { .. } => {}
        }
    }

    fn see_task(&mut self, graph: &Graph, id: &TaskId, event: &TaskEvent, now: i64) {
        if let TaskEvent::AttemptStarted(started) = event {
            self.on_start(graph, id, &started.base);
            self.on_turn(id, &started.agent);
            self.on_placed(id, started, now);
        }
        if let TaskEvent::VerifyIntended { place, .. } = event {
            self.on_verifier(id, place.as_ref(), now);
        }
        if let TaskEvent::TurnEnded(turn) = event {
            self.spent += turn.usage.tokens();
        }
        if let TaskEvent::MergeIntended { .. } = event {
            assert!(!self.merging_paused, "`{id}` is merged while the branch must stay");
        }
        self.check_fence(id, event);
        if let TaskEvent::Merged { commit, .. } = event {
            self.on_merged(graph, id, commit);
        }
        if let TaskEvent::TaskReset = event {
            self.on_reset(id);
        }
        let known = self.tasks.get_mut(id.as_str()).expect("only sealed tasks are spoken of");
        // A place that answers rests no longer.
        let answered = match event {
            TaskEvent::CandidateMade { .. } | TaskEvent::Verified { .. } => true,
            TaskEvent::AttemptEnded { end: AttemptEnd::Failed { failure }, .. } => {
                !matches!(failure, Failure::Conflict { .. } | Failure::Rejected { .. })
            }
            _ => false,
        };
        if let (true, Some(place)) = (answered, known.works_at()) {
            self.resting_places.remove(place);
            self.has.extend(known.files.clone().map(|files| (place.clone(), files)));
        }
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
        if let TaskEvent::AttemptEnded { end, .. } = event {
            match end {
                AttemptEnd::Failed { .. } => known.green = None,
                AttemptEnd::Lost => known.again = known.rung,
                AttemptEnd::Interrupted => {}
            }
        }
        known.heed(event);
    }

    /// I7: what is said of an attempt is said of the latest one.
    fn check_fence(&self, task: &TaskId, event: &TaskEvent) {
        let (TaskEvent::CandidateMade { attempt, .. }
        | TaskEvent::AttemptEnded { attempt, .. }
        | TaskEvent::Verified { attempt, .. }
        | TaskEvent::MergeIntended { attempt, .. }
        | TaskEvent::Merged { attempt, .. }) = event
        else {
            return;
        };
        let latest = self.tasks[task.as_str()].attempt;
        assert_eq!(latest, Some(*attempt), "`{task}`: attempt {attempt} was heard");
    }

    /// I10: no agent is given a turn that the run's limit, a pause, a stop or the rest of its provider forbids.
    fn on_turn(&self, task: &TaskId, agent: &str) {
        assert!(!self.paused, "`{task}` started in a pause");
        assert!(!self.stopping, "`{task}` started after the request to stop");
        assert!(self.max_tokens.is_none_or(|max| self.spent < max), "`{task}` started beyond the limit");
        assert!(!self.in_rest.contains_key(agent), "`{task}` started while {agent} rests");
    }

    /// The branch was moved, whether or not an event says so.
    pub(crate) fn branch_moved(&mut self, task: &TaskId, commit: Oid) {
        self.tasks.get_mut(task.as_str()).expect("a known task").merged += 1;
        self.tip = commit;
    }

    /// Notes what a verification was green on.
    pub(crate) fn green(&mut self, task: &TaskId, tree: Tree) {
        self.tasks.get_mut(task.as_str()).expect("a known task").green = Some(tree);
    }

    /// Forgets what was going on: the plan's text of these tasks changed, so they begin anew.
    pub(crate) fn edited(&mut self, task: &str) {
        let known = self.tasks.get_mut(task).expect("a known task");
        if !known.state.is_end() {
            // What was approved may be in the branch already: recovery finds it there.
            known.by_person &= known.doing == Doing::Moving;
            (known.state, known.doing) = (TaskState::Pending, Doing::Nothing);
            (known.grave, known.reviewing, known.again, known.merge) = (false, false, None, None);
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
        let approved = known.by_person || !self.approvals.contains(task);
        assert!(approved, "`{task}` was merged without the person who must approve it");
        assert!(known.merged <= known.allowed, "`{task}` is in the branch {} times", known.merged);
        let tree = &self.trees[commit];
        assert_eq!(known.green.as_ref(), Some(tree), "`{task}` was verified on another tree");
        let mut expected = self.trees[&self.tip].clone();
        expected.insert(task.to_string());
        assert_eq!(*tree, expected, "the branch lost something");
        self.tip = commit.clone();
        // The merge that was verified has the files of the commit.
        if let Some(merge) = self.tasks.get_mut(task.as_str()).and_then(|known| known.merge.take()) {
            let known = self.tasks.values_mut().filter_map(|known| known.files.as_mut());
            for files in known.chain(self.has.values_mut()).filter(|files| **files == merge) {
                files.clone_from(commit);
            }
        }
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
        let under_way = || self.doing(Doing::Working).chain(self.doing(Doing::Verifying));
        let here = under_way().filter(|id| self.tasks[*id].works_at().is_none()).count();
        let busy = here + looked_at;
        for (name, rules) in &self.places {
            let there = |id: &&String| self.tasks[*id].works_at() == Some(name);
            let used = under_way().filter(there).count();
            assert!(used <= rules.slots as usize, "{used} at {name}, {} allowed", rules.slots);
        }
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
        let away = |k: &&Known| k.works_at().is_some();
        let all = self.tasks.values().filter(|k| k.doing != Doing::Nothing).count() + reviews;
        let busy = all - self.tasks.values().filter(away).count();
        // After a refusal fewer may run at once; how many is the governor's business, but one always may.
        let refused = self.resting.get(agent).is_some_and(|until| *until > now || all > 0);
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
        let here = |id: &&str| self.needs.get(*id).is_none_or(|need| self.is_here(need));
        self.open(graph)
            .filter(here)
            .filter(|id| !self.is_crowded(graph, id))
            .find(|id| free(graph.node(graph.find(id).expect("a leaf"))))
            .map(str::to_owned)
    }

    /// Whether a task would work beside one that is carried out again and shares its files: that one is above it, or it is that
    /// one and something below is under way. The integrator's edges are links as well; where there are any, nothing is known.
    pub(crate) fn is_crowded(&self, graph: &Graph, id: &str) -> bool {
        let again = |k: &Known| k.allowed > 1 && k.state != TaskState::Completed;
        if !self.tasks.values().any(again) {
            return false;
        }
        let ix = graph.find(id).expect("a leaf");
        let known = |ix: TaskIx| &self.tasks[graph.node(ix).id.as_str()];
        let under_way = |k: &Known| matches!(k.state, TaskState::InProgress | TaskState::Testing);
        let mut below = graph.indices().filter(|other| graph.ancestors(*other).contains(&ix));
        !self.edges.is_empty()
            || graph.ancestors(ix).into_iter().any(|above| again(known(above)))
            || (again(known(ix)) && below.any(|other| under_way(known(other))))
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
