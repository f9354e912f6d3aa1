//! The channel from workers to the dispatcher, which alone writes the journal.

use std::time::Instant;

use tokio::sync::{mpsc, oneshot};
use windlass_core::event::{Event, StepResult, TaskEvent};
use windlass_core::ids::{AttemptNo, BlobName, Oid, TaskId};
use windlass_core::plan::Action;
use windlass_core::team::Verdict;

use crate::early_end::EarlyEnd;
use crate::place::WorkStop;

/// The commit that an attempt leaves to be verified.
#[derive(Debug)]
pub(crate) struct CandidateCommit {
    pub(crate) commit: Oid,
    pub(crate) added: u64,
    pub(crate) removed: u64,
}

/// A tree on which every gate passed.
#[derive(Debug)]
pub(crate) struct VerifiedTree {
    pub(crate) tree: Oid,
    pub(crate) proof: BlobName,
}

/// The answer to a wish for files: granted, or each file with its owner.
pub(crate) type GrantAnswer = Result<(), Vec<(String, String)>>;

/// A message to the dispatcher.
#[derive(Debug)]
pub(crate) enum Message {
    /// Write this down.
    Event(Event),
    /// An attempt's work is over.
    WorkOver { task: TaskId, attempt: AttemptNo, end: Result<CandidateCommit, WorkStop> },
    /// A verification is over.
    VerifyOver { task: TaskId, attempt: AttemptNo, round: u64, end: Result<VerifiedTree, WorkStop> },
    /// A review is over.
    ReviewOver { task: TaskId, attempt: AttemptNo, round: u64, end: Result<Verdict, EarlyEnd> },
    /// A verification has its merge.
    VerifyBegun { task: TaskId, attempt: AttemptNo, round: u64, merge: Oid, tree: Oid },
    /// May the task have these files?
    Grant { task: TaskId, files: Vec<String>, reply: oneshot::Sender<GrantAnswer> },
}

/// The channel of one worker.
#[derive(Clone)]
pub(crate) struct WorkerChannel {
    to: mpsc::UnboundedSender<Message>,
    pub(crate) task: TaskId,
    pub(crate) attempt: AttemptNo,
    steps: std::sync::Arc<[Action]>,
}

/// A step that has begun.
pub(crate) struct OpenStep {
    step: u32,
    action: Action,
    since: Instant,
}

impl WorkerChannel {
    pub(crate) fn new(
        to: mpsc::UnboundedSender<Message>,
        task: TaskId,
        attempt: AttemptNo,
        steps: &[Action],
    ) -> Self {
        Self { to, task, attempt, steps: steps.into() }
    }

    /// Sends a message. A dispatcher that is gone has nothing left to hear.
    pub(crate) fn send(&self, message: Message) {
        let _ = self.to.send(message);
    }

    /// Says that something happened.
    pub(crate) fn event(&self, event: Event) {
        self.send(Message::Event(event));
    }

    /// Says that a step begins.
    pub(crate) fn step(&self, action: Action, which: StepChoice) -> OpenStep {
        let (open, event) = self.begin(action, which);
        self.event(event);
        open
    }

    /// Says that the step at a place begins.
    pub(crate) fn step_at(&self, at: usize, action: Action) -> OpenStep {
        let (open, event) = self.begin_at(at, action);
        self.event(event);
        open
    }

    /// Says how a step ended.
    pub(crate) fn step_over(&self, open: &OpenStep, result: StepResult, output: Option<BlobName>) {
        self.event(self.end(open, result, output));
    }

    /// The start of a step as an event that the caller records.
    pub(crate) fn begin(&self, action: Action, which: StepChoice) -> (OpenStep, Event) {
        let found = match which {
            StepChoice::First => self.steps.iter().position(|a| *a == action),
            StepChoice::Last => self.steps.iter().rposition(|a| *a == action),
        };
        self.begin_at(found.unwrap_or(self.steps.len()), action)
    }

    fn begin_at(&self, at: usize, action: Action) -> (OpenStep, Event) {
        let step = u32::try_from(at).unwrap_or(u32::MAX);
        let (task, attempt) = (self.task.clone(), self.attempt);
        let event = TaskEvent::StepStarted { attempt, step, action }.of(task);
        (OpenStep { step, action, since: Instant::now() }, event)
    }

    /// The end of a step as an event.
    pub(crate) fn end(&self, open: &OpenStep, result: StepResult, output: Option<BlobName>) -> Event {
        let millis = u64::try_from(open.since.elapsed().as_millis()).unwrap_or(u64::MAX);
        let (task, attempt) = (self.task.clone(), self.attempt);
        let (step, action) = (open.step, open.action);
        TaskEvent::StepEnded { attempt, step, action, result, millis, output }.of(task)
    }

    /// Says something that stops nothing.
    pub(crate) fn finding(&self, message: String) {
        let message = of_bearable_length(message);
        self.event(TaskEvent::Finding { message }.of(self.task.clone()));
    }

    /// Asks for files the task does not own.
    pub(crate) async fn ask_for(&self, files: Vec<String>) -> GrantAnswer {
        let (reply, answer) = oneshot::channel();
        self.send(Message::Grant { task: self.task.clone(), files: files.clone(), reply });
        answer.await.unwrap_or_else(|_| Err(files.into_iter().map(|f| (f, "unknown".into())).collect()))
    }
}

/// A message whose middle is left out where it is longer than a person reads: names of generated tests may hold whole documents.
fn of_bearable_length(message: String) -> String {
    const MOST: usize = 1_000;
    const KEPT: usize = 400;
    if message.len() <= MOST {
        return message;
    }
    let front = message.floor_char_boundary(KEPT);
    let back = message.ceil_char_boundary(message.len() - KEPT);
    format!("{} … {}", &message[..front], &message[back..])
}

/// Which of several steps with the same action.
#[derive(Debug, Clone, Copy)]
pub(crate) enum StepChoice {
    /// The first.
    First,
    /// The last.
    Last,
}

#[cfg(test)]
mod tests;
