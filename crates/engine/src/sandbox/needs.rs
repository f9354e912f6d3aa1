//! What a process needs beyond the system's programs, stated by its caller.

use std::path::PathBuf;

use serde::{Deserialize, Serialize};

use crate::proxy::HostRule;

/// Which network a process sees.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default, Serialize, Deserialize)]
pub enum Network {
    /// Only its own loopback.
    #[default]
    Loopback,
    /// Its own loopback, and hosts that are named: agents that talk to a model.
    Model,
    /// Everything the machine reaches.
    Open,
}

/// What a process needs beyond the system's programs, its directory and its scratch space.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Needs {
    /// Files and directories it may read.
    pub read_only: Vec<PathBuf>,
    /// Files and directories it may write.
    pub writable: Vec<PathBuf>,
    /// The network.
    pub network: Network,
    /// The hosts of [`Network::Model`].
    pub hosts: Vec<HostRule>,
}
