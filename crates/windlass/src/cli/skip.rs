//! `windlass skip`: skips tasks.

use clap::Args;
use windlass_core::wish::Wish;

use super::completing::task_ids;
use super::state::StateArgs;
use super::wishing::wish_for_tasks;
use super::{CliError, Exit};
use crate::world::World;

/// Skip tasks, and the tasks that depend on them
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct SkipArgs {
    /// The tasks.
    #[arg(required = true, value_name = "TASK", add = task_ids())]
    tasks: Vec<String>,

    #[command(flatten)]
    state: StateArgs,
}

const EXAMPLES: &str = "\
Examples:
  windlass skip T3 T4              `windlass retry T3` brings it back";

/// Records the requests for the run.
pub(crate) fn cmd_skip(world: &World, args: &SkipArgs) -> Result<Exit, CliError> {
    wish_for_tasks(world, &args.state, &args.tasks, |task| Wish::Skip { task }, "skipping")
}
