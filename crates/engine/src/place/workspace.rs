//! Directories with the files of a commit: workspaces for agents, exports for commands.

use std::path::Path;

use windlass_core::ids::Oid;

use crate::context::Context;
use crate::error::EngineError;
use crate::git::{Head, Repo};
use crate::git_tree::GitTree;
use crate::paths::Paths;
use crate::slot::{BaseAge, ExportedTree, Slot, SlotError, SlotPool, export, export_over};
use crate::verify::setup::{self, copy_files};

/// A slot with the files of a commit and the untracked files that the configuration names.
///
/// Dropped without [`Workspace::keep`], it is wiped before its next use.
pub(crate) struct Workspace {
    slot: Slot,
}

impl Workspace {
    /// A workspace outside of a run, with the files of `HEAD`; without any before the first commit.
    pub(crate) fn of_head(paths: &Paths, repo: &Repo, hidden: &[&str]) -> Result<Self, EngineError> {
        let mut slot = SlotPool::open(&paths.slots())?.acquire()?;
        match repo.head()? {
            Head::Branch { oid, .. } | Head::Detached { oid } => slot.prepare(repo, &oid, hidden)?,
            Head::Unborn { .. } => {}
        }
        Ok(Self { slot })
    }

    /// The directory of the files.
    pub(crate) fn dir(&self) -> &Path {
        self.slot.tree()
    }

    /// The index that lists what was checked out.
    pub(crate) fn index(&self) -> &Path {
        self.slot.index()
    }

    /// A small number that no other workspace in use has.
    pub(crate) fn number(&self) -> u32 {
        self.slot.number()
    }

    /// Returns the slot with its build caches for the next task.
    pub(crate) fn keep(self) -> Result<(), SlotError> {
        self.slot.release()
    }
}

impl Context {
    /// A workspace with the files of a commit.
    pub(crate) fn workspace(&self, commit: &Oid) -> Result<Workspace, EngineError> {
        let mut slot = self.machine.slots.acquire()?;
        slot.prepare(&self.repo, commit, &self.hidden())?;
        copy_files(self, slot.tree())?;
        Ok(Workspace { slot })
    }

    /// The files of a tree in a directory for commands of this run. What they write is discarded with the export.
    pub(crate) fn export(&self, tree: &Oid, dir: &Path) -> Result<ExportedTree, EngineError> {
        let export = if self.exports_as_overlay() {
            let is_set_up = !setup::plans(self, &GitTree::open(&self.repo, tree)?).is_empty();
            let age = if is_set_up { BaseAge::Now } else { BaseAge::Kept };
            export_over(&self.machine.bases, &self.repo, tree, dir, &self.hidden(), age)?
        } else {
            export(&self.repo, tree, dir, &self.hidden())?
        };
        self.machine.setups.stand_on(dir, export.base());
        Ok(export.removed_by(&self.machine.removals))
    }

    /// Whether exports are mounted over a kept base. A service uses the directory at the same time as the tests, and the
    /// kernel does not allow two writable mounts of one upper directory.
    fn exports_as_overlay(&self) -> bool {
        self.config.verify.services.is_empty()
            && self.machine.sandbox.rung().has_own_root()
            && self.machine.can_overlay()
    }
}
