//! The journal together with the folds of it. An event has happened once it is written here.
//!
//! The rest of the engine may open a ledger and read it; writing is visible to the dispatcher alone.

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use windlass_core::event::{Event, Millis, Stamped, TaskEvent};
use windlass_core::ids::TaskId;
use windlass_core::schedule::Scheduler;
use windlass_core::view::{View, encode, encode_glance};

use crate::chronicle::{from_record, to_record, to_time};
use crate::config::CrashPoint;
use crate::error::EngineError;
use crate::journal::{JournalReader, JournalWriter, Point};
use crate::process::ProcessId;

/// A listener to events, called after they are journaled.
pub trait Sink: Send {
    /// Takes one event and the view after it.
    fn on_event(&mut self, event: &Stamped, view: &View);
}

/// A listener that ignores everything.
pub struct NoSink;

impl Sink for NoSink {
    fn on_event(&mut self, _: &Stamped, _: &View) {}
}

/// How many events lie between two stored folds.
const FOLD_EVERY: u64 = 2_000;
/// Plans of at least this many tasks store a glance between two folds.
const LONG: usize = 200;
/// How old a stored glance may get.
const GLANCE_AGE: Duration = Duration::from_millis(500);
/// Of so many parts of the time at most one goes to glances, however long the plan is.
const GLANCE_SHARE: u32 = 100;
/// How many events are read at once.
const PAGE: usize = 5_000;

/// The journal and its folds.
pub(crate) struct Ledger {
    writer: JournalWriter,
    pub(crate) scheduler: Scheduler,
    pub(crate) view: View,
    processes: Vec<(TaskId, ProcessId)>,
    folded_at: u64,
    /// The last event of the stored glance, when it was stored, and how long that took.
    looked: (u64, Option<Instant>, Duration),
    crash: Option<CrashPoint>,
}

impl Ledger {
    /// Opens the journal, makes it if there is none, and folds what it holds.
    pub(crate) fn open(path: &Path, crash: Option<CrashPoint>) -> Result<Self, EngineError> {
        let writer = JournalWriter::open(path)?;
        let mut ledger = Self {
            writer,
            scheduler: Scheduler::default(),
            view: View::default(),
            processes: Vec::new(),
            folded_at: 0,
            looked: (0, None, Duration::ZERO),
            crash,
        };
        ledger.fold(path)?;
        Ok(ledger)
    }

    fn fold(&mut self, path: &Path) -> Result<(), EngineError> {
        let Some(reader) = JournalReader::open(path)? else { return Ok(()) };
        reader.verify_chain()?;
        let mut seq = 0;
        loop {
            let page = reader.read_after(seq, PAGE)?;
            let Some(last) = page.last() else { return Ok(()) };
            seq = last.seq;
            for record in &page {
                let stamped = from_record(record)
                    .map_err(|e| EngineError::Unreadable { seq: record.seq, message: e.to_string() })?;
                self.take(&stamped).map_err(|source| unfoldable(path.to_owned(), source))?;
            }
            self.folded_at = seq;
        }
    }

    fn take(&mut self, stamped: &Stamped) -> Result<(), windlass_core::schedule::ApplyError> {
        self.scheduler.apply(stamped)?;
        self.follow_processes(&stamped.event);
        // The scheduler is the stricter fold: what it accepts, the view can show.
        let _ = self.view.apply(stamped);
        Ok(())
    }

    /// The end of the journal's chain.
    pub(super) fn point(&self) -> Result<Option<Point>, EngineError> {
        Ok(self.writer.point()?)
    }

    /// Processes of attempts that have not ended: after a crash they are killed.
    pub(crate) fn open_processes(&self) -> Vec<ProcessId> {
        self.processes.iter().map(|(_, id)| *id).collect()
    }

    fn follow_processes(&mut self, event: &Event) {
        let Event::Task { task, event } = event else { return };
        if let TaskEvent::ProcessStarted { pid, started, .. } = event {
            self.processes.push((task.clone(), ProcessId { pid: *pid, started: *started }));
        }
        let is_over = matches!(
            event,
            TaskEvent::AttemptEnded { .. } | TaskEvent::Merged { .. } | TaskEvent::Verified { .. }
        );
        if is_over {
            self.processes.retain(|(owner, _)| owner != task);
        }
    }

    /// Journals events. They have happened once this returns, and only then may the dispatcher act on them.
    pub(super) fn record(&mut self, events: Vec<Event>, sink: &mut dyn Sink) -> Result<(), EngineError> {
        if events.is_empty() {
            return Ok(());
        }
        let at = now();
        let first = self.writer.last_seq() + 1;
        let mut items = Vec::with_capacity(events.len());
        let mut stamped = Vec::with_capacity(events.len());
        for (n, event) in (0_u64..).zip(events) {
            let record = to_record(&event)
                .map_err(|e| EngineError::Unreadable { seq: first + n, message: e.to_string() })?;
            items.push(record);
            let event = Stamped { seq: first + n, at, event };
            // An event that cannot have happened is refused before it is written.
            self.take(&event).map_err(|source| unfoldable(PathBuf::from("(new event)"), source))?;
            stamped.push(event);
        }
        self.crash_before(&items);
        let last = self.writer.append(&to_time(at), &items)?;
        self.crash_after();
        for event in &stamped {
            sink.on_event(event, &self.view);
        }
        if last - self.folded_at >= FOLD_EVERY {
            self.store_fold()?;
        }
        self.keep_glance()
    }

    /// Stores a glance at a long run, so that `status` need not fold the events since the stored view. Cheap to call.
    pub(super) fn keep_glance(&mut self) -> Result<(), EngineError> {
        let seq = self.writer.last_seq();
        let (kept, when, took) = self.looked;
        let young = when.is_some_and(|at| at.elapsed() < GLANCE_AGE.max(took * GLANCE_SHARE));
        if self.view.tasks.len() < LONG || kept == seq || young {
            return Ok(());
        }
        let began = Instant::now();
        if let Ok(payload) = encode_glance(&self.view) {
            self.writer.store_glance(&payload)?;
            self.looked = (seq, Some(Instant::now()), began.elapsed());
        }
        Ok(())
    }

    /// Stores the view beside the journal, so that readers need not fold every event.
    pub(super) fn store_fold(&mut self) -> Result<(), EngineError> {
        let seq = self.writer.last_seq();
        if let Ok(payload) = encode(&self.view) {
            self.writer.store_fold(seq, &payload)?;
            self.folded_at = seq;
        }
        Ok(())
    }

    fn crash_before(&mut self, items: &[(String, String)]) {
        if let Some(CrashPoint::BeforeEvent { kind, nth }) = &mut self.crash {
            let here = items.iter().filter(|(k, _)| k == kind).count();
            *nth = nth.saturating_sub(u64::try_from(here).unwrap_or(u64::MAX));
            if here > 0 && *nth == 0 {
                std::process::abort();
            }
        }
    }

    fn crash_after(&mut self) {
        if let Some(CrashPoint::AfterWrites(left)) = &mut self.crash {
            *left = left.saturating_sub(1);
            if *left == 0 {
                std::process::abort();
            }
        }
    }
}

fn unfoldable(path: PathBuf, source: windlass_core::schedule::ApplyError) -> EngineError {
    EngineError::Unfoldable { path, source }
}

/// The current time.
pub(crate) fn now() -> Millis {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    Millis::try_from(since.as_millis()).unwrap_or(Millis::MAX)
}
