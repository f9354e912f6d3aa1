//! A fresh copy of a tree for the verifier.

use std::path::{Path, PathBuf};

use windlass_core::ids::Oid;

use super::error::SlotError;
use crate::git::Repo;

/// A tree laid down in a fresh directory; wiped when dropped.
#[derive(Debug)]
pub struct Export {
    dir: PathBuf,
    index: PathBuf,
}

/// Lays `treeish` down in `dir`, without the paths below the prefixes in `hide`. What was in `dir` is wiped.
pub fn export(repo: &Repo, treeish: &Oid, dir: &Path, hide: &[&str]) -> Result<Export, SlotError> {
    let _ = (repo, treeish, dir, hide);
    todo!()
}

impl Export {
    /// The directory.
    pub fn dir(&self) -> &Path {
        &self.dir
    }

    /// The index that says what was laid down in it, beside the directory.
    pub fn index(&self) -> &Path {
        &self.index
    }
}
