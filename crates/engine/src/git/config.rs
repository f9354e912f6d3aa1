//! Reads the user's git configuration: identity, signing, checked-out branches.

use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt as _;
use std::path::PathBuf;

use super::error::GitError;
use super::objects::Identity;
use super::repo::{Repo, nul_separated};

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
        let name = self.user_setting(&["user.name"])?;
        let email = self.user_setting(&["user.email"])?;
        Ok(name.zip(email).map(|(name, email)| Identity { name, email, date: None }))
    }

    /// Whether the user's configuration signs commits, and with which key.
    pub fn signing(&self) -> Result<UserSigning, GitError> {
        let wanted = self.user_setting(&["--type=bool", "commit.gpgSign"])?;
        let key = self.user_setting(&["user.signingKey"])?;
        Ok(UserSigning { wanted: wanted.as_deref() == Some("true"), key })
    }

    /// The work trees in which the branch `refs/heads/…` is checked out.
    pub fn checkouts_of(&self, branch_ref: &str) -> Result<Vec<PathBuf>, GitError> {
        let out = self.user("worktree").args(["list", "--porcelain", "-z"]).ok()?;
        let mut found = Vec::new();
        let mut here = PathBuf::new();
        for line in nul_separated(&out) {
            if let Some(path) = line.strip_prefix(b"worktree ") {
                here = PathBuf::from(OsStr::from_bytes(path));
            } else if line.strip_prefix(b"branch ") == Some(branch_ref.as_bytes()) {
                found.push(here.clone());
            }
        }
        Ok(found)
    }

    /// One setting as git in the user's checkout would see it; empty counts as not set.
    fn user_setting(&self, question: &[&str]) -> Result<Option<String>, GitError> {
        let answer = self.as_user("config").args(["-z", "--get"]).args(question).run()?;
        match answer.code() {
            Some(0) => {
                let value = String::from_utf8_lossy(&answer.stdout);
                let value = value.trim_end_matches('\0').trim();
                Ok((!value.is_empty()).then(|| value.to_owned()))
            }
            Some(1) => Ok(None),
            _ => Err(answer.failure()),
        }
    }
}
