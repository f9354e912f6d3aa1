//! Takes what an agent left in a directory and makes a tree of it, by our own walk and our own index.

use std::path::Path;

use windlass_core::ids::Oid;

use super::changes::Change;
use super::error::GitError;
use super::repo::Repo;

/// What to take in, and within which limits.
pub struct Ingest<'a> {
    /// The directory.
    pub dir: &'a Path,
    /// The index written when the directory was laid down. A path of `base` that it lacks was never laid down
    /// and therefore counts as unchanged.
    pub index: &'a Path,
    /// The tree the work started from.
    pub base: &'a Oid,
    /// Whether a path belongs to the task: such a path is taken in even if the base ignores it.
    pub owned: &'a dyn Fn(&str) -> bool,
    /// The largest single file taken in.
    pub max_file_bytes: u64,
    /// The largest sum of changed files taken in.
    pub max_total_bytes: u64,
}

/// What was taken in.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Ingested {
    /// The resulting tree.
    pub tree: Oid,
    /// How it differs from the base, sorted by path.
    pub changes: Vec<Change>,
    /// What was not taken in, sorted by path; the tree has the base's version of it.
    pub refused: Vec<Refusal>,
}

/// One path that was not taken in.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Refusal {
    /// The path, odd bytes escaped.
    pub path: String,
    /// Why.
    pub why: RefusalKind,
}

/// Why a path was not taken in.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum RefusalKind {
    /// A new or changed symbolic link.
    Symlink,
    /// A changed submodule.
    Gitlink,
    /// A `.git` below the top.
    NestedRepository,
    /// A pipe, socket or device.
    SpecialFile,
    /// Larger than the limit for one file.
    TooLarge {
        /// Its size.
        bytes: u64,
    },
    /// One file too many for the limit on the sum.
    TotalTooLarge {
        /// Its size.
        bytes: u64,
    },
    /// A name that is not UTF-8.
    NotUtf8,
    /// A set-user-id, set-group-id or sticky bit.
    OddMode,
    /// It cannot be read.
    Unreadable,
}

impl Repo {
    /// Takes in a directory. Every process that could write to it must be dead.
    pub fn ingest(&self, ingest: &Ingest<'_>) -> Result<Ingested, GitError> {
        let _ = (
            ingest.dir,
            ingest.index,
            ingest.base,
            ingest.owned,
            ingest.max_file_bytes,
            ingest.max_total_bytes,
        );
        todo!()
    }
}
