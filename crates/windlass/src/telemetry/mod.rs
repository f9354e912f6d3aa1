//! `[telemetry]`: traces and metrics of a run for an OpenTelemetry collector, by OTLP over HTTP.
//!
//! Spans and figures are folded from the run's events and sent by a thread of their own, through a queue with a bound. A run
//! never waits for the collector, except for a moment at its end, and no answer of the collector changes a run.

mod metrics;
mod otlp;
mod send;
mod spans;

use std::path::Path;
use std::sync::mpsc::{SyncSender, sync_channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use windlass_core::event::Stamped;
use windlass_core::view::View;
use windlass_engine::Sink;
use windlass_engine::chronicle::Chronicle;

use crate::cli::CliError;
use crate::input::Configuration;
use crate::render::counted;
use crate::world::World;

use metrics::RunMetrics;
use send::{Collector, Undelivered};
use spans::{ClosedSpan, SpanFold};

/// How many spans wait for the sending thread; what comes on top is dropped and counted.
const QUEUE: usize = 4096;
/// How long the end of a run waits for what is still to be sent.
const PATIENCE: Duration = Duration::from_secs(3);

/// Follows a run for a collector. Does nothing where no endpoint is configured.
pub(crate) struct Telemetry {
    world: World,
    sending: Option<Sending>,
}

/// The fold, and the way to the thread that sends.
struct Sending {
    fold: SpanFold,
    metrics: Arc<Mutex<RunMetrics>>,
    to: Option<SyncSender<ClosedSpan>>,
    dropped: u64,
    thread: JoinHandle<Undelivered>,
}

impl Telemetry {
    /// What the configuration asks for. What a repository sets counts only if it is trusted.
    ///
    /// The journal is folded first: spans that a run without an end has left open are closed by the next one, and what was
    /// closed before is not sent again.
    pub(crate) fn new(
        world: &World,
        configuration: &Configuration,
        plan: &str,
        journal: &Path,
    ) -> Result<Self, CliError> {
        let config = configuration.trusted(world)?;
        let mut telemetry = Self { world: world.clone(), sending: None };
        let Some(collector) = Collector::of(world, &config.telemetry) else { return Ok(telemetry) };
        let mut fold = SpanFold::new(plan);
        let past = Chronicle::open(journal)
            .and_then(|found| found.map_or(Ok(()), |journal| journal.each(|event| drop(fold.apply(event)))));
        if let Err(error) = past {
            world.tell(&format!("note: no telemetry: {error}\n"));
            return Ok(telemetry);
        }
        let metrics = Arc::new(Mutex::new(RunMetrics::default()));
        let (to, from) = sync_channel(QUEUE);
        let shared = Arc::clone(&metrics);
        let work = move || collector.work(&from, &shared);
        if let Ok(thread) = std::thread::Builder::new().name("telemetry".into()).spawn(work) {
            telemetry.sending = Some(Sending { fold, metrics, to: Some(to), dropped: 0, thread });
        }
        Ok(telemetry)
    }
}

impl Sink for Telemetry {
    fn on_event(&mut self, stamped: &Stamped, _: &View) {
        let Some(sending) = &mut self.sending else { return };
        let provider = |agent: &str| sending.fold.provider(agent);
        sending.metrics.lock().unwrap_or_else(PoisonError::into_inner).apply(stamped, provider);
        for span in sending.fold.apply(stamped) {
            // A full queue means a collector that is too slow; the run does not wait for it.
            let sent = sending.to.as_ref().is_some_and(|to| to.try_send(span).is_ok());
            sending.dropped += u64::from(!sent);
        }
    }
}

impl Drop for Telemetry {
    fn drop(&mut self) {
        let Some(Sending { to, thread, dropped, .. }) = self.sending.take() else { return };
        drop(to);
        let begun = Instant::now();
        while !thread.is_finished() && begun.elapsed() < PATIENCE {
            std::thread::sleep(Duration::from_millis(10));
        }
        if !thread.is_finished() {
            self.world.tell("note: telemetry was still being sent when the run ended\n");
            return;
        }
        let undelivered = thread.join().unwrap_or_default();
        let lost = usize::try_from(undelivered.spans + dropped).unwrap_or(usize::MAX);
        let why = undelivered.why.unwrap_or_else(|| "the collector is too slow".into());
        if lost > 0 {
            self.world.tell(&format!("note: {} did not reach the collector: {why}\n", counted(lost, "span")));
        } else if undelivered.metrics {
            self.world.tell(&format!("note: metrics did not reach the collector: {why}\n"));
        }
    }
}

#[cfg(test)]
mod tests;
