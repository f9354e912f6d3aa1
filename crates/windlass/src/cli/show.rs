//! `windlass show`: one task's whole story: tries, verdicts, evidence.

use clap::Args;
use serde_json::json;
use windlass_core::view::status_task;
use windlass_engine::git::Repo;

use super::brief::{BriefRole, show_brief};
use super::state::{PlanState, StateArgs, task_in};
use super::{CliError, Exit};
use crate::render;
use crate::world::World;

/// Show one task's whole story: tries, verdicts, evidence
#[derive(Debug, Args)]
pub(crate) struct ShowArgs {
    /// The task.
    #[arg(value_name = "TASK")]
    pub(super) task: String,

    #[command(flatten)]
    pub(super) state: StateArgs,

    /// Print what an agent would be told, with its count of tokens; no run is needed.
    #[arg(
        long,
        value_name = "ROLE",
        num_args = 0..=1,
        require_equals = true,
        default_missing_value = "implementer",
        conflicts_with = "evidence"
    )]
    brief: Option<BriefRole>,

    /// Print the evidence record itself.
    #[arg(long, conflicts_with = "json")]
    evidence: bool,

    /// Print JSON.
    #[arg(long)]
    pub(super) json: bool,
}

/// Shows a task.
pub(crate) fn cmd_show(world: &World, args: &ShowArgs) -> Result<Exit, CliError> {
    if let Some(role) = args.brief {
        return show_brief(world, args, role);
    }
    let state = PlanState::find(world, &args.state)?;
    let chronicle = state.run_chronicle()?;
    let view = chronicle.view()?;
    let task = task_in(&view, &args.task)?;
    let history = chronicle.history(&task.id)?;
    if args.json {
        let doc = json!({
            "schema": "windlass.show/1",
            "plan": state.name.as_str(),
            "task": status_task(&view, task, world.now()),
            "history": history,
        });
        world.print(&(serde_json::to_string_pretty(&doc)? + "\n"))?;
    } else if args.evidence {
        let merged = history.merged.ok_or_else(|| {
            CliError::usage(format!("task `{}` is not merged, so there is no evidence yet", task.id))
        })?;
        let repo = Repo::discover(world.git_env(), &world.cwd)?;
        world.print(&String::from_utf8_lossy(&repo.read_blob(&merged.evidence)?))?;
    } else {
        world.print(&render::story(&view, task, &history, world.now(), &world.out))?;
    }
    Ok(Exit::Fine)
}
