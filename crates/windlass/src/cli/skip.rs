//! `windlass skip`: do not carry tasks out.

use clap::Args;
use windlass_core::wish::Wish;

use super::state::StateArgs;
use super::wishing::wish_for_tasks;
use super::{CliError, Exit};
use crate::world::World;

/// Do not carry tasks out, nor what needs them
#[derive(Debug, Args)]
pub(crate) struct SkipArgs {
    /// The tasks.
    #[arg(required = true, value_name = "TASK")]
    tasks: Vec<String>,

    #[command(flatten)]
    state: StateArgs,
}

/// Leaves the wishes.
pub(crate) fn cmd_skip(world: &World, args: &SkipArgs) -> Result<Exit, CliError> {
    wish_for_tasks(world, &args.state, &args.tasks, |task| Wish::Skip { task }, "skipping")
}
