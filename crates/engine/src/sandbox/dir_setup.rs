//! What stands around directories for a while: layers laid into them, the network that their commands share.
//!
//! The set-up and the services of a directory are made once; every command that runs in it later finds them here.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use super::untrusted_paths::is_straight;

/// Something that lies elsewhere and is seen at a place inside.
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

/// What stands around one directory.
#[derive(Debug, Clone, Default)]
pub(super) struct DirSetup {
    /// What the directory is laid over: it holds only what is written.
    pub(super) base: Option<PathBuf>,
    pub(super) layers: Vec<Layer>,
    /// Variables that tools need to find what is in the layers.
    pub(super) env: Vec<(String, String)>,
    /// The process that holds the network.
    pub(super) network: Option<u32>,
    /// The directory for temporary files that its commands share.
    pub(super) tmp: Option<PathBuf>,
}

/// What stands around each directory.
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

    /// Lays a directory over another one, or lets it stand for itself.
    pub(crate) fn stand_on(&self, dir: &Path, base: Option<&Path>) {
        self.change(dir, |around| around.base = base.map(Path::to_owned));
    }

    /// Whether something lies at a path in a directory, or in what that is laid over.
    pub(crate) fn has(&self, dir: &Path, relative: &str) -> bool {
        self.floors(dir).iter().any(|floor| floor.join(relative).exists())
    }

    /// Whether the way to a path in a directory is without links, in what that is laid over too.
    pub(crate) fn is_straight(&self, dir: &Path, relative: &Path) -> bool {
        self.floors(dir).iter().all(|floor| is_straight(floor, relative))
    }

    fn floors(&self, dir: &Path) -> Vec<PathBuf> {
        [Some(dir.to_owned()), self.of(dir).base].into_iter().flatten().collect()
    }

    /// Lays layers into a directory, instead of the ones that were there.
    pub(crate) fn lay(&self, dir: &Path, layers: Vec<Layer>, env: Vec<(String, String)>) {
        self.change(dir, |around| {
            around.layers = layers;
            around.env = env;
        });
    }

    /// Lets the commands of a directory share a network and their temporary files, or no longer.
    pub(crate) fn share(&self, dir: &Path, network: Option<u32>, tmp: Option<PathBuf>) {
        self.change(dir, |around| {
            around.network = network;
            around.tmp = tmp;
        });
    }
}
