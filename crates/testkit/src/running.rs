//! A program that is at work while the test goes on.

use std::io::Read as _;
use std::process::Child;
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, kill_process};

use crate::Outcome;

/// The longest a test waits for anything.
const PATIENCE: Duration = Duration::from_mins(1);

/// Waits until something holds; a test that waits in vain fails and says for what.
#[track_caller]
pub fn eventually(what: &str, mut holds: impl FnMut() -> bool) {
    let since = Instant::now();
    while !holds() {
        assert!(since.elapsed() < PATIENCE, "waited in vain until {what}");
        thread::sleep(Duration::from_millis(20));
    }
}

/// A running program.
#[derive(Debug)]
pub struct Running {
    child: Child,
    stdout: Option<JoinHandle<String>>,
    stderr: Option<JoinHandle<String>>,
    redactions: Vec<(String, String)>,
}

impl Running {
    pub(crate) fn new(mut child: Child, redactions: Vec<(String, String)>) -> Self {
        let stdout = child.stdout.take().map(|mut pipe| {
            thread::spawn(move || {
                let mut bytes = Vec::new();
                let _ = pipe.read_to_end(&mut bytes);
                String::from_utf8_lossy(&bytes).into_owned()
            })
        });
        let stderr = child.stderr.take().map(|mut pipe| {
            thread::spawn(move || {
                let mut bytes = Vec::new();
                let _ = pipe.read_to_end(&mut bytes);
                String::from_utf8_lossy(&bytes).into_owned()
            })
        });
        Self { child, stdout, stderr, redactions }
    }

    /// Its process number.
    pub fn pid(&self) -> u32 {
        self.child.id()
    }

    /// Ctrl-C.
    pub fn interrupt(&self) {
        self.signal(Signal::INT);
    }

    /// `kill -9`: of the program alone, not of what it started.
    pub fn kill(&self) {
        self.signal(Signal::KILL);
    }

    fn signal(&self, signal: Signal) {
        let pid = i32::try_from(self.child.id()).ok().and_then(Pid::from_raw);
        if let Some(pid) = pid {
            // It may have ended by itself already; what it said tells.
            let _ = kill_process(pid, signal);
        }
    }

    /// Whether it has ended.
    pub fn is_over(&mut self) -> bool {
        matches!(self.child.try_wait(), Ok(Some(_)))
    }

    /// Waits until it ends; kills it when that takes too long.
    #[track_caller]
    pub fn wait(mut self) -> Outcome {
        let since = Instant::now();
        let mut late = false;
        while !self.is_over() {
            if since.elapsed() > PATIENCE {
                late = true;
                self.kill();
                break;
            }
            thread::sleep(Duration::from_millis(5));
        }
        let outcome = self.conclude();
        assert!(!late, "it did not end within {} s\n{outcome}", PATIENCE.as_secs());
        outcome
    }

    fn conclude(&mut self) -> Outcome {
        let code = self.child.wait().ok().and_then(|status| status.code());
        let text =
            |reader: Option<JoinHandle<String>>| reader.and_then(|r| r.join().ok()).unwrap_or_default();
        Outcome {
            code,
            stdout: text(self.stdout.take()),
            stderr: text(self.stderr.take()),
            redactions: self.redactions.clone(),
        }
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
