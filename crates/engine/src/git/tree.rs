//! Trees: listing one, and making one from another without a work tree.

use windlass_core::ids::Oid;

use super::error::GitError;
use super::repo::Repo;

/// One file, symlink or submodule in a tree.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TreeEntry {
    /// The git mode: `0o100644`, `0o100755`, `0o120000` or `0o160000`.
    pub mode: u32,
    /// The blob, or the commit of a submodule.
    pub oid: Oid,
    /// The path from the root of the tree, with `/`.
    pub path: String,
}

/// One path to set in or remove from a tree.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TreeEdit {
    /// The path from the root of the tree.
    pub path: String,
    /// Its new mode and object; `None` removes it.
    pub new: Option<(u32, Oid)>,
}

/// Whether `path` is `prefix` or lies below it; a final `/` of the prefix does not matter.
pub(crate) fn is_below(path: &str, prefix: &str) -> bool {
    let prefix = prefix.trim_end_matches('/');
    path.strip_prefix(prefix).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
}

impl Repo {
    /// Every file of a tree or commit, recursively, in git's order.
    pub fn ls_tree(&self, treeish: &Oid) -> Result<Vec<TreeEntry>, GitError> {
        let _ = treeish;
        todo!()
    }

    /// The tree that results from `edits` on `base_treeish`.
    pub fn edit_tree(&self, base_treeish: &Oid, edits: &[TreeEdit]) -> Result<Oid, GitError> {
        let _ = (base_treeish, edits);
        todo!()
    }

    /// The tree with nothing in it, written to the store.
    pub fn empty_tree(&self) -> Result<Oid, GitError> {
        todo!()
    }
}
