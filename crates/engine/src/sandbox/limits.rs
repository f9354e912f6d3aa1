//! What one command inside may use up.

use std::io;

use rustix::process::{Resource, Rlimit, setrlimit};
use serde::{Deserialize, Serialize};

use crate::process::LimitHit;

/// What one command inside may use up. Zero means no limit.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct ResourceLimits {
    /// Processes and threads, all together.
    pub processes: u64,
    /// Memory of one process, in bytes, as data it can write.
    pub memory: u64,
    /// Memory of all its processes together, in bytes.
    pub total_memory: u64,
    /// What the directories it can write may hold, in bytes.
    pub disk: u64,
    /// The largest file it may write, in bytes.
    pub file: u64,
    /// Files that one process may have open.
    pub open_files: u64,
}

impl Default for ResourceLimits {
    fn default() -> Self {
        Self {
            processes: 4096,
            memory: 0,
            total_memory: 0,
            disk: 32 << 30,
            file: 8 << 30,
            open_files: 65_536,
        }
    }
}

impl ResourceLimits {
    /// Which limit so many threads and so much memory exceed.
    pub(super) fn exceeded(self, (threads, memory): (u64, u64)) -> Option<LimitHit> {
        let above = |limit: u64, used: u64| limit > 0 && used > limit;
        if above(self.processes, threads) {
            return Some(LimitHit::Processes);
        }
        above(self.total_memory, memory).then_some(LimitHit::Memory)
    }

    /// Takes the limits on. They hold for this process and everything it starts, and cannot be raised again.
    pub(super) fn take_on(self) -> io::Result<()> {
        limit(Resource::Nproc, self.processes)?;
        limit(Resource::Data, self.memory)?;
        limit(Resource::Fsize, self.file)?;
        limit(Resource::Nofile, self.open_files)?;
        // A memory image of an agent would hold its credentials.
        setrlimit(Resource::Core, Rlimit { current: Some(0), maximum: Some(0) })?;
        Ok(())
    }
}

/// Lowers a limit; one that is lower already stays.
fn limit(resource: Resource, wanted: u64) -> io::Result<()> {
    if wanted == 0 {
        return Ok(());
    }
    let now = rustix::process::getrlimit(resource);
    let maximum = now.maximum.map_or(wanted, |max| max.min(wanted));
    let current = now.current.map_or(maximum, |current| current.min(maximum));
    // What may be raised up to the new maximum is: a shell's usual 1024 open files are too few for some builds.
    let current = if resource == Resource::Nofile { maximum } else { current };
    setrlimit(resource, Rlimit { current: Some(current), maximum: Some(maximum) })?;
    Ok(())
}
