//! Everything that can happen to a run. State is a fold over these; nothing else may change it.
//!
//! The enum is closed: a new variant is a compile error at every fold that must think about it. Old journals stay
//! readable because fields are only ever added with a default.

mod parts;

use serde::{Deserialize, Serialize};

use crate::ids::{AttemptNo, BlobName, Oid, TaskId};
use crate::plan::{Action, Tier};
use crate::policy::{Rung, Settings};
pub use parts::{
    AttemptEnd, Block, FrozenFile, PoolLimit, RedKind, RedReason, RedTest, RedTests, RunEnd, SealedTask,
    StepResult,
};

pub use crate::team::{Claim, Role};
use crate::team::{Conflict, Verdict};
pub use crate::usage::Usage;

/// Milliseconds since the Unix epoch. The clock is read by the engine and passed in.
pub type Millis = i64;

/// An event with its place in the journal.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Stamped {
    /// Its number, from 1.
    pub seq: u64,
    /// When it was written.
    pub at: Millis,
    /// What happened.
    pub event: Event,
}

/// Everything that can happen.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Event {
    /// A coordinator took over.
    RunStarted {
        /// Its version.
        version: String,
        /// Its process.
        pid: u32,
        /// When that process started, in kernel ticks, so that a recycled pid is not taken for it.
        #[serde(default)]
        pid_started: u64,
        /// The integration branch.
        branch: String,
        /// The branch's tip as found.
        tip: Oid,
        /// The commit the branch grew from.
        base: Oid,
        /// Limits in force.
        settings: Box<Settings>,
        /// The tasks wanted (`--until`); empty means all.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        only: Vec<TaskId>,
        /// How firmly agents and tests are fenced in; empty in journals from before that was written down.
        #[serde(default, skip_serializing_if = "String::is_empty")]
        sandbox: String,
    },
    /// The plan as it is from here on.
    PlanSealed {
        /// Hash over all task hashes.
        hash: String,
        /// The plan's text, kept beside the journal.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        text: Option<BlobName>,
        /// The leaves.
        tasks: Vec<SealedTask>,
        /// Limits of shared places.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        pools: Vec<PoolLimit>,
    },
    /// The run is over.
    RunEnded {
        /// Why.
        #[serde(flatten)]
        end: RunEnd,
    },
    /// No new work is started until [`Event::Resumed`].
    Paused,
    /// Work may start again.
    Resumed,
    /// A person wants the run to stop after what is running is put away.
    StopRequested {
        /// `true` for cancel, `false` for an interruption.
        cancel: bool,
    },

    /// Intent: an attempt is about to begin.
    AttemptStarted {
        /// The task.
        task: TaskId,
        /// Which try.
        attempt: AttemptNo,
        /// Where on the ladder.
        rung: Rung,
        /// The agent chosen.
        agent: String,
        /// The tier chosen.
        tier: Tier,
        /// The agent that writes its tests, where that is another one.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        test_writer: Option<String>,
        /// The commit it starts from.
        base: Oid,
    },
    /// A process of an attempt exists; a restart kills it if it still does.
    ProcessStarted {
        /// The task.
        task: TaskId,
        /// Which try.
        attempt: AttemptNo,
        /// Its process id.
        pid: u32,
        /// Its start time in kernel ticks.
        started: u64,
    },
    /// A step began.
    StepStarted {
        /// The task.
        task: TaskId,
        /// Which try.
        attempt: AttemptNo,
        /// Its place among the task's steps, from 0.
        step: u32,
        /// What it does.
        action: Action,
    },
    /// A step ended.
    StepEnded {
        /// The task.
        task: TaskId,
        /// Which try.
        attempt: AttemptNo,
        /// Its place among the task's steps, from 0.
        step: u32,
        /// What it did.
        action: Action,
        /// How it ended.
        result: StepResult,
        /// How long it took.
        millis: u64,
        /// What its command printed.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        output: Option<BlobName>,
    },
    /// A long step is still alive.
    Heartbeat {
        /// The task.
        task: TaskId,
        /// Which try.
        attempt: AttemptNo,
        /// Bytes of output so far.
        bytes: u64,
    },
    /// An agent was heard out.
    TurnEnded {
        /// The task.
        task: TaskId,
        /// Which try.
        attempt: AttemptNo,
        /// The part it played.
        role: Role,
        /// Its name.
        agent: String,
        /// How long it took.
        millis: u64,
        /// How it ended, by its own account.
        #[serde(default, skip_serializing_if = "Claim::is_done")]
        claim: Claim,
        /// What it cost.
        #[serde(default)]
        usage: Usage,
        /// The model behind it, where that is known.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        model: Option<String>,
        /// Its session, where it has one.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        session: Option<String>,
        /// Its own words on what it did.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        summary: Option<String>,
        /// What it was told.
        brief: BlobName,
        /// What it printed.
        output: BlobName,
    },
    /// Red was seen and the tests are frozen.
    TestsFrozen {
        /// The task.
        task: TaskId,
        /// Which try.
        attempt: AttemptNo,
        /// The commit with the tests on the base.
        commit: Oid,
        /// How red was seen.
        red: RedKind,
        /// The names of the red tests.
        tests: Vec<String>,
        /// What each of them showed, as far as it is known.
        #[serde(default, skip_serializing_if = "RedTests::is_empty")]
        seen: RedTests,
        /// What is frozen.
        files: Vec<FrozenFile>,
    },
    /// Files the task did not own were granted to it.
    FilesGranted {
        /// The task.
        task: TaskId,
        /// The files.
        files: Vec<String>,
    },
    /// The attempt's work was taken in and waits to be verified.
    CandidateMade {
        /// The task.
        task: TaskId,
        /// Which try.
        attempt: AttemptNo,
        /// The commit, on the attempt's base.
        commit: Oid,
        /// Lines added.
        #[serde(default)]
        added: u64,
        /// Lines removed.
        #[serde(default)]
        removed: u64,
    },
    /// Intent: merge onto `onto` and verify.
    VerifyIntended {
        /// The task.
        task: TaskId,
        /// Which try.
        attempt: AttemptNo,
        /// The tip, or the merge of the one before in the train.
        onto: Oid,
    },
    /// The merge exists, and its verification runs.
    VerifyStarted {
        /// The task.
        task: TaskId,
        /// Which try.
        attempt: AttemptNo,
        /// The provisional merge commit.
        merge: Oid,
        /// Its tree.
        tree: Oid,
    },
    /// The ground moved under a verification; it begins again elsewhere.
    VerifyAbandoned {
        /// The task.
        task: TaskId,
        /// Which try.
        attempt: AttemptNo,
    },
    /// Every gate was green on exactly this tree.
    Verified {
        /// The task.
        task: TaskId,
        /// Which try.
        attempt: AttemptNo,
        /// The tree.
        tree: Oid,
        /// The verifier's record so far.
        proof: BlobName,
    },
    /// Intent: a reviewer looks at the change.
    ReviewStarted {
        /// The task.
        task: TaskId,
        /// Which try.
        attempt: AttemptNo,
        /// The agent.
        agent: String,
    },
    /// The reviewer has spoken, or has said nothing that can be read.
    Reviewed {
        /// The task.
        task: TaskId,
        /// Which try.
        attempt: AttemptNo,
        /// What it said.
        verdict: Verdict,
    },
    /// The review was stopped, or its agent rests; it begins again.
    ReviewAbandoned {
        /// The task.
        task: TaskId,
        /// Which try.
        attempt: AttemptNo,
    },
    /// Intent: move the branch.
    MergeIntended {
        /// The task.
        task: TaskId,
        /// Which try.
        attempt: AttemptNo,
        /// The commit the branch will point to.
        commit: Oid,
    },
    /// The branch moved. The only event that completes a task.
    Merged {
        /// The task.
        task: TaskId,
        /// Which try.
        attempt: AttemptNo,
        /// The commit the branch points to now.
        commit: Oid,
        /// Its tree.
        tree: Oid,
        /// The evidence record.
        evidence: Oid,
    },
    /// Somebody else moved the branch forward; what was verified is verified again on it.
    TipMoved {
        /// Where it points now.
        tip: Oid,
    },
    /// Merging is off until the reason is gone.
    MergingPaused {
        /// The reason and what to do.
        reason: String,
    },
    /// Merging is on again.
    MergingResumed,
    /// An attempt ended without a merge.
    AttemptEnded {
        /// The task.
        task: TaskId,
        /// Which try.
        attempt: AttemptNo,
        /// How.
        #[serde(flatten)]
        end: AttemptEnd,
        /// What the deciding command printed.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        output: Option<BlobName>,
    },

    /// The ladder is used up.
    TaskFailed {
        /// The task.
        task: TaskId,
        /// What ended it.
        reason: String,
    },
    /// A person is needed.
    TaskBlocked {
        /// The task.
        task: TaskId,
        /// For what.
        #[serde(flatten)]
        block: Block,
    },
    /// It will not be carried out.
    TaskSkipped {
        /// The task.
        task: TaskId,
        /// The task whose end caused it; none when a person said so.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        because: Option<TaskId>,
    },
    /// A person wants it tried again from the start.
    TaskReset {
        /// The task.
        task: TaskId,
    },
    /// A person approved it.
    Approved {
        /// The task.
        task: TaskId,
    },
    /// An agent rests: a rate limit, a quota. No task pays for it.
    AgentPaused {
        /// The agent.
        agent: String,
        /// Until when.
        until: Millis,
        /// Why.
        reason: String,
    },
    /// The plan as a whole was looked at before its tasks begin.
    PlanJudged {
        /// The plan, by its hash.
        hash: String,
        /// The part the agent played.
        role: Role,
        /// The agent.
        agent: String,
        /// How long it took.
        millis: u64,
        /// What it cost.
        #[serde(default)]
        usage: Usage,
        /// The model behind it, where that is known.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        model: Option<String>,
        /// Its session, where it has one.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        session: Option<String>,
        /// What it said.
        verdict: Verdict,
        /// What it was told.
        brief: BlobName,
        /// What it printed.
        output: BlobName,
    },
    /// The integrator's answer is in force: an order besides the plan's own, and the conflicts it found.
    QueueFormed {
        /// The plan, by its hash.
        hash: String,
        /// The order in which tasks begin where several could; tasks left out come after.
        queue: Vec<TaskId>,
        /// Edges besides the plan's: the first is merged before the second begins.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        edges: Vec<(TaskId, TaskId)>,
        /// What was found.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        conflicts: Vec<Conflict>,
    },
    /// Something worth a look that stops nothing.
    Finding {
        /// The task, if it is about one.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        task: Option<TaskId>,
        /// What.
        message: String,
    },
}

impl Event {
    /// The task an event is about, if it is about one.
    pub fn task(&self) -> Option<&TaskId> {
        match self {
            Event::AttemptStarted { task, .. }
            | Event::ProcessStarted { task, .. }
            | Event::StepStarted { task, .. }
            | Event::StepEnded { task, .. }
            | Event::Heartbeat { task, .. }
            | Event::TurnEnded { task, .. }
            | Event::TestsFrozen { task, .. }
            | Event::FilesGranted { task, .. }
            | Event::CandidateMade { task, .. }
            | Event::VerifyIntended { task, .. }
            | Event::VerifyStarted { task, .. }
            | Event::VerifyAbandoned { task, .. }
            | Event::Verified { task, .. }
            | Event::ReviewStarted { task, .. }
            | Event::Reviewed { task, .. }
            | Event::ReviewAbandoned { task, .. }
            | Event::MergeIntended { task, .. }
            | Event::Merged { task, .. }
            | Event::AttemptEnded { task, .. }
            | Event::TaskFailed { task, .. }
            | Event::TaskBlocked { task, .. }
            | Event::TaskSkipped { task, .. }
            | Event::TaskReset { task, .. }
            | Event::Approved { task, .. } => Some(task),
            Event::Finding { task, .. } => task.as_ref(),
            Event::RunStarted { .. }
            | Event::PlanSealed { .. }
            | Event::RunEnded { .. }
            | Event::Paused
            | Event::Resumed
            | Event::StopRequested { .. }
            | Event::TipMoved { .. }
            | Event::MergingPaused { .. }
            | Event::MergingResumed
            | Event::PlanJudged { .. }
            | Event::QueueFormed { .. }
            | Event::AgentPaused { .. } => None,
        }
    }
}
