//! Carries out the scheduler's commands: intent first, then the deed.

use std::collections::BTreeSet;
use std::sync::Arc;

use windlass_core::event::{Event, StepResult};
use windlass_core::ids::{AttemptNo, Oid, TaskId};
use windlass_core::plan::{Action, Tier};
use windlass_core::policy::Rung;
use windlass_core::schedule::{Command, Slate};
use windlass_core::state::TaskState;

use super::looping::{Dispatcher, Worker};
use crate::attempt::{WorkJob, work};
use crate::error::EngineError;
use crate::git::RefMove;
use crate::integrate::{MergeJob, Prepared, move_branch, prepare};
use crate::process::CancelLevel;
use crate::tell::{Message, Tell, Which};
use crate::verify::{VerifyJob, verify};

impl Dispatcher<'_> {
    /// Carries out one command.
    pub(super) fn act(&mut self, command: Command) -> Result<(), EngineError> {
        match command {
            Command::Start { task, attempt, rung, agent, tier } => {
                self.start(task, attempt, rung, agent, tier)
            }
            Command::Verify { task, attempt, onto } => self.verify(task, attempt, onto),
            Command::Abandon { task, attempt } => self.abandon(task, attempt),
            Command::Merge { task, attempt } => self.merge(task, attempt),
            Command::Fail { task, reason } => self.record(vec![Event::TaskFailed { task, reason }]),
            Command::Block { task, block } => self.record(vec![Event::TaskBlocked { task, block }]),
            Command::Skip { task, because } => {
                self.record(vec![Event::TaskSkipped { task, because: Some(because) }])
            }
            Command::Finish(end) => {
                self.ended = Some(end);
                Ok(())
            }
        }
    }

    fn slate(&self, task: &TaskId) -> &Slate {
        let slate = self.ledger.scheduler.task(task);
        slate.unwrap_or_else(|| unreachable!("the scheduler named `{task}`"))
    }

    fn tell(&self, task: &TaskId, attempt: AttemptNo) -> Tell {
        Tell::new(self.to.clone(), task.clone(), attempt, &self.slate(task).sealed().steps)
    }

    fn start(
        &mut self,
        task: TaskId,
        attempt: AttemptNo,
        rung: Rung,
        agent: String,
        tier: Tier,
    ) -> Result<(), EngineError> {
        let slate = self.slate(&task);
        let (past, history) = (slate.work().clone(), slate.history().to_vec());
        let base = past.frozen.as_ref().map_or_else(|| self.tip(), |f| f.base.clone());
        let base = if rung.continues() { past.base.clone().unwrap_or(base) } else { base };
        let cancel = self.stop.child();
        let intent = Event::AttemptStarted {
            task: task.clone(),
            attempt,
            rung,
            agent: agent.clone(),
            tier,
            base: base.clone(),
        };
        self.record(vec![intent])?;
        self.workers.insert(task.clone(), Worker { round: 0, cancel: cancel.clone() });
        let tell = self.tell(&task, attempt);
        let ctx = Arc::clone(&self.ctx);
        let job =
            WorkJob { task: task.clone(), attempt, rung, agent, tier, base, work: past, history, cancel };
        tokio::spawn(async move {
            let report = Report::work(&tell);
            let end = work(&ctx, &job, &tell).await;
            report.send(Message::WorkOver { task, attempt, end });
        });
        Ok(())
    }

    fn verify(&mut self, task: TaskId, attempt: AttemptNo, onto: Oid) -> Result<(), EngineError> {
        let past = self.slate(&task).work().clone();
        let Some(candidate) = past.candidate else {
            unreachable!("`{task}` is in the train without a candidate")
        };
        self.rounds += 1;
        let (round, cancel) = (self.rounds, self.stop.child());
        let neighbours = self.neighbours(&task, &past.granted);
        self.record(vec![Event::VerifyIntended { task: task.clone(), attempt, onto: onto.clone() }])?;
        self.workers.insert(task.clone(), Worker { round, cancel: cancel.clone() });
        let tell = self.tell(&task, attempt);
        let ctx = Arc::clone(&self.ctx);
        let job = VerifyJob {
            task: task.clone(),
            attempt,
            round,
            onto,
            candidate,
            frozen: past.frozen,
            granted: past.granted,
            neighbours,
            cancel,
        };
        tokio::spawn(async move {
            let report = Report::verify(&tell, round);
            let end = verify(&ctx, job, &tell).await;
            report.send(Message::VerifyOver { task, attempt, round, end });
        });
        Ok(())
    }

    /// Completed tasks whose files meet this one's.
    fn neighbours(&self, task: &TaskId, granted: &[String]) -> Vec<(TaskId, Vec<String>)> {
        let owned = self.ctx.info(task).owned.iter().chain(granted);
        let ids: BTreeSet<&TaskId> =
            owned.filter_map(|p| self.owners.get(p)).flatten().filter(|id| *id != task).collect();
        ids.into_iter()
            .filter_map(|id| self.ledger.scheduler.task(id).map(|s| (id, s)))
            .filter(|(_, s)| s.state() == TaskState::Completed)
            .map(|(id, s)| {
                let tests = s.work().frozen.as_ref().map(|f| f.tests.clone()).unwrap_or_default();
                (id.clone(), tests)
            })
            .collect()
    }

    fn abandon(&mut self, task: TaskId, attempt: AttemptNo) -> Result<(), EngineError> {
        if let Some(worker) = self.workers.remove(&task) {
            worker.cancel.raise(CancelLevel::Now);
            self.abandoned += 1;
        }
        self.record(vec![Event::VerifyAbandoned { task, attempt }])
    }

    /// Moves the branch to the verified head of the train.
    fn merge(&mut self, task: TaskId, attempt: AttemptNo) -> Result<(), EngineError> {
        if let Some(place) = self.checkouts()? {
            let reason = format!(
                "the branch `{}` is checked out at {place}; switch to another branch there",
                self.ctx.branch
            );
            return self.record(vec![Event::MergingPaused { reason }]);
        }
        let job = self.merge_job(&task, attempt);
        let tell = self.tell(&task, attempt);
        let (step, begun) = tell.begin(Action::Commit, Which::Last);
        let prepared = prepare(&self.ctx, &job, &self.version)?;
        let commit = prepared.commit.clone();
        self.record(vec![begun, Event::MergeIntended { task: task.clone(), attempt, commit }])?;
        match move_branch(&self.ctx, &prepared, &job.tip)? {
            RefMove::Moved => {
                self.ctx.forget_live(&task);
                let done = tell.end(&step, StepResult::Passed, None);
                let Prepared { commit, tree, evidence } = prepared;
                self.record(vec![done, Event::Merged { task, attempt, commit, tree, evidence }])
            }
            RefMove::Mismatch { actual } => self.branch_moved(task, attempt, actual),
        }
    }

    fn merge_job(&self, task: &TaskId, attempt: AttemptNo) -> MergeJob {
        let slate = self.slate(task);
        let (Some((tree, proof)), Some(candidate)) = (slate.verified(), slate.work().candidate.clone())
        else {
            unreachable!("`{task}` is to be merged without having been verified")
        };
        MergeJob {
            task: task.clone(),
            attempt,
            tip: self.tip(),
            tree: tree.clone(),
            proof: proof.clone(),
            candidate,
            frozen: slate.work().frozen.clone(),
            granted: slate.work().granted.clone(),
            revision: u32::try_from(slate.merges() + 1).unwrap_or(u32::MAX),
        }
    }

    /// Somebody else moved the branch. Forward is fine: what was verified is verified again on it. Anything else needs
    /// a person.
    fn branch_moved(
        &mut self,
        task: TaskId,
        attempt: AttemptNo,
        actual: Option<Oid>,
    ) -> Result<(), EngineError> {
        let abandoned = Event::VerifyAbandoned { task, attempt };
        let tip = self.tip();
        let moved = match actual {
            Some(actual) if self.ctx.repo.is_ancestor(&tip, &actual)? => Event::TipMoved { tip: actual },
            _ => Event::MergingPaused {
                reason: format!(
                    "the branch `{}` no longer contains {}; restore it with `git branch -f {} {}`",
                    self.ctx.branch,
                    tip.short(),
                    self.ctx.branch,
                    tip
                ),
            },
        };
        self.record(vec![abandoned, moved])
    }
}

/// A worker always reports, even when it panics: a lost ending is a hung run.
struct Report<'a> {
    tell: &'a Tell,
    round: Option<u64>,
    sent: bool,
}

impl<'a> Report<'a> {
    fn work(tell: &'a Tell) -> Self {
        Self { tell, round: None, sent: false }
    }

    fn verify(tell: &'a Tell, round: u64) -> Self {
        Self { tell, round: Some(round), sent: false }
    }

    fn send(mut self, message: Message) {
        self.sent = true;
        self.tell.send(message);
    }
}

impl Drop for Report<'_> {
    fn drop(&mut self) {
        if self.sent {
            return;
        }
        let (task, attempt) = (self.tell.task.clone(), self.tell.attempt);
        let died = || EngineError::WorkerDied(format!("task `{}`", self.tell.task));
        self.tell.send(match self.round {
            None => Message::WorkOver { task, attempt, end: Err(died()) },
            Some(round) => Message::VerifyOver { task, attempt, round, end: Err(died()) },
        });
    }
}
