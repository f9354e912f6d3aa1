//! `windlass approve`: let verified tasks be merged.

use clap::Args;
use windlass_core::wish::Wish;

use super::state::StateArgs;
use super::wishing::wish_for_tasks;
use super::{CliError, Exit};
use crate::world::World;

/// Let verified tasks that wait for a person be merged
#[derive(Debug, Args)]
pub(crate) struct ApproveArgs {
    /// The tasks.
    #[arg(required = true, value_name = "TASK")]
    tasks: Vec<String>,

    #[command(flatten)]
    state: StateArgs,
}

/// Records the requests for the run.
pub(crate) fn cmd_approve(world: &World, args: &ApproveArgs) -> Result<Exit, CliError> {
    wish_for_tasks(world, &args.state, &args.tasks, |task| Wish::Approve { task }, "approving")
}
