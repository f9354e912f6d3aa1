//! `windlass approve`: let verified tasks be merged, or give a task files.

use clap::Args;
use windlass_core::wish::Wish;

use super::completing::task_ids;
use super::state::StateArgs;
use super::wishing::wish_for_tasks;
use super::{CliError, Exit};
use crate::world::World;

/// Let verified tasks that wait for a person be merged, or give a task more files
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct ApproveArgs {
    /// The tasks.
    #[arg(required = true, value_name = "TASK", add = task_ids())]
    tasks: Vec<String>,

    /// Give the tasks this file, which they do not own, and start them again. May be given more than once.
    #[arg(long, value_name = "PATH")]
    files: Vec<String>,

    #[command(flatten)]
    state: StateArgs,
}

const EXAMPLES: &str = "\
Examples:
  windlass diff T3 && windlass approve T3
  windlass approve T3 --files src/config.rs    a file it asked for";

/// Records the requests for the run.
pub(crate) fn cmd_approve(world: &World, args: &ApproveArgs) -> Result<Exit, CliError> {
    world.needs_person("approval")?;
    let wish = |task| Wish::Approve { task, files: args.files.clone() };
    wish_for_tasks(world, &args.state, &args.tasks, wish, "approving")
}
