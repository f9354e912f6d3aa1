//! Lands the branch: fast-forward, or a merge that is verified first. Never forced.

use windlass_core::failure::Failure;
use windlass_core::ids::{Oid, TaskId};

use crate::context::Context;
use crate::early_end::EarlyEnd;
use crate::error::EngineError;
use crate::git::{CommitSpec, ExpectedRef, MergeResult, RefMove};
use crate::place::{ClosingJob, Place};
use crate::process::CancellationSignal;

/// What to land, and where.
pub struct LandRequest {
    /// The target branch, without `refs/heads/`.
    pub onto: String,
    /// The completed tasks.
    pub tasks: Vec<TaskId>,
}

/// What became of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Landed {
    /// The target has everything already.
    Nothing,
    /// The target can be moved forward to this commit.
    Forward {
        /// Where it stood.
        from: Oid,
        /// Where it goes.
        to: Oid,
        /// Whether a merge was needed.
        merged: bool,
    },
    /// The two do not merge.
    Conflict {
        /// The paths.
        paths: Vec<String>,
    },
    /// They merge, but the result is not green.
    NotGreen {
        /// Why not.
        failure: Failure,
    },
    /// The target moved while we looked.
    Moved,
    /// It was stopped.
    Interrupted,
}

/// Finds or creates the commit to land. The caller moves the target, because it knows about checkouts.
pub(crate) async fn land(
    ctx: &Context,
    place: &dyn Place,
    request: &LandRequest,
    cancel: &CancellationSignal,
) -> Result<Landed, EngineError> {
    let target = branch(ctx, &request.onto)?;
    let tip = branch(ctx, &ctx.branch)?;
    if ctx.repo.is_ancestor(&tip, &target)? {
        return Ok(Landed::Nothing);
    }
    if ctx.repo.is_ancestor(&target, &tip)? {
        return Ok(Landed::Forward { from: target, to: tip, merged: false });
    }
    let tree = match ctx.repo.merge(&target, &tip)? {
        MergeResult::Clean { tree } => tree,
        MergeResult::Conflict { paths } => return Ok(Landed::Conflict { paths }),
    };
    let closing = ClosingJob {
        tree: tree.clone(),
        tasks: request.tasks.clone(),
        verified: Vec::new(),
        passed: Vec::new(),
    };
    match place.close(closing, cancel).await {
        Ok(_) => {}
        Err(EarlyEnd::Failed { failure, .. }) => return Ok(Landed::NotGreen { failure }),
        Err(EarlyEnd::Interrupted) => return Ok(Landed::Interrupted),
        Err(EarlyEnd::Broken(error)) => return Err(error),
    }
    let message = format!("Merge branch '{}' into {}\n", ctx.branch, request.onto);
    let to = ctx.repo.commit_tree(&CommitSpec {
        tree,
        parents: vec![target.clone(), tip],
        message,
        author: ctx.author.clone(),
        committer: ctx.committer.clone(),
        sign: ctx.signing.clone(),
    })?;
    Ok(Landed::Forward { from: target, to, merged: true })
}

/// Moves a target branch that is checked out nowhere.
pub(crate) fn move_target(ctx: &Context, onto: &str, from: &Oid, to: &Oid) -> Result<RefMove, EngineError> {
    let name = format!("refs/heads/{onto}");
    Ok(ctx.repo.update_ref(&name, to, ExpectedRef::Is(from.clone()), "windlass land")?)
}

fn branch(ctx: &Context, name: &str) -> Result<Oid, EngineError> {
    ctx.repo.resolve(&format!("refs/heads/{name}"))?.ok_or_else(|| EngineError::Branch {
        message: format!("there is no branch `{name}`"),
        hint: "`windlass land --onto BRANCH` names another target".into(),
    })
}
