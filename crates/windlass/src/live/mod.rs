//! The live view of a run on a terminal: what waits for a person, a row per task at work, one line of totals. Lines that
//! matter later scroll by above it.
//!
//! It is calm: a row keeps its place while its task works, at most eight are shown, and time passes once a second.

mod footer;
mod frame;
mod rows;

use std::io::Write as _;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use windlass_core::event::{AttemptEnd, Event, Stamped, TaskEvent};
use windlass_core::failure::Failure;
use windlass_core::view::{Activities, View};
use windlass_engine::Sink;

use crate::running::ProgressWords;
use crate::world::World;
use footer::Totals;
#[cfg(feature = "tui")]
pub(crate) use footer::spent;
use frame::Frame;
use rows::RowSlots;

/// Between two drawings of what happened.
const QUICK: Duration = Duration::from_millis(100);
/// Between two looks at whether to draw.
const TICK: Duration = Duration::from_millis(250);

/// The live view of a run. It draws on standard output until it is dropped.
pub(crate) struct LiveView {
    shared: Arc<Mutex<SharedFrame>>,
    ticker: Option<JoinHandle<()>>,
}

/// What the run and the clock both draw.
struct SharedFrame {
    world: World,
    words: ProgressWords,
    activities: Activities,
    slots: RowSlots,
    totals: Option<Totals>,
    frame: Frame,
    scroll: String,
    drawn: Instant,
    dirty: bool,
    over: bool,
}

/// A way to say something between the lines of a live view.
#[derive(Clone)]
pub(crate) struct LiveNotes(Arc<Mutex<SharedFrame>>);

impl LiveNotes {
    /// Says it in a line of its own.
    pub(crate) fn say(&self, text: &str) {
        let mut shared = locked(&self.0);
        shared.scroll.push_str(text.trim_matches('\n'));
        shared.scroll.push('\n');
        shared.draw();
    }
}

impl LiveView {
    /// A view with nothing on it; a thread of its own lets time pass.
    pub(crate) fn new(world: &World) -> Self {
        let shared = Arc::new(Mutex::new(SharedFrame {
            world: world.clone(),
            words: ProgressWords::new(world.out),
            activities: Activities::default(),
            slots: RowSlots::default(),
            totals: None,
            frame: Frame::default(),
            scroll: String::new(),
            drawn: Instant::now(),
            dirty: false,
            over: false,
        }));
        let ticking = Arc::clone(&shared);
        let ticker = std::thread::Builder::new().name("live view".into()).spawn(move || tick(&ticking)).ok();
        Self { shared, ticker }
    }

    /// A way to speak for those that do not hear events.
    pub(crate) fn notes(&self) -> LiveNotes {
        LiveNotes(Arc::clone(&self.shared))
    }
}

impl Drop for LiveView {
    fn drop(&mut self) {
        {
            let mut shared = locked(&self.shared);
            shared.over = true;
            shared.totals = None;
            shared.draw();
        }
        if let Some(ticker) = self.ticker.take() {
            let _ = ticker.join();
        }
    }
}

impl Sink for LiveView {
    fn on_event(&mut self, stamped: &Stamped, view: &View) {
        let mut shared = locked(&self.shared);
        shared.activities.apply(stamped);
        if is_worth_a_line(&stamped.event) {
            let lines = shared.words.of(stamped, view);
            shared.scroll.push_str(&lines);
        }
        let beat = matches!(&stamped.event, Event::Task { event: TaskEvent::Heartbeat { .. }, .. });
        let recent = shared.drawn.elapsed() < QUICK;
        if beat && recent {
            return;
        }
        let rows = view.running_rows(&shared.activities);
        let rows = shared.slots.place(rows);
        shared.totals = Some(Totals::of(view, &shared.activities, rows));
        shared.dirty = true;
        if !recent || !shared.scroll.is_empty() {
            shared.draw();
        }
    }
}

fn locked(shared: &Mutex<SharedFrame>) -> MutexGuard<'_, SharedFrame> {
    shared.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Draws what was not drawn yet, and the time that passed.
fn tick(shared: &Mutex<SharedFrame>) {
    loop {
        std::thread::sleep(TICK);
        let mut shared = locked(shared);
        if shared.over {
            return;
        }
        let since = shared.drawn.elapsed();
        if (shared.dirty && since >= QUICK) || since >= Duration::from_secs(1) {
            shared.draw();
        }
    }
}

impl SharedFrame {
    /// Lines scroll by, and what is below them is drawn again.
    fn draw(&mut self) {
        let size = self.world.terminal_size();
        let now = self.world.now();
        let footer = self.totals.as_ref().map(|t| t.lines(now, &self.world.out, size)).unwrap_or_default();
        let scroll = std::mem::take(&mut self.scroll);
        let bytes = self.frame.next(&scroll, footer, size.0);
        let bytes = self.world.legible(&bytes);
        let mut out = std::io::stdout().lock();
        // A terminal that went away does not stop a run.
        let _ = out.write_all(bytes.as_bytes()).and_then(|()| out.flush());
        self.drawn = Instant::now();
        self.dirty = false;
    }
}

/// Whether an event is told in a line that stays. The rows below show the rest.
fn is_worth_a_line(event: &Event) -> bool {
    let Event::Task { event, .. } = event else { return true };
    match event {
        TaskEvent::AttemptEnded { end, .. } => !matches!(
            end,
            AttemptEnd::Failed { failure: Failure::RateLimited { .. } | Failure::ProviderRefused { .. } }
        ),
        TaskEvent::Merged { .. }
        | TaskEvent::TaskFailed { .. }
        | TaskEvent::TaskBlocked { .. }
        | TaskEvent::TaskSkipped { .. }
        | TaskEvent::TaskReopened { .. }
        | TaskEvent::TaskCancelled
        | TaskEvent::Answered(_)
        | TaskEvent::Approved
        | TaskEvent::FilesGranted { .. }
        | TaskEvent::TestsHeld { .. }
        | TaskEvent::Reviewed { .. }
        | TaskEvent::Finding { .. } => true,
        TaskEvent::AttemptStarted(_)
        | TaskEvent::ProcessStarted { .. }
        | TaskEvent::StepStarted { .. }
        | TaskEvent::StepEnded { .. }
        | TaskEvent::Heartbeat { .. }
        | TaskEvent::TurnEnded(_)
        | TaskEvent::TestsFrozen { .. }
        | TaskEvent::TestsLinked { .. }
        | TaskEvent::TestsTried { .. }
        | TaskEvent::ChangesLeftOut { .. }
        | TaskEvent::CandidateMade { .. }
        | TaskEvent::VerifyIntended { .. }
        | TaskEvent::VerifyStarted { .. }
        | TaskEvent::VerifyAbandoned { .. }
        | TaskEvent::Verified { .. }
        | TaskEvent::ReviewStarted { .. }
        | TaskEvent::ReviewAbandoned { .. }
        | TaskEvent::MergeIntended { .. }
        | TaskEvent::TaskReset => false,
    }
}
