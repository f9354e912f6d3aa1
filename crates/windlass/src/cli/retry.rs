//! `windlass retry`: carry tasks out again.

use clap::Args;
use windlass_core::wish::Wish;

use super::state::StateArgs;
use super::wishing::wish_for_tasks;
use super::{CliError, Exit};
use crate::world::World;

/// Carry tasks out again from the start
#[derive(Debug, Args)]
pub(crate) struct RetryArgs {
    /// The tasks.
    #[arg(required = true, value_name = "TASK")]
    tasks: Vec<String>,

    #[command(flatten)]
    state: StateArgs,
}

/// Leaves the wishes.
pub(crate) fn cmd_retry(world: &World, args: &RetryArgs) -> Result<Exit, CliError> {
    wish_for_tasks(world, &args.state, &args.tasks, |task| Wish::Retry { task }, "trying again:")
}
