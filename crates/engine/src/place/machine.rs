//! What this machine gives to jobs: slots, exports, sandboxes, environment layers, scratch directories.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use windlass_core::ids::{AttemptNo, TaskId};

use crate::cache::CacheClaim;
use crate::error::EngineError;
use crate::paths::Paths;
use crate::process::Token;
use crate::random_token::process_name;
use crate::removal::RemovalQueue;
use crate::sandbox::{DirSetups, Fence, FenceRole, Sandbox};
use crate::slot::{Bases, SlotPool};
use crate::verify::setup::SetupPlans;
use crate::verify::{BaseTests, CheckedTrees, LayerStore};

/// The directory of the cache with scratch directories.
const SCRATCH: &str = "scratch";

/// The resources of this machine for one run.
pub(crate) struct LocalMachine {
    pub(crate) sandbox: Sandbox,
    /// What is set up around the directories that commands run in.
    pub(crate) setups: DirSetups,
    pub(crate) layers: LayerStore,
    /// What type checkers and linters reported on trees that changes were merged onto.
    pub(crate) checked: CheckedTrees,
    /// Tests that fail on trees that changes are made on.
    pub(crate) base_tests: BaseTests,
    pub(crate) setup_plans: SetupPlans,
    pub(super) slots: SlotPool,
    pub(super) bases: Bases,
    /// The cache directory of the repository.
    pub(crate) cache: PathBuf,
    token: String,
    counter: AtomicU64,
    pub(super) removals: Arc<RemovalQueue>,
    /// Held as long as the cache is used.
    _claim: CacheClaim,
}

impl LocalMachine {
    /// The machine's resources below the cache directory. `token` marks every process of the run.
    pub(crate) fn open(paths: &Paths, sandbox: Sandbox, token: String) -> Result<Self, EngineError> {
        let claim = CacheClaim::take(paths)?;
        Ok(Self {
            sandbox,
            setups: DirSetups::default(),
            layers: LayerStore::new(paths.cache().join("layers")),
            checked: CheckedTrees::default(),
            base_tests: BaseTests::default(),
            setup_plans: SetupPlans::default(),
            slots: SlotPool::open(&paths.slots())?,
            bases: Bases::at(&paths.exports()),
            cache: paths.cache().to_owned(),
            token,
            counter: AtomicU64::new(0),
            removals: Arc::default(),
            _claim: claim,
        })
    }

    /// A number that this run has not used before, for names of directories.
    pub(crate) fn next_number(&self) -> u64 {
        self.counter.fetch_add(1, Ordering::Relaxed)
    }

    /// The token of everything that one attempt starts.
    pub(crate) fn token_of(&self, task: &TaskId, attempt: AttemptNo) -> Token {
        Token::new(&format!("{}.{task}.{attempt}", self.token))
    }

    /// A new directory outside every checkout, removed after it is dropped.
    pub(crate) fn scratch(&self, what: &str) -> Result<ScratchDir, EngineError> {
        let name = format!("{}-{}-{what}", process_name(), self.next_number());
        ScratchDir::create(self.cache.join(SCRATCH).join(name), Arc::clone(&self.removals))
    }

    /// Removes what earlier processes left in scratch directories. To be called before the first of this one is made.
    pub(crate) fn remove_leftovers(&self) {
        let entries = std::fs::read_dir(self.cache.join(SCRATCH)).into_iter().flatten().flatten();
        let left: Vec<PathBuf> = entries.map(|entry| entry.path()).collect();
        if !left.is_empty() {
            self.removals.add(left);
        }
    }

    /// A sandbox around a directory, with everything that is set up around it.
    pub(crate) fn fence(&self, role: FenceRole, dir: &Path, own: &Path) -> Fence {
        self.sandbox.fence(role, dir, own).in_room(&self.setups)
    }

    /// Whether directories can be mounted over each other here.
    pub(crate) fn can_overlay(&self) -> bool {
        self.sandbox.can_overlay(&self.cache.join("probe").join("overlay"))
    }
}

/// A directory that is removed after it is dropped.
pub(crate) struct ScratchDir {
    dir: PathBuf,
    removals: Arc<RemovalQueue>,
}

impl ScratchDir {
    fn create(dir: PathBuf, removals: Arc<RemovalQueue>) -> Result<Self, EngineError> {
        let made = std::fs::create_dir_all(&dir);
        made.map_err(|source| EngineError::Io { what: "create", path: dir.clone(), source })?;
        Ok(Self { dir, removals })
    }

    pub(crate) fn path(&self) -> &Path {
        &self.dir
    }

    /// A directory below it, created if absent.
    pub(crate) fn sub(&self, name: &str) -> Result<PathBuf, EngineError> {
        let dir = self.dir.join(name);
        let made = std::fs::create_dir_all(&dir);
        made.map_err(|source| EngineError::Io { what: "create", path: dir.clone(), source })?;
        Ok(dir)
    }
}

impl Drop for ScratchDir {
    fn drop(&mut self) {
        self.removals.add(vec![std::mem::take(&mut self.dir)]);
    }
}

#[cfg(test)]
mod tests;
