//! Commits behind commits: the first-parent chain and who is whose ancestor.

use windlass_core::ids::Oid;

use super::error::GitError;
use super::repo::Repo;

/// A commit, read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CommitInfo {
    /// Its own id.
    pub oid: Oid,
    /// Its tree.
    pub tree: Oid,
    /// Its parents.
    pub parents: Vec<Oid>,
    /// Its whole message.
    pub message: String,
    /// The trailers at the end of the message, in order.
    pub trailers: Vec<(String, String)>,
}

impl Repo {
    /// The first-parent chain from `tip`, newest first, up to but without `stop` and what it reaches.
    pub fn first_parents(&self, tip: &Oid, stop: Option<&Oid>) -> Result<Vec<CommitInfo>, GitError> {
        let _ = (tip, stop);
        todo!()
    }

    /// Whether `a` is `b` or is reachable from it.
    pub fn is_ancestor(&self, a: &Oid, b: &Oid) -> Result<bool, GitError> {
        let _ = (a, b);
        todo!()
    }

    /// The best common ancestor of two commits.
    pub fn merge_base(&self, a: &Oid, b: &Oid) -> Result<Option<Oid>, GitError> {
        let _ = (a, b);
        todo!()
    }
}
