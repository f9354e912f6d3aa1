//! Names in the user's repository: reading them, and moving one by compare-and-swap.

use windlass_core::ids::Oid;

use super::error::GitError;
use super::repo::Repo;

/// Where the user's checkout stands.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Head {
    /// On a branch.
    Branch {
        /// Its name without `refs/heads/`.
        name: String,
        /// Its tip.
        oid: Oid,
    },
    /// On no branch.
    Detached {
        /// The commit.
        oid: Oid,
    },
    /// On a branch without a commit.
    Unborn {
        /// Its name without `refs/heads/`.
        name: String,
    },
}

/// What a ref must be for it to be moved.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Expect {
    /// It must not exist.
    Absent,
    /// It must be exactly this.
    Is(Oid),
    /// Whatever it is.
    Anything,
}

/// What became of an attempt to move a ref.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum RefMove {
    /// It moved.
    Moved,
    /// It was not what was expected and is untouched.
    Mismatch {
        /// What it is.
        actual: Option<Oid>,
    },
}

impl Repo {
    /// Where the user's checkout stands.
    pub fn head(&self) -> Result<Head, GitError> {
        todo!()
    }

    /// The commit a revision of the user's repository names; `None` if there is none.
    pub fn resolve(&self, rev: &str) -> Result<Option<Oid>, GitError> {
        let _ = rev;
        todo!()
    }

    /// Moves a ref of the user's repository if it is what `expect` says; `why` goes into its log.
    pub fn update_ref(&self, name: &str, new: &Oid, expect: Expect, why: &str) -> Result<RefMove, GitError> {
        let _ = (name, new, expect, why);
        todo!()
    }

    /// Deletes a ref of the user's repository if it is what `expect` says.
    pub fn delete_ref(&self, name: &str, expect: Expect) -> Result<RefMove, GitError> {
        let _ = (name, expect);
        todo!()
    }

    /// The refs below a prefix such as `refs/windlass/plan/`, sorted by name.
    pub fn refs(&self, prefix: &str) -> Result<Vec<(String, Oid)>, GitError> {
        let _ = prefix;
        todo!()
    }
}
