//! The commands that run right now: no sweep may touch or reap them.

use std::collections::HashMap;
use std::io;
use std::sync::{Mutex, MutexGuard, PoisonError};

use rustix::process::{Pid, WaitOptions};
use tokio::process::{Child, Command};

use super::invocation::{ProcessId, Token};
use crate::platform::identify;

/// The main processes that tokio waits for, with their tokens.
static RUNNING: Mutex<Option<Running>> = Mutex::new(None);

/// The commands that run at one moment.
#[derive(Debug, Clone, Default)]
pub(super) struct Running(HashMap<u32, Token>);

impl Running {
    /// The commands that run now. Waits for commands that are being started, so a process table read before this call
    /// contains no main process that is missing here, unless it has been reaped since.
    pub(super) fn now() -> Self {
        lock().clone().unwrap_or_default()
    }

    /// Whether this is a main process.
    pub(super) fn is_main(&self, pid: u32) -> bool {
        self.0.contains_key(&pid)
    }

    /// Whether a running command has this token.
    pub(super) fn is_live(&self, token: &str) -> bool {
        self.0.values().any(|live| live.as_str() == token)
    }
}

/// Starts and registers a command under one lock: between fork and exec a process has our environment and would look
/// like an orphan.
pub(super) fn spawn(command: &mut Command, token: &Token) -> io::Result<(Child, ProcessId)> {
    let mut running = lock();
    let child = command.spawn()?;
    let pid = child.id().unwrap_or_default();
    // Even a child that has ended is there until it is reaped, which only `child` does.
    let id = identify(pid).unwrap_or(ProcessId { pid, started: 0 });
    running.get_or_insert_default().0.insert(pid, token.clone());
    Ok((child, id))
}

/// Unregisters a command whose main process has been reaped.
pub(crate) fn forget(pid: u32) {
    if let Some(running) = lock().as_mut() {
        running.0.remove(&pid);
    }
}

/// Reaps dead orphans. Done under the lock, so that none of them is a new command's main process under a reused number.
pub(super) fn reap(pids: impl Iterator<Item = u32>) {
    let running = lock();
    let is_main = |pid: &u32| running.as_ref().is_some_and(|running| running.is_main(*pid));
    for pid in pids.filter(|pid| !is_main(pid)) {
        if let Some(pid) = i32::try_from(pid).ok().and_then(Pid::from_raw) {
            // Gone already is as good.
            let _ = rustix::process::waitpid(Some(pid), WaitOptions::NOHANG);
        }
    }
}

fn lock() -> MutexGuard<'static, Option<Running>> {
    RUNNING.lock().unwrap_or_else(PoisonError::into_inner)
}
