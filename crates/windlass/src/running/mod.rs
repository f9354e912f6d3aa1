//! Between the command line and the engine: the configuration of a run, and its progress on the screen.

mod accounts;
mod agents;
mod architectures;
mod environment;
mod fleet;
mod mapping;
mod places;
mod planner;
mod prepared;
mod progress;
mod sandbox;
mod setups;
mod start;
mod user_settings;
mod wishes;

pub(crate) use agents::{look_for, tables};
pub(crate) use architectures::ask_architectures;
pub(crate) use fleet::{QueueToAttend, attend_queue};
pub(crate) use mapping::{audit_config, own_formatters};
pub(crate) use places::{configure, is_logged_out, places};
pub(crate) use planner::planner_config;
pub(crate) use prepared::{Overrides, Prepared, prepare, repository_at, without_tasks};
pub(crate) use progress::{JsonLines, ProgressLines, ProgressWords};
pub(crate) use sandbox::{SandboxOverrides, sandbox_config};
pub(crate) use setups::tried_setups;
pub(crate) use start::{LARGER, beyond_context, refuse_to_start};

use tokio::signal::unix::{SignalKind, signal};
use windlass_core::event::Stamped;
use windlass_core::view::View;
use windlass_engine::Sink;
use windlass_engine::error::EngineError;
use windlass_engine::git::GitError;
use windlass_engine::process::{CancelLevel, CancellationSignal};

use crate::cli::{CliError, Exit};

/// Two listeners to one run.
pub(crate) struct Both<A, B>(pub(crate) A, pub(crate) B);

impl<A: Sink, B: Sink> Sink for Both<A, B> {
    fn on_event(&mut self, event: &Stamped, view: &View) {
        self.0.on_event(event, view);
        self.1.on_event(event, view);
    }
}

/// A runtime with a thread for every job, because calls of git block; but not more than the processor can use, because each thread
/// has memory of its own.
pub(crate) fn runtime(jobs: u32) -> Result<tokio::runtime::Runtime, CliError> {
    let cores = std::thread::available_parallelism().map_or(2, usize::from);
    let threads = usize::try_from(jobs).unwrap_or(8).clamp(2, (cores * 4).clamp(16, 64)) + 2;
    tokio::runtime::Builder::new_multi_thread()
        .worker_threads(threads)
        // Threads that blocked once would otherwise be kept for short work that comes many times a second.
        .thread_keep_alive(std::time::Duration::from_millis(100))
        .enable_all()
        .build()
        .map_err(|e| CliError::environment("cannot start").because_of(Some(&e)))
}

/// A signal that the first Ctrl-C raises to a clean stop and the second to an immediate one. Being told to end, or
/// losing the terminal, counts the same. To be called inside a runtime; hears everything from then on.
pub(crate) fn stop_on_signals(tell: impl Fn(CancelLevel) + Send + 'static) -> CancellationSignal {
    let stop = CancellationSignal::new();
    let raise = stop.clone();
    let kinds = [SignalKind::interrupt(), SignalKind::terminate(), SignalKind::hangup()];
    let (heard, mut hear) = tokio::sync::mpsc::unbounded_channel();
    for mut signals in kinds.into_iter().filter_map(|kind| signal(kind).ok()) {
        let heard = heard.clone();
        tokio::spawn(async move { while signals.recv().await.is_some() && heard.send(()).is_ok() {} });
    }
    tokio::spawn(async move {
        for level in [CancelLevel::Stop, CancelLevel::Now] {
            hear.recv().await;
            tell(level);
            raise.raise(level);
        }
    });
    stop
}

impl From<EngineError> for CliError {
    fn from(error: EngineError) -> Self {
        let exit = match &error {
            EngineError::AlreadyRunning { .. }
            | EngineError::Branch { .. }
            | EngineError::Git(GitError::RefClash { .. }) => Exit::Blocked,
            EngineError::UnknownAgent { .. } => Exit::Usage,
            EngineError::Git(_)
            | EngineError::Journal(_)
            | EngineError::Output(_)
            | EngineError::Slot(_)
            | EngineError::Lock(_)
            | EngineError::Io { .. }
            | EngineError::NoRoom { .. }
            | EngineError::NoCommits
            | EngineError::Sandbox(_)
            | EngineError::Unfenced { .. }
            | EngineError::NoIdentity
            | EngineError::Unfoldable { .. }
            | EngineError::Unreadable { .. }
            | EngineError::Invariant { .. }
            | EngineError::WorkerDied(_) => Exit::Environment,
        };
        let mut told = Self::of(exit, &error);
        told.hints.extend(error.hint());
        told
    }
}
