//! A git directory for an agent: one commit, no remote, no hook, nothing that leads back.

use std::path::Path;

use windlass_core::ids::Oid;

use super::error::GitError;
use super::repo::Repo;

impl Repo {
    /// Makes `dir/.git` anew with only `commit` in it, detached, its index matching the commit.
    pub fn fetch_into_private(&self, commit: &Oid, dir: &Path) -> Result<(), GitError> {
        let _ = (commit, dir);
        todo!()
    }
}
