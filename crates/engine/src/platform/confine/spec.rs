//! What the helper is told: a command, and everything that is to stand around it.

use std::path::PathBuf;

use serde::{Deserialize, Serialize};

use crate::sandbox::{Network, ResourceLimits, SandboxRung};

/// Where the program lies that takes the last steps inside.
pub(crate) const HELPER: &str = "/windlass/confine";

/// How much `/dev/shm` holds, in bytes.
pub(crate) const SHARED_MEMORY: u64 = 2 << 30;

/// What lies at one place.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) enum MountKind {
    /// What lies there outside, or elsewhere; not to be written.
    ReadOnly(PathBuf),
    /// The same, to be written.
    Writable(PathBuf),
    /// Two directories laid over each other: what is written goes to the upper one.
    Overlay {
        /// Never written; the first wins.
        lower: Vec<PathBuf>,
        /// Takes what is written.
        upper: PathBuf,
        /// What the kernel needs for it.
        work: PathBuf,
    },
    /// An empty directory.
    Empty,
    /// An empty file that cannot be written.
    Blank,
    /// A symbolic link.
    Link(PathBuf),
}

/// One place inside.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Mount {
    pub(crate) to: PathBuf,
    pub(crate) kind: MountKind,
}

/// A command and its surroundings. Goes to the helper as one argument; holds no secrets.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct ConfinementSpec {
    pub(crate) rung: SandboxRung,
    /// Who started the helper: if that is no longer so, nobody waits for the command.
    pub(crate) parent: u32,
    pub(crate) bubblewrap: Option<PathBuf>,
    pub(crate) uid: u32,
    pub(crate) gid: u32,
    pub(crate) mounts: Vec<Mount>,
    /// Control groups to be in.
    pub(crate) groups: Vec<PathBuf>,
    /// A process in whose network to be, instead of one's own.
    pub(crate) join: Option<u32>,
    pub(crate) network: Network,
    pub(crate) cwd: PathBuf,
    pub(crate) last: FinalSteps,
}

/// The last steps, taken inside.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct FinalSteps {
    /// The numbers of the user and the group to be, where we are root in a namespace of our own.
    pub(crate) ordinary: Option<(u32, u32)>,
    pub(crate) limits: ResourceLimits,
    /// A file that is written when everything stands, just before the command begins.
    pub(crate) mark: PathBuf,
    /// Where the keeper says what it saw, if there is something to say.
    pub(crate) kept: PathBuf,
    /// How long those who are left get to end by themselves before they are called left; nobody asks, if zero.
    pub(crate) settle_millis: u64,
    pub(crate) program: String,
    pub(crate) args: Vec<String>,
}

impl ConfinementSpec {
    /// The last steps as text.
    pub(crate) fn inside(&self) -> String {
        serde_json::to_string(&self.last).unwrap_or_else(|e| unreachable!("plain data: {e}"))
    }
}
