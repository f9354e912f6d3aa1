//! What the scheduler remembers. Written by `apply` alone.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet, HashMap};

use serde::{Deserialize, Serialize};

use super::placement::PlaceRecord;
use crate::criteria::CriterionLink;
use crate::event::{
    BlockReason, FrozenFile, HeldTests, LeftOut, MutantSeen, PersonAnswer, RedKind, RedTests, Role,
    SealedTask, Synced, TestAuthor, Usage,
};
use crate::failure::Failure;
use crate::ids::{AttemptNo, BlobName, Oid, TaskId};
use crate::plan::Tier;
use crate::policy::{Governor, Rung, Settings};
use crate::state::TaskState;
use crate::team::Verdict;

/// The tests of a task as they were frozen when red was seen.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct FrozenTests {
    /// The commit with the tests on the base.
    pub commit: Oid,
    /// The base.
    pub base: Oid,
    /// How red was seen.
    pub red: RedKind,
    /// The names of the red tests.
    pub tests: Vec<String>,
    /// Tests of the same files that a condition in them may leave out; they may be skipped at green.
    #[serde(default)]
    pub conditional: Vec<String>,
    /// What each of them showed, as far as it is known.
    pub seen: RedTests,
    /// What is frozen.
    pub files: Vec<FrozenFile>,
    /// Where the tests come from.
    #[serde(default)]
    pub author: TestAuthor,
}

/// What earlier attempts at a task left for the next one.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Work {
    /// The frozen tests, once red was seen.
    pub frozen: Option<FrozenTests>,
    /// What the task is satisfied by already, if it is.
    #[serde(default)]
    pub held: Option<HeldTests>,
    /// What a person found wrong with what was merged.
    #[serde(default)]
    pub reopened: Option<String>,
    /// What a person answered, oldest first.
    #[serde(default)]
    pub answers: Vec<PersonAnswer>,
    /// Which tests stand for which criterion.
    #[serde(default)]
    pub links: Vec<CriterionLink>,
    /// Wrong versions of the code that its tests were run on.
    #[serde(default)]
    pub mutants: Vec<MutantSeen>,
    /// What the turns of the last attempt changed that is not part of its candidate.
    #[serde(default)]
    pub left_out: LeftOut,
    /// The last tree that was taken in.
    pub candidate: Option<Oid>,
    /// The base of the last attempt.
    pub base: Option<Oid>,
    /// Files granted beyond its own.
    pub granted: Vec<String>,
    /// The agent that wrote its code last, and its session.
    pub session: Option<(String, String)>,
    /// That agent's summary of its work.
    pub summary: Option<String>,
}

/// How far the review of a change is. It is bound to the candidate: another tip under it does not ask for another.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) enum Review {
    /// Not begun, or to be done again.
    #[default]
    Open,
    /// A reviewer looks at it.
    Running {
        /// The provider behind it.
        provider: String,
    },
    /// Approved.
    Approved,
}

/// Where a task is between two states of [`TaskState`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum TaskPhase {
    /// Nothing of it runs.
    Idle,
    /// An attempt runs.
    Working,
    /// In the train, not begun.
    Queued,
    /// Being merged onto a commit.
    Merging { onto: Oid },
    /// Being verified.
    Verifying { onto: Oid, merge: Oid, tree: Oid },
    /// Green; waits for its turn.
    Verified { onto: Oid, merge: Oid, tree: Oid, proof: BlobName },
    /// The branch is being moved.
    Moving { onto: Oid, merge: Oid, commit: Oid },
}

impl TaskPhase {
    /// The commit it was merged onto, once that was chosen.
    pub(super) fn onto(&self) -> Option<&Oid> {
        match self {
            TaskPhase::Idle | TaskPhase::Working | TaskPhase::Queued => None,
            TaskPhase::Merging { onto }
            | TaskPhase::Verifying { onto, .. }
            | TaskPhase::Verified { onto, .. }
            | TaskPhase::Moving { onto, .. } => Some(onto),
        }
    }

    /// The merge that the next car may build on.
    pub(super) fn merge(&self) -> Option<&Oid> {
        match self {
            TaskPhase::Idle | TaskPhase::Working | TaskPhase::Queued | TaskPhase::Merging { .. } => None,
            TaskPhase::Verifying { merge, .. }
            | TaskPhase::Verified { merge, .. }
            | TaskPhase::Moving { merge, .. } => Some(merge),
        }
    }

    /// Whether it takes one of the jobs.
    pub(super) fn is_busy(&self) -> bool {
        match self {
            TaskPhase::Working
            | TaskPhase::Merging { .. }
            | TaskPhase::Verifying { .. }
            | TaskPhase::Moving { .. } => true,
            TaskPhase::Idle | TaskPhase::Queued | TaskPhase::Verified { .. } => false,
        }
    }
}

/// What is next for an idle task.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Upcoming {
    /// An attempt on this rung, when its turn comes.
    Try(Rung),
    /// It fails, for this reason.
    Fail(String),
    /// It waits for a person.
    Block(BlockReason),
    /// Nothing: it has ended.
    Nothing,
}

/// One task in the scheduler's memory.
#[derive(Debug, Clone, PartialEq)]
pub struct TaskRecord {
    pub(super) sealed: SealedTask,
    pub(super) deps: Vec<usize>,
    pub(super) dependants: Vec<usize>,
    pub(super) unmet: usize,
    pub(super) state: TaskState,
    pub(super) phase: TaskPhase,
    pub(super) attempt: AttemptNo,
    pub(super) rung: Rung,
    pub(super) upcoming: Upcoming,
    pub(super) history: Vec<(Rung, Failure)>,
    pub(super) skipped_because: Option<TaskId>,
    pub(super) approved: bool,
    /// Whether a person stopped its attempt in this run.
    pub(super) cancelled: bool,
    /// Its commits, each with the hash of its text then. A text that changes may be carried out again.
    pub(super) merges: Vec<(Oid, String)>,
    /// The tier of its latest attempt.
    pub(super) tier: Tier,
    /// The providers of its latest attempt.
    pub(super) providers: Vec<String>,
    /// The place of its latest attempt; none for this machine.
    pub(super) place: Option<String>,
    /// The place of its latest verification; none for this machine.
    pub(super) verifier: Option<String>,
    pub(super) review: Review,
    /// Reviews of this candidate that gave no verdict, and what the last gave instead.
    pub(super) unread: (u32, String),
    /// Whether a reviewer found something that holds up everything new.
    pub(super) grave: bool,
    /// What a person is needed for.
    pub(super) blocked: Option<BlockReason>,
    /// Whether the user has changed its frozen files since it was merged.
    pub(super) outdated: bool,
    pub(super) work: Work,
}

impl TaskRecord {
    pub(super) fn new(sealed: SealedTask) -> Self {
        Self {
            deps: Vec::new(),
            dependants: Vec::new(),
            unmet: 0,
            state: TaskState::Pending,
            phase: TaskPhase::Idle,
            attempt: AttemptNo(0),
            rung: Rung::First,
            upcoming: Upcoming::Try(Rung::First),
            history: Vec::new(),
            skipped_because: None,
            approved: false,
            cancelled: false,
            merges: Vec::new(),
            tier: sealed.tier,
            providers: Vec::new(),
            place: None,
            verifier: None,
            review: Review::Open,
            unread: (0, String::new()),
            grave: false,
            blocked: None,
            outdated: false,
            work: Work::default(),
            sealed,
        }
    }

    /// The pools an attempt on this tier takes a place in: one tier up means that tier's pool.
    pub(super) fn pools_on(&self, tier: Tier) -> Vec<String> {
        let own = format!("tier:{}", self.sealed.tier.as_str());
        let name = |p: &String| if *p == own { format!("tier:{}", tier.as_str()) } else { p.clone() };
        self.sealed.pools.iter().map(name).collect()
    }

    /// How many jobs it takes: an attempt or a verification, and a review beside it.
    pub(super) fn weight(&self) -> u32 {
        u32::from(self.phase.is_busy()) + u32::from(self.is_reviewed())
    }

    /// Whether a reviewer looks at it.
    pub(crate) fn is_reviewed(&self) -> bool {
        matches!(self.review, Review::Running { .. })
    }

    /// The providers of which it has a turn under way, or may have one.
    pub(super) fn holds(&self) -> Vec<String> {
        let mut held = if self.phase == TaskPhase::Working { self.providers.clone() } else { Vec::new() };
        if let Review::Running { provider } = &self.review {
            held.push(provider.clone());
        }
        held
    }

    /// Its state.
    pub fn state(&self) -> TaskState {
        self.state
    }

    /// The number of its latest attempt; 0 before the first.
    pub fn attempt(&self) -> AttemptNo {
        self.attempt
    }

    /// Whether a person stopped its attempt in this run.
    pub fn is_cancelled(&self) -> bool {
        self.cancelled
    }

    /// Whether a person may let its change pass: it waits for that, or for a reviewer's word.
    pub fn can_be_approved(&self) -> bool {
        let waits = self.blocked.as_ref().is_some_and(BlockReason::can_be_approved);
        waits && self.state == TaskState::Blocked && self.work.candidate.is_some()
    }

    /// What a person is needed for, while it waits for one.
    pub fn blocked(&self) -> Option<&BlockReason> {
        self.blocked.as_ref().filter(|_| self.state == TaskState::Blocked)
    }

    /// What it was sealed as.
    pub fn sealed(&self) -> &SealedTask {
        &self.sealed
    }

    /// What earlier attempts left.
    pub fn work(&self) -> &Work {
        &self.work
    }

    /// The commits it was merged as, oldest first.
    pub fn merges(&self) -> impl Iterator<Item = &Oid> {
        self.merges.iter().map(|(commit, _)| commit)
    }

    /// Whether its text is another one than when it was last merged, or its frozen files are.
    pub fn is_stale(&self) -> bool {
        self.outdated || self.merges.last().is_some_and(|(_, hash)| *hash != self.sealed.hash)
    }

    /// Its failures since it was last reset, oldest first.
    pub fn history(&self) -> &[(Rung, Failure)] {
        &self.history
    }

    /// The base of a verified change, and its merge, while it waits.
    pub fn standing(&self) -> Option<(&Oid, &Oid)> {
        match &self.phase {
            TaskPhase::Verified { onto, merge, .. } => Some((onto, merge)),
            TaskPhase::Idle
            | TaskPhase::Working
            | TaskPhase::Queued
            | TaskPhase::Merging { .. }
            | TaskPhase::Verifying { .. }
            | TaskPhase::Moving { .. } => None,
        }
    }

    /// The verified tree, its proof and its merge, while the branch is to be moved to it.
    pub fn verified(&self) -> Option<(&Oid, &BlobName)> {
        match &self.phase {
            TaskPhase::Verified { tree, proof, .. } => Some((tree, proof)),
            TaskPhase::Idle
            | TaskPhase::Working
            | TaskPhase::Queued
            | TaskPhase::Merging { .. }
            | TaskPhase::Verifying { .. }
            | TaskPhase::Moving { .. } => None,
        }
    }
}

/// How far the run itself is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum RunPhase {
    /// No coordinator.
    Off,
    /// At work.
    On,
    /// Putting away what runs.
    Stopping { cancel: bool },
}

/// The scheduler: a fold of the journal that can say what to do next.
#[derive(Debug, Clone, PartialEq)]
pub struct Scheduler {
    pub(super) settings: Settings,
    pub(super) only: BTreeSet<TaskId>,
    pub(super) tasks: Vec<TaskRecord>,
    pub(super) index: HashMap<TaskId, usize>,
    pub(super) pools: BTreeMap<String, (u32, u32)>,
    pub(super) train: Vec<usize>,
    pub(super) ready: BTreeSet<(u32, Reverse<u64>, usize)>,
    pub(super) endings: BTreeSet<usize>,
    pub(super) doomed: BTreeSet<usize>,
    /// Tasks that are in the branch and are carried out again.
    pub(super) again: BTreeSet<usize>,
    pub(super) busy: u32,
    pub(super) tip: Option<Oid>,
    /// A merge with the user's branch whose end is not known.
    pub(super) syncing: Option<Synced>,
    pub(super) run: RunPhase,
    pub(super) paused: bool,
    pub(super) merging_paused: Option<String>,
    /// Tasks whose review holds up everything new.
    pub(super) grave: BTreeSet<usize>,
    pub(super) governors: BTreeMap<String, Governor>,
    /// Turns under way, by provider.
    pub(super) turns: BTreeMap<String, u32>,
    /// Places besides this machine that were used.
    pub(super) places: BTreeMap<String, PlaceRecord>,
    /// Providers that do not serve, and why.
    pub(super) stopped: BTreeMap<String, String>,
    /// Providers that completed a turn in this run.
    pub(super) served: BTreeSet<String>,
    pub(super) spent: Usage,
    /// Whether the run's limit was reached by turns at work.
    pub(super) spent_up: bool,
    pub(super) plan_hash: Option<String>,
    /// The verdicts on the current plan, by role.
    pub(super) judged: BTreeMap<Role, Verdict>,
    /// The integrator's order and edges for the plan in force.
    pub(super) queue: BTreeMap<TaskId, u32>,
    pub(super) edges: Vec<(TaskId, TaskId)>,
}

impl Default for Scheduler {
    fn default() -> Self {
        Self {
            settings: Settings::default(),
            only: BTreeSet::new(),
            tasks: Vec::new(),
            index: HashMap::new(),
            pools: BTreeMap::new(),
            train: Vec::new(),
            ready: BTreeSet::new(),
            endings: BTreeSet::new(),
            doomed: BTreeSet::new(),
            again: BTreeSet::new(),
            busy: 0,
            tip: None,
            syncing: None,
            run: RunPhase::Off,
            paused: false,
            merging_paused: None,
            grave: BTreeSet::new(),
            governors: BTreeMap::new(),
            turns: BTreeMap::new(),
            places: BTreeMap::new(),
            stopped: BTreeMap::new(),
            served: BTreeSet::new(),
            spent: Usage::default(),
            spent_up: false,
            plan_hash: None,
            judged: BTreeMap::new(),
            queue: BTreeMap::new(),
            edges: Vec::new(),
        }
    }
}

impl Scheduler {
    /// One task, by id.
    pub fn task(&self, id: &TaskId) -> Option<&TaskRecord> {
        self.index.get(id).map(|ix| &self.tasks[*ix])
    }

    /// Every task, in the order sealed.
    pub fn tasks(&self) -> &[TaskRecord] {
        &self.tasks
    }

    /// Limits in force.
    pub fn settings(&self) -> &Settings {
        &self.settings
    }

    /// The merge with the user's branch that was intended last and may not have happened.
    pub fn syncing(&self) -> Option<&Synced> {
        self.syncing.as_ref()
    }

    /// The last known tip of the branch.
    pub fn tip(&self) -> Option<&Oid> {
        self.tip.as_ref()
    }

    /// The hash of the plan in force.
    pub fn plan_hash(&self) -> Option<&str> {
        self.plan_hash.as_deref()
    }

    /// Why merging is off, if it is.
    pub fn merging_paused(&self) -> Option<&str> {
        self.merging_paused.as_deref()
    }

    /// Whether a person paused the run.
    pub fn is_paused(&self) -> bool {
        self.paused
    }

    /// What a retry of this task brings back: itself, then everything that was skipped because of it.
    pub fn brought_back_by(&self, task: &TaskId) -> Vec<TaskId> {
        let mut skipped: HashMap<&TaskId, Vec<&TaskId>> = HashMap::new();
        for record in self.tasks.iter().filter(|t| t.state == TaskState::Skipped) {
            if let Some(because) = &record.skipped_because {
                skipped.entry(because).or_default().push(&record.sealed.id);
            }
        }
        let mut found = vec![task];
        let mut at = 0;
        while let Some(cause) = found.get(at) {
            found.extend(skipped.remove(*cause).into_iter().flatten().filter(|id| *id != task));
            at += 1;
        }
        found.into_iter().cloned().collect()
    }

    /// The verdict of a role on the plan in force.
    pub fn judged(&self, role: Role) -> Option<&Verdict> {
        self.judged.get(&role)
    }

    /// What each task waits for, the integrator's edges included.
    pub fn order(&self) -> Vec<(TaskId, Vec<TaskId>)> {
        let name = |ix: &usize| self.tasks[*ix].sealed.id.clone();
        self.tasks.iter().map(|t| (t.sealed.id.clone(), t.deps.iter().map(name).collect())).collect()
    }

    /// Tasks a reviewer was looking at: after a crash these reviews begin again.
    pub fn reviewing(&self) -> impl Iterator<Item = (&TaskId, AttemptNo)> {
        self.tasks.iter().filter(|t| t.is_reviewed()).map(|t| (&t.sealed.id, t.attempt))
    }

    /// Tasks with a live attempt and no candidate yet: after a crash these are lost.
    pub fn working(&self) -> impl Iterator<Item = (&TaskId, AttemptNo)> {
        self.tasks.iter().filter(|t| t.phase == TaskPhase::Working).map(|t| (&t.sealed.id, t.attempt))
    }

    /// Cars of the train whose merge or verification had begun: after a crash these begin again.
    pub fn verifying(&self) -> impl Iterator<Item = (&TaskId, AttemptNo)> {
        self.train
            .iter()
            .map(|ix| &self.tasks[*ix])
            .filter(|t| t.phase != TaskPhase::Queued)
            .map(|t| (&t.sealed.id, t.attempt))
    }

    /// The commit the branch was about to be moved to for a task: after a crash it may or may not have been.
    pub fn moving(&self, task: &TaskId) -> Option<&Oid> {
        match &self.task(task)?.phase {
            TaskPhase::Moving { commit, .. } => Some(commit),
            TaskPhase::Idle
            | TaskPhase::Working
            | TaskPhase::Queued
            | TaskPhase::Merging { .. }
            | TaskPhase::Verifying { .. }
            | TaskPhase::Verified { .. } => None,
        }
    }
}
