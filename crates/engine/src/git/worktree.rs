//! Files on disk from a tree, and which of them still are what was laid down.

use std::path::Path;

use windlass_core::ids::Oid;

use super::error::GitError;
use super::repo::Repo;

impl Repo {
    /// Lays a tree down in `dir` (made if absent), remembering the files' stat data in `index`. Nothing is
    /// converted; submodules become empty directories.
    pub fn materialise(&self, treeish: &Oid, dir: &Path, index: &Path) -> Result<(), GitError> {
        let _ = (treeish, dir, index);
        todo!()
    }

    /// The laid-down files whose bytes, kind or executable bit are no longer those of the index.
    pub fn changed_since(&self, dir: &Path, index: &Path) -> Result<Vec<String>, GitError> {
        let _ = (dir, index);
        todo!()
    }
}
