//! What a trusted place says about a merged candidate: what of it is checked before it counts.
//!
//! The place is believed about what its commands did. What can be seen here is looked at here: the tree it verified, what
//! changed in it since the merge, the outputs and the named results.

use windlass_code::syntax::{is_reformatted, same_test};
use windlass_core::failure::Gate;
use windlass_core::ids::{BlobName, Oid};
use windlass_core::report::TestOutcome;

use super::{CandidateText, MergedCandidate};
use crate::context::Context;
use crate::early_end::EarlyEnd;
use crate::error::EngineError;
use crate::git_tree::GitTree;
use crate::place::VerifyJob;
use crate::verify::proof::{GreenProof, ProofStrength};
use crate::verify::rules;
use crate::worker_channel::{VerifiedTree, WorkerChannel};

/// The largest proof that is read.
const LARGEST_PROOF: u64 = 64 << 20;

/// The verdict of a trusted place: every gate passed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct ForeignVerdict {
    /// The tree that it says was verified.
    pub(crate) tree: Oid,
    /// The proof, an output that has arrived.
    pub(crate) proof: BlobName,
    /// A commit with that tree, if it is another one than was merged here.
    pub(crate) commit: Option<Oid>,
}

/// Takes the verdict of a trusted place, or says what is wrong with it.
pub(crate) fn accept(
    ctx: &Context,
    job: &VerifyJob,
    merged: &MergedCandidate,
    verdict: &ForeignVerdict,
    channel: &WorkerChannel,
) -> Result<VerifiedTree, String> {
    let broken = |error: EngineError| error.to_string();
    let bytes = ctx.outputs.read(&verdict.proof, LARGEST_PROOF).map_err(|error| error.to_string())?;
    let proof: GreenProof =
        serde_json::from_slice(&bytes).map_err(|error| format!("its proof cannot be read: {error}"))?;
    if proof.tree != verdict.tree {
        return Err("its proof is of another tree".into());
    }
    has_outputs(ctx, &proof)?;
    shows_green(job, &proof)?;
    if !proof.held_out.is_empty() || proof.findings != merged.findings {
        return Err("its proof tells of what only this machine can know".into());
    }
    let text = CandidateText { ctx, job, channel };
    if verdict.tree != merged.tree {
        changed_in_order(&text, merged, verdict, &proof)?;
        text.announce(&verdict.tree).map_err(broken)?;
    } else if !proof.reformatted.is_empty() {
        return Err("its proof tells of a new form of tests, and nothing was changed".into());
    }
    Ok(VerifiedTree { tree: verdict.tree.clone(), proof: verdict.proof.clone() })
}

/// Every output that the proof names must have arrived.
fn has_outputs(ctx: &Context, proof: &GreenProof) -> Result<(), String> {
    let arrived = |name: &BlobName| ctx.outputs.path(name).is_ok_and(|path| path.is_file());
    if proof.gates.iter().filter_map(|gate| gate.output.as_ref()).all(arrived) {
        Ok(())
    } else {
        Err("its proof names an output that was not sent".into())
    }
}

/// The tests that were red must be among the results that passed, where results have names.
fn shows_green(job: &VerifyJob, proof: &GreenProof) -> Result<(), String> {
    let Some(tests) = proof.gates.iter().find(|gate| gate.gate == Gate::Tests) else {
        return Err("its proof tells of no tests".into());
    };
    let failed = |exit: i32| exit != 0 && tests.failing_before.is_empty();
    if tests.exit.is_some_and(failed) {
        return Err("its proof says that the tests failed".into());
    }
    let held = job.held.as_ref().map_or(&[][..], |held| &held.tests);
    let required = job.frozen.as_ref().map_or(held, |frozen| &frozen.tests);
    let conditional = job.frozen.as_ref().map_or(&[][..], |frozen| &frozen.conditional);
    let passed: Vec<&str> =
        tests.report.as_ref().map(|r| r.names(TestOutcome::Passed).collect()).unwrap_or_default();
    let green = |name: &&String| passed.iter().any(|p| p == name || same_test(p, name));
    let missing = required.iter().filter(|name| !conditional.contains(name)).find(|name| !green(name));
    match missing {
        Some(name) if tests.strength == ProofStrength::Named => {
            Err(format!("its proof does not show `{name}` green"))
        }
        Some(_) | None => Ok(()),
    }
}

/// What formatters and later steps changed at the place must be what they may change: the rules and refusals are this
/// machine's.
fn changed_in_order(
    text: &CandidateText<'_>,
    merged: &MergedCandidate,
    verdict: &ForeignVerdict,
    proof: &GreenProof,
) -> Result<(), String> {
    let repo = &text.ctx.repo;
    let git = |error: crate::git::GitError| error.to_string();
    let sent = verdict.commit.as_ref().ok_or("the tree that it verified was not sent")?;
    if repo.tree_of(sent).map_err(git)? != verdict.tree {
        return Err("the commit that it sent has another tree".into());
    }
    let before = GitTree::open(repo, &merged.tree).map_err(git)?;
    let after = GitTree::open(repo, &verdict.tree).map_err(git)?;
    for new in &proof.reformatted {
        let (old, now) = (before.bytes(&new.path).map_err(git)?, after.bytes(&new.path).map_err(git)?);
        if !old.zip(now).is_some_and(|(old, now)| is_reformatted(&new.path, &old, &now)) {
            return Err(format!("it changed more than the form of `{}`", new.path));
        }
    }
    let said = |end: EarlyEnd| match end {
        EarlyEnd::Failed { failure, .. } => failure.summary(),
        EarlyEnd::Interrupted => "interrupted".to_owned(),
        EarlyEnd::Broken(error) => error.to_string(),
    };
    text.refuse(&verdict.tree, &proof.reformatted).map_err(said)?;
    let found = text.apply_rules(&verdict.tree).map_err(|error| error.to_string())?;
    rules::refusal(&found).map_or(Ok(()), |failure| Err(failure.summary()))
}
