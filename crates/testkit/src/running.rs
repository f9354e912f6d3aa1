//! A program that is at work while the test goes on.

use std::io::Read;
use std::process::Child;
use std::sync::{Arc, Mutex};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, kill_process};

use crate::Outcome;

/// The longest a test waits for anything.
const PATIENCE: Duration = Duration::from_mins(1);

/// The longest a test waits for a run with real agents, which take their time to start.
const LONG_PATIENCE: Duration = Duration::from_mins(5);

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
    stdout: Ear,
    stderr: Ear,
    redactions: Vec<(String, String)>,
}

/// What came out of a pipe so far.
#[derive(Debug, Default)]
struct Ear {
    heard: Arc<Mutex<Vec<u8>>>,
    listener: Option<JoinHandle<()>>,
}

impl Ear {
    fn at(pipe: Option<impl Read + Send + 'static>) -> Self {
        let mut ear = Self::default();
        if let Some(mut pipe) = pipe {
            let heard = Arc::clone(&ear.heard);
            ear.listener = Some(thread::spawn(move || {
                let mut piece = vec![0; 1 << 16];
                while let Ok(n @ 1..) = pipe.read(&mut piece) {
                    heard.lock().unwrap().extend_from_slice(&piece[..n]);
                }
            }));
        }
        ear
    }

    fn so_far(&self) -> String {
        String::from_utf8_lossy(&self.heard.lock().unwrap()).into_owned()
    }

    fn finish(&mut self) -> String {
        if let Some(listener) = self.listener.take() {
            let _ = listener.join();
        }
        self.so_far()
    }
}

impl Running {
    pub(crate) fn new(mut child: Child, redactions: Vec<(String, String)>) -> Self {
        let (stdout, stderr) = (Ear::at(child.stdout.take()), Ear::at(child.stderr.take()));
        Self { child, stdout, stderr, redactions }
    }

    /// What it has printed so far.
    pub fn printed(&self) -> String {
        self.stdout.so_far()
    }

    /// Its process number.
    pub fn pid(&self) -> u32 {
        self.child.id()
    }

    /// Ctrl-C.
    pub fn interrupt(&self) {
        self.signal(Signal::INT);
    }

    /// The terminal is closed.
    pub fn hang_up(&self) {
        self.signal(Signal::HUP);
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
    pub fn wait(self) -> Outcome {
        self.wait_for(PATIENCE)
    }

    /// The same with the patience that real agents need.
    #[track_caller]
    pub fn wait_long(self) -> Outcome {
        self.wait_for(LONG_PATIENCE)
    }

    /// The same with more patience, for a run of many tasks.
    #[track_caller]
    pub fn wait_for(mut self, patience: Duration) -> Outcome {
        let since = Instant::now();
        let mut late = false;
        while !self.is_over() {
            if since.elapsed() > patience {
                late = true;
                self.kill();
                break;
            }
            thread::sleep(Duration::from_millis(5));
        }
        let outcome = self.conclude();
        assert!(!late, "it did not end within {} s\n{outcome}", patience.as_secs());
        outcome
    }

    fn conclude(&mut self) -> Outcome {
        let code = self.child.wait().ok().and_then(|status| status.code());
        Outcome {
            code,
            stdout: self.stdout.finish(),
            stderr: self.stderr.finish(),
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
