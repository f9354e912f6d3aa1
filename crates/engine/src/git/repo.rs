//! The handle on a repository: where its parts lie and how its calls start.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use windlass_core::ids::Oid;

use super::command::{ConfigScope, GitCall, GitEnv};
use super::error::GitError;
use super::object_cache::Memory;
use super::resident::Residents;
use crate::random_token::process_name;

/// A repository of the user, and Windlass's own git directory beside it. Cheap to clone.
#[derive(Debug, Clone)]
pub struct Repo {
    pub(super) inner: Arc<RepoParts>,
}

#[derive(Debug, Clone)]
pub(super) struct RepoParts {
    pub(super) program: PathBuf,
    pub(super) env: GitEnv,
    /// The git directory of the checkout the search began in: its HEAD is the user's.
    pub(super) git_dir: PathBuf,
    pub(super) common_dir: PathBuf,
    pub(super) worktree: Option<PathBuf>,
    pub(super) bare: bool,
    pub(super) format: ObjectFormat,
    pub(super) own_dir: Option<PathBuf>,
    pub(super) memory: Arc<Memory>,
    pub(super) residents: Arc<Residents>,
}

/// The hash of a repository's object names.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ObjectFormat {
    Sha1,
    Sha256,
}

impl Repo {
    /// The git directory shared by all linked work trees.
    pub fn common_dir(&self) -> &Path {
        &self.inner.common_dir
    }

    /// The top of the user's checkout.
    pub fn worktree(&self) -> Option<&Path> {
        self.inner.worktree.as_deref()
    }

    /// Whether the repository has no checkout.
    pub fn is_bare(&self) -> bool {
        self.inner.bare
    }

    /// The version of the git program, for example `2.39.5`.
    pub fn git_version(&self) -> Result<String, GitError> {
        version_of_program(&self.inner.program, &self.inner.env)
    }

    /// The version of the git program on the search path, outside of any repository.
    pub fn program_version(env: &GitEnv) -> Result<String, GitError> {
        let program = super::discover::find_program(&env.path).ok_or(GitError::GitMissing)?;
        version_of_program(&program, env)
    }

    /// A call on the user's git directory: refs and work trees.
    pub(super) fn user<'a>(&self, what: &'static str) -> GitCall<'a> {
        self.user_with(what, &[])
    }

    /// The same with settings for this call alone.
    pub(super) fn user_with<'a>(&self, what: &'static str, settings: &[&str]) -> GitCall<'a> {
        self.call(&self.inner.common_dir, ConfigScope::Repository, settings, what)
    }

    /// A call on the git directory of the user's checkout: HEAD.
    pub(super) fn user_checkout<'a>(&self, what: &'static str) -> GitCall<'a> {
        self.call(&self.inner.git_dir, ConfigScope::Repository, &[], what)
    }

    /// A call that may read the user's own configuration: identity and signing, nothing else.
    pub(super) fn as_user<'a>(&self, what: &'static str) -> GitCall<'a> {
        self.call(&self.inner.git_dir, ConfigScope::User, &[], what)
    }

    /// Where the objects lie.
    pub(super) fn objects_dir(&self) -> PathBuf {
        self.inner.common_dir.join("objects")
    }

    /// A call on objects alone, through Windlass's own git directory once there is one.
    pub(super) fn objects<'a>(&self, what: &'static str) -> GitCall<'a> {
        self.objects_with(what, &[])
    }

    pub(super) fn objects_with<'a>(&self, what: &'static str, settings: &[&str]) -> GitCall<'a> {
        let Some(own) = &self.inner.own_dir else {
            return self.user_with(what, settings);
        };
        let call = self.call(own, ConfigScope::Repository, settings, what);
        let call = call.env("GIT_OBJECT_DIRECTORY", self.objects_dir());
        let shallow = self.inner.common_dir.join("shallow");
        // Without it git would miss that history ends where the user's shallow clone ends.
        if shallow.exists() { call.env("GIT_SHALLOW_FILE", shallow) } else { call }
    }

    /// A call in which attributes or an index matter: never made through the user's git directory.
    pub(super) fn own<'a>(&self, what: &'static str) -> Result<GitCall<'a>, GitError> {
        self.own_with(what, &[])
    }

    /// The same with settings for this call alone.
    pub(super) fn own_with<'a>(
        &self,
        what: &'static str,
        settings: &[&str],
    ) -> Result<GitCall<'a>, GitError> {
        if self.inner.own_dir.is_none() {
            return Err(GitError::NoOwnDir { what });
        }
        Ok(self.objects_with(what, settings))
    }

    fn call<'a>(
        &self,
        git_dir: &Path,
        scope: ConfigScope,
        settings: &[&str],
        what: &'static str,
    ) -> GitCall<'a> {
        let inner = &self.inner;
        let mut before = Vec::with_capacity(1 + 2 * settings.len());
        let mut dir = OsString::from("--git-dir=");
        dir.push(git_dir);
        before.push(dir);
        for setting in settings {
            before.extend(["-c".into(), OsString::from(setting)]);
        }
        let call = GitCall::new(&inner.program, &inner.env, scope, &before, what);
        call.cwd(&inner.common_dir)
    }

    /// The id that stands for "no object".
    pub(super) fn zero(&self) -> &'static str {
        match self.inner.format {
            ObjectFormat::Sha1 => "0000000000000000000000000000000000000000",
            ObjectFormat::Sha256 => "0000000000000000000000000000000000000000000000000000000000000000",
        }
    }

    /// A fresh name for an index of our own, removed when dropped.
    pub(super) fn temp_index(&self) -> Result<TempIndex, GitError> {
        static NEXT: AtomicU64 = AtomicU64::new(0);
        let own = self.inner.own_dir.as_ref().ok_or(GitError::NoOwnDir { what: "index" })?;
        let number = NEXT.fetch_add(1, Ordering::Relaxed);
        Ok(TempIndex(own.join("tmp").join(format!("{}-{number}", process_name()))))
    }
}

fn version_of_program(program: &Path, env: &GitEnv) -> Result<String, GitError> {
    let out = GitCall::new(program, env, ConfigScope::Repository, &[], "version").ok()?;
    let text = String::from_utf8_lossy(&out);
    let version = text.strip_prefix("git version ").and_then(|rest| rest.split_whitespace().next());
    version.map(str::to_owned).ok_or_else(|| unreadable("version", text.trim()))
}

/// An index file that is removed when dropped.
#[derive(Debug)]
pub(super) struct TempIndex(PathBuf);

impl TempIndex {
    pub(super) fn path(&self) -> &Path {
        &self.0
    }
}

impl Drop for TempIndex {
    fn drop(&mut self) {
        // A leftover is removed at the next start.
        let _ = std::fs::remove_file(&self.0);
    }
}

/// The error for an answer without the documented shape.
pub(super) fn unreadable(what: &'static str, detail: &str) -> GitError {
    GitError::Unreadable { what, detail: detail.chars().take(200).collect() }
}

/// Reads an object id that is alone on its line.
pub(super) fn parse_oid(what: &'static str, bytes: &[u8]) -> Result<Oid, GitError> {
    let text = std::str::from_utf8(bytes).map_err(|_| unreadable(what, "an object id that is not text"))?;
    Oid::new(text.trim_end()).map_err(|_| unreadable(what, text))
}

/// Reads a path of a tree.
pub(super) fn parse_path(bytes: &[u8]) -> Result<String, GitError> {
    match std::str::from_utf8(bytes) {
        Ok(path) => Ok(path.to_owned()),
        Err(_) => Err(GitError::PathNotUtf8 { path: bytes.escape_ascii().to_string() }),
    }
}

/// Reads a file mode in octal.
pub(super) fn parse_mode(what: &'static str, bytes: &[u8]) -> Result<u32, GitError> {
    let text = std::str::from_utf8(bytes).ok();
    let mode = text.and_then(|t| u32::from_str_radix(t, 8).ok());
    mode.ok_or_else(|| unreadable(what, "a file mode"))
}

/// The pieces of an answer made with `-z`, without the empty one after the last NUL.
pub(super) fn nul_separated(bytes: &[u8]) -> impl Iterator<Item = &[u8]> {
    bytes.split(|b| *b == 0).filter(|piece| !piece.is_empty())
}
