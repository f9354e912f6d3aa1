//! A fresh copy of a tree for the verifier.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use windlass_core::ids::Oid;

use super::error::SlotError;
use crate::git::Repo;
use crate::removal::remove_any;

/// A tree laid down in a fresh directory; wiped when dropped.
#[derive(Debug)]
pub struct Export {
    dir: PathBuf,
    index: PathBuf,
}

/// Lays `treeish` down in `dir`, without the paths below the prefixes in `hide`. What was in `dir` is wiped.
pub fn export(repo: &Repo, treeish: &Oid, dir: &Path, hide: &[&str]) -> Result<Export, SlotError> {
    let mut index = OsString::from(dir);
    index.push(".index");
    // From here on a failure wipes what was begun.
    let export = Export { dir: dir.to_owned(), index: index.into() };
    remove_any(dir).map_err(|source| SlotError::io("cannot wipe", dir, source))?;
    let tree = if hide.is_empty() {
        treeish.clone()
    } else {
        repo.tree_without(treeish, &repo.ls_tree(treeish)?, hide)?
    };
    repo.materialise(&tree, &export.dir, &export.index)?;
    Ok(export)
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

impl Drop for Export {
    fn drop(&mut self) {
        // What cannot be removed now is wiped when the directory is used again.
        let _ = remove_any(&self.dir);
        let _ = remove_any(&self.index);
    }
}
