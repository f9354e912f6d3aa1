//! `windlass land`: brings the integration branch home.

use clap::Args;
use windlass_core::view::View;
use windlass_engine::git::{Head, Repo};
use windlass_engine::integrate::{LandRequest, Landed};
use windlass_engine::run::land;

use super::checked::{CheckedPlan, ProfileArgs};
use super::state::{PlanState, StateArgs, plan_of};
use super::{CliError, Exit};
use crate::render::{Paint, counted};
use crate::running::{Overrides, Prepared, prepare, runtime, stop_on_signals};
use crate::world::World;

/// Bring the integration branch home: fast-forward, or a verified merge; never forced
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct LandArgs {
    #[command(flatten)]
    pub(crate) state: StateArgs,

    /// The branch to land on; without it, the branch that is checked out.
    #[arg(long, value_name = "BRANCH")]
    pub(crate) onto: Option<String>,
}

const EXAMPLES: &str = "\
Examples:
  windlass land                     onto the branch that is checked out
  windlass land --onto main --plan plans/shop";

/// Lands a plan's branch.
pub(crate) fn cmd_land(world: &World, args: &LandArgs) -> Result<Exit, CliError> {
    let state = PlanState::find(world, &args.state)?;
    let view = state.run_chronicle()?.view()?;
    let onto = target(world, args)?;
    let plan = plan_of(world, &args.state, &state, view.run.as_ref());
    let checked = CheckedPlan::load(world, &plan, &ProfileArgs::default())?;
    let Prepared { request, .. } = prepare(world, &checked, &Overrides::default())?;
    let branch = request.branch.clone();
    if branch == onto {
        return Err(CliError::usage(format!("`{onto}` is the integration branch itself"))
            .hint("switch to the branch it should land on, or name one with `--onto`"));
    }
    let tasks = completed(&view, &request);
    let (done, all) = (tasks.len(), request.runnable.graph.nodes().len());
    let what = LandRequest { onto: onto.clone(), tasks };
    let repo = request.repo.clone();
    let runtime = runtime(1)?;
    let landed = runtime.block_on(async {
        let stop = stop_on_signals(|_| {});
        Box::pin(land(request, what, stop)).await
    })?;
    let exit = conclude(world, &repo, &branch, &onto, landed)?;
    if done < all {
        world.print(&format!(
            "partial: {done} of {} completed; `windlass status` has the rest\n",
            counted(all, "task")
        ))?;
    }
    Ok(exit)
}

fn target(world: &World, args: &LandArgs) -> Result<String, CliError> {
    if let Some(onto) = &args.onto {
        return Ok(onto.clone());
    }
    match Repo::discover(world.git_env(), &world.cwd)?.head()? {
        Head::Branch { name, .. } | Head::Unborn { name } => Ok(name),
        Head::Detached { .. } => {
            Err(CliError::usage("no branch is checked out here")
                .hint("name the branch to land on with `--onto`"))
        }
    }
}

fn completed(view: &View, request: &windlass_engine::run::RunRequest) -> Vec<windlass_core::ids::TaskId> {
    use windlass_core::state::TaskState;
    let done = |n: &&windlass_core::graph::Node| {
        view.task(n.id.as_str()).is_some_and(|t| t.state == TaskState::Completed)
    };
    request.runnable.graph.nodes().iter().filter(done).map(|n| n.id.clone()).collect()
}

fn conclude(world: &World, repo: &Repo, branch: &str, onto: &str, landed: Landed) -> Result<Exit, CliError> {
    match landed {
        Landed::Nothing => {
            world.print(&format!("`{onto}` has everything of `{branch}` already\n"))?;
            Ok(Exit::Fine)
        }
        Landed::Forward { to, merged, .. } => {
            let name = format!("refs/heads/{onto}");
            let checked_out = repo.checkouts_of(&name)?;
            if let Some(place) = checked_out.first() {
                // The user's checkout follows its branch by git itself, which refuses to overwrite local changes.
                world.git_in(place, &["merge", "--ff-only", "--quiet", to.as_str()])?;
            }
            let how = if merged { "by a verified merge" } else { "by fast-forward" };
            let good = world.out.paint(Paint::Good, "landed");
            world.print(&format!("{good}: `{onto}` is at {} {how}\n", to.short()))?;
            Ok(Exit::Fine)
        }
        Landed::Conflict { paths } => {
            Err(CliError::blocked(format!("`{branch}` and `{onto}` conflict in {}", paths.join(", ")))
                .hint(format!("merge `{onto}` into `{branch}` by hand, then land again")))
        }
        Landed::NotGreen { failure } => {
            world.tell(&format!("{}\n", failure.details()));
            Err(CliError::blocked(format!("the merge with `{onto}` does not pass: {}", failure.summary()))
                .hint(format!("merge `{onto}` into `{branch}` by hand and fix it, then land again")))
        }
        Landed::Moved => Err(CliError::blocked(format!("`{onto}` moved meanwhile")).hint("land again")),
        Landed::Interrupted => Ok(Exit::Interrupted),
    }
}
