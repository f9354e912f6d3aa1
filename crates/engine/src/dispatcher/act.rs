//! Carries out the scheduler's commands: journals the intent, then acts.

use std::collections::BTreeSet;
use std::sync::Arc;

use windlass_core::event::{AttemptStarted, Event, RunEvent, StepResult, TaskEvent};
use windlass_core::failure::Failure;
use windlass_core::ids::{AttemptNo, Oid, TaskId};
use windlass_core::plan::Action;
use windlass_core::policy::{Cast, Rung};
use windlass_core::schedule::{Beginning, Command, TaskRecord};
use windlass_core::state::TaskState;

use super::looping::{Dispatcher, Worker};
use crate::changed_text::changed_since;
use crate::early_end::EarlyEnd;
use crate::error::EngineError;
use crate::git::RefMove;
use crate::integrate::{MergeJob, PreparedMerge, move_branch, prepare};
use crate::place::{AttemptJob, AttemptPlace, ReviewJob, VerifyJob, WorkStop};
use crate::process::CancelLevel;
use crate::worker_channel::{Message, StepChoice, WorkerChannel};

impl Dispatcher<'_> {
    /// Carries out one command.
    pub(super) fn act(&mut self, command: Command) -> Result<(), EngineError> {
        match command {
            Command::Start { task, attempt, rung, agent, tier, test_writer, place } => {
                let cast = Cast { tier, agent, test_writer };
                self.start_attempt(task, attempt, rung, cast, place.as_deref())
            }
            Command::Review { task, attempt, agent } => self.review(task, attempt, agent),
            Command::Verify { task, attempt, onto, place } => {
                self.verify(task, attempt, onto, place.as_deref())
            }
            Command::Abandon { task, attempt } => self.abandon(task, attempt),
            Command::Merge { task, attempt } => self.merge(task, attempt),
            Command::Fail { task, reason } => self.record(vec![TaskEvent::TaskFailed { reason }.of(task)]),
            Command::Block { task, block } => self.record(vec![TaskEvent::TaskBlocked { block }.of(task)]),
            Command::Skip { task, because } => {
                self.record(vec![TaskEvent::TaskSkipped { because: Some(because) }.of(task)])
            }
            Command::Finish(end) => {
                self.ended = Some(end);
                Ok(())
            }
        }
    }

    fn task_record(&self, task: &TaskId) -> &TaskRecord {
        let record = self.ledger.scheduler.task(task);
        record.unwrap_or_else(|| unreachable!("the scheduler named `{task}`"))
    }

    fn tell(&self, task: &TaskId, attempt: AttemptNo) -> WorkerChannel {
        WorkerChannel::new(self.to.clone(), task.clone(), attempt, &self.task_record(task).sealed().steps)
    }

    fn start_attempt(
        &mut self,
        task: TaskId,
        attempt: AttemptNo,
        rung: Rung,
        cast: Cast,
        at: Option<&str>,
    ) -> Result<(), EngineError> {
        let Cast { tier, agent, test_writer } = cast;
        let record = self.task_record(&task);
        let (past, history) = (record.work().clone(), record.history().to_vec());
        let base = past.frozen.as_ref().map_or_else(|| self.tip(), |f| f.base.clone());
        let base = if rung.continues() { past.base.clone().unwrap_or(base) } else { base };
        let merged = record.merges().last().filter(|_| record.is_stale()).cloned();
        let changed = merged.and_then(|commit| changed_since(&self.ctx, &task, &commit));
        let cancel = self.stop.child();
        let intent = TaskEvent::AttemptStarted(AttemptStarted {
            attempt,
            rung,
            agent: agent.clone(),
            tier,
            test_writer: test_writer.clone(),
            place: at.map(str::to_owned),
            base: base.clone(),
        })
        .of(task.clone());
        let beginning = self.beginning(&task, &agent, rung);
        self.record(vec![intent])?;
        self.workers.insert(task.clone(), Worker { round: 0, cancel: cancel.clone() });
        let tell = self.tell(&task, attempt);
        let away = at.and_then(|name| self.remote_places.get(name)).cloned();
        let place = match away {
            Some(away) => away as Arc<dyn AttemptPlace>,
            None => Arc::clone(&self.place) as Arc<dyn AttemptPlace>,
        };
        let job = AttemptJob {
            task: task.clone(),
            attempt,
            rung,
            agent,
            tier,
            test_writer,
            base,
            beginning,
            work: past,
            history,
            changed,
        };
        self.open_workers += 1;
        tokio::spawn(async move {
            let report = EndReport::new(&tell, WorkerKind::Work);
            let end = place.attempt(job, &tell, &cancel).await;
            report.send(Message::WorkOver { task, attempt, end });
        });
        Ok(())
    }

    /// The conversation that an attempt continues: the one the plan names, or the one that follows from the graph.
    fn beginning(&self, task: &TaskId, agent: &str, rung: Rung) -> Beginning {
        let stated = self.ctx.task(task).session.as_ref();
        let named = |name: &str| {
            let tasks = self.ctx.plan.tasks.iter();
            let is = |t: &&windlass_core::plan::Task| {
                t.id == name || t.session.as_ref().is_some_and(|s| s.id.as_deref() == Some(name))
            };
            tasks.filter(is).find_map(|t| TaskId::new(&t.id).ok())
        };
        self.ledger.scheduler.beginning(task, agent, rung, stated, named)
    }

    fn review(&mut self, task: TaskId, attempt: AttemptNo, agent: String) -> Result<(), EngineError> {
        let record = self.task_record(&task);
        let Some((onto, merge)) = record.standing().map(|(o, m)| (o.clone(), m.clone())) else {
            unreachable!("`{task}` is to be reviewed without having been verified")
        };
        let (work, tier) = (record.work().clone(), record.sealed().tier);
        let rejections: Vec<String> = record
            .history()
            .iter()
            .filter(|(_, f)| matches!(f, Failure::Rejected { .. }))
            .map(|(_, f)| f.summary())
            .collect();
        let others = self.neighbours(&task, &work.granted);
        let others =
            others.into_iter().map(|(id, _)| (id.clone(), self.ctx.task(&id).title.clone())).collect();
        self.rounds += 1;
        let (round, cancel) = (self.rounds, self.stop.child());
        self.record(vec![TaskEvent::ReviewStarted { attempt, agent: agent.clone() }.of(task.clone())])?;
        self.reviewers.insert(task.clone(), Worker { round, cancel: cancel.clone() });
        let tell = self.tell(&task, attempt);
        let place = Arc::clone(&self.place);
        let job =
            ReviewJob { task: task.clone(), attempt, agent, tier, onto, merge, work, rejections, others };
        self.open_workers += 1;
        tokio::spawn(async move {
            let report = EndReport::new(&tell, WorkerKind::Review(round));
            let end = place.review(job, &tell, &cancel).await;
            report.send(Message::ReviewOver { task, attempt, round, end });
        });
        Ok(())
    }

    fn verify(
        &mut self,
        task: TaskId,
        attempt: AttemptNo,
        onto: Oid,
        at: Option<&str>,
    ) -> Result<(), EngineError> {
        let past = self.task_record(&task).work().clone();
        let Some(candidate) = past.candidate else {
            unreachable!("`{task}` is in the train without a candidate")
        };
        self.rounds += 1;
        let (round, cancel) = (self.rounds, self.stop.child());
        let neighbours = self.neighbours(&task, &past.granted);
        let unfinished = self.unfinished(&task);
        let intent = TaskEvent::VerifyIntended { attempt, onto: onto.clone(), place: at.map(str::to_owned) };
        self.record(vec![intent.of(task.clone())])?;
        self.workers.insert(task.clone(), Worker { round, cancel: cancel.clone() });
        let tell = self.tell(&task, attempt);
        let (place, away) =
            (Arc::clone(&self.place), at.and_then(|name| self.remote_places.get(name)).cloned());
        let job = VerifyJob {
            task: task.clone(),
            attempt,
            round,
            onto,
            candidate,
            frozen: past.frozen,
            held: past.held,
            granted: past.granted,
            neighbours,
            unfinished,
        };
        self.open_workers += 1;
        tokio::spawn(async move {
            let report = EndReport::new(&tell, WorkerKind::Verify(round));
            let end = match away {
                Some(away) => away.verify_there(job, &tell, &cancel).await,
                None => place.verify(job, &tell, &cancel).await.map_err(WorkStop::from),
            };
            report.send(Message::VerifyOver { task, attempt, round, end });
        });
        Ok(())
    }

    /// The completed tasks that share a file with this one, with their tests.
    fn neighbours(&self, task: &TaskId, granted: &[String]) -> Vec<(TaskId, Vec<String>)> {
        let owned = self.ctx.info(task).owned.iter().chain(granted);
        let ids: BTreeSet<&TaskId> =
            owned.filter_map(|p| self.owners.get(p)).flatten().filter(|id| *id != task).collect();
        ids.into_iter()
            .filter_map(|id| self.ledger.scheduler.task(id).map(|s| (id, s)))
            .filter(|(_, s)| s.state() == TaskState::Completed)
            .map(|(id, s)| {
                let (frozen, held) = (s.work().frozen.as_ref(), s.work().held.as_ref());
                let tests = frozen.map(|f| &f.tests).or(held.map(|h| &h.tests));
                (id.clone(), tests.cloned().unwrap_or_default())
            })
            .collect()
    }

    /// The other tasks whose work is still to come.
    fn unfinished(&self, task: &TaskId) -> Vec<TaskId> {
        let is_open = |record: &&TaskRecord| {
            let id = &record.sealed().id;
            let is_over = matches!(record.state(), TaskState::Completed | TaskState::Skipped);
            !is_over && id != task && self.ctx.tasks.contains_key(id)
        };
        self.ledger
            .scheduler
            .tasks()
            .iter()
            .filter(is_open)
            .map(|record| record.sealed().id.clone())
            .collect()
    }

    fn abandon(&mut self, task: TaskId, attempt: AttemptNo) -> Result<(), EngineError> {
        if let Some(worker) = self.workers.remove(&task) {
            worker.cancel.raise(CancelLevel::Now);
        }
        self.record(vec![TaskEvent::VerifyAbandoned { attempt }.of(task)])
    }

    /// Moves the branch to the verified head of the train.
    fn merge(&mut self, task: TaskId, attempt: AttemptNo) -> Result<(), EngineError> {
        if let Some(place) = self.checkouts()? {
            let reason = format!(
                "the branch `{}` is checked out at {place}; switch to another branch there",
                self.ctx.branch
            );
            return self.record(vec![Event::Run(RunEvent::MergingPaused { reason })]);
        }
        let job = self.merge_job(&task, attempt)?;
        let tell = self.tell(&task, attempt);
        let (step, begun) = tell.begin(Action::Commit, StepChoice::Last);
        let prepared = prepare(&self.ctx, &job, &self.version)?;
        let commit = prepared.commit.clone();
        self.record(vec![begun, TaskEvent::MergeIntended { attempt, commit }.of(task.clone())])?;
        match move_branch(&self.ctx, &prepared, &job.tip)? {
            RefMove::Moved => {
                self.ctx.forget_live(&task);
                let done = tell.end(&step, StepResult::Passed, None);
                let PreparedMerge { commit, tree, evidence, criteria, weak } = prepared;
                let merged = TaskEvent::Merged { attempt, commit, tree, evidence, criteria, weak };
                self.record(vec![done, merged.of(task)])?;
                self.packing.after_merge(&self.ctx);
                Ok(())
            }
            RefMove::Mismatch { actual } => self.branch_moved(task, attempt, actual),
        }
    }

    fn merge_job(&self, task: &TaskId, attempt: AttemptNo) -> Result<MergeJob, EngineError> {
        let record = self.task_record(task);
        let (Some((tree, proof)), Some(candidate)) = (record.verified(), record.work().candidate.clone())
        else {
            unreachable!("`{task}` is to be merged without having been verified")
        };
        let mut revision = 1;
        for earlier in record.merges() {
            // A branch that was started again does not contain earlier merges.
            revision += u32::from(self.ctx.repo.is_ancestor(earlier, &self.tip())?);
        }
        Ok(MergeJob {
            task: task.clone(),
            attempt,
            place: record.place().map(str::to_owned),
            verified_at: record.verifier().map(str::to_owned),
            tip: self.tip(),
            tree: tree.clone(),
            proof: proof.clone(),
            candidate,
            frozen: record.work().frozen.clone(),
            held: record.work().held.clone(),
            links: record.work().links.clone(),
            mutants: record.work().mutants.clone(),
            left_out: record.work().left_out.clone(),
            granted: record.work().granted.clone(),
            revision,
            journal: self.ledger.point()?,
        })
    }

    /// Another program moved the branch. If it moved forward, candidates are re-verified on it; otherwise a person is
    /// needed.
    fn branch_moved(
        &mut self,
        task: TaskId,
        attempt: AttemptNo,
        actual: Option<Oid>,
    ) -> Result<(), EngineError> {
        let abandoned = TaskEvent::VerifyAbandoned { attempt }.of(task);
        let tip = self.tip();
        let moved = match actual {
            Some(actual) if self.ctx.repo.is_ancestor(&tip, &actual)? => {
                Event::Run(RunEvent::TipMoved { tip: actual })
            }
            _ => Event::Run(RunEvent::MergingPaused {
                reason: format!(
                    "the branch `{}` no longer contains {}; restore it with `git branch -f {} {}`",
                    self.ctx.branch,
                    tip.short(),
                    self.ctx.branch,
                    tip
                ),
            }),
        };
        self.record(vec![abandoned, moved])
    }
}

/// What a worker does.
#[derive(Debug, Clone, Copy)]
enum WorkerKind {
    Work,
    Verify(u64),
    Review(u64),
}

/// Sends the end of a worker, even when it panics: without it the run would hang.
struct EndReport<'a> {
    tell: &'a WorkerChannel,
    kind: WorkerKind,
    sent: bool,
}

impl<'a> EndReport<'a> {
    fn new(tell: &'a WorkerChannel, kind: WorkerKind) -> Self {
        Self { tell, kind, sent: false }
    }

    fn send(mut self, message: Message) {
        self.sent = true;
        self.tell.send(message);
    }
}

impl Drop for EndReport<'_> {
    fn drop(&mut self) {
        if self.sent {
            return;
        }
        let (task, attempt) = (self.tell.task.clone(), self.tell.attempt);
        let died = EngineError::WorkerDied(format!("task `{}`", self.tell.task));
        self.tell.send(match self.kind {
            WorkerKind::Work => Message::WorkOver { task, attempt, end: Err(EarlyEnd::Broken(died).into()) },
            WorkerKind::Verify(round) => {
                Message::VerifyOver { task, attempt, round, end: Err(EarlyEnd::Broken(died).into()) }
            }
            WorkerKind::Review(round) => {
                Message::ReviewOver { task, attempt, round, end: Err(EarlyEnd::Broken(died)) }
            }
        });
    }
}
