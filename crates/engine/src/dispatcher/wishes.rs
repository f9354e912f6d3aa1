//! Requests of people: front ends leave them in a database, the dispatcher turns each into events.

use std::collections::BTreeSet;

use windlass_core::event::{AttemptEnd, BlockReason, Event, PersonAnswer, RunEvent, TaskEvent};
use windlass_core::ids::TaskId;
use windlass_core::state::TaskState;
use windlass_core::view::Why;
use windlass_core::wish::Wish;

use super::looping::Dispatcher;
use crate::error::EngineError;
use crate::process::CancelLevel;
use crate::requests::Requests;

/// A wish and its number in the database; or why it cannot be read.
type PendingWish = (i64, Result<Wish, serde_json::Error>);

impl Dispatcher<'_> {
    /// Processes every pending wish in order. A wish is marked done after its events are written.
    pub(super) fn take_wishes(&mut self) -> Result<(), EngineError> {
        let pending = self.requests.pending()?;
        let read = pending.into_iter().map(|(id, text)| (id, Wish::from_json(&text))).collect();
        for (id, wish) in self.answers_before_retries(read) {
            let events = match wish {
                Ok(wish) => self.follow(wish),
                Err(e) => {
                    vec![Event::Run(RunEvent::Finding { message: format!("a request cannot be read: {e}") })]
                }
            };
            self.record(events)?;
            self.requests.mark_done(id)?;
        }
        Ok(())
    }

    /// An answer after a retry that was not followed yet: the task begins again, with the answer. The answer goes first, because
    /// a task that was reset asks nothing.
    fn answers_before_retries(&self, wishes: Vec<PendingWish>) -> Vec<PendingWish> {
        let mut earlier: Vec<Wish> = Vec::new();
        let (mut first, mut then) = (Vec::new(), Vec::new());
        for (id, mut wish) in wishes {
            if let Ok(Wish::Answer { task, afresh, .. }) = &mut wish
                && let Some(state) = self.state(task)
                && earlier.iter().any(|retry| retry.begins_again(task, state))
            {
                *afresh = true;
                first.push((id, wish));
                continue;
            }
            earlier.extend(wish.as_ref().ok().cloned());
            then.push((id, wish));
        }
        first.append(&mut then);
        first
    }

    fn follow(&mut self, wish: Wish) -> Vec<Event> {
        match wish {
            Wish::Pause {} if self.ledger.scheduler.is_paused() => Vec::new(),
            Wish::Pause {} => vec![Event::Run(RunEvent::Paused)],
            Wish::Resume {} if self.ledger.scheduler.is_paused() => vec![Event::Run(RunEvent::Resumed)],
            Wish::Resume {} => Vec::new(),
            Wish::Cancel { task: None } => {
                for worker in self.workers.values().chain(self.reviewers.values()) {
                    worker.cancel.raise(CancelLevel::Stop);
                }
                vec![Event::Run(RunEvent::StopRequested { cancel: true })]
            }
            Wish::Cancel { task: Some(task) } => self.cancel(task),
            Wish::Skip { task } => self.skip(task),
            Wish::Retry { task } => self.retry(task),
            Wish::Reopen { task, because } => self.reopen(task, because),
            Wish::RetryBlocked {} => self.retry_blocked(),
            Wish::RetryFailed {} => self.retry_failed(),
            Wish::Answer { task, text, afresh } => self.answer(&task, text, afresh),
            Wish::Approve { task, files } if files.is_empty() => self.approve(task),
            Wish::Approve { task, files } => self.approve_files(task, files),
        }
    }

    fn state(&self, task: &TaskId) -> Option<TaskState> {
        self.ledger.scheduler.task(task).map(windlass_core::schedule::TaskRecord::state)
    }

    fn is_cancelled(&self, task: &TaskId) -> bool {
        self.ledger.scheduler.task(task).is_some_and(windlass_core::schedule::TaskRecord::is_cancelled)
    }

    fn skip(&mut self, task: TaskId) -> Vec<Event> {
        match self.state(&task) {
            None => unknown(&task),
            Some(TaskState::Completed | TaskState::Skipped) => cannot(task, "the task has already ended"),
            Some(TaskState::Pending | TaskState::TestFailed | TaskState::Failed | TaskState::Blocked) => {
                vec![TaskEvent::TaskSkipped { because: None }.of(task)]
            }
            Some(TaskState::InProgress | TaskState::Testing) => {
                self.stop_attempt(task, TaskEvent::TaskSkipped { because: None })
            }
        }
    }

    /// Stops the attempt of a task. The task stays what it was, and is not started again in this run.
    fn cancel(&mut self, task: TaskId) -> Vec<Event> {
        match self.state(&task) {
            None => unknown(&task),
            Some(TaskState::Completed | TaskState::Skipped | TaskState::Failed | TaskState::Blocked) => {
                cannot(task, "the task has already ended")
            }
            Some(TaskState::Pending | TaskState::TestFailed) => vec![TaskEvent::TaskCancelled.of(task)],
            Some(TaskState::InProgress | TaskState::Testing) => {
                self.stop_attempt(task, TaskEvent::TaskCancelled)
            }
        }
    }

    /// Ends what works on a task. `then` follows the end of its attempt.
    fn stop_attempt(&mut self, task: TaskId, then: TaskEvent) -> Vec<Event> {
        if let Some(worker) = self.workers.get(&task) {
            worker.cancel.raise(CancelLevel::Stop);
            self.stopped.insert(task, then);
            return Vec::new();
        }
        if !self.reviewers.contains_key(&task) {
            return cannot(task, "it is verified and about to be merged");
        }
        self.give_up_review(&task);
        let attempt = self.ledger.scheduler.task(&task).map(windlass_core::schedule::TaskRecord::attempt);
        let ended = attempt.map(|attempt| {
            TaskEvent::AttemptEnded { attempt, end: AttemptEnd::Interrupted, output: None }.of(task.clone())
        });
        ended.into_iter().chain([then.of(task)]).collect()
    }

    fn retry(&mut self, task: TaskId) -> Vec<Event> {
        match self.state(&task) {
            None => unknown(&task),
            Some(TaskState::Completed) => match self.why_not_again(&task) {
                Some(why) => cannot(task, &why),
                None => vec![TaskEvent::TaskReset.of(task)],
            },
            Some(TaskState::Failed | TaskState::Blocked | TaskState::Skipped) => {
                let back = self.ledger.scheduler.brought_back_by(&task);
                back.into_iter().map(|task| TaskEvent::TaskReset.of(task)).collect()
            }
            Some(TaskState::Pending | TaskState::TestFailed) if self.is_cancelled(&task) => {
                vec![TaskEvent::TaskReset.of(task)]
            }
            // It will be attempted anyway; a retry of a dependency may just have reset it.
            Some(TaskState::Pending) => Vec::new(),
            Some(TaskState::InProgress | TaskState::Testing | TaskState::TestFailed) => {
                cannot(task, "the task has not ended")
            }
        }
    }

    /// Carries a completed task out again on top of the branch. What was merged stays.
    fn reopen(&mut self, task: TaskId, because: String) -> Vec<Event> {
        match self.state(&task) {
            None => unknown(&task),
            Some(TaskState::Completed) => match self.file_taken(&task) {
                Some(why) => cannot(task, &why),
                None => {
                    vec![TaskEvent::TaskReset.of(task.clone()), TaskEvent::TaskReopened { because }.of(task)]
                }
            },
            Some(
                TaskState::Pending
                | TaskState::InProgress
                | TaskState::Testing
                | TaskState::TestFailed
                | TaskState::Failed
                | TaskState::Blocked
                | TaskState::Skipped,
            ) => cannot(task, "only a completed task is reopened"),
        }
    }

    /// Goes on with stopped providers, and resets every blocked task that does not wait for approval.
    fn retry_blocked(&mut self) -> Vec<Event> {
        let scheduler = &self.ledger.scheduler;
        let providers = scheduler
            .stopped()
            .map(|provider| Event::Run(RunEvent::ProviderResumed { provider: provider.to_owned() }));
        let blocked = scheduler.tasks().iter();
        let blocked = blocked.filter(|t| t.state() == TaskState::Blocked && !t.can_be_approved());
        let back: BTreeSet<TaskId> =
            blocked.flat_map(|t| scheduler.brought_back_by(&t.sealed().id)).collect();
        providers.chain(back.into_iter().map(|task| TaskEvent::TaskReset.of(task))).collect()
    }

    /// Resets every failed task, and what was skipped because of it.
    fn retry_failed(&mut self) -> Vec<Event> {
        let scheduler = &self.ledger.scheduler;
        let failed = scheduler.tasks().iter().filter(|t| t.state() == TaskState::Failed);
        let back: BTreeSet<TaskId> = failed.flat_map(|t| scheduler.brought_back_by(&t.sealed().id)).collect();
        back.into_iter().map(|task| TaskEvent::TaskReset.of(task)).collect()
    }

    /// Lets a task go on with an answer. What was skipped because of it comes back.
    fn answer(&mut self, task: &TaskId, answer: String, afresh: bool) -> Vec<Event> {
        let Some(record) = self.ledger.scheduler.task(task) else { return unknown(task) };
        match record.state() {
            TaskState::Blocked if record.can_be_approved() => {
                return cannot(task.clone(), "it is verified and waits for `approve`, not for an answer");
            }
            TaskState::Blocked | TaskState::Failed => {}
            TaskState::Pending
            | TaskState::InProgress
            | TaskState::Testing
            | TaskState::TestFailed
            | TaskState::Completed
            | TaskState::Skipped => return cannot(task.clone(), "it asks nothing"),
        }
        let failure = || record.history().last().map(|(_, failure)| failure.summary());
        let question = match record.blocked() {
            Some(BlockReason::AgentBlocked { reason }) => reason.clone(),
            Some(block) => Why::Blocked(block.clone()).to_string(),
            None => failure().unwrap_or_default(),
        };
        let back = self.ledger.scheduler.brought_back_by(task);
        let reset = back.into_iter().filter(|other| afresh || other != task);
        let mut events: Vec<Event> = reset.map(|task| TaskEvent::TaskReset.of(task)).collect();
        events.push(TaskEvent::Answered(PersonAnswer { question, answer }).of(task.clone()));
        events
    }

    /// Why a completed task is not carried out again; `None` if it may be.
    fn why_not_again(&self, task: &TaskId) -> Option<String> {
        let scheduler = &self.ledger.scheduler;
        let record = scheduler.task(task)?;
        let commit = record.merges().last()?;
        let there = self.ctx.repo.is_ancestor(commit, &self.tip()).unwrap_or(true);
        if there && !record.is_stale() {
            return Some("it is completed, and its text has not changed since".into());
        }
        self.file_taken(task)
    }

    /// The task that was given a file of this one and is not done with it.
    fn file_taken(&self, task: &TaskId) -> Option<String> {
        let owned = &self.ctx.info(task).owned;
        let shared = |other: &&windlass_core::schedule::TaskRecord| {
            !other.state().is_end() && other.work().granted.iter().any(|file| owned.contains(file))
        };
        let other = self.ledger.scheduler.tasks().iter().find(shared)?;
        Some(format!("`{}` was given one of its files and is not done with it", other.sealed().id))
    }

    fn approve(&mut self, task: TaskId) -> Vec<Event> {
        let Some(record) = self.ledger.scheduler.task(&task) else { return unknown(&task) };
        if record.can_be_approved() {
            vec![TaskEvent::Approved.of(task)]
        } else {
            cannot(task, "it does not wait for approval")
        }
    }

    /// Gives a task files beyond its own, and starts it again with them.
    fn approve_files(&mut self, task: TaskId, files: Vec<String>) -> Vec<Event> {
        match self.state(&task) {
            None => return unknown(&task),
            Some(TaskState::Failed | TaskState::Blocked) => {}
            Some(
                TaskState::Pending
                | TaskState::InProgress
                | TaskState::Testing
                | TaskState::TestFailed
                | TaskState::Completed
                | TaskState::Skipped,
            ) => return cannot(task, "files are given to a task that is blocked or failed"),
        }
        let taken = self.out_of_reach(&task, &files);
        if !taken.is_empty() {
            let taken: Vec<String> = taken.iter().map(|(file, why)| format!("`{file}`: {why}")).collect();
            return cannot(task, &taken.join("; "));
        }
        let back = self.ledger.scheduler.brought_back_by(&task);
        let mut events: Vec<Event> = back.into_iter().map(|task| TaskEvent::TaskReset.of(task)).collect();
        events.push(self.hand_over(&task, files));
        events
    }
}

fn unknown(task: &TaskId) -> Vec<Event> {
    vec![Event::Run(RunEvent::Finding {
        message: format!("a request names task `{task}`, which the plan does not have"),
    })]
}

fn cannot(task: TaskId, why: &str) -> Vec<Event> {
    vec![TaskEvent::Finding { message: format!("request ignored: {why}") }.of(task)]
}

/// Drops requests to pause, resume or cancel a run that is over. Other requests about tasks stay, in order.
pub(super) fn drop_stale(requests: &Requests) -> Result<(), EngineError> {
    for (id, text) in requests.pending()? {
        match Wish::from_json(&text) {
            Ok(Wish::Pause {} | Wish::Resume {} | Wish::Cancel { .. }) => requests.mark_done(id)?,
            Ok(
                Wish::Retry { .. }
                | Wish::Reopen { .. }
                | Wish::RetryBlocked {}
                | Wish::RetryFailed {}
                | Wish::Answer { .. }
                | Wish::Skip { .. }
                | Wish::Approve { .. },
            )
            | Err(_) => {}
        }
    }
    Ok(())
}
