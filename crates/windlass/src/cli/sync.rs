//! `windlass sync`: brings the user's branch into the integration branch.

use clap::Args;
use windlass_engine::git::{Head, Repo};
use windlass_engine::integrate::SyncEnd;
use windlass_engine::run::sync;

use super::checked::{CheckedPlan, ProfileArgs};
use super::state::{PlanState, StateArgs, plan_of};
use super::{CliError, Exit};
use crate::render::{Paint, counted};
use crate::running::{Overrides, Prepared, prepare, runtime, stop_on_signals};
use crate::world::World;

/// Bring your branch into the integration branch, by a verified merge
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct SyncArgs {
    #[command(flatten)]
    state: StateArgs,

    /// The branch to bring in; without it, the branch that is checked out.
    #[arg(long, value_name = "BRANCH")]
    from: Option<String>,
}

const EXAMPLES: &str = "\
Examples:
  windlass sync                    bring the branch that is checked out into the plan's
  windlass sync --from main --plan shop";

/// Merges the user's branch into a plan's branch.
pub(crate) fn cmd_sync(world: &World, args: &SyncArgs) -> Result<Exit, CliError> {
    let state = PlanState::find(world, &args.state)?;
    let view = state.run_chronicle()?.view()?;
    let from = source(world, args)?;
    let plan = plan_of(world, &args.state, &state, view.run.as_ref());
    let checked = CheckedPlan::load(world, &plan, &ProfileArgs::default())?;
    let Prepared { request, .. } = prepare(world, &checked, &Overrides::default())?;
    let branch = request.branch.clone();
    if branch == from {
        return Err(CliError::usage(format!("`{from}` is the integration branch itself"))
            .hint("switch to your branch, or name it with `--from`"));
    }
    let runtime = runtime(1)?;
    let end = runtime.block_on(async {
        let stop = stop_on_signals(|_| {});
        Box::pin(sync(request, &from, stop)).await
    })?;
    conclude(world, &branch, &from, end)
}

fn source(world: &World, args: &SyncArgs) -> Result<String, CliError> {
    if let Some(from) = &args.from {
        return Ok(from.clone());
    }
    match Repo::discover(world.git_env(), &world.cwd)?.head()? {
        Head::Branch { name, .. } | Head::Unborn { name } => Ok(name),
        Head::Detached { .. } => Err(CliError::usage("no branch is checked out here")
            .hint("name the branch to bring in with `--from`")),
    }
}

fn conclude(world: &World, branch: &str, from: &str, end: SyncEnd) -> Result<Exit, CliError> {
    match end {
        SyncEnd::Nothing => {
            world.print(&format!("`{branch}` has everything of `{from}` already\n"))?;
            Ok(Exit::Fine)
        }
        SyncEnd::Merged { synced, commands } => {
            let good = world.out.paint(Paint::Good, "synced");
            let passed = counted(commands, "command");
            let mut text = format!(
                "{good}: `{branch}` is at {} with `{from}`, by a verified merge: {passed} of completed tasks passed\n",
                synced.commit.short()
            );
            for task in &synced.outdated {
                text.push_str(&format!(
                    "stale: `{}`, because `{from}` changed {}\n",
                    task.task,
                    task.files.join(", ")
                ));
            }
            if !synced.outdated.is_empty() {
                let ids: Vec<&str> = synced.outdated.iter().map(|t| t.task.as_str()).collect();
                text.push_str(&format!("next: `windlass retry {}`, then `windlass run`\n", ids.join(" ")));
            }
            world.print(&text)?;
            Ok(Exit::Fine)
        }
        SyncEnd::Conflict { paths } => {
            Err(CliError::blocked(format!("`{from}` and `{branch}` conflict in {}", paths.join(", "))).hint(
                format!(
                    "`windlass land` brings `{branch}` to `{from}`; resolve the conflict there, then sync"
                ),
            ))
        }
        SyncEnd::NotGreen { failure } => {
            world.tell(&format!("{}\n", failure.details()));
            Err(CliError::blocked(format!("the merge with `{from}` does not pass: {}", failure.summary()))
                .hint(format!("completed tasks must still hold with `{from}`: fix it there and sync again")))
        }
        SyncEnd::CheckedOut { place } => {
            Err(CliError::blocked(format!("the branch `{branch}` is checked out at {place}"))
                .hint("switch to another branch there"))
        }
        SyncEnd::Moved => Err(CliError::blocked(format!("`{branch}` moved meanwhile")).hint("sync again")),
        SyncEnd::Interrupted => Ok(Exit::Interrupted),
    }
}
