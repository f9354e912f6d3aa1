//! Blobs and commits: reading and writing single objects.

use windlass_core::ids::Oid;

use super::error::GitError;
use super::repo::Repo;

/// Who made a commit.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Identity {
    /// The name.
    pub name: String,
    /// The address.
    pub email: String,
    /// The date in a form git reads, for example `@1700000000 +0000`; `None` is now.
    pub date: Option<String>,
}

/// Whether a commit is signed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Signing {
    /// It is not.
    No,
    /// With this key, or with the user's configured one.
    Key(Option<String>),
}

/// Everything a commit is made of.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CommitSpec {
    /// Its tree.
    pub tree: Oid,
    /// Its parents, the first-parent chain first.
    pub parents: Vec<Oid>,
    /// Its message, trailers included.
    pub message: String,
    /// Who wrote it.
    pub author: Identity,
    /// Who committed it.
    pub committer: Identity,
    /// Whether it is signed.
    pub sign: Signing,
}

impl Repo {
    /// The tree of a commit.
    pub fn tree_of(&self, commit: &Oid) -> Result<Oid, GitError> {
        let _ = commit;
        todo!()
    }

    /// The bytes of one blob.
    pub fn read_blob(&self, oid: &Oid) -> Result<Vec<u8>, GitError> {
        let _ = oid;
        todo!()
    }

    /// The bytes of many blobs, in the order asked for, through one process.
    pub fn read_blobs(&self, oids: &[Oid]) -> Result<Vec<Vec<u8>>, GitError> {
        let _ = oids;
        todo!()
    }

    /// The bytes of the file at `path`; `None` if there is no file (or link) there.
    pub fn read_path(&self, treeish: &Oid, path: &str) -> Result<Option<Vec<u8>>, GitError> {
        let _ = (treeish, path);
        todo!()
    }

    /// Stores bytes as a blob, unconverted.
    pub fn write_blob(&self, bytes: &[u8]) -> Result<Oid, GitError> {
        let _ = bytes;
        todo!()
    }

    /// Writes a commit object; moves no ref.
    pub fn commit_tree(&self, spec: &CommitSpec) -> Result<Oid, GitError> {
        let _ = spec;
        todo!()
    }
}
