//! What the program around the engine says about sandboxes: everything that would need an environment or a home.

use std::path::PathBuf;

use super::limits::ResourceLimits;
use super::needs::Network;
use super::rung::{SandboxRung, SandboxWish};

/// Whether a real agent may run where it cannot be fenced in.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Unsandboxed {
    /// It may not: the run does not start.
    #[default]
    Refused,
    /// It may: a person said so.
    Allowed,
}

/// How processes are fenced in.
#[derive(Debug, Clone, Default)]
pub struct SandboxConfig {
    /// Which rung.
    pub wish: SandboxWish,
    /// What becomes of real agents where there is none.
    pub unsandboxed: Unsandboxed,
    /// The program that fences itself in before it becomes another: this very one. Without it there is no sandbox.
    pub helper: Option<PathBuf>,
    /// Bubblewrap.
    pub bubblewrap: Option<PathBuf>,
    /// The user's home: an empty directory to everybody inside.
    pub home: Option<PathBuf>,
    /// Cargo's home: only its programs, its registry and its configuration are seen, never its credentials.
    pub cargo_home: Option<PathBuf>,
    /// Roots of tool-chains and directories of programs, read-only for everybody.
    pub roots: Vec<PathBuf>,
    /// Caches of package managers. Those with a network see what is in them and throw away what they add; tests find them
    /// empty.
    pub caches: Vec<PathBuf>,
    /// What nobody inside may see, wherever it lies: the repository, the state, the cache.
    pub hidden: Vec<PathBuf>,
    /// What agents may read besides.
    pub agents_read: Vec<PathBuf>,
    /// What agents may write besides.
    pub agents_write: Vec<PathBuf>,
    /// Agents' network, at most.
    pub agents_network: Network,
    /// Verification's network.
    pub verify_network: Network,
    /// Rungs that are taken not to be there: for tests of bad surroundings.
    pub without: Vec<SandboxRung>,
    /// Limits of one command.
    pub limits: ResourceLimits,
}
