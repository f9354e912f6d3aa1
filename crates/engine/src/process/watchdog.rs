//! A watchdog process that ends what is left behind when this program is killed.
//!
//! Sandboxes with namespaces end with this program, except one that is just being created; without namespaces nothing
//! does. A second start of the program waits until this one is gone and ends every process with its token.

use std::io::{BufRead as _, Read as _, Write as _};
use std::path::Path;
use std::process::Stdio;
use std::thread::sleep;
use std::time::Duration;

use process_wrap::std::{CommandWrap, CommandWrapper as _, ProcessSession};
use tokio::process::Child;

use super::invocation::Token;
use super::leftovers::kill_leftovers;
use super::{registry, spawner};

/// The argument that starts the program as a watchdog.
pub(crate) const WATCHDOG: &str = "__watch";

/// How many looks in a row must find nothing, and the pause in between: a process that is just being started has no token
/// yet, and on a busy machine it may take a while to get there.
const LOOKS: u32 = 10;
const BETWEEN: Duration = Duration::from_millis(200);

/// A running watchdog; ends when dropped.
#[derive(Debug)]
pub(crate) struct Watchdog {
    child: Child,
    pid: u32,
    /// Never written again; its end of file tells the watchdog that this program is gone.
    _open: std::fs::File,
}

impl Watchdog {
    /// Starts a watchdog for all processes whose token begins like this. The token must be that of this process alone: another
    /// run may start while the watchdog is at work. `None` if it cannot be started; leftovers then die at the next start.
    /// Must be called inside a runtime.
    pub(crate) fn set(helper: &Path, token: &Token) -> Option<Self> {
        let mut command = std::process::Command::new(helper);
        command.arg(WATCHDOG).env_clear().current_dir("/");
        command.stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::null());
        // Signals to our terminal or group are not meant for it.
        ProcessSession.pre_spawn(&mut command, &CommandWrap::with_new("", |_| {})).ok()?;
        let mut command = tokio::process::Command::from(command);
        command.kill_on_drop(true);
        let (mut child, id) = spawner::spawn(command, &Token::new("watch")).ok()?;
        let mut open = std::fs::File::from(child.stdin.take()?.into_owned_fd().ok()?);
        writeln!(open, "{}", token.as_str()).ok()?;
        Some(Self { child, pid: id.pid, _open: open })
    }
}

impl Drop for Watchdog {
    fn drop(&mut self) {
        // Killed before the pipe closes, because this program is still alive.
        let _ = self.child.start_kill();
        registry::forget(self.pid);
    }
}

/// Waits until the watched program is gone and ends what is left. Returns only on failure.
pub(crate) fn run_watchdog() -> Result<std::convert::Infallible, String> {
    let mut input = std::io::stdin().lock();
    let mut token = String::new();
    input.read_line(&mut token).map_err(|e| format!("cannot read the token to watch: {e}"))?;
    let mut rest = Vec::new();
    let _ = input.read_to_end(&mut rest);
    // Whatever has the token belongs to the program that is gone, also what its children start while they are being ended:
    // the inner process of a bubblewrap whose outer one was killed waits for it for ever.
    let mut quiet = 0;
    while quiet < LOOKS {
        let ended = kill_leftovers(token.trim(), &[]);
        quiet = if ended == 0 { quiet + 1 } else { 0 };
        sleep(BETWEEN);
    }
    std::process::exit(0)
}
