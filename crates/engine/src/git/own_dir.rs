//! Windlass's own git directory: how it is made and kept in shape.

use std::path::Path;

use super::error::GitError;
use super::repo::Repo;

impl Repo {
    /// Uses `<state>/git` from here on, making or repairing it first.
    pub fn with_own_dir(self, state: &Path) -> Result<Self, GitError> {
        let _ = state;
        todo!()
    }
}
