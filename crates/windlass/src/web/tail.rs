//! Follows the journal while it is written, and tells the browsers.

use std::fs;
use std::os::unix::fs::MetadataExt as _;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use windlass_core::view::board::{AttentionDoc, Touched};
use windlass_engine::chronicle::Chronicle;

use super::page_state::{JournalSnapshot, PageState};

/// Between two looks at the journal: an event is on the page well before a person notices that it is late.
const TICK: Duration = Duration::from_millis(40);
/// Between two looks at the coordinator and at wishes.
const AROUND: Duration = Duration::from_millis(500);

/// A thread that follows the journal.
#[derive(Debug)]
pub(super) struct Tail {
    stopped: Arc<AtomicBool>,
    thread: JoinHandle<()>,
}

impl Tail {
    /// Ends it.
    pub(super) fn stop(self) {
        self.stopped.store(true, Ordering::Relaxed);
        // A thread that panicked has nothing to say that is not on the screen.
        let _ = self.thread.join();
    }
}

/// Follows the journal from where the page is.
pub(super) fn follow(page: Arc<PageState>) -> Tail {
    let stopped = Arc::new(AtomicBool::new(false));
    let stop = Arc::clone(&stopped);
    let thread = thread::spawn(move || {
        let mut watch = Watch { page: &page, chronicle: None, file: None, told: None, looked: None };
        while !stop.load(Ordering::Relaxed) {
            watch.look();
            thread::sleep(TICK);
        }
    });
    Tail { stopped, thread }
}

struct Watch<'a> {
    page: &'a PageState,
    chronicle: Option<Chronicle>,
    /// Which file the journal is: it may be replaced by another.
    file: Option<(u64, u64)>,
    /// What the browsers know of what needs a person.
    told: Option<AttentionDoc>,
    looked: Option<Instant>,
}

impl Watch<'_> {
    /// One look: at the journal always, at the rest now and then.
    fn look(&mut self) {
        let (mut changed, mut replaced) = (false, false);
        if self.looked.is_none_or(|at| at.elapsed() >= AROUND) {
            self.looked = Some(Instant::now());
            replaced = self.reopen();
            changed = self.page.learn().look_around(&self.page.state);
        }
        let before = self.page.known().view.seq;
        let trouble = self.page.known().trouble.clone();
        let touched = self.read();
        let touched = if replaced { Touched::everything() } else { touched };
        let known = self.page.known();
        changed |= replaced || known.view.seq != before || known.trouble != trouble;
        drop(known);
        if changed {
            self.page.publish(before, &touched, &mut self.told);
        }
    }

    /// Opens the journal if it is new or another one. Whether what was known is worth nothing now.
    fn reopen(&mut self) -> bool {
        let path = self.page.state.paths.journal();
        let file = fs::metadata(&path).ok().map(|meta| (meta.dev(), meta.ino()));
        if file == self.file && (self.chronicle.is_some() || file.is_none()) {
            return false;
        }
        let replaced = self.file.is_some() && file != self.file;
        self.file = file;
        let opened = self.page.state.chronicle();
        let mut known = self.page.learn();
        if replaced {
            *known = JournalSnapshot::default();
        }
        known.trouble = opened.as_ref().err().map(|error| error.message.clone());
        self.chronicle = opened.ok().flatten();
        replaced
    }

    /// Folds what was written since the last look.
    fn read(&mut self) -> Touched {
        let mut touched = Touched::default();
        let Some(chronicle) = &self.chronicle else { return touched };
        let mut known = self.page.learn();
        let mut view = std::mem::take(&mut known.view);
        let read = chronicle.follow(&mut view, |stamped| {
            touched.apply(stamped);
            known.on_event(stamped);
        });
        known.view = view;
        known.trouble = read.err().map(|error| format!("the journal cannot be read: {error}"));
        drop(known);
        if touched.is_resealed() {
            self.page.resealed();
        }
        touched
    }
}
