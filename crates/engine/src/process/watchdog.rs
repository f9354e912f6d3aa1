//! Somebody who outlives us by a moment: ends what we leave behind when we are killed.
//!
//! Sandboxes with namespaces end with us by themselves, but for one that is just being made; without namespaces nothing
//! does. A second start of the program waits until we are gone, and ends every process that bears our token.

use std::io::{BufRead as _, Read as _, Write as _};
use std::path::Path;
use std::process::Stdio;
use std::thread::sleep;
use std::time::Duration;

use process_wrap::std::{CommandWrap, CommandWrapper as _, ProcessSession};
use tokio::process::Child;

use super::invocation::Token;
use super::leftovers::kill_older;
use super::{registry, spawner};

/// The word that makes the program keep watch.
pub(crate) const WATCHDOG: &str = "__watch";

/// How often it looks for those who are left, and how long it waits in between: one that is being started may take a
/// moment to be seen.
const LOOKS: u32 = 4;
const BETWEEN: Duration = Duration::from_millis(150);

/// The watch; it ends with this value.
#[derive(Debug)]
pub(crate) struct Watchdog {
    child: Child,
    pid: u32,
    /// Never written again: when we are gone, it is closed.
    _open: std::fs::File,
}

impl Watchdog {
    /// Sets a watch over everything whose token begins like this. None where it cannot be had: what is left then dies at
    /// the next start. To be called inside a runtime.
    pub(crate) fn set(helper: &Path, token: &str) -> Option<Self> {
        let mut command = std::process::Command::new(helper);
        command.arg(WATCHDOG).env_clear().current_dir("/");
        command.stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::null());
        // What ends our terminal or our group is not meant for it.
        ProcessSession.pre_spawn(&mut command, &CommandWrap::with_new("", |_| {})).ok()?;
        let mut command = tokio::process::Command::from(command);
        command.kill_on_drop(true);
        let (mut child, id) = spawner::spawn(command, &Token::new("watch")).ok()?;
        let mut open = std::fs::File::from(child.stdin.take()?.into_owned_fd().ok()?);
        writeln!(open, "{token}").ok()?;
        Some(Self { child, pid: id.pid, _open: open })
    }
}

impl Drop for Watchdog {
    fn drop(&mut self) {
        // Before the pipe is closed: we are not gone.
        let _ = self.child.start_kill();
        registry::forget(self.pid);
    }
}

/// Waits until whoever is watched over is gone, and ends what is left. Never returns but with the reason why it failed.
pub(crate) fn run_watchdog() -> Result<std::convert::Infallible, String> {
    let mut input = std::io::stdin().lock();
    let mut token = String::new();
    input.read_line(&mut token).map_err(|e| format!("cannot read whom to watch over: {e}"))?;
    let mut rest = Vec::new();
    let _ = input.read_to_end(&mut rest);
    // Whoever starts again meanwhile bears the same token, and is not meant.
    let now = crate::platform::now_in_ticks().ok_or("cannot read the time")?;
    for _ in 0..LOOKS {
        kill_older(token.trim(), now);
        sleep(BETWEEN);
    }
    std::process::exit(0)
}
