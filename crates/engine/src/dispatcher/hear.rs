//! What workers say becomes events. A worker that was told to give up is not heard any more.

use windlass_core::event::{AttemptEnd, Event};
use windlass_core::failure::Failure;
use windlass_core::ids::{AttemptNo, BlobName, TaskId};
use windlass_core::state::TaskState;

use super::ledger::now;
use super::looping::Dispatcher;
use crate::error::EngineError;
use crate::tell::{GrantAnswer, Message, VerifyEnd, WorkEnd};

/// How long an agent rests when it does not say how long.
const REST_SECONDS: u64 = 60;

impl Dispatcher<'_> {
    /// Turns one message into the events to write. Those that must be in force before the next message is looked at
    /// are written at once.
    pub(super) fn hear(&mut self, message: Message, batch: &mut Vec<Event>) -> Result<(), EngineError> {
        match message {
            Message::Event(event) => {
                if self.is_current(&event) {
                    batch.push(event);
                }
                Ok(())
            }
            Message::WorkOver { task, attempt, end } => {
                self.record(std::mem::take(batch))?;
                self.work_over(&task, attempt, end)
            }
            Message::VerifyBegun { task, attempt, round, merge, tree } => {
                if self.is_round(&task, round) {
                    batch.push(Event::VerifyStarted { task, attempt, merge, tree });
                }
                Ok(())
            }
            Message::VerifyOver { task, attempt, round, end } => {
                self.record(std::mem::take(batch))?;
                self.verify_over(&task, attempt, round, end)
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

    /// Whether an event comes from a worker that is still listened to.
    pub(super) fn is_current(&self, event: &Event) -> bool {
        let Some(task) = event.task() else { return true };
        let about_now = self.workers.contains_key(task)
            || matches!(event, Event::StepStarted { .. } | Event::StepEnded { .. } | Event::Finding { .. });
        about_now && self.ledger.scheduler.task(task).is_some()
    }

    fn work_over(
        &mut self,
        task: &TaskId,
        attempt: AttemptNo,
        end: Result<WorkEnd, EngineError>,
    ) -> Result<(), EngineError> {
        self.workers.remove(task);
        match end? {
            WorkEnd::Candidate { commit, added, removed } => {
                let task = task.clone();
                self.record(vec![Event::CandidateMade { task, attempt, commit, added, removed }])
            }
            WorkEnd::Failed { failure, output } => self.attempt_failed(task, attempt, failure, output),
            WorkEnd::Interrupted => self.interrupted(task, attempt),
        }
    }

    fn verify_over(
        &mut self,
        task: &TaskId,
        attempt: AttemptNo,
        round: u64,
        end: Result<VerifyEnd, EngineError>,
    ) -> Result<(), EngineError> {
        if !self.is_round(task, round) {
            self.abandoned -= 1;
            return Ok(());
        }
        self.workers.remove(task);
        match end? {
            VerifyEnd::Green { tree, proof } => {
                self.record(vec![Event::Verified { task: task.clone(), attempt, tree, proof }])
            }
            VerifyEnd::Failed { failure, output } => self.attempt_failed(task, attempt, failure, output),
            VerifyEnd::Interrupted if self.to_skip.contains(task) => self.interrupted(task, attempt),
            VerifyEnd::Interrupted => {
                self.record(vec![Event::VerifyAbandoned { task: task.clone(), attempt }])
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
        if let Failure::RateLimited { retry_after_seconds, .. } = &failure {
            events.extend(self.rest(task, *retry_after_seconds));
        }
        let task = task.clone();
        events.push(Event::AttemptEnded { task, attempt, end: AttemptEnd::Failed { failure }, output });
        self.record(events)
    }

    /// The agent of this task rests, as far as it is not resting already.
    fn rest(&self, task: &TaskId, seconds: Option<u64>) -> Option<Event> {
        let agent = self.ledger.view.task(task.as_str())?.agent.clone()?;
        let seconds = i64::try_from(seconds.unwrap_or(REST_SECONDS)).unwrap_or(i64::MAX / 2000);
        Some(Event::AgentPaused { agent, until: now() + seconds * 1000, reason: "rate limit".into() })
    }

    fn interrupted(&mut self, task: &TaskId, attempt: AttemptNo) -> Result<(), EngineError> {
        let end = AttemptEnd::Interrupted;
        let mut events = vec![Event::AttemptEnded { task: task.clone(), attempt, end, output: None }];
        if self.to_skip.remove(task) {
            events.push(Event::TaskSkipped { task: task.clone(), because: None });
        }
        self.record(events)
    }

    /// Files beyond a task's own are granted when no unfinished task owns them.
    fn grant(&mut self, task: &TaskId, files: Vec<String>) -> Result<GrantAnswer, EngineError> {
        let mut taken = Vec::new();
        for file in &files {
            if let Err(reason) = askable(file, &self.ctx.config.hidden) {
                taken.push((file.clone(), reason.to_owned()));
            }
            let owners = self.owners.get(file).into_iter().flatten().filter(|o| *o != task);
            for owner in owners {
                let state = self.ledger.scheduler.task(owner).map(windlass_core::schedule::Slate::state);
                if state.is_some_and(|s| s != TaskState::Completed && s != TaskState::Skipped) {
                    taken.push((file.clone(), format!("owned by {owner}")));
                }
            }
        }
        if !taken.is_empty() {
            return Ok(Err(taken));
        }
        for file in &files {
            self.owners.entry(file.clone()).or_default().push(task.clone());
        }
        self.record(vec![Event::FilesGranted { task: task.clone(), files }])?;
        Ok(Ok(()))
    }
}

/// Whether a path can be asked for at all.
fn askable(path: &str, hidden: &[String]) -> Result<(), &'static str> {
    let odd = path.is_empty()
        || path.starts_with('/')
        || path.split('/').any(|part| matches!(part, "" | "." | ".." | ".git"))
        || path.chars().any(char::is_control);
    if odd {
        return Err("not a path inside the repository");
    }
    if hidden.iter().any(|h| path.starts_with(h.as_str())) {
        return Err("the plan itself is out of reach");
    }
    if windlass_code::detect::runner_config(path) {
        return Err("it configures the runner or the build: only the plan can give it");
    }
    Ok(())
}
