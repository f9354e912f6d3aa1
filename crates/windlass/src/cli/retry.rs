//! `windlass retry`: runs tasks again.

use clap::Args;
use windlass_core::ids::Oid;
use windlass_core::state::TaskState;
use windlass_core::wish::Wish;
use windlass_engine::git::Repo;

use super::checked::{CheckedPlan, PlanSelection, ProfileArgs};
use super::state::{PlanState, StateArgs};
use super::wishing::wish_for_tasks;
use super::{CliError, Exit};
use crate::world::World;

/// Run tasks again from the start
#[derive(Debug, Args)]
pub(crate) struct RetryArgs {
    /// The tasks.
    #[arg(required = true, value_name = "TASK")]
    tasks: Vec<String>,

    #[command(flatten)]
    state: StateArgs,
}

/// Records the requests for the run.
pub(crate) fn cmd_retry(world: &World, args: &RetryArgs) -> Result<Exit, CliError> {
    refuse_what_is_done(world, args)?;
    wish_for_tasks(world, &args.state, &args.tasks, |task| Wish::Retry { task }, "trying again:")
}

/// Refuses completed tasks: they run again only if their text has changed.
fn refuse_what_is_done(world: &World, args: &RetryArgs) -> Result<(), CliError> {
    let state = PlanState::find(world, &args.state)?;
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
    let done: Vec<&String> = args.tasks.iter().filter(done).collect();
    if done.is_empty() {
        return Ok(());
    }
    // The plan may have been edited since the last run.
    let path = args.state.plan.clone().unwrap_or_else(|| state.name.to_string());
    let plan = PlanSelection { plan: Some(path.into()), from: None };
    let checked = CheckedPlan::load(world, &plan, &ProfileArgs::default())?;
    let now = |id: &str| {
        let graph = &checked.runnable.as_ref()?.graph;
        graph.find(id).map(|ix| graph.node(ix).hash.clone())
    };
    let same = |id: &&&String| view.task(id).map(|t| t.hash.clone()) == now(id);
    match done.iter().find(same) {
        Some(id) => {
            Err(CliError::usage(format!("task `{id}` is completed, and its text has not changed since"))
                .hint("change the task's text, then `retry` runs it again on top of the branch"))
        }
        None => Ok(()),
    }
}
