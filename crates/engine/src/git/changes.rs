//! What differs between two trees, as data and as a patch; and what merging two commits gives.

use windlass_core::ids::Oid;

use super::error::GitError;
use super::repo::Repo;

/// How a path differs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum ChangeKind {
    /// It is new.
    Added,
    /// Its content or its executable bit differs.
    Modified,
    /// It is gone.
    Deleted,
    /// It became another kind of thing: file, symlink or submodule.
    TypeChanged,
}

/// One path that differs between two trees.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Change {
    /// The path from the root of the tree.
    pub path: String,
    /// How it differs.
    pub kind: ChangeKind,
    /// Mode and object before.
    pub old: Option<(u32, Oid)>,
    /// Mode and object after.
    pub new: Option<(u32, Oid)>,
}

/// Path, lines added, lines removed (0 and 0 for a binary file).
pub type LineCount = (String, u64, u64);

/// What a merge gives.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Merge {
    /// Both sides fit.
    Clean {
        /// The merged tree.
        tree: Oid,
    },
    /// They do not.
    Conflict {
        /// The paths in conflict, sorted.
        paths: Vec<String>,
    },
}

impl Repo {
    /// The paths that differ between two trees or commits; renames are a deletion and an addition.
    pub fn diff(&self, a: &Oid, b: &Oid) -> Result<Vec<Change>, GitError> {
        let _ = (a, b);
        todo!()
    }

    /// Lines added and removed for each path that differs.
    pub fn line_counts(&self, a: &Oid, b: &Oid) -> Result<Vec<LineCount>, GitError> {
        let _ = (a, b);
        todo!()
    }

    /// The difference as patch text that [`Repo::apply_patch`] takes back, binary files included.
    pub fn patch(&self, a: &Oid, b: &Oid) -> Result<Vec<u8>, GitError> {
        let _ = (a, b);
        todo!()
    }

    /// The tree that results from a patch on `base_treeish`.
    pub fn apply_patch(&self, base_treeish: &Oid, patch: &[u8]) -> Result<Oid, GitError> {
        let _ = (base_treeish, patch);
        todo!()
    }

    /// Merges two commits in memory.
    pub fn merge(&self, ours: &Oid, theirs: &Oid) -> Result<Merge, GitError> {
        let _ = (ours, theirs);
        todo!()
    }
}
