//! A git tree as the code crate's `Tree`.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};

use windlass_code::repo::Tree;
use windlass_core::ids::Oid;

use crate::git::{GitError, Repo, TreeFiles};

/// A tree of the repository: its paths at once, its bytes on demand.
pub(crate) struct GitTree {
    repo: Repo,
    oid: Oid,
    files: TreeFiles,
    read: Mutex<HashMap<String, Vec<u8>>>,
}

impl GitTree {
    /// The tree itself.
    pub(crate) fn oid(&self) -> &Oid {
        &self.oid
    }

    /// Lists the tree.
    pub(crate) fn open(repo: &Repo, tree: &Oid) -> Result<Self, GitError> {
        let files = repo.files_of(tree)?;
        Ok(Self { oid: tree.clone(), repo: repo.clone(), files, read: Mutex::default() })
    }

    /// The bytes at a path; an object that is named and cannot be read is an error, not an absence.
    pub(crate) fn bytes(&self, path: &str) -> Result<Option<Vec<u8>>, GitError> {
        match (self.read(path), self.files.blob(path)) {
            (Some(bytes), _) => Ok(Some(bytes)),
            (None, Some(blob)) => self.repo.read_blob(blob).map(Some),
            (None, None) => Ok(None),
        }
    }

    /// Its files, to keep.
    pub(crate) fn files(&self) -> TreeFiles {
        self.files.clone()
    }

    /// The blob at a path.
    pub(crate) fn blob(&self, path: &str) -> Option<&Oid> {
        self.files.blob(path)
    }
}

impl Tree for GitTree {
    fn paths(&self) -> &[String] {
        &self.files.paths
    }

    fn read(&self, path: &str) -> Option<Vec<u8>> {
        let mut read = self.read.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(bytes) = read.get(path) {
            return Some(bytes.clone());
        }
        let bytes = self.repo.read_blob(self.files.blob(path)?).ok()?;
        read.insert(path.to_owned(), bytes.clone());
        Some(bytes)
    }

    fn has(&self, path: &str) -> bool {
        self.files.blob(path).is_some()
    }
}
