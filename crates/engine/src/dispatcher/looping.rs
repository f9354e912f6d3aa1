//! The dispatcher's loop: decide, act, wait, process messages.

use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;
use std::time::Duration;

use tokio::sync::mpsc;
use windlass_core::event::{Event, RunEnd, RunEvent, TaskEvent};
use windlass_core::ids::{Oid, TaskId};
use windlass_core::schedule::Command;

use super::ledger::{Ledger, Sink, now};
use super::packing::Packing;
use crate::context::Context;
use crate::error::EngineError;
use crate::place::{Place, RemotePlace};
use crate::process::{CancelLevel, CancellationSignal};
use crate::requests::Requests;
use crate::worker_channel::Message;

/// How often wishes are looked for, and whether the branch is checked out.
const TICK: Duration = Duration::from_millis(200);

/// A worker that has not reported its end.
pub(super) struct Worker {
    pub(super) round: u64,
    pub(super) cancel: CancellationSignal,
}

/// The loop and what it holds.
pub(crate) struct Dispatcher<'a> {
    pub(super) ctx: Arc<Context>,
    pub(super) place: Arc<dyn Place>,
    /// Machines besides this one, by name.
    pub(super) remote_places: BTreeMap<String, Arc<dyn RemotePlace>>,
    pub(super) ledger: Ledger,
    pub(super) sink: &'a mut dyn Sink,
    pub(super) requests: Requests,
    pub(super) stop: CancellationSignal,
    pub(super) to: mpsc::UnboundedSender<Message>,
    pub(super) from: mpsc::UnboundedReceiver<Message>,
    pub(super) workers: HashMap<TaskId, Worker>,
    /// Reviews run beside verifications of the same task.
    pub(super) reviewers: HashMap<TaskId, Worker>,
    /// The number of workers that have not reported their end, cancelled ones included.
    pub(super) open_workers: usize,
    pub(super) rounds: u64,
    /// Tasks whose attempt a person stops, each with the event that follows its end.
    pub(super) stopped: HashMap<TaskId, TaskEvent>,
    pub(super) owners: HashMap<String, Vec<TaskId>>,
    pub(super) version: String,
    pub(super) packing: Packing,
    pub(super) ended: Option<RunEnd>,
}

impl<'a> Dispatcher<'a> {
    pub(crate) fn new(
        ctx: Arc<Context>,
        place: Arc<dyn Place>,
        ledger: Ledger,
        requests: Requests,
        stop: CancellationSignal,
        version: String,
        sink: &'a mut dyn Sink,
    ) -> Self {
        let (to, from) = mpsc::unbounded_channel();
        Self {
            ctx,
            place,
            remote_places: BTreeMap::new(),
            ledger,
            sink,
            requests,
            stop,
            to,
            from,
            workers: HashMap::new(),
            reviewers: HashMap::new(),
            open_workers: 0,
            rounds: 0,
            stopped: HashMap::new(),
            owners: HashMap::new(),
            version,
            packing: Packing::default(),
            ended: None,
        }
    }

    /// Uses other machines too.
    pub(crate) fn with_places(mut self, remote_places: BTreeMap<String, Arc<dyn RemotePlace>>) -> Self {
        self.remote_places = remote_places;
        self
    }

    /// Has the plan judged, then runs until nothing is left to do. No worker outlives this call.
    pub(crate) async fn run(mut self) -> Result<RunEnd, EngineError> {
        if let Some(end) = self.review_plan().await? {
            return self.finish(end);
        }
        let driven = self.drive().await;
        let paid = self.end_workers().await;
        match driven {
            Ok(end) => {
                self.record(paid)?;
                self.take_remaining_messages()?;
                let end = self.closing_run(end).await?;
                self.finish(end)
            }
            Err(error) => {
                let end = RunEnd::Broken { message: error.to_string() };
                // If writing the journal is what failed, this fails too.
                let _ = self.record(vec![Event::Run(RunEvent::RunEnded { end })]);
                Err(error)
            }
        }
    }

    async fn drive(&mut self) -> Result<RunEnd, EngineError> {
        let mut tick = tokio::time::interval(TICK);
        let mut stopping = CancelLevel::Run;
        // Requests left while no run was active come first: without them there may be nothing to do.
        self.take_wishes()?;
        loop {
            self.settle()?;
            if let Some(end) = self.ended.take() {
                return Ok(end);
            }
            let rest = self.time_to_wake();
            tokio::select! {
                Some(message) = self.from.recv() => self.take_messages(message)?,
                _ = tick.tick() => self.on_tick()?,
                () = tokio::time::sleep(rest.unwrap_or_default()), if rest.is_some() => {}
                () = self.stop.raised_above(stopping) => {
                    stopping = self.stop.level();
                    self.on_stop(stopping)?;
                }
            }
        }
    }

    /// How long the scheduler has nothing to ask for although it waits for a time: a provider or a place rests.
    fn time_to_wake(&self) -> Option<Duration> {
        let now = now();
        let until = self.ledger.scheduler.wake_at(now)?;
        Some(Duration::from_millis(until.saturating_sub(now).try_into().unwrap_or_default()))
    }

    /// Carries out what the scheduler asks for, until it asks for nothing.
    fn settle(&mut self) -> Result<(), EngineError> {
        if let Some(reason) = self.ctx.budget.newly_closed() {
            self.record(vec![Event::Run(RunEvent::BudgetSpent { reason })])?;
        }
        loop {
            let commands = self.ledger.scheduler.decide(now());
            if commands.is_empty() {
                return Ok(());
            }
            for command in commands {
                let moves_the_tip = matches!(command, Command::Merge { .. });
                self.act(command)?;
                if self.ended.is_some() {
                    return Ok(());
                }
                if moves_the_tip {
                    // The other commands were decided on the old base.
                    break;
                }
            }
        }
    }

    /// Takes every message that has arrived and journals them in as few writes as possible.
    fn take_messages(&mut self, first: Message) -> Result<(), EngineError> {
        let mut batch = Vec::new();
        let mut next = Some(first);
        while let Some(message) = next {
            self.take_message(message, &mut batch)?;
            next = self.from.try_recv().ok();
        }
        self.record(batch)
    }

    fn on_tick(&mut self) -> Result<(), EngineError> {
        self.take_wishes()?;
        self.ledger.keep_glance()?;
        let is_paused = self.ledger.scheduler.merging_paused().is_some();
        if is_paused && self.checkouts()?.is_none() && self.branch_has_tip()? {
            self.record(vec![Event::Run(RunEvent::MergingResumed)])?;
        }
        Ok(())
    }

    /// Journals a request to stop. Workers stop by themselves: their signals are children of this one.
    fn on_stop(&mut self, level: CancelLevel) -> Result<(), EngineError> {
        match level {
            CancelLevel::Run => Ok(()),
            CancelLevel::Stop | CancelLevel::Now => {
                self.record(vec![Event::Run(RunEvent::StopRequested { cancel: false })])
            }
        }
    }

    /// Ends every worker and waits for it. Returns the turns that ended meanwhile: they were paid for.
    async fn end_workers(&mut self) -> Vec<Event> {
        let mut paid = Vec::new();
        for worker in self.workers.values().chain(self.reviewers.values()) {
            worker.cancel.raise(CancelLevel::Now);
        }
        // Counted by messages, not by journaled ends: journaling an end may be what failed.
        while self.open_workers > 0 {
            match self.from.recv().await {
                Some(Message::WorkOver { .. } | Message::VerifyOver { .. } | Message::ReviewOver { .. }) => {
                    self.open_workers -= 1;
                }
                Some(Message::Event(event)) if self.is_paid(&event) => paid.push(event),
                Some(Message::Event(_) | Message::VerifyBegun { .. } | Message::Grant { .. }) => {}
                None => break,
            }
        }
        paid
    }

    /// Journals the messages that were still in the channel.
    fn take_remaining_messages(&mut self) -> Result<(), EngineError> {
        let mut rest = Vec::new();
        while let Ok(message) = self.from.try_recv() {
            if let Message::Event(event) = message
                && self.is_current(&event)
            {
                rest.push(event);
            }
        }
        self.record(rest)
    }

    pub(super) fn record(&mut self, events: Vec<Event>) -> Result<(), EngineError> {
        self.ledger.record(events, self.sink)
    }

    /// Where the branch is checked out, if it is anywhere.
    pub(super) fn checkouts(&self) -> Result<Option<String>, EngineError> {
        let places = self.ctx.repo.checkouts_of(&format!("refs/heads/{}", self.ctx.branch))?;
        Ok(places.first().map(|p| p.display().to_string()))
    }

    /// Whether the branch still contains everything that was merged into it.
    fn branch_has_tip(&self) -> Result<bool, EngineError> {
        match self.ctx.repo.resolve(&format!("refs/heads/{}", self.ctx.branch))? {
            Some(now) => Ok(self.ctx.repo.is_ancestor(&self.tip(), &now)?),
            None => Ok(false),
        }
    }

    pub(super) fn tip(&self) -> Oid {
        self.ledger.scheduler.tip().cloned().unwrap_or_else(|| unreachable!("a started run has a tip"))
    }
}
