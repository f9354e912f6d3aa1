//! Tries the set-ups of a repository without a run: what `run --dry-run` and `doctor` say about them.
//!
//! What a trial makes is kept for the run.

use windlass_code::detect::{self, SetupPlan};
use windlass_core::failure::Failure;
use windlass_core::ids::{AttemptNo, Oid, TaskId};

use crate::config::SetupCommand;
use crate::context::Context;
use crate::error::EngineError;
use crate::git::Head;
use crate::git_tree::GitTree;
use crate::lock::CoordinatorLock;
use crate::process::{CancellationSignal, Containment};
use crate::random_token::process_name;
use crate::run::{RunRequest, context_with, sandbox};
use crate::verify::setup::{SetupInput, copy_files, is_needed, plans, set_up, try_one};
use crate::worker_channel::WorkerChannel;

/// How the trial of a set-up went.
#[derive(Debug)]
pub struct SetupTrial {
    /// The command, with its directory.
    pub command: String,
    /// Why it failed.
    pub failure: Option<Failure>,
    /// Whether a task of the plan needs it; true for a plan without tasks.
    pub needed: bool,
}

/// Carries out the set-ups of the tree that a run would start from. `None` while a run is under way, which does it itself.
pub async fn try_setups(
    request: &RunRequest,
    stop: CancellationSignal,
) -> Result<Option<Vec<SetupTrial>>, EngineError> {
    let tree = request.repo.tree_of(&start_of(request)?)?;
    let nothing_found =
        || Ok::<_, EngineError>(detect::setup(&GitTree::open(&request.repo, &tree)?).is_empty());
    match request.config.setup {
        SetupCommand::Off => return Ok(Some(Vec::new())),
        SetupCommand::Detect if nothing_found()? => return Ok(Some(Vec::new())),
        SetupCommand::Detect | SetupCommand::Command(_) => {}
    }
    let note = format!("set-up of plan `{}`, process {}", request.name, std::process::id());
    let Ok(_lock) = CoordinatorLock::acquire(&request.paths.lock(), &note)? else { return Ok(None) };
    Containment::establish();
    let out = request.paths.cache().join("probe").join(format!("set-up-{}", process_name()));
    let ctx = context_with(request, sandbox(request)?, &out)?;
    let tried = try_all(&ctx, &tree, &stop).await;
    let _ = std::fs::remove_dir_all(&out);
    tried.map(Some)
}

async fn try_all(
    ctx: &Context,
    tree: &Oid,
    stop: &CancellationSignal,
) -> Result<Vec<SetupTrial>, EngineError> {
    let view = GitTree::open(&ctx.repo, tree)?;
    let plans = plans(ctx, &view);
    let scratch = ctx.machine.scratch("set-up")?;
    let laid = ctx.export(tree, &scratch.path().join("tree"))?;
    copy_files(ctx, laid.dir())?;
    // The trial belongs to no attempt: its messages are dropped.
    let (to, _receiver) = tokio::sync::mpsc::unbounded_channel();
    let task = ctx.tasks.keys().min().cloned().or_else(|| TaskId::new("set-up").ok());
    let Some(task) = task else { return Ok(Vec::new()) };
    let channel = WorkerChannel::new(to, task, AttemptNo(0), &[]);
    let input =
        SetupInput { dir: laid.dir(), tree: &view, scratch: &scratch, cancel: stop, channel: &channel };
    if !ctx.machine.sandbox.rung().has_own_root() {
        let failure = set_up(ctx, &input).await?;
        let command = plans.iter().map(SetupPlan::shown).collect::<Vec<_>>().join("; ");
        return Ok(vec![SetupTrial { command, failure, needed: true }]);
    }
    let mut trials = Vec::new();
    for plan in plans.iter() {
        let failure = try_one(ctx, &input, plan).await?;
        trials.push(SetupTrial { command: plan.shown(), failure, needed: is_needed(ctx, plan) });
    }
    Ok(trials)
}

/// The commit that a run starts from.
fn start_of(request: &RunRequest) -> Result<Oid, EngineError> {
    let branch = request.repo.resolve(&format!("refs/heads/{}", request.branch))?;
    match (branch, request.repo.head()?) {
        (Some(tip), _) => Ok(tip),
        (None, Head::Branch { oid, .. } | Head::Detached { oid }) => Ok(oid),
        (None, Head::Unborn { .. }) => Err(EngineError::NoCommits),
    }
}
