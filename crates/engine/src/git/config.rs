//! The few things asked of the user's own configuration: who they are, whether they sign, what is checked out.

use std::path::PathBuf;

use super::error::GitError;
use super::objects::Identity;
use super::repo::Repo;

/// What the user's configuration says about signing commits.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UserSigning {
    /// `commit.gpgSign`.
    pub wanted: bool,
    /// `user.signingKey`.
    pub key: Option<String>,
}

impl Repo {
    /// The user's name and address; `None` when git has none.
    pub fn identity(&self) -> Result<Option<Identity>, GitError> {
        todo!()
    }

    /// Whether the user's configuration signs commits, and with which key.
    pub fn signing(&self) -> Result<UserSigning, GitError> {
        todo!()
    }

    /// The work trees in which the branch `refs/heads/…` is checked out.
    pub fn checkouts_of(&self, branch_ref: &str) -> Result<Vec<PathBuf>, GitError> {
        let _ = branch_ref;
        todo!()
    }
}
