//! `windlass retry`: runs tasks again.

use clap::Args;
use windlass_core::graph::task_hash;
use windlass_core::ids::Oid;
use windlass_core::state::TaskState;
use windlass_core::view::{TaskView, Why};
use windlass_core::wish::Wish;
use windlass_engine::git::Repo;

use super::checked::{CheckedPlan, ProfileArgs};
use super::completing::task_ids;
use super::state::{PlanState, StateArgs, plan_of};
use super::wishing::{at_work, wish_for_run, wish_for_tasks};
use super::{CliError, Exit};
use crate::render::counted;
use crate::world::World;

/// Run tasks again from the start
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct RetryArgs {
    /// The tasks.
    #[arg(required_unless_present_any = ["blocked", "failed"], value_name = "TASK", add = task_ids())]
    tasks: Vec<String>,

    /// Every blocked task, except those that wait for approval. Providers that were stopped are asked again.
    #[arg(long, conflicts_with = "tasks")]
    blocked: bool,

    /// Every failed task, and what was skipped because of it.
    #[arg(long, conflicts_with = "tasks")]
    failed: bool,

    #[command(flatten)]
    state: StateArgs,
}

const EXAMPLES: &str = "\
Examples:
  windlass retry T3 T4            from the start, at the next run or in the one at work
  windlass retry --blocked        once a login or an account is put right
  windlass retry --failed";

/// Records the requests for the run.
pub(crate) fn cmd_retry(world: &World, args: &RetryArgs) -> Result<Exit, CliError> {
    if args.blocked || args.failed {
        let blocked = if args.blocked { Some(retry_blocked(world, &args.state)?) } else { None };
        let failed = if args.failed { Some(retry_failed(world, &args.state)?) } else { None };
        return Ok(failed.or(blocked).unwrap_or(Exit::Fine));
    }
    refuse_what_is_done(world, &args.state, &args.tasks)?;
    let tasks = not_pending(world, args)?;
    if tasks.is_empty() {
        return Ok(Exit::Fine);
    }
    wish_for_tasks(world, &args.state, &tasks, |task| Wish::Retry { task }, "trying again:")
}

/// The tasks that a retry changes something for. A pending one, interrupted or not yet begun, is carried out anyway.
fn not_pending(world: &World, args: &RetryArgs) -> Result<Vec<String>, CliError> {
    let view = PlanState::find(world, &args.state)?.run_chronicle()?.view()?;
    // A run at work does not take up what was cancelled in it.
    let waits = |t: &TaskView| at_work(&view).is_some() && view.why(t) == Some(Why::Cancelled);
    let is_pending = |id: &String| view.task(id).is_some_and(|t| t.state == TaskState::Pending && !waits(t));
    let (pending, others): (Vec<String>, Vec<String>) = args.tasks.iter().cloned().partition(is_pending);
    for id in pending {
        world.print(&format!("`{id}` is pending: `windlass run` goes on with it\n"))?;
    }
    Ok(others)
}

/// Leaves the wish only if there is something to go on with: left behind, it would count for a later run.
fn retry_blocked(world: &World, args: &StateArgs) -> Result<Exit, CliError> {
    let view = PlanState::find(world, args)?.run_chronicle()?.view()?;
    let awaits = |t: &TaskView| view.why(t).is_some_and(|why| why.awaits_approval());
    let blocked = view.tasks.iter().filter(|t| t.state == TaskState::Blocked && !awaits(t)).count();
    let stopped: Vec<&str> =
        view.run.iter().flat_map(|run| &run.stopped).map(|s| s.provider.as_str()).collect();
    if blocked == 0 && stopped.is_empty() {
        world.print("no task is blocked and no provider is stopped\n")?;
        return Ok(Exit::Fine);
    }
    let mut said = format!("trying again: {}", counted(blocked, "blocked task"));
    if !stopped.is_empty() {
        said.push_str(&format!(", {}", stopped.join(", ")));
    }
    wish_for_run(world, args, &Wish::RetryBlocked {}, &said)
}

/// Leaves the wish only if a task failed.
fn retry_failed(world: &World, args: &StateArgs) -> Result<Exit, CliError> {
    let view = PlanState::find(world, args)?.run_chronicle()?.view()?;
    let failed = view.tasks.iter().filter(|t| t.state == TaskState::Failed).count();
    if failed == 0 {
        world.print("no task failed\n")?;
        return Ok(Exit::Fine);
    }
    let said = format!("trying again: {}", counted(failed, "failed task"));
    wish_for_run(world, args, &Wish::RetryFailed {}, &said)
}

/// Refuses completed tasks: they run again only if their text has changed.
pub(super) fn refuse_what_is_done(world: &World, args: &StateArgs, tasks: &[String]) -> Result<(), CliError> {
    let state = PlanState::find(world, args)?;
    let view = state.run_chronicle()?.view()?;
    let repo = Repo::discover(world.git_env(), &world.cwd)?;
    let tip = match &view.run {
        Some(run) => repo.resolve(&format!("refs/heads/{}", run.branch))?,
        None => None,
    };
    // A recreated branch does not contain what was completed on the old one.
    let there = |commit: &Oid| tip.as_ref().is_some_and(|tip| repo.is_ancestor(commit, tip).unwrap_or(false));
    let done = |id: &&String| {
        view.task(id).is_some_and(|t| {
            t.state == TaskState::Completed && !t.is_stale() && t.commit.as_ref().is_some_and(there)
        })
    };
    let done: Vec<&String> = tasks.iter().filter(done).collect();
    if done.is_empty() {
        return Ok(());
    }
    // The plan may have been edited since the last run.
    let plan = plan_of(world, args, &state, view.run.as_ref());
    let checked = CheckedPlan::load(world, &plan, &ProfileArgs::default())?;
    let now = |id: &str| {
        let runnable = checked.runnable.as_ref()?;
        runnable.graph.find(id).map(|ix| task_hash(runnable.task(ix)))
    };
    let same = |id: &&&String| view.task(id).map(|t| t.hash.clone()) == now(id);
    match done.iter().find(same) {
        Some(id) => {
            Err(CliError::usage(format!("task `{id}` is completed, and its text has not changed since"))
                .hint(format!("change its text and `retry` it, or `windlass reopen {id} --because REASON`")))
        }
        None => Ok(()),
    }
}
