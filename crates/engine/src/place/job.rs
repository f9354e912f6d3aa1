//! Jobs: what a place is asked to do. Plain data that survives being sent elsewhere.
//!
//! A job names tasks by their ids and states by git objects. The plan, the configuration of the run and the objects are
//! the same for all jobs of a run and are known to the place before.

use serde::{Deserialize, Serialize};
use windlass_core::event::HeldTests;
use windlass_core::failure::Failure;
use windlass_core::ids::{AttemptNo, Oid, TaskId};
use windlass_core::plan::Tier;
use windlass_core::policy::Rung;
use windlass_core::schedule::{Beginning, FrozenTests, Work};
use windlass_planner::brief::ChangedTask;

/// An attempt at a task.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct AttemptJob {
    pub(crate) task: TaskId,
    pub(crate) attempt: AttemptNo,
    pub(crate) rung: Rung,
    pub(crate) agent: String,
    pub(crate) tier: Tier,
    /// The agent that writes the tests, where it is another one.
    pub(crate) test_writer: Option<String>,
    /// The commit that the work starts from.
    pub(crate) base: Oid,
    pub(crate) beginning: Beginning,
    /// What earlier attempts left.
    pub(crate) work: Work,
    /// The failures of earlier attempts, with their rungs.
    pub(crate) history: Vec<(Rung, Failure)>,
    /// What changed in its text since it was merged.
    #[serde(default)]
    pub(crate) changed: Option<ChangedTask>,
}

/// The review of a verified change.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct ReviewJob {
    pub(crate) task: TaskId,
    pub(crate) attempt: AttemptNo,
    pub(crate) agent: String,
    pub(crate) tier: Tier,
    /// The commit that the change was merged onto.
    pub(crate) onto: Oid,
    /// The merged result.
    pub(crate) merge: Oid,
    pub(crate) work: Work,
    /// Earlier rejections of the task.
    pub(crate) rejections: Vec<String>,
    /// Completed tasks with files in common, and their titles.
    pub(crate) others: Vec<(TaskId, String)>,
}

/// A completed task with files in common, and the names of the tests that were red for it.
pub(crate) type Neighbour = (TaskId, Vec<String>);

/// The merge of a candidate onto a commit and the verification of the result.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct VerifyJob {
    pub(crate) task: TaskId,
    pub(crate) attempt: AttemptNo,
    /// Which verification of the run this is; a late answer of an earlier one is dropped by it.
    pub(crate) round: u64,
    pub(crate) onto: Oid,
    pub(crate) candidate: Oid,
    pub(crate) frozen: Option<FrozenTests>,
    /// What the task is satisfied by already, if it is.
    pub(crate) held: Option<HeldTests>,
    /// Files granted to the task beyond its own.
    pub(crate) granted: Vec<String>,
    pub(crate) neighbours: Vec<Neighbour>,
    /// Other tasks that are neither completed nor skipped.
    pub(crate) unfinished: Vec<TaskId>,
}

/// The closing run: the commands of completed tasks on one tree.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct ClosingJob {
    pub(crate) tree: Oid,
    pub(crate) tasks: Vec<TaskId>,
    /// Tasks whose own verification ran on exactly this tree: their commands and the suite passed on it.
    pub(crate) verified: Vec<TaskId>,
}

#[cfg(test)]
mod tests;
