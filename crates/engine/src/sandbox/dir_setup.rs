//! What is set up around directories: environment layers and a shared network.
//!
//! The set-up and services of a directory are started once; later commands in it find them here.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use windlass_code::detect::PathPlace;

use super::untrusted_paths::is_straight;

/// An environment layer mounted inside.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Layer {
    /// A directory; what is written to it is thrown away with the command.
    Throwaway {
        /// Where it lies.
        from: PathBuf,
        /// Where it is seen.
        to: PathBuf,
    },
    /// A directory that cannot be written.
    ReadOnly {
        /// Where it lies.
        from: PathBuf,
        /// Where it is seen.
        to: PathBuf,
    },
    /// A directory that is written through.
    Writable {
        /// Where it lies.
        from: PathBuf,
        /// Where it is seen.
        to: PathBuf,
    },
}

/// What is set up around one directory.
#[derive(Debug, Clone, Default)]
pub(super) struct DirSetup {
    /// The base of an overlay; the directory holds only changes.
    pub(super) base: Option<PathBuf>,
    pub(super) layers: Vec<Layer>,
    /// Variables for tools to find the layers.
    pub(super) env: Vec<(String, String)>,
    /// Where the set-up put programs, and where they belong on the `PATH` of an agent.
    pub(super) bins: Vec<(PathBuf, PathPlace)>,
    /// The process that holds the network.
    pub(super) network: Option<u32>,
    /// The directory for temporary files that its commands share.
    pub(super) tmp: Option<PathBuf>,
}

/// What is set up around each directory.
#[derive(Debug, Default)]
pub(crate) struct DirSetups(Mutex<HashMap<PathBuf, DirSetup>>);

impl DirSetups {
    pub(super) fn of(&self, dir: &Path) -> DirSetup {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).get(dir).cloned().unwrap_or_default()
    }

    fn change(&self, dir: &Path, change: impl FnOnce(&mut DirSetup)) {
        let mut all = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        change(all.entry(dir.to_owned()).or_default());
    }

    /// Sets or removes the base of a directory.
    pub(crate) fn stand_on(&self, dir: &Path, base: Option<&Path>) {
        self.change(dir, |around| around.base = base.map(Path::to_owned));
    }

    /// Whether a path exists in a directory or in its base.
    pub(crate) fn has(&self, dir: &Path, relative: &str) -> bool {
        self.floors(dir).iter().any(|floor| floor.join(relative).exists())
    }

    /// Whether a path in a directory, and in its base, has no links.
    pub(crate) fn is_straight(&self, dir: &Path, relative: &Path) -> bool {
        self.floors(dir).iter().all(|floor| is_straight(floor, relative))
    }

    fn floors(&self, dir: &Path) -> Vec<PathBuf> {
        [Some(dir.to_owned()), self.of(dir).base].into_iter().flatten().collect()
    }

    /// Replaces the layers of a directory.
    pub(crate) fn lay(&self, dir: &Path, layers: Vec<Layer>, env: Vec<(String, String)>) {
        self.change(dir, |around| {
            around.layers = layers;
            around.env = env;
        });
    }

    /// Says where the set-up of a directory put programs.
    pub(crate) fn lead(&self, dir: &Path, bins: Vec<(PathBuf, PathPlace)>) {
        self.change(dir, |around| around.bins = bins);
    }

    /// Sets or removes the shared network and temporary files of a directory.
    pub(crate) fn share(&self, dir: &Path, network: Option<u32>, tmp: Option<PathBuf>) {
        self.change(dir, |around| {
            around.network = network;
            around.tmp = tmp;
        });
    }
}

#[cfg(test)]
mod tests;
