//! Events of the run as a whole.

use serde::{Deserialize, Serialize};

use super::{Millis, PoolLimit, RunEnd, SealedTask};
use crate::ids::{BlobName, Oid, TaskId};
use crate::policy::Settings;
use crate::team::{Conflict, Role, Verdict};
use crate::usage::Usage;

/// Something that happened to the run.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum RunEvent {
    /// A coordinator started.
    RunStarted(RunStarted),
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
        /// How it ended.
        #[serde(flatten)]
        end: RunEnd,
    },
    /// No new work starts until [`RunEvent::Resumed`].
    Paused,
    /// Work may start again.
    Resumed,
    /// A person asked the run to stop once running work has been stopped.
    StopRequested {
        /// `true` for cancel, `false` for an interruption.
        cancel: bool,
    },
    /// Another program moved the branch forward; candidates are re-verified on the new tip.
    TipMoved {
        /// Where it points now.
        tip: Oid,
    },
    /// Intent: move the branch to a verified merge with a branch of the user.
    SyncIntended(Synced),
    /// The branch has a branch of the user, by a verified merge.
    Synced(Synced),
    /// Merging is off until the reason is gone.
    MergingPaused {
        /// The reason and what to do.
        reason: String,
    },
    /// Merging is on again.
    MergingResumed,
    /// A provider is paused after a rate limit or a used-up quota. It costs no attempt.
    AgentPaused {
        /// The agent.
        agent: String,
        /// Until when.
        until: Millis,
        /// The provider's reason.
        reason: String,
    },
    /// A place did not bring an attempt to its end. The attempt is not used up.
    PlaceLost {
        /// The place.
        place: String,
        /// Why, and what to do.
        reason: String,
        /// Until when it rests; none if it is used again at once.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        until: Option<Millis>,
    },
    /// A provider does not serve this account: no turn of it starts until [`RunEvent::ProviderResumed`] or the next run.
    /// It costs no attempt.
    ProviderStopped {
        /// The provider.
        provider: String,
        /// Why, and what to do.
        reason: String,
    },
    /// A person asked to go on with a stopped provider.
    ProviderResumed {
        /// The provider.
        provider: String,
    },
    /// The limit of money or tokens is reached, the turns at work included: no further turn starts in this run.
    BudgetSpent {
        /// How much was spent of how much.
        reason: String,
    },
    /// Every wanted task is merged, and the commands of all of them together do not pass on the branch's tip.
    ClosingFailed {
        /// The tip.
        tip: Oid,
        /// What failed, in a line.
        summary: String,
        /// The decisive output.
        #[serde(default)]
        details: String,
    },
    /// An agent judged the plan as a whole before its tasks start.
    PlanJudged(PlanJudged),
    /// The integrator's answer takes effect: its order of tasks, and the conflicts it found.
    QueueFormed {
        /// The plan, by its hash.
        hash: String,
        /// The order in which ready tasks start; tasks not listed come last.
        queue: Vec<TaskId>,
        /// Edges added to the plan's: the first task is merged before the second starts.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        edges: Vec<(TaskId, TaskId)>,
        /// The conflicts found.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        conflicts: Vec<Conflict>,
    },
    /// A remark that stops nothing.
    Finding {
        /// The remark.
        message: String,
    },
}

/// A coordinator started.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct RunStarted {
    /// Its version.
    pub version: String,
    /// Its process.
    pub pid: u32,
    /// When that process started, in kernel ticks, so that a recycled pid is not taken for it.
    #[serde(default)]
    pub pid_started: u64,
    /// The integration branch.
    pub branch: String,
    /// The branch's tip as found.
    pub tip: Oid,
    /// The commit the branch grew from.
    pub base: Oid,
    /// Limits in force.
    pub settings: Box<Settings>,
    /// The tasks wanted (`--until`); empty means all.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub only: Vec<TaskId>,
    /// The sandbox in use; empty in journals from before it was recorded.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub sandbox: String,
    /// Where the plan was read: its path from the top of the repository; empty if it has none.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub source: String,
}

/// A verified merge of a branch of the user into the integration branch.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Synced {
    /// The user's branch.
    pub branch: String,
    /// Its tip.
    pub from: Oid,
    /// The merge.
    pub commit: Oid,
    /// The evidence record of the merge.
    pub evidence: Oid,
    /// Completed tasks with the frozen files of theirs that the user has changed. They are stale from here on.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub outdated: Vec<OutdatedTask>,
}

/// A completed task whose frozen files were changed outside of it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct OutdatedTask {
    /// The task.
    pub task: TaskId,
    /// The files.
    pub files: Vec<String>,
}

/// An agent judged the plan as a whole before its tasks start.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct PlanJudged {
    /// The plan, by its hash.
    pub hash: String,
    /// The role of the agent.
    pub role: Role,
    /// The agent.
    pub agent: String,
    /// How long it took.
    pub millis: u64,
    /// What it cost.
    #[serde(default)]
    pub usage: Usage,
    /// The model behind it, if known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub model: Option<String>,
    /// Its session, if it has one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub session: Option<String>,
    /// The verdict.
    pub verdict: Verdict,
    /// The brief it was given.
    pub brief: BlobName,
    /// Its output.
    pub output: BlobName,
}
