//! A merge with the user's branch: verified like the end of a run, journaled before and after the branch moves.

use windlass_core::event::{Event, RunEvent};
use windlass_core::ids::{Oid, TaskId};
use windlass_core::schedule::TaskRecord;
use windlass_core::state::TaskState;

use super::looping::Dispatcher;
use super::recover::recover;
use crate::early_end::EarlyEnd;
use crate::error::EngineError;
use crate::git::{MergeResult, RefMove};
use crate::integrate::{SyncEnd, SyncJob, move_to_sync, outdated, prepare_sync};
use crate::place::ClosingJob;

impl Dispatcher<'_> {
    /// Brings a branch of the user, at `from`, into the integration branch, at `tip`.
    pub(crate) async fn sync(mut self, branch: &str, from: &Oid, tip: &Oid) -> Result<SyncEnd, EngineError> {
        let lost = recover(&self.ctx, &self.ledger.scheduler, tip)?;
        self.record(lost)?;
        if self.ledger.scheduler.tip() != Some(tip) {
            self.record(vec![Event::Run(RunEvent::TipMoved { tip: tip.clone() })])?;
        }
        if self.ctx.repo.is_ancestor(from, tip)? {
            return Ok(SyncEnd::Nothing);
        }
        if let Some(place) = self.checkouts()? {
            return Ok(SyncEnd::CheckedOut { place });
        }
        let tree = match self.ctx.repo.merge(tip, from)? {
            MergeResult::Clean { tree } => tree,
            MergeResult::Conflict { paths } => return Ok(SyncEnd::Conflict { paths }),
        };
        let tasks = self.completed();
        let closing =
            ClosingJob { tree: tree.clone(), tasks: tasks.clone(), verified: Vec::new(), passed: Vec::new() };
        let commands = match self.place.close(closing, &self.stop).await {
            Ok(commands) => commands,
            Err(EarlyEnd::Failed { failure, .. }) => return Ok(SyncEnd::NotGreen { failure }),
            Err(EarlyEnd::Interrupted) => return Ok(SyncEnd::Interrupted),
            Err(EarlyEnd::Broken(error)) => return Err(error),
        };
        let scheduler = &self.ledger.scheduler;
        let records: Vec<&TaskRecord> = tasks.iter().filter_map(|id| scheduler.task(id)).collect();
        let outdated = outdated(&self.ctx, &records, &self.ctx.repo.tree_of(tip)?, &tree)?;
        let (journal, version) = (self.ledger.point()?, self.version.as_str());
        let (onto, tree, tasks) = (tip, &tree, tasks.as_slice());
        let job = SyncJob { branch, onto, from, tree, tasks, outdated, journal, version };
        let synced = prepare_sync(&self.ctx, job)?;
        self.record(vec![Event::Run(RunEvent::SyncIntended(synced.clone()))])?;
        match move_to_sync(&self.ctx, &synced, tip)? {
            RefMove::Moved => {
                self.record(vec![Event::Run(RunEvent::Synced(synced.clone()))])?;
                self.ledger.store_fold()?;
                Ok(SyncEnd::Merged { synced, commands })
            }
            RefMove::Mismatch { .. } => Ok(SyncEnd::Moved),
        }
    }

    /// The completed tasks of the plan in force.
    fn completed(&self) -> Vec<TaskId> {
        let done = |task: &&TaskRecord| {
            task.state() == TaskState::Completed && self.ctx.tasks.contains_key(&task.sealed().id)
        };
        self.ledger.scheduler.tasks().iter().filter(done).map(|t| t.sealed().id.clone()).collect()
    }
}
