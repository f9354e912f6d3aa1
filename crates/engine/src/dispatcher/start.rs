//! The first and the last entries of a run: what was lost, the start, the plan; and the end.

use std::collections::HashMap;

use windlass_core::event::{Event, PoolLimit, RunEnd, RunEvent, RunStarted, SealedTask};
use windlass_core::ids::{BlobName, TaskId};
use windlass_core::schedule::TaskRecord;
use windlass_core::state::TaskState;

use super::looping::Dispatcher;
use super::recover::recover;
use super::wishes::drop_stale;
use crate::error::EngineError;

/// A plan as it is journaled.
pub(crate) struct SealedPlan {
    pub(crate) tasks: Vec<SealedTask>,
    pub(crate) pools: Vec<PoolLimit>,
    /// The whole plan as JSON, kept beside the journal.
    pub(crate) text: Vec<u8>,
}

impl Dispatcher<'_> {
    /// Journals the start of the run. `findings` are remarks on the repository.
    pub(crate) fn start(
        &mut self,
        started: RunStarted,
        plan: SealedPlan,
        findings: Vec<String>,
    ) -> Result<(), EngineError> {
        let lost = recover(&self.ctx, &self.ledger.scheduler, &started.tip)?;
        self.record(lost)?;
        // Before the run is announced: a stop requested after that is meant for this run.
        drop_stale(&self.requests)?;
        let findings = findings.into_iter().map(|message| RunEvent::Finding { message });
        let started = std::iter::once(RunEvent::RunStarted(started)).chain(findings);
        self.record(started.map(Event::Run).collect())?;
        self.seal(plan)?;
        self.owners = self.owners();
        Ok(())
    }

    /// Journals the plan, unless it is the one in force.
    fn seal(&mut self, plan: SealedPlan) -> Result<(), EngineError> {
        let SealedPlan { tasks, pools, text } = plan;
        let sealed =
            serde_json::to_vec(&(&tasks, &pools)).unwrap_or_else(|e| unreachable!("plain data: {e}"));
        let hash = BlobName::of(&sealed).checked().unwrap_or_default().to_owned();
        if self.ledger.scheduler.plan_hash() == Some(&hash) {
            return Ok(());
        }
        let text = Some(self.ctx.outputs.put_bytes(&text)?);
        self.record(vec![Event::Run(RunEvent::PlanSealed { hash, text, tasks, pools })])
    }

    /// The tasks that own each file: by the plan, or because it was granted before an interruption.
    fn owners(&self) -> HashMap<String, Vec<TaskId>> {
        let mut owners: HashMap<String, Vec<TaskId>> = HashMap::new();
        for (id, info) in &self.ctx.tasks {
            for path in &info.owned {
                owners.entry(path.clone()).or_default().push(id.clone());
            }
        }
        for task in self.ledger.scheduler.tasks() {
            for path in &task.work().granted {
                owners.entry(path.clone()).or_default().push(task.sealed().id.clone());
            }
        }
        owners
    }

    /// Journals the end of the run.
    pub(super) fn finish(&mut self, end: RunEnd) -> Result<RunEnd, EngineError> {
        self.record(vec![Event::Run(RunEvent::RunEnded { end: end.clone() })])?;
        self.ledger.store_fold()?;
        Ok(end)
    }

    /// Whether any task of the plan is not completed.
    pub(super) fn has_open_tasks(&self) -> bool {
        let open = |task: &TaskRecord| task.state() != TaskState::Completed;
        self.ledger.scheduler.tasks().iter().any(open)
    }
}
