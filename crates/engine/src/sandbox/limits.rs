//! Resource limits of one command.

use serde::{Deserialize, Serialize};

use crate::process::LimitHit;

/// Resource limits of one command. Zero means no limit.
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
    /// The limit that this many threads and this much memory exceed.
    pub(crate) fn exceeded(self, (threads, memory): (u64, u64)) -> Option<LimitHit> {
        let above = |limit: u64, used: u64| limit > 0 && used > limit;
        if above(self.processes, threads) {
            return Some(LimitHit::Processes);
        }
        above(self.total_memory, memory).then_some(LimitHit::Memory)
    }
}

#[cfg(test)]
mod tests;
