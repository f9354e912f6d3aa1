//! Sandbox configuration from the program around the engine, including what depends on the environment or home.

use std::path::PathBuf;

use super::limits::ResourceLimits;
use super::needs::Network;
use super::rung::{SandboxRung, SandboxWish};
use crate::process::Token;
use crate::proxy::{HostRule, UpstreamProxy};

/// Whether a real agent may run without a sandbox.
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
    /// Whether real agents may run without one.
    pub unsandboxed: Unsandboxed,
    /// The helper program: `windlass-confine` or this executable. Without it there is no sandbox.
    pub helper: Option<PathBuf>,
    /// Bubblewrap.
    pub bubblewrap: Option<PathBuf>,
    /// The user's home; an empty directory inside.
    pub home: Option<PathBuf>,
    /// Cargo's home: only its programs, its registry and its configuration are seen, never its credentials.
    pub cargo_home: Option<PathBuf>,
    /// Roots of tool-chains and program directories, read-only.
    pub roots: Vec<PathBuf>,
    /// Caches of package managers. Those with a network see what is in them and throw away what they add; tests find them
    /// empty.
    pub caches: Vec<PathBuf>,
    /// Paths that are hidden inside: the repository, the state, the cache.
    pub hidden: Vec<PathBuf>,
    /// Additional paths that agents may read.
    pub agents_read: Vec<PathBuf>,
    /// Additional paths that agents may write.
    pub agents_write: Vec<PathBuf>,
    /// Agents' network, at most.
    pub agents_network: Network,
    /// Hosts that agents may reach besides their model.
    pub allow: Vec<HostRule>,
    /// The user's own proxy, through which the model is reached.
    pub upstream: UpstreamProxy,
    /// Verification's network.
    pub verify_network: Network,
    /// Rungs that are treated as unavailable, for tests.
    pub without: Vec<SandboxRung>,
    /// The token of the processes that try a sandbox out, so that the next start ends those of a killed one.
    pub trial_token: Option<Token>,
    /// Limits of one command.
    pub limits: ResourceLimits,
}
