//! What the helper is told: a command, and everything that is to stand around it.

use std::path::PathBuf;

use serde::{Deserialize, Serialize};

use super::layout::Mount;
use super::limits::ResourceLimits;
use super::needs::Network;
use super::rung::SandboxRung;

/// A command and its surroundings. Goes to the helper as one argument; holds no secrets.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(super) struct ConfinementSpec {
    pub(super) rung: SandboxRung,
    /// Who started the helper: if that is no longer so, nobody waits for the command.
    pub(super) parent: u32,
    pub(super) bubblewrap: Option<PathBuf>,
    pub(super) uid: u32,
    pub(super) gid: u32,
    pub(super) mounts: Vec<Mount>,
    /// Control groups to be in.
    pub(super) groups: Vec<PathBuf>,
    /// A process in whose network to be, instead of one's own.
    pub(super) join: Option<u32>,
    pub(super) network: Network,
    pub(super) cwd: PathBuf,
    pub(super) last: FinalSteps,
}

/// The last steps, taken inside.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(super) struct FinalSteps {
    /// The numbers of the user and the group to be, where we are root in a namespace of our own.
    pub(super) ordinary: Option<(u32, u32)>,
    pub(super) limits: ResourceLimits,
    /// A file that is written when everything stands, just before the command begins.
    pub(super) mark: PathBuf,
    /// Where the keeper says what it saw, if there is something to say.
    pub(super) kept: PathBuf,
    /// How long those who are left get to end by themselves before they are called left; nobody asks, if zero.
    pub(super) settle_millis: u64,
    pub(super) program: String,
    pub(super) args: Vec<String>,
}

impl ConfinementSpec {
    /// The last steps as text.
    pub(super) fn inside(&self) -> String {
        serde_json::to_string(&self.last).unwrap_or_else(|e| unreachable!("plain data: {e}"))
    }
}
