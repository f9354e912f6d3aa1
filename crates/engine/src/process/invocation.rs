//! A command to run and its result.

use std::ffi::OsString;
use std::fmt;
use std::path::PathBuf;
use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::capture::{Capture, CapturedOutput};
use crate::proxy::BlockedHost;

/// A complete command; nothing is inherited.
#[derive(Debug, Clone)]
pub struct Invocation {
    /// The program, looked up on the `PATH` of `env`.
    pub program: OsString,
    /// Its arguments.
    pub args: Vec<OsString>,
    /// Where it starts.
    pub cwd: PathBuf,
    /// Its whole environment; only `WINDLASS_TOKEN` is added.
    pub env: Vec<(OsString, OsString)>,
    /// What it reads.
    pub stdin: Vec<u8>,
    /// How long it may take.
    pub timeout: Duration,
    /// How long it may be silent.
    pub idle_timeout: Option<Duration>,
    /// Where its output goes.
    pub capture: Capture,
}

/// How the started process relates to the command.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Keeper {
    /// It is the command, or execs it.
    Becomes,
    /// It holds the command's sandbox and its end ends everything inside, so it is never asked to end itself.
    Outlives,
}

/// A value in the environment that marks every process of one attempt.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Token(String);

impl Token {
    /// The variable that carries it.
    pub const VARIABLE: &'static str = "WINDLASS_TOKEN";

    /// A token from parts such as run, task and attempt. Anything but letters, digits, `.`, `_` and `-` becomes
    /// `_`.
    pub fn new(text: &str) -> Self {
        let keep = |c: char| if c.is_ascii_alphanumeric() || matches!(c, '.' | '_' | '-') { c } else { '_' };
        Self(text.chars().map(keep).collect())
    }

    /// The text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for Token {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// A process, identified beyond its reusable number.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ProcessId {
    /// Its number.
    pub pid: u32,
    /// When it started, in clock ticks since boot.
    pub started: u64,
}

/// Which time limit was reached.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TimeLimit {
    /// The whole.
    Wall(Duration),
    /// The silence.
    Idle(Duration),
}

/// How a command ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ProcessExit {
    /// With this code.
    Code(i32),
    /// By a signal that this program did not send.
    Signal(i32),
    /// Ended because a time limit was reached.
    TimedOut(TimeLimit),
    /// Ended by cancellation.
    Cancelled,
    /// It never started, and why.
    NotStarted(String),
}

/// The resource limit that a command hit.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum LimitHit {
    /// Processes and threads, all together.
    Processes,
    /// Memory, all together.
    Memory,
    /// What lies in the directories it can write.
    Disk,
}

impl LimitHit {
    /// A sentence with the configuration key of the limit.
    pub fn words(self) -> &'static str {
        match self {
            LimitHit::Processes => "it had more processes than `sandbox.processes` allows",
            LimitHit::Memory => "it used more memory than `sandbox.total_memory_mb` allows",
            LimitHit::Disk => "it filled more of the disk than `sandbox.disk_mb` allows",
        }
    }
}

/// A command that is over, with everything it started.
#[derive(Debug, Clone)]
pub struct Finished {
    /// How it ended.
    pub exit: ProcessExit,
    /// How long it ran, without the clean-up.
    pub elapsed: Duration,
    /// What it said.
    pub output: CapturedOutput,
    /// How many processes were still alive after it and had to be killed.
    pub survivors_killed: usize,
    /// The names of processes that were still running when the command had ended, if that was asked for.
    pub left: Vec<String>,
    /// The limit that it was ended for, if any.
    pub over: Option<LimitHit>,
    /// Hosts that it asked for and did not reach, where its network is limited to some.
    pub blocked: Vec<BlockedHost>,
    /// Processes that could not be killed. Unless this is empty, the directory must not be trusted.
    pub still_alive: Vec<ProcessId>,
}

#[cfg(test)]
mod tests;
