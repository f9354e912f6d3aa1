//! `apply`: the only writer. One function per kind of event; an impossible event is refused, not guessed at.

use std::cmp::Reverse;

use super::task_record::{FrozenTests, Review, RunPhase, Scheduler, TaskPhase, TaskRecord, Upcoming, Work};
use crate::event::{
    AttemptEnd, BlockReason, Event, Millis, PersonAnswer, PoolLimit, RunEvent, RunStarted, SealedTask,
    Stamped, Synced, TaskEvent,
};
use crate::failure::Failure;
use crate::ids::{Oid, TaskId};
use crate::policy::{Next, Rung, is_grave, next_rung};
use crate::state::{IllegalMove, TaskState};

/// An event that cannot have happened: the journal is broken, or the program is.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ApplyError {
    /// It is about a task that was never sealed.
    #[error("the journal names task `{0}`, which no plan in it has")]
    UnknownTask(TaskId),
    /// It moves a task where it cannot go.
    #[error("task `{task}`: {source}")]
    Illegal {
        /// The task.
        task: TaskId,
        /// The move.
        source: IllegalMove,
    },
    /// It does not fit where the task is between two states.
    #[error("task `{task}`: `{event}` does not follow from where it is")]
    OutOfTurn {
        /// The task.
        task: TaskId,
        /// The event.
        event: &'static str,
    },
}

impl Scheduler {
    /// Takes in what happened.
    pub fn apply(&mut self, stamped: &Stamped) -> Result<(), ApplyError> {
        match &stamped.event {
            Event::Run(event) => self.on_run_event(event, stamped.at),
            Event::Task { task, event } => self.on_task_event(task, event, stamped.at)?,
        }
        Ok(())
    }

    fn on_run_event(&mut self, event: &RunEvent, at: Millis) {
        match event {
            RunEvent::RunStarted(started) => self.on_run_started(started),
            RunEvent::PlanSealed { hash, tasks, pools, .. } => self.on_plan_sealed(hash, tasks, pools),
            RunEvent::RunEnded { .. } => self.run = RunPhase::Off,
            RunEvent::Paused => self.paused = true,
            RunEvent::Resumed => self.paused = false,
            RunEvent::StopRequested { cancel } => self.run = RunPhase::Stopping { cancel: *cancel },
            RunEvent::TipMoved { tip } => self.tip = Some(tip.clone()),
            RunEvent::SyncIntended(synced) => self.syncing = Some(synced.clone()),
            RunEvent::Synced(synced) => self.on_synced(synced),
            RunEvent::MergingPaused { reason } => self.merging_paused = Some(reason.clone()),
            RunEvent::MergingResumed => self.merging_paused = None,
            RunEvent::AgentPaused { agent, until, .. } => self.on_refused(agent, at, *until),
            RunEvent::PlaceLost { place, until, .. } => self.on_place_lost(place, *until),
            RunEvent::ProviderStopped { provider, reason } => {
                self.stopped.insert(provider.clone(), reason.clone());
            }
            RunEvent::ProviderResumed { provider } => drop(self.stopped.remove(provider)),
            RunEvent::BudgetSpent { .. } => self.spent_up = true,
            RunEvent::PlanJudged(judged) => {
                self.spent.add(&judged.usage);
                if self.plan_hash.as_deref() == Some(&judged.hash) {
                    self.judged.insert(judged.role, judged.verdict.clone());
                }
            }
            RunEvent::QueueFormed { hash, queue, edges, conflicts } => {
                if self.plan_hash.as_deref() == Some(hash) {
                    self.on_queue_formed(queue, edges, conflicts);
                }
            }
            RunEvent::Finding { .. } | RunEvent::ClosingFailed { .. } => {}
        }
    }

    fn on_synced(&mut self, synced: &Synced) {
        self.tip = Some(synced.commit.clone());
        self.syncing = None;
        for outdated in &synced.outdated {
            if let Some(ix) = self.index.get(&outdated.task) {
                self.tasks[*ix].outdated = true;
            }
        }
    }

    fn on_run_started(&mut self, started: &RunStarted) {
        let RunStarted { tip, settings, only, .. } = started;
        self.tip = Some(tip.clone());
        self.settings = settings.as_ref().clone();
        self.only = only.iter().cloned().collect();
        self.run = RunPhase::On;
        self.merging_paused = None;
        self.paused = false;
        // What a run may spend is counted from its own start.
        self.spent = crate::event::Usage::default();
        self.spent_up = false;
        // A new run assumes that stopped providers serve again.
        self.stopped.clear();
        self.meet_again();
        self.served.clear();
        // What was cancelled in an earlier run goes on.
        self.tasks.iter_mut().for_each(|record| record.cancelled = false);
        for (provider, governor) in &mut self.governors {
            governor.set_ceiling(settings.governor.ceiling(provider, settings.all_slots()));
        }
        if !self.edges.is_empty() {
            self.link();
        }
        self.recount();
    }

    /// Takes the plan as it is from here on. Tasks keep what happened to them by id; a pending task whose text changed
    /// begins anew.
    fn on_plan_sealed(&mut self, hash: &str, tasks: &[SealedTask], pools: &[PoolLimit]) {
        self.plan_hash = Some(hash.to_owned());
        self.judged.clear();
        self.queue.clear();
        self.edges.clear();
        let train: Vec<TaskId> = self.train.iter().map(|ix| self.tasks[*ix].sealed.id.clone()).collect();
        let mut old: std::collections::HashMap<TaskId, TaskRecord> =
            self.tasks.drain(..).map(|s| (s.sealed.id.clone(), s)).collect();
        self.tasks = tasks.iter().map(|sealed| resealed(old.remove(&sealed.id), sealed)).collect();
        self.index = self.tasks.iter().enumerate().map(|(ix, s)| (s.sealed.id.clone(), ix)).collect();
        self.pools = pools.iter().map(|p| (p.name.clone(), (p.depth, 0))).collect();
        self.train = train
            .iter()
            .filter_map(|id| self.index.get(id).copied())
            .filter(|ix| self.tasks[*ix].phase != TaskPhase::Idle)
            .collect();
        self.link();
        self.recount();
    }

    pub(super) fn link(&mut self) {
        let edges: Vec<(usize, usize)> = self
            .tasks
            .iter()
            .enumerate()
            .flat_map(|(ix, s)| s.sealed.deps.iter().map(move |d| (ix, d)))
            .filter_map(|(ix, d)| self.index.get(d).map(|dep| (ix, *dep)))
            .chain(self.queued_edges())
            .collect();
        for record in &mut self.tasks {
            record.deps.clear();
            record.dependants.clear();
        }
        for (ix, dep) in edges {
            self.tasks[ix].deps.push(dep);
            self.tasks[dep].dependants.push(ix);
        }
    }

    /// The integrator's edges between wanted tasks: a task that is not carried out holds up no other.
    fn queued_edges(&self) -> impl Iterator<Item = (usize, usize)> {
        self.edges.iter().filter_map(|(first, then)| {
            let (first, then) = (*self.index.get(first)?, *self.index.get(then)?);
            self.is_wanted(&self.tasks[first]).then_some((then, first))
        })
    }

    /// Computes every derived set anew.
    pub(super) fn recount(&mut self) {
        self.ready.clear();
        self.endings.clear();
        self.doomed.clear();
        self.again.clear();
        self.grave.clear();
        self.turns.clear();
        self.busy = 0;
        self.places.values_mut().for_each(|place| place.used = 0);
        for (_, used) in self.pools.values_mut() {
            *used = 0;
        }
        for ix in 0..self.tasks.len() {
            let done = |dep: &&usize| self.tasks[**dep].state == TaskState::Completed;
            let record = &self.tasks[ix];
            let unmet = record.deps.len() - record.deps.iter().filter(done).count();
            self.busy += record.weight();
            for provider in record.holds() {
                *self.turns.entry(provider).or_default() += 1;
            }
            let record = &self.tasks[ix];
            if record.phase == TaskPhase::Working {
                let names = record.pools_on(record.tier);
                self.shift_pools(&names, 1);
            }
            let works_at = self.tasks[ix].works_at();
            self.shift_place(None, works_at);
            self.tasks[ix].unmet = unmet;
            self.file(ix);
        }
    }

    /// Puts an idle task into the set it belongs to, and into no other.
    fn file(&mut self, ix: usize) {
        let record = &self.tasks[ix];
        let place = self.queue.get(&record.sealed.id).copied().unwrap_or(u32::MAX);
        let key = (place, Reverse(record.sealed.priority), ix);
        let grave = record.grave && !matches!(record.state, TaskState::Completed | TaskState::Skipped);
        let idle = record.phase == TaskPhase::Idle && !record.state.is_end();
        let may = !record.cancelled && self.is_wanted(record);
        let ready = idle && may && record.unmet == 0 && matches!(record.upcoming, Upcoming::Try(_));
        let ending = idle && matches!(record.upcoming, Upcoming::Fail(_) | Upcoming::Block(_));
        let doomed = idle && record.unmet > 0 && self.dead_dependency(record).is_some();
        let again = !record.merges.is_empty() && record.state != TaskState::Completed;
        set(&mut self.again, ix, again);
        set(&mut self.ready, key, ready);
        set(&mut self.endings, ix, ending);
        set(&mut self.doomed, ix, doomed);
        set(&mut self.grave, ix, grave);
    }

    fn on_task_event(&mut self, id: &TaskId, event: &TaskEvent, at: Millis) -> Result<(), ApplyError> {
        let Some(ix) = self.index.get(id).copied() else {
            // A task that was removed from the plan may still end what it began, and never begin anything.
            return if matches!(event, TaskEvent::Finding { .. }) {
                Ok(())
            } else {
                Err(ApplyError::UnknownTask(id.clone()))
            };
        };
        let before = self.tasks[ix].state;
        let after = before.after(event).map_err(|source| ApplyError::Illegal { task: id.clone(), source })?;
        let (weight, held) = (self.tasks[ix].weight(), self.tasks[ix].holds());
        let was_working = self.tasks[ix].phase == TaskPhase::Working;
        let was_at = self.tasks[ix].works_at();
        self.tasks[ix].state = after;
        self.change(ix, event, at)?;
        let record = &self.tasks[ix];
        let working = record.phase == TaskPhase::Working;
        self.busy = self.busy + record.weight() - weight;
        self.shift_turns(&held, &record.holds());
        let works_at = self.tasks[ix].works_at();
        self.shift_place(was_at, works_at);
        let record = &self.tasks[ix];
        if working != was_working {
            let names = record.pools_on(record.tier);
            self.shift_pools(&names, if working { 1 } else { -1 });
        }
        self.file(ix);
        if before != after && (before.is_end() || after.is_end()) {
            self.tell_dependants(ix, before, after);
        }
        Ok(())
    }

    fn shift_pools(&mut self, names: &[String], by: i32) {
        for name in names {
            if let Some((_, used)) = self.pools.get_mut(name) {
                *used = used.saturating_add_signed(by);
            }
        }
    }

    fn tell_dependants(&mut self, ix: usize, before: TaskState, after: TaskState) {
        for dep in self.tasks[ix].dependants.clone() {
            if after == TaskState::Completed {
                self.tasks[dep].unmet -= 1;
            } else if before == TaskState::Completed {
                self.tasks[dep].unmet += 1;
            }
            self.file(dep);
        }
    }

    /// What an event does to the task it is about, beyond its state.
    fn change(&mut self, ix: usize, event: &TaskEvent, at: Millis) -> Result<(), ApplyError> {
        match event {
            TaskEvent::AttemptStarted(started) => self.on_attempt_started(ix, started),
            TaskEvent::TurnEnded(turn) => self.on_turn_ended(ix, turn, at),
            TaskEvent::TestsFrozen { commit, red, tests, conditional, seen, files, author, .. } => {
                let work = &mut self.tasks[ix].work;
                let base = work.base.clone().unwrap_or_else(|| commit.clone());
                work.frozen = Some(FrozenTests {
                    commit: commit.clone(),
                    base,
                    red: *red,
                    tests: tests.clone(),
                    conditional: conditional.clone(),
                    seen: seen.clone(),
                    files: files.clone(),
                    author: *author,
                });
            }
            TaskEvent::TestsHeld { held, .. } => self.tasks[ix].work.held = Some(held.clone()),
            TaskEvent::TestsLinked { links, .. } => self.tasks[ix].work.links.clone_from(links),
            TaskEvent::TestsTried { mutants, .. } => self.tasks[ix].work.mutants.clone_from(mutants),
            TaskEvent::ChangesLeftOut { left_out, .. } => self.tasks[ix].work.left_out.add(left_out),
            TaskEvent::FilesGranted { files, .. } => {
                self.tasks[ix].work.granted.extend(files.iter().cloned());
            }
            TaskEvent::CandidateMade { commit, .. } => {
                let record = &mut self.tasks[ix];
                record.work.candidate = Some(commit.clone());
                (record.review, record.unread) = (Review::Open, (0, String::new()));
                self.on_place_answered(ix);
                self.enqueue(ix);
            }
            TaskEvent::ReviewStarted { agent, .. } => return self.on_review_started(ix, agent),
            TaskEvent::Reviewed { verdict, .. } => return self.on_reviewed(ix, verdict),
            TaskEvent::ReviewAbandoned { .. } => self.tasks[ix].review = Review::Open,
            TaskEvent::VerifyIntended { onto, place, .. } => {
                self.tasks[ix].phase = TaskPhase::Merging { onto: onto.clone() };
                self.tasks[ix].verifier.clone_from(place);
            }
            TaskEvent::VerifyStarted { merge, tree, .. } => return self.on_verify_started(ix, merge, tree),
            TaskEvent::Verified { proof, .. } => return self.on_verified(ix, proof),
            TaskEvent::VerifyAbandoned { .. } => self.tasks[ix].phase = TaskPhase::Queued,
            TaskEvent::MergeIntended { commit, .. } => return self.on_merge_intended(ix, commit),
            TaskEvent::Merged { commit, .. } => self.on_merged(ix, commit),
            TaskEvent::AttemptEnded { end, .. } => {
                if self.is_answer(ix, end) {
                    self.on_place_answered(ix);
                }
                self.on_attempt_ended(ix, end);
            }
            TaskEvent::TaskFailed { .. } => self.leave(ix),
            TaskEvent::TaskBlocked { block, .. } => {
                self.leave(ix);
                self.tasks[ix].blocked = Some(block.clone());
            }
            TaskEvent::TaskSkipped { because, .. } => {
                self.tasks[ix].skipped_because.clone_from(because);
                self.leave(ix);
            }
            TaskEvent::TaskCancelled => self.tasks[ix].cancelled = true,
            // What was skipped because of it is brought back by events of its own.
            TaskEvent::TaskReset => begin_anew(&mut self.tasks[ix]),
            TaskEvent::TaskReopened { because } => self.tasks[ix].work.reopened = Some(because.clone()),
            TaskEvent::Answered(answer) => go_on_with(&mut self.tasks[ix], answer),
            TaskEvent::Approved => {
                let record = &mut self.tasks[ix];
                (record.approved, record.grave, record.blocked) = (true, false, None);
                self.enqueue(ix);
            }
            TaskEvent::ProcessStarted { .. }
            | TaskEvent::StepStarted { .. }
            | TaskEvent::StepEnded { .. }
            | TaskEvent::Heartbeat { .. }
            | TaskEvent::Finding { .. } => {}
        }
        Ok(())
    }

    fn enqueue(&mut self, ix: usize) {
        self.tasks[ix].phase = TaskPhase::Queued;
        self.train.push(ix);
    }

    /// Takes a task off the train and out of work, at an end of its own.
    fn leave(&mut self, ix: usize) {
        self.train.retain(|car| *car != ix);
        let record = &mut self.tasks[ix];
        record.phase = TaskPhase::Idle;
        record.review = Review::Open;
        record.upcoming = Upcoming::Nothing;
    }

    pub(super) fn out_of_turn(&self, ix: usize, event: &'static str) -> ApplyError {
        ApplyError::OutOfTurn { task: self.tasks[ix].sealed.id.clone(), event }
    }

    fn on_verify_started(&mut self, ix: usize, merge: &Oid, tree: &Oid) -> Result<(), ApplyError> {
        // A second announcement: the formatter changed the tree, and the new one is verified in its place.
        let (TaskPhase::Merging { onto } | TaskPhase::Verifying { onto, .. }) = self.tasks[ix].phase.clone()
        else {
            return Err(self.out_of_turn(ix, "verify_started"));
        };
        self.tasks[ix].phase = TaskPhase::Verifying { onto, merge: merge.clone(), tree: tree.clone() };
        Ok(())
    }

    fn on_verified(&mut self, ix: usize, proof: &crate::ids::BlobName) -> Result<(), ApplyError> {
        let TaskPhase::Verifying { onto, merge, tree } = self.tasks[ix].phase.clone() else {
            return Err(self.out_of_turn(ix, "verified"));
        };
        self.on_place_answered(ix);
        self.tasks[ix].phase = TaskPhase::Verified { onto, merge, tree, proof: proof.clone() };
        Ok(())
    }

    fn on_merge_intended(&mut self, ix: usize, commit: &Oid) -> Result<(), ApplyError> {
        let TaskPhase::Verified { onto, merge, .. } = self.tasks[ix].phase.clone() else {
            return Err(self.out_of_turn(ix, "merge_intended"));
        };
        self.tasks[ix].phase = TaskPhase::Moving { onto, merge, commit: commit.clone() };
        Ok(())
    }

    fn on_merged(&mut self, ix: usize, commit: &Oid) {
        let provisional = self.tasks[ix].phase.merge().cloned();
        let hash = self.tasks[ix].sealed.hash.clone();
        self.tasks[ix].merges.push((commit.clone(), hash));
        self.tasks[ix].work.reopened = None;
        self.tasks[ix].outdated = false;
        self.leave(ix);
        self.tip = Some(commit.clone());
        if let Some(provisional) = provisional {
            self.couple(&provisional, commit);
            self.merge_became(&provisional, commit);
        }
    }

    fn on_attempt_ended(&mut self, ix: usize, end: &AttemptEnd) {
        self.train.retain(|car| *car != ix);
        let ladder = self.settings.ladder.clone();
        let record = &mut self.tasks[ix];
        record.phase = TaskPhase::Idle;
        record.review = Review::Open;
        record.upcoming = match end {
            AttemptEnd::Interrupted
            | AttemptEnd::Lost
            | AttemptEnd::Failed { failure: Failure::RateLimited { .. } | Failure::ProviderRefused { .. } } => {
                Upcoming::Try(record.rung)
            }
            AttemptEnd::Failed { failure } => after_failure(record, &ladder, failure),
        };
        if let Some(reason) = self.mutual_rejection(ix, end) {
            self.tasks[ix].upcoming = Upcoming::Block(BlockReason::Deadlock { reason });
        }
    }
}

/// What follows a failure that counts.
fn after_failure(record: &mut TaskRecord, ladder: &crate::policy::Ladder, failure: &Failure) -> Upcoming {
    record.history.push((record.rung, failure.clone()));
    record.grave = matches!(failure, Failure::Rejected { issues } if is_grave(issues));
    if let Failure::Conflict { .. } | Failure::WrongTest { .. } = failure {
        // The ground or the test has to change: red is seen again.
        let granted = std::mem::take(&mut record.work.granted);
        record.work = Work { granted, ..said_by_people(record) };
    }
    match next_rung(ladder, &record.history) {
        Next::Try(rung) => Upcoming::Try(rung),
        Next::Fail(reason) => Upcoming::Fail(reason),
        Next::Ask(reason) => Upcoming::Block(question(failure, reason)),
    }
}

fn question(failure: &Failure, reason: String) -> BlockReason {
    match failure {
        Failure::Rejected { issues } if is_grave(issues) => BlockReason::Escalated { reason },
        Failure::NeedsFiles { files } => BlockReason::NeedsFiles { files: files.clone() },
        Failure::Rejected { .. } => BlockReason::Deadlock { reason },
        Failure::Spawn { .. }
        | Failure::AgentError { .. }
        | Failure::RateLimited { .. }
        | Failure::ProviderRefused { .. }
        | Failure::NoChange
        | Failure::OnlyWords { .. }
        | Failure::OutOfScope { .. }
        | Failure::MovedOut { .. }
        | Failure::NeverTaken { .. }
        | Failure::CodeBeforeTests { .. }
        | Failure::NotRed { .. }
        | Failure::WrongRed { .. }
        | Failure::TestsFailed { .. }
        | Failure::CannotRun { .. }
        | Failure::NoBite { .. }
        | Failure::WrongTest { .. }
        | Failure::FrozenChanged { .. }
        | Failure::Timeout { .. }
        | Failure::Conflict { .. }
        | Failure::SpecContradiction { .. }
        | Failure::Environment { .. }
        | Failure::NoTestCommand { .. }
        | Failure::BriefTooLarge { .. } => BlockReason::AgentBlocked { reason },
    }
}

fn begin_anew(record: &mut TaskRecord) {
    record.phase = TaskPhase::Idle;
    record.rung = Rung::First;
    record.upcoming = Upcoming::Try(Rung::First);
    record.history.clear();
    record.skipped_because = None;
    (record.approved, record.cancelled) = (false, false);
    record.blocked = None;
    (record.review, record.unread, record.grave) = (Review::Open, (0, String::new()), false);
    record.work = said_by_people(record);
}

/// A fresh start keeps what people said: a retry of a reopened task is still about what was wrong.
fn said_by_people(record: &mut TaskRecord) -> Work {
    let (reopened, answers) = (record.work.reopened.take(), std::mem::take(&mut record.work.answers));
    Work { reopened, answers, ..Work::default() }
}

/// The ladder begins again with the answer; frozen tests, granted files and the session stay.
fn go_on_with(record: &mut TaskRecord, answer: &PersonAnswer) {
    let mut work = std::mem::take(&mut record.work);
    begin_anew(record);
    work.answers.push(answer.clone());
    record.work = work;
}

/// The record of a task after the plan was sealed again.
fn resealed(old: Option<TaskRecord>, sealed: &SealedTask) -> TaskRecord {
    let Some(mut record) = old else { return TaskRecord::new(sealed.clone()) };
    let edited = record.sealed.hash != sealed.hash;
    record.sealed = sealed.clone();
    if edited && !record.state.is_end() {
        begin_anew(&mut record);
        record.state = TaskState::Pending;
    }
    record
}

fn set<T: Ord>(set: &mut std::collections::BTreeSet<T>, item: T, member: bool) {
    if member {
        set.insert(item);
    } else {
        set.remove(&item);
    }
}
