//! Turns messages of workers into events. Messages of a cancelled worker are dropped.

use windlass_core::event::{AttemptEnd, Event, Role, RunEvent, TaskEvent};
use windlass_core::failure::{Failure, ProviderOutage};
use windlass_core::ids::{AttemptNo, BlobName, TaskId};
use windlass_core::state::TaskState;
use windlass_core::team::Verdict;

use super::ledger::now;
use super::looping::Dispatcher;
use crate::early_end::EarlyEnd;
use crate::error::EngineError;
use crate::place::WorkStop;
use crate::process::CancelLevel;
use crate::worker_channel::{CandidateCommit, GrantAnswer, Message, VerifiedTree};

/// The number of refusals in a row after which an outage needs a person. With the default rests that is half an hour.
const MOST_REFUSALS: u32 = 6;
/// The same where no server was reached and none has answered in this run: the address may be wrong. With the default rests
/// that is three and a half minutes.
const MOST_REFUSALS_AT_FIRST: u32 = 3;

impl Dispatcher<'_> {
    /// Turns one message into events. Events that must take effect before the next message are written immediately,
    /// the others are added to the batch.
    pub(super) fn take_message(
        &mut self,
        message: Message,
        batch: &mut Vec<Event>,
    ) -> Result<(), EngineError> {
        match message {
            Message::Event(event) => {
                if self.is_current(&event) {
                    batch.push(event);
                }
                Ok(())
            }
            Message::WorkOver { task, attempt, end } => {
                self.open_workers -= 1;
                self.record(std::mem::take(batch))?;
                self.work_over(&task, attempt, end)
            }
            Message::VerifyBegun { task, attempt, round, merge, tree } => {
                if self.is_round(&task, round) {
                    batch.push(TaskEvent::VerifyStarted { attempt, merge, tree }.of(task));
                }
                Ok(())
            }
            Message::VerifyOver { task, attempt, round, end } => {
                self.open_workers -= 1;
                self.record(std::mem::take(batch))?;
                self.verify_over(&task, attempt, round, end)
            }
            Message::ReviewOver { task, attempt, round, end } => {
                self.open_workers -= 1;
                self.record(std::mem::take(batch))?;
                self.review_over(&task, attempt, round, end)
            }
            Message::Grant { task, files, reply } => {
                self.record(std::mem::take(batch))?;
                let answer = self.grant(&task, files)?;
                let _ = reply.send(answer);
                Ok(())
            }
        }
    }

    fn is_round(&self, task: &TaskId, round: u64) -> bool {
        self.workers.get(task).is_some_and(|w| w.round == round)
    }

    /// Whether an event comes from a worker that has not been cancelled.
    pub(super) fn is_current(&self, event: &Event) -> bool {
        let Event::Task { task, event: what } = event else { return true };
        if self.is_paid(event) {
            return true;
        }
        let about_now = self.workers.contains_key(task)
            || self.reviewers.contains_key(task)
            || matches!(
                what,
                TaskEvent::StepStarted { .. } | TaskEvent::StepEnded { .. } | TaskEvent::Finding { .. }
            );
        about_now && self.ledger.scheduler.task(task).is_some()
    }

    /// Whether an event is a turn of an agent. Its cost is recorded even if its work is no longer needed.
    pub(super) fn is_paid(&self, event: &Event) -> bool {
        let Event::Task { task, event: TaskEvent::TurnEnded(_) } = event else { return false };
        self.ledger.scheduler.task(task).is_some()
    }

    fn work_over(
        &mut self,
        task: &TaskId,
        attempt: AttemptNo,
        end: Result<CandidateCommit, WorkStop>,
    ) -> Result<(), EngineError> {
        self.workers.remove(task);
        match end {
            Ok(CandidateCommit { commit, added, removed }) => {
                let task = task.clone();
                self.record(vec![TaskEvent::CandidateMade { attempt, commit, added, removed }.of(task)])
            }
            Err(WorkStop::Early(EarlyEnd::Failed { failure, output })) => {
                self.attempt_failed(task, attempt, failure, output)
            }
            Err(WorkStop::Early(EarlyEnd::Interrupted)) => self.interrupted(task, attempt),
            Err(WorkStop::Early(EarlyEnd::Broken(error))) => Err(error),
            Err(WorkStop::Lost { place, reason, refused }) => {
                let lost = self.place_lost(place, reason, refused);
                let end = AttemptEnd::Lost;
                let ended = TaskEvent::AttemptEnded { attempt, end, output: None }.of(task.clone());
                let then = self.stopped.remove(task).map(|then| then.of(task.clone()));
                self.record([lost, ended].into_iter().chain(then).collect())
            }
        }
    }

    /// The event of a lost place. One that refused rests as long as a place may.
    fn place_lost(&self, place: String, reason: String, refused: bool) -> Event {
        let scheduler = &self.ledger.scheduler;
        let longest = scheduler.settings().governor.longest_rest_seconds;
        let long = now() + i64::try_from(longest).unwrap_or(i64::MAX / 2000) * 1000;
        let until = if refused { Some(long) } else { scheduler.rest_of_place(&place, now()) };
        Event::Run(RunEvent::PlaceLost { place, reason, until })
    }

    fn verify_over(
        &mut self,
        task: &TaskId,
        attempt: AttemptNo,
        round: u64,
        end: Result<VerifiedTree, WorkStop>,
    ) -> Result<(), EngineError> {
        if !self.is_round(task, round) {
            return Ok(());
        }
        self.workers.remove(task);
        match end {
            Ok(VerifiedTree { tree, proof }) => {
                self.record(vec![TaskEvent::Verified { attempt, tree, proof }.of(task.clone())])
            }
            Err(WorkStop::Early(EarlyEnd::Failed { failure, output })) => {
                self.attempt_failed(task, attempt, failure, output)
            }
            Err(WorkStop::Early(EarlyEnd::Interrupted)) if self.stopped.contains_key(task) => {
                self.interrupted(task, attempt)
            }
            Err(WorkStop::Early(EarlyEnd::Interrupted)) => {
                self.record(vec![TaskEvent::VerifyAbandoned { attempt }.of(task.clone())])
            }
            Err(WorkStop::Early(EarlyEnd::Broken(error))) => Err(error),
            Err(WorkStop::Lost { place, reason, refused }) => {
                let lost = self.place_lost(place, reason, refused);
                if self.stopped.contains_key(task) {
                    self.record(vec![lost])?;
                    return self.interrupted(task, attempt);
                }
                self.record(vec![lost, TaskEvent::VerifyAbandoned { attempt }.of(task.clone())])
            }
        }
    }

    fn attempt_failed(
        &mut self,
        task: &TaskId,
        attempt: AttemptNo,
        failure: Failure,
        output: Option<BlobName>,
    ) -> Result<(), EngineError> {
        let mut events = Vec::new();
        let failure = self.lasting_outage(failure);
        match &failure {
            Failure::RateLimited { agent, retry_after_seconds, outage } => {
                events.extend(self.rest(agent, *retry_after_seconds, outage.as_ref()));
            }
            Failure::ProviderRefused { agent, reason } => events.extend(self.stop_provider(agent, reason)),
            Failure::Spawn { .. }
            | Failure::AgentError { .. }
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
            | Failure::NeedsFiles { .. }
            | Failure::Environment { .. }
            | Failure::NoTestCommand { .. }
            | Failure::BriefTooLarge { .. }
            | Failure::Rejected { .. } => {}
        }
        // A review of a failed attempt is no longer needed.
        self.give_up_review(task);
        let task = task.clone();
        events
            .push(TaskEvent::AttemptEnded { attempt, end: AttemptEnd::Failed { failure }, output }.of(task));
        self.record(events)
    }

    /// Turns an outage that outlasted every rest into one that needs a person: the address may be wrong.
    fn lasting_outage(&self, failure: Failure) -> Failure {
        let Failure::RateLimited { agent, outage: Some(why), .. } = &failure else { return failure };
        let scheduler = &self.ledger.scheduler;
        let most = match why {
            ProviderOutage::Unreachable { .. } if !scheduler.has_served(agent) => MOST_REFUSALS_AT_FIRST,
            ProviderOutage::Unreachable { .. } | ProviderOutage::Faulty(_) => MOST_REFUSALS,
        };
        if scheduler.refusals_in_a_row(agent) < most {
            return failure;
        }
        let reason = format!(
            "the provider of `{agent}` stays unavailable ({}): check its address and its status page",
            why.reason()
        );
        Failure::ProviderRefused { agent: agent.clone(), reason }
    }

    /// The event that stops the provider of an agent; `None` if it is stopped already.
    pub(super) fn stop_provider(&self, agent: &str, reason: &str) -> Option<Event> {
        let scheduler = &self.ledger.scheduler;
        if scheduler.is_stopped(agent) {
            return None;
        }
        let provider = scheduler.settings().provider(agent).to_owned();
        Some(Event::Run(RunEvent::ProviderStopped { provider, reason: reason.to_owned() }))
    }

    /// The event that pauses the provider of an agent; `None` if it is already paused for as long.
    fn rest(&self, agent: &str, told: Option<u64>, outage: Option<&ProviderOutage>) -> Option<Event> {
        let (provider, until) = self.ledger.scheduler.rest(agent, now(), told)?;
        let cause =
            outage.map_or_else(|| "rate limit".to_owned(), |why| format!("unavailable: {}", why.reason()));
        let reason = match told {
            Some(seconds) => format!("{cause}; it asks for {seconds} s"),
            None => cause,
        };
        Some(Event::Run(RunEvent::AgentPaused { agent: provider, until, reason }))
    }

    pub(super) fn give_up_review(&mut self, task: &TaskId) {
        if let Some(worker) = self.reviewers.remove(task) {
            worker.cancel.raise(CancelLevel::Now);
        }
    }

    fn review_over(
        &mut self,
        task: &TaskId,
        attempt: AttemptNo,
        round: u64,
        end: Result<Verdict, EarlyEnd>,
    ) -> Result<(), EngineError> {
        if self.reviewers.get(task).is_none_or(|w| w.round != round) {
            return Ok(());
        }
        self.reviewers.remove(task);
        let abandoned = TaskEvent::ReviewAbandoned { attempt }.of(task.clone());
        match end {
            Ok(verdict) => self.reviewed(task, attempt, verdict),
            Err(EarlyEnd::Failed {
                failure: Failure::RateLimited { retry_after_seconds, outage, .. },
                ..
            }) => {
                let agent = self.ledger.scheduler.settings().player(Role::Reviewer).unwrap_or_default();
                let rest = self.rest(agent, retry_after_seconds, outage.as_ref());
                self.record(rest.into_iter().chain([abandoned]).collect())
            }
            Err(EarlyEnd::Failed { failure: Failure::ProviderRefused { agent, reason }, .. }) => {
                let stop = self.stop_provider(&agent, &reason);
                self.record(stop.into_iter().chain([abandoned]).collect())
            }
            Err(EarlyEnd::Interrupted | EarlyEnd::Failed { .. }) => self.record(vec![abandoned]),
            Err(EarlyEnd::Broken(error)) => Err(error),
        }
    }

    /// The verdict and, after a rejection, the end of the attempt are one write: no reader sees one without the other.
    fn reviewed(&mut self, task: &TaskId, attempt: AttemptNo, verdict: Verdict) -> Result<(), EngineError> {
        let mut events = vec![TaskEvent::Reviewed { attempt, verdict: verdict.clone() }.of(task.clone())];
        if let Verdict::Rejected { issues } = verdict {
            // The change may be under verification again on a new tip: that verification ends too.
            if let Some(worker) = self.workers.remove(task) {
                worker.cancel.raise(CancelLevel::Now);
            }
            let end = AttemptEnd::Failed { failure: Failure::Rejected { issues } };
            events.push(TaskEvent::AttemptEnded { attempt, end, output: None }.of(task.clone()));
        }
        self.record(events)
    }

    fn interrupted(&mut self, task: &TaskId, attempt: AttemptNo) -> Result<(), EngineError> {
        self.give_up_review(task);
        let end = AttemptEnd::Interrupted;
        let mut events = vec![TaskEvent::AttemptEnded { attempt, end, output: None }.of(task.clone())];
        events.extend(self.stopped.remove(task).map(|then| then.of(task.clone())));
        self.record(events)
    }

    /// Files beyond a task's own are granted when no unfinished task owns them.
    fn grant(&mut self, task: &TaskId, files: Vec<String>) -> Result<GrantAnswer, EngineError> {
        let taken = self.out_of_reach(task, &files);
        if !taken.is_empty() {
            return Ok(Err(taken));
        }
        let granted = self.hand_over(task, files);
        self.record(vec![granted])?;
        Ok(Ok(()))
    }

    /// The event that gives files to a task.
    pub(super) fn hand_over(&mut self, task: &TaskId, files: Vec<String>) -> Event {
        for file in &files {
            self.owners.entry(file.clone()).or_default().push(task.clone());
        }
        TaskEvent::FilesGranted { files }.of(task.clone())
    }

    /// The files that no approval can give to a task, each with the reason.
    pub(super) fn out_of_reach(&self, task: &TaskId, files: &[String]) -> Vec<(String, String)> {
        let mut taken = Vec::new();
        for file in files {
            if let Err(reason) = askable(file, &self.ctx.config.hidden) {
                taken.push((file.clone(), reason.to_owned()));
            }
            // A task that waits for this one finds the file as it is left: `parser-tests` writes what `parser` is tested by.
            let after = |owner: &&TaskId| self.ledger.scheduler.is_after(owner, task);
            let owners = self.owners.get(file).into_iter().flatten().filter(|o| *o != task && !after(o));
            for owner in owners {
                let state = self.ledger.scheduler.task(owner).map(windlass_core::schedule::TaskRecord::state);
                if state.is_some_and(|s| s != TaskState::Completed && s != TaskState::Skipped) {
                    taken.push((file.clone(), format!("owned by {owner}")));
                }
            }
        }
        taken
    }
}

/// Whether a path can be asked for at all.
fn askable(path: &str, hidden: &[String]) -> Result<(), &'static str> {
    if !crate::attempt::is_inside(path) {
        return Err("not a path inside the repository");
    }
    if hidden.iter().any(|h| path.starts_with(h.as_str())) {
        return Err("the plan itself is out of reach");
    }
    Ok(())
}

#[cfg(test)]
mod tests;
