//! The one discovery: from a directory to the repository around it.

use std::path::Path;

use super::command::GitEnv;
use super::error::GitError;
use super::repo::Repo;

impl Repo {
    /// Finds the repository around `start`.
    pub fn discover(env: GitEnv, start: &Path) -> Result<Self, GitError> {
        let _ = (env, start);
        todo!()
    }
}
