//! Merges a candidate onto a commit and verifies the result: steps 3, 5, 6, 8 and 9 of the procedure.

use windlass_code::repo::Tree as _;
use windlass_core::event::StepResult;
use windlass_core::failure::{Failure, Gate};
use windlass_core::ids::{AttemptNo, BlobName, Oid, TaskId};
use windlass_core::plan::{Action, Mode};
use windlass_core::schedule::Frozen;

use super::format::{FormatInput, format_files};
use super::gates::{GateInput, GatePurpose, GreenGates, Neighbour, run_gates};
use super::proof::{GateResults, GreenProof, levels_in_words};
use super::setup::{SetupInput, set_up};
use super::tree_checks::{frozen_changes, frozen_changes_on, outside, twins};
use super::{rules, weak_tests};
use crate::context::{Context, ScratchDir};
use crate::early_end::EarlyEnd;
use crate::error::EngineError;
use crate::git::MergeResult;
use crate::git_tree::GitTree;
use crate::process::CancellationSignal;
use crate::slot::ExportedTree;
use crate::worker_channel::{Message, StepChoice, VerifiedTree, WorkerChannel};

/// What is to be merged and verified.
pub(crate) struct VerifyJob {
    pub(crate) task: TaskId,
    pub(crate) attempt: AttemptNo,
    pub(crate) round: u64,
    pub(crate) onto: Oid,
    pub(crate) candidate: Oid,
    pub(crate) frozen: Option<Frozen>,
    pub(crate) granted: Vec<String>,
    pub(crate) neighbours: Vec<Neighbour>,
    pub(crate) cancel: CancellationSignal,
}

/// Carries one verification out.
pub(crate) async fn verify(
    ctx: &Context,
    job: VerifyJob,
    tell: &WorkerChannel,
) -> Result<VerifiedTree, EarlyEnd> {
    let scratch = ctx.scratch("verify")?;
    let tree = merge(ctx, &job)?;
    refuse(ctx, &job, &tree)?;
    let found = look(ctx, &job, &tree)?;
    if let Some(failure) = rules::refusal(&found) {
        return Err(EarlyEnd::failed(failure));
    }
    let doubt = doubt(ctx, &job, &found)?;
    announce(ctx, &job, tell, &tree)?;
    let step = tell.step(Action::VerifyPass, StepChoice::Last);
    let verdict = gates(ctx, &job, tell, &scratch, &tree, doubt.as_deref()).await;
    tell.step_over(&step, step_result(&verdict), None);
    let formatted = match verdict {
        Ok(GreenGates { seen, export }) => {
            let formatted = format(ctx, &job, tell, &scratch, &tree, &export).await?;
            drop(export);
            if formatted == tree {
                return green(ctx, tree, seen, &found);
            }
            formatted
        }
        // Much of what linters say, formatters mend: the work is judged by what is left when they have run.
        Err(EarlyEnd::Failed {
            failure: failure @ Failure::TestsFailed { gate: Gate::Lint, .. },
            output,
        }) => {
            let export = laid_out(ctx, &job, tell, &scratch, &tree).await?;
            let formatted = format(ctx, &job, tell, &scratch, &tree, &export).await?;
            if formatted == tree {
                return Err(EarlyEnd::Failed { failure, output });
            }
            formatted
        }
        Err(end) => return Err(end),
    };
    // The formatter changed something: what was verified is not what would be merged, so it is verified again.
    announce(ctx, &job, tell, &formatted)?;
    let GreenGates { seen, .. } = gates(ctx, &job, tell, &scratch, &formatted, doubt.as_deref()).await?;
    green(ctx, formatted, seen, &found)
}

/// The tree in a directory of its own, usable.
async fn laid_out(
    ctx: &Context,
    job: &VerifyJob,
    tell: &WorkerChannel,
    scratch: &ScratchDir,
    tree: &Oid,
) -> Result<ExportedTree, EngineError> {
    let export = ctx.export(tree, &scratch.path().join("format"))?;
    let view = GitTree::open(&ctx.repo, tree)?;
    let input = SetupInput { dir: export.dir(), tree: &view, scratch, cancel: &job.cancel, tell };
    // It has been set up before for the gates; if it fails now, the formatter will say so.
    let _ = set_up(ctx, &input).await?;
    Ok(export)
}

/// The tree of the merge.
fn merge(ctx: &Context, job: &VerifyJob) -> Result<Oid, EarlyEnd> {
    match ctx.repo.merge(&job.onto, &job.candidate)? {
        MergeResult::Clean { tree } => Ok(tree),
        MergeResult::Conflict { paths } => Err(EarlyEnd::failed(Failure::Conflict { paths })),
    }
}

/// The refusals that need nothing to be run.
fn refuse(ctx: &Context, job: &VerifyJob, tree: &Oid) -> Result<(), EarlyEnd> {
    let onto = ctx.repo.tree_of(&job.onto)?;
    let changes = ctx.repo.diff(&onto, tree)?;
    let info = ctx.info(&job.task);
    let owned = |p: &str| info.owned.iter().any(|o| o == p) || job.granted.iter().any(|g| g == p);
    let stray = outside(&changes, &owned);
    if !stray.is_empty() {
        let paths = stray.into_iter().map(str::to_owned).collect();
        return Err(EarlyEnd::failed(Failure::OutOfScope { paths }));
    }
    let frozen = job.frozen.as_ref().map_or(&[][..], |f| &f.files);
    let (after, onto) = (GitTree::open(&ctx.repo, tree)?, GitTree::open(&ctx.repo, &onto)?);
    let paths = twins(&changes, after.paths());
    if !paths.is_empty() {
        return Err(EarlyEnd::failed(Failure::OutOfScope { paths }));
    }
    let paths = frozen_changes_on(frozen, &after, &onto, &owned);
    if paths.is_empty() { Ok(()) } else { Err(EarlyEnd::failed(Failure::FrozenChanged { paths })) }
}

/// What the static rules say about the change.
fn look(ctx: &Context, job: &VerifyJob, tree: &Oid) -> Result<rules::RuleFindings, EngineError> {
    let onto = ctx.repo.tree_of(&job.onto)?;
    let changed: Vec<String> = ctx.repo.diff(&onto, tree)?.into_iter().map(|c| c.path).collect();
    let (before, after) = (GitTree::open(&ctx.repo, &onto)?, GitTree::open(&ctx.repo, tree)?);
    Ok(rules::look(&ctx.config.verify.rules, &before, &after, &changed)?)
}

/// Why one pass would not be believed.
fn doubt(ctx: &Context, job: &VerifyJob, found: &rules::RuleFindings) -> Result<Option<String>, EngineError> {
    if ctx.config.verify.repeat {
        return Ok(Some("`verify.repeat` is on".into()));
    }
    if let Some(path) = found.unsteady.first() {
        return Ok(Some(format!("`{path}` draws on chance or the clock")));
    }
    // An earlier try that left the very same tree was not merged: it failed then.
    let tree = ctx.repo.tree_of(&job.candidate)?;
    for earlier in 1..job.attempt.0 {
        let name = ctx.ref_of(&job.task, AttemptNo(earlier), "candidate");
        if let Some(commit) = ctx.repo.resolve(&name)?
            && ctx.repo.tree_of(&commit)? == tree
        {
            return Ok(Some(format!("try {earlier} left the same tree and failed")));
        }
    }
    Ok(None)
}

/// Makes the provisional merge and says so, so that the next in the train can build on it.
fn announce(ctx: &Context, job: &VerifyJob, tell: &WorkerChannel, tree: &Oid) -> Result<(), EngineError> {
    let message = format!("{}: provisional merge of {}", ctx.name, job.task);
    let merge = ctx.keep(tree, &[&job.onto], &message)?;
    let (task, attempt, round) = (job.task.clone(), job.attempt, job.round);
    tell.send(Message::VerifyBegun { task, attempt, round, merge, tree: tree.clone() });
    Ok(())
}

async fn gates(
    ctx: &Context,
    job: &VerifyJob,
    tell: &WorkerChannel,
    scratch: &ScratchDir,
    tree: &Oid,
    doubt: Option<&str>,
) -> Result<GreenGates, EarlyEnd> {
    let onto = ctx.repo.tree_of(&job.onto)?;
    let changed: Vec<String> =
        ctx.repo.diff(&onto, tree)?.into_iter().filter(|c| c.new.is_some()).map(|c| c.path).collect();
    let required = job.frozen.as_ref().map_or(&[][..], |f| &f.tests);
    let input = GateInput {
        tree,
        changed: &changed,
        required,
        neighbours: &job.neighbours,
        doubt,
        purpose: GatePurpose::Verdict,
        scratch,
        cancel: &job.cancel,
        tell,
    };
    let green = run_gates(ctx, &input).await?;
    if ctx.info(&job.task).mode == Mode::TestsOnly {
        weak_tests::look_for_weak_tests(ctx, &input).await?;
    }
    Ok(green)
}

fn step_result(end: &Result<GreenGates, EarlyEnd>) -> StepResult {
    match end {
        Ok(_) => StepResult::Passed,
        Err(EarlyEnd::Failed { .. } | EarlyEnd::Broken(_)) => StepResult::Failed,
        Err(EarlyEnd::Interrupted) => StepResult::Skipped,
    }
}

fn green(
    ctx: &Context,
    tree: Oid,
    seen: GateResults,
    found: &rules::RuleFindings,
) -> Result<VerifiedTree, EarlyEnd> {
    let mut environment: Vec<String> =
        ctx.config.verify_env.iter().map(|(n, _)| n.to_string_lossy().into_owned()).collect();
    environment.sort();
    let containment = ctx.sandbox.rung().as_str().to_owned();
    let GateResults { gates, canaries, held_out, repeated } = seen;
    let findings = found.warnings.iter().map(ToString::to_string).collect();
    let rules = levels_in_words(&ctx.config.verify.rules);
    let proof = GreenProof {
        tree: tree.clone(),
        gates,
        environment,
        containment,
        canaries,
        held_out,
        repeated,
        findings,
        rules,
    };
    let text = serde_json::to_vec(&proof).unwrap_or_else(|e| unreachable!("a proof is plain data: {e}"));
    let proof: BlobName = ctx.outputs.put_bytes(&text)?;
    Ok(VerifiedTree { tree, proof })
}

async fn format(
    ctx: &Context,
    job: &VerifyJob,
    tell: &WorkerChannel,
    scratch: &ScratchDir,
    tree: &Oid,
    export: &ExportedTree,
) -> Result<Oid, EngineError> {
    let view = GitTree::open(&ctx.repo, tree)?;
    // A file with inline tests is frozen item by item; the rest of it is formatted like any other.
    let frozen: Vec<&str> = job
        .frozen
        .iter()
        .flat_map(|f| &f.files)
        .filter(|f| f.items.is_empty())
        .map(|f| f.path.as_str())
        .collect();
    let info = ctx.info(&job.task);
    let files: Vec<String> = info
        .owned
        .iter()
        .chain(&job.granted)
        .filter(|p| view.blob(p).is_some() && !frozen.contains(&p.as_str()))
        .cloned()
        .collect();
    let step = tell.step(Action::Format, StepChoice::Last);
    let input = FormatInput { tree, dir: export.dir(), files: &files, scratch, cancel: &job.cancel, tell };
    let mut formatted = format_files(ctx, &input).await?;
    let manifest = job.frozen.as_ref().map_or(&[][..], |f| &f.files);
    let before = frozen_changes(manifest, &view);
    if frozen_changes(manifest, &GitTree::open(&ctx.repo, &formatted)?) != before {
        tell.finding("format: it would change frozen tests; the files stay as they are".into());
        formatted = tree.clone();
    }
    let result = if formatted == *tree { StepResult::Skipped } else { StepResult::Passed };
    tell.step_over(&step, result, None);
    Ok(formatted)
}
