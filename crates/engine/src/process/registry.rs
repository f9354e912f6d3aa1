//! The commands this process runs right now: what no clearing up may touch or reap.

use std::collections::HashMap;
use std::io;
use std::sync::{Mutex, MutexGuard, PoisonError};

use tokio::process::{Child, Command};

use super::invocation::{ProcessId, Token};
use super::proc_table::identify;

/// The main processes that tokio waits for, with their tokens.
static RUNNING: Mutex<Option<HashMap<u32, Token>>> = Mutex::new(None);

/// The registry, locked: while it is held no command starts.
pub(super) struct Registry(MutexGuard<'static, Option<HashMap<u32, Token>>>);

impl Registry {
    pub(super) fn lock() -> Self {
        Self(RUNNING.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// Starts a command. Under the lock: between fork and exec a process has our environment and would look like
    /// nobody's.
    pub(super) fn spawn(&mut self, command: &mut Command, token: &Token) -> io::Result<(Child, ProcessId)> {
        let child = command.spawn()?;
        let pid = child.id().unwrap_or_default();
        // Even a child that has ended is there until it is reaped, which only `child` does.
        let id = identify(pid).unwrap_or(ProcessId { pid, started: 0 });
        self.0.get_or_insert_default().insert(pid, token.clone());
        Ok((child, id))
    }

    /// Forgets a command whose main process has been reaped.
    pub(super) fn forget(&mut self, pid: u32) {
        if let Some(running) = self.0.as_mut() {
            running.remove(&pid);
        }
    }

    /// Whether this is a main process.
    pub(super) fn is_main(&self, pid: u32) -> bool {
        self.0.as_ref().is_some_and(|running| running.contains_key(&pid))
    }

    /// Whether a running command has this token.
    pub(super) fn is_live(&self, token: &str) -> bool {
        self.0.as_ref().is_some_and(|running| running.values().any(|live| live.as_str() == token))
    }
}
