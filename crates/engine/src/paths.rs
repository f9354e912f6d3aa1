//! The paths of state and cache. Creates no directory and reads no environment.
//!
//! State lies in the repository's common git directory: it survives `git clean -xdf`, is shared by linked work trees
//! and is invisible to the checkout. Slots and exports lie in a cache directory outside any checkout.

use std::path::{Path, PathBuf};

use windlass_core::ids::{PlanName, TaskId};

/// The places of one repository.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Paths {
    state: PathBuf,
    cache: PathBuf,
}

impl Paths {
    /// The places of the repository with this common git directory. `cache_home` is the user's cache directory
    /// (`$XDG_CACHE_HOME` or `~/.cache`).
    pub fn new(common_dir: &Path, cache_home: &Path) -> Self {
        let name = blake3::hash(common_dir.as_os_str().as_encoded_bytes()).to_hex();
        Self { state: common_dir.join("windlass"), cache: cache_home.join("windlass").join(&name[..16]) }
    }

    /// The state directory.
    pub fn state(&self) -> &Path {
        &self.state
    }

    /// The lock of the one coordinator.
    pub fn lock(&self) -> PathBuf {
        self.state.join("coordinator.lock")
    }

    /// Tests that agents never see, by the hash of their content.
    pub fn held_out(&self) -> PathBuf {
        self.state.join("held-out")
    }

    /// The directory with one directory per plan.
    pub fn plans(&self) -> PathBuf {
        self.state.join("plans")
    }

    /// The state of one plan.
    pub fn plan(&self, plan: &PlanName) -> PlanPaths {
        PlanPaths { dir: self.plans().join(plan.as_str()) }
    }

    /// The cache directory of the repository.
    pub fn cache(&self) -> &Path {
        &self.cache
    }

    /// The slots.
    pub fn slots(&self) -> PathBuf {
        self.cache.join("slots")
    }

    /// Conversations of agents that a later turn may go on with.
    pub fn sessions(&self) -> PathBuf {
        self.cache.join("sessions")
    }

    /// The exports that verifications run in.
    pub fn exports(&self) -> PathBuf {
        self.cache.join("exports")
    }
}

/// The places of one plan's state.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PlanPaths {
    dir: PathBuf,
}

impl PlanPaths {
    /// The directory of all of it.
    pub fn dir(&self) -> &Path {
        &self.dir
    }

    /// The journal.
    pub fn journal(&self) -> PathBuf {
        self.dir.join("journal.db")
    }

    /// The wishes of front ends.
    pub fn requests(&self) -> PathBuf {
        self.dir.join("requests.db")
    }

    /// Finished outputs, named by content.
    pub fn out(&self) -> PathBuf {
        self.dir.join("out")
    }

    /// Where a task's running process leaves its output while it runs; `logs -f` follows the files in it.
    pub fn live(&self, task: &TaskId) -> PathBuf {
        self.dir.join("live").join(task.as_str())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn two_repositories_share_nothing() {
        let at = |common: &str| Paths::new(Path::new(common), Path::new("/home/me/.cache"));
        let (one, two) = (at("/one/.git"), at("/two/.git"));
        assert_eq!(one.state(), Path::new("/one/.git/windlass"));
        assert!(one.cache().starts_with("/home/me/.cache/windlass"));
        assert_ne!(one.cache(), two.cache());
        assert_eq!(one.cache(), at("/one/.git").cache());
        let plan = one.plan(&PlanName::new("shop").unwrap());
        assert_eq!(plan.journal(), Path::new("/one/.git/windlass/plans/shop/journal.db"));
        assert_eq!(one.cache().file_name().unwrap().len(), 16);
    }
}
