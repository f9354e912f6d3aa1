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

use crate::verify::MergedCandidate;

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

/// A candidate that was merged at home, to be run by a place that is trusted with it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct TrustedJob {
    pub(crate) job: VerifyJob,
    pub(crate) merged: MergedCandidate,
}

/// A part of a closing run, for a place that is trusted with it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct ClosingShare {
    /// The commit with the tree.
    pub(crate) commit: Oid,
    pub(crate) job: ClosingJob,
    /// The commands of this part.
    pub(crate) scripts: Vec<String>,
}

/// What another machine is asked to do.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "kind", content = "what", rename_all = "snake_case")]
pub(crate) enum SentWork {
    Attempt(Box<AttemptJob>),
    Verify(Box<TrustedJob>),
    Close(ClosingShare),
}

impl SentWork {
    /// The task that it is about; the first one of a closing run.
    pub(crate) fn task(&self) -> Option<&TaskId> {
        match self {
            Self::Attempt(job) => Some(&job.task),
            Self::Verify(work) => Some(&work.job.task),
            Self::Close(share) => share.job.tasks.first(),
        }
    }

    /// The attempt that it belongs to; 0 for a closing run.
    pub(crate) fn attempt(&self) -> AttemptNo {
        match self {
            Self::Attempt(job) => job.attempt,
            Self::Verify(work) => work.job.attempt,
            Self::Close(_) => AttemptNo(0),
        }
    }

    /// The commits that it names.
    pub(crate) fn commits(&self) -> Vec<Oid> {
        match self {
            Self::Attempt(job) => {
                let frozen = job.work.frozen.iter().flat_map(|f| [&f.base, &f.commit]);
                let named = [Some(&job.base), job.work.base.as_ref(), job.work.candidate.as_ref()];
                named.into_iter().flatten().chain(frozen).cloned().collect()
            }
            Self::Verify(work) => {
                let frozen = work.job.frozen.iter().flat_map(|f| [&f.base, &f.commit]);
                [&work.job.onto, &work.merged.merge].into_iter().chain(frozen).cloned().collect()
            }
            Self::Close(share) => vec![share.commit.clone()],
        }
    }

    /// The agents that it needs.
    pub(crate) fn agents(&self) -> Vec<&String> {
        match self {
            Self::Attempt(job) => std::iter::once(&job.agent).chain(&job.test_writer).collect(),
            Self::Verify(_) | Self::Close(_) => Vec::new(),
        }
    }
}

/// The closing run: the commands of completed tasks on one tree.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct ClosingJob {
    pub(crate) tree: Oid,
    pub(crate) tasks: Vec<TaskId>,
    /// Tasks whose own verification ran on exactly this tree: their commands and the suite passed on it.
    pub(crate) verified: Vec<TaskId>,
    /// Further commands that passed on exactly this tree.
    pub(crate) passed: Vec<String>,
}

#[cfg(test)]
mod tests;
