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

/// Under which names git would commit.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CommitPeople {
    /// The author; `None` when git knows none.
    pub author: Option<Identity>,
    /// The committer; `None` when git knows none.
    pub committer: Option<Identity>,
}

impl CommitPeople {
    /// The author, if a commit could be made at all.
    pub fn known(self) -> Option<Identity> {
        self.author.filter(|_| self.committer.is_some())
    }
}

impl Repo {
    /// The names and addresses that git would commit under: from variables, then `author.*` and `committer.*`, then
    /// `user.*`.
    pub fn people(&self) -> Result<CommitPeople, GitError> {
        let settings = self.user_settings("^(user|author|committer)\\.(name|email)$")?;
        let set = |key: &str| settings.iter().rev().find(|(k, v)| k == key && !v.is_empty());
        let variable = |name: &str| {
            let found = self.inner.env.people.iter().find(|(n, v)| n == name && !v.trim().is_empty());
            found.map(|(_, value)| value.trim().to_owned())
        };
        let one = |who: &str, what: &str| {
            let upper = |text: &str| text.to_ascii_uppercase();
            let from_settings = || set(&format!("{who}.{what}")).or_else(|| set(&format!("user.{what}")));
            variable(&format!("GIT_{}_{}", upper(who), upper(what)))
                .or_else(|| from_settings().map(|(_, value)| value.clone()))
        };
        let person =
            |who: &str| Some(Identity { name: one(who, "name")?, email: one(who, "email")?, date: None });
        Ok(CommitPeople { author: person("author"), committer: person("committer") })
    }

    /// Whether the user's configuration signs commits, and with which key.
    pub fn signing(&self) -> Result<UserSigning, GitError> {
        let wanted = self.user_setting(&["--type=bool", "commit.gpgSign"])?;
        let key = self.user_setting(&["user.signingKey"])?;
        Ok(UserSigning { wanted: wanted.as_deref() == Some("true"), key })
    }

    /// The work trees in which the branch `refs/heads/…` is checked out.
    pub fn checkouts_of(&self, branch_ref: &str) -> Result<Vec<PathBuf>, GitError> {
        if self.no_head_names(branch_ref) == Some(true) {
            return Ok(Vec::new());
        }
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

    /// Whether no checkout is on this branch, as far as that can be told from files; `None` if git has to be asked.
    fn no_head_names(&self, branch_ref: &str) -> Option<bool> {
        let common = &self.inner.common_dir;
        let mut heads = vec![common.join("HEAD")];
        match std::fs::read_dir(common.join("worktrees")) {
            Ok(linked) => {
                for entry in linked {
                    heads.push(entry.ok()?.path().join("HEAD"));
                }
            }
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => {}
            Err(_) => return None,
        }
        for head in heads {
            let is_file = std::fs::symlink_metadata(&head).ok()?.is_file();
            let text = std::fs::read_to_string(&head).ok().filter(|_| is_file)?;
            let on = text.strip_prefix("ref: ").map(str::trim_end);
            // A head that is kept elsewhere names this in its place.
            if on == Some(branch_ref) || on == Some("refs/heads/.invalid") {
                return None;
            }
        }
        Some(true)
    }

    /// The settings whose names match, in lower case, in the order git reads them.
    fn user_settings(&self, pattern: &str) -> Result<Vec<(String, String)>, GitError> {
        let answer = self.as_user("config").args(["-z", "--get-regexp", pattern]).run()?;
        match answer.code() {
            Some(0) => {
                let pair = |record: &[u8]| {
                    let text = String::from_utf8_lossy(record);
                    let (key, value) = text.split_once('\n')?;
                    Some((key.to_owned(), value.trim().to_owned()))
                };
                Ok(nul_separated(&answer.stdout).filter_map(pair).collect())
            }
            Some(1) => Ok(Vec::new()),
            _ => Err(answer.failure()),
        }
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
