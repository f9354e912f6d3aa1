//! The handle on a repository: where its parts lie and how its calls start.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::command::GitEnv;
use super::error::GitError;

/// A repository of the user, and Windlass's own git directory beside it. Cheap to clone.
#[derive(Debug, Clone)]
pub struct Repo {
    pub(super) inner: Arc<Inner>,
}

#[derive(Debug, Clone)]
pub(super) struct Inner {
    pub(super) program: PathBuf,
    pub(super) env: GitEnv,
    pub(super) git_dir: PathBuf,
    pub(super) common_dir: PathBuf,
    pub(super) worktree: Option<PathBuf>,
    pub(super) bare: bool,
    pub(super) own_dir: Option<PathBuf>,
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
        todo!()
    }
}
