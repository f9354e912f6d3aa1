//! The integration branch: found or created when a run starts. The one place where it is created, and where it is moved
//! outside of a run.

use windlass_core::ids::Oid;

use crate::error::EngineError;
use crate::git::{ExpectedRef, GitError, RefMove, Repo};

/// The integration branch at the start of a run.
pub(crate) struct IntegrationBranch {
    pub(crate) tip: Oid,
    /// The commit it grew from.
    pub(crate) base: Oid,
}

/// Creates the branch at a commit. A branch that exists is left alone, and where it points is returned.
pub fn create_branch(repo: &Repo, branch: &str, at: &Oid) -> Result<RefMove, GitError> {
    repo.update_ref(&full_name(branch), at, ExpectedRef::Absent, "windlass: start")
}

/// Moves the branch to a commit, unless it moved meanwhile.
pub fn advance_branch(repo: &Repo, branch: &str, from: Oid, to: &Oid) -> Result<RefMove, GitError> {
    repo.update_ref(&full_name(branch), to, ExpectedRef::Is(from), "windlass: plan")
}

/// Finds the branch, or creates it at `start`. `known_base` is the base that the journal knows.
pub(crate) fn find_branch(
    repo: &Repo,
    branch: &str,
    start: &Oid,
    known_base: Option<Oid>,
) -> Result<IntegrationBranch, EngineError> {
    if let Some(tip) = repo.resolve(&full_name(branch))? {
        let base = match known_base {
            Some(base) => base,
            None => repo.merge_base(&tip, start)?.unwrap_or_else(|| tip.clone()),
        };
        return Ok(IntegrationBranch { tip, base });
    }
    if let Some(base) = known_base {
        return Err(EngineError::Branch {
            message: format!("the branch `{branch}` is gone"),
            hint: format!(
                "restore it, or create it again with `git branch {branch} {base}` and `windlass retry`"
            ),
        });
    }
    match create_branch(repo, branch, start)? {
        RefMove::Moved => Ok(IntegrationBranch { tip: start.clone(), base: start.clone() }),
        RefMove::Mismatch { actual } => {
            let tip = actual.unwrap_or_else(|| start.clone());
            Ok(IntegrationBranch { base: tip.clone(), tip })
        }
    }
}

fn full_name(branch: &str) -> String {
    format!("refs/heads/{branch}")
}
