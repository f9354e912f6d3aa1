//! The pool: which slots exist, which are free, which may be trusted to be clean.

use std::path::{Path, PathBuf};

use windlass_core::ids::Oid;

use super::error::SlotError;
use crate::git::Repo;

/// Slots in one directory: `<n>/tree` for the files, `<n>.lock` while in use, `<n>.clean` while at rest.
#[derive(Debug, Clone)]
pub struct SlotPool {
    root: PathBuf,
}

impl SlotPool {
    /// The pool in `root`, made if absent.
    pub fn open(root: &Path) -> Result<Self, SlotError> {
        Ok(Self { root: root.to_owned() })
    }

    /// The free slot with the lowest number; a new one if all are taken, by us or by another process.
    pub fn acquire(&self) -> Result<Slot, SlotError> {
        let _ = &self.root;
        todo!()
    }
}

/// A slot in use. Dropped without [`Slot::release`] it stays dirty and is wiped before its next use.
#[derive(Debug)]
pub struct Slot {
    number: u32,
    tree: PathBuf,
    index: PathBuf,
}

impl Slot {
    /// Its number, from 1.
    pub fn number(&self) -> u32 {
        self.number
    }

    /// The directory of its files.
    pub fn tree(&self) -> &Path {
        &self.tree
    }

    /// The index that says what was laid down in it.
    pub fn index(&self) -> &Path {
        &self.index
    }

    /// Makes its files those of `commit`: tracked ones exactly, ignored ones kept (build caches), all others
    /// gone, `.git` made anew. Paths below the prefixes in `hide` are absent.
    pub fn prepare(&mut self, repo: &Repo, commit: &Oid, hide: &[&str]) -> Result<(), SlotError> {
        let _ = (repo, commit, hide);
        todo!()
    }

    /// Gives it back as clean.
    pub fn release(self) -> Result<(), SlotError> {
        todo!()
    }
}
