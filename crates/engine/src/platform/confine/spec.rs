//! The input of the helper: a command and the sandbox around it.

use std::path::PathBuf;

use serde::{Deserialize, Serialize};

use super::relay::RelaySpec;
use crate::sandbox::{Network, ResourceLimits, SandboxRung};

/// The path of the helper inside.
pub(crate) const HELPER: &str = "/windlass/confine";
/// The path of the proxy's socket inside.
pub(crate) const SOCKET: &str = "/windlass/model.sock";

/// How much `/dev/shm` holds, in bytes.
pub(crate) const SHARED_MEMORY: u64 = 2 << 30;

/// What is mounted at one path.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) enum MountKind {
    /// A read-only bind mount.
    ReadOnly(PathBuf),
    /// A writable bind mount.
    Writable(PathBuf),
    /// An overlay: writes go to the upper directory.
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

/// One mount.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Mount {
    pub(crate) to: PathBuf,
    pub(crate) kind: MountKind,
}

/// A command and its sandbox. Passed to the helper as one argument; contains no secrets.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct ConfinementSpec {
    pub(crate) rung: SandboxRung,
    /// The process that started the helper; if it is gone, the command must not start.
    pub(crate) parent: u32,
    pub(crate) bubblewrap: Option<PathBuf>,
    pub(crate) uid: u32,
    pub(crate) gid: u32,
    pub(crate) mounts: Vec<Mount>,
    /// Control groups to be in.
    pub(crate) groups: Vec<PathBuf>,
    /// A process whose network is joined instead of a new one.
    pub(crate) join: Option<u32>,
    pub(crate) network: Network,
    pub(crate) cwd: PathBuf,
    pub(crate) last: FinalSteps,
}

/// The final steps inside the sandbox.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct FinalSteps {
    /// The user and group to become, if the process is root in a user namespace.
    pub(crate) ordinary: Option<(u32, u32)>,
    pub(crate) limits: ResourceLimits,
    /// A file that is written just before the command starts.
    pub(crate) mark: PathBuf,
    /// The path of the keeper's report.
    pub(crate) kept: PathBuf,
    /// How long processes may outlive the command before they are reported as left; zero reports none.
    pub(crate) settle_millis: u64,
    /// The way to the model, in a network that has nothing else.
    pub(crate) relay: Option<RelaySpec>,
    /// Whether the network is the machine's: nameless sockets of other programs would be in reach.
    #[serde(default)]
    pub(crate) shares_network: bool,
    pub(crate) program: String,
    pub(crate) args: Vec<String>,
}

impl ConfinementSpec {
    /// The final steps as JSON.
    pub(crate) fn inside(&self) -> String {
        serde_json::to_string(&self.last).unwrap_or_else(|e| unreachable!("plain data: {e}"))
    }
}
