//! What stands around directories for a while: layers laid into them, the network that their commands share.
//!
//! The set-up and the services of a directory are made once; every command that runs in it later finds them here.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use super::layout::Mount;

/// What stands around one directory.
#[derive(Debug, Clone, Default)]
pub(super) struct Surroundings {
    pub(super) layers: Vec<Mount>,
    /// The process that holds the network.
    pub(super) network: Option<u32>,
    /// The directory for temporary files that its commands share.
    pub(super) tmp: Option<PathBuf>,
}

/// What stands around each directory.
#[derive(Debug, Default)]
pub(crate) struct Rooms(Mutex<HashMap<PathBuf, Surroundings>>);

impl Rooms {
    pub(super) fn of(&self, dir: &Path) -> Surroundings {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).get(dir).cloned().unwrap_or_default()
    }

    pub(super) fn change(&self, dir: &Path, change: impl FnOnce(&mut Surroundings)) {
        let mut all = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        change(all.entry(dir.to_owned()).or_default());
    }
}
