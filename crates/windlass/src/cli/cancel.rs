//! `windlass cancel`: stop the run, or one task's attempt.

use clap::Args;
use windlass_core::wish::Wish;

use super::state::StateArgs;
use super::wishing::{wish, wish_for_tasks};
use super::{CliError, Exit};
use crate::world::World;

/// Stop the run, or one task's attempt; finished work is kept
#[derive(Debug, Args)]
pub(crate) struct CancelArgs {
    /// The task whose attempt is stopped; without it, the whole run.
    #[arg(value_name = "TASK")]
    task: Option<String>,

    #[command(flatten)]
    state: StateArgs,
}

/// Records the request for the run.
pub(crate) fn cmd_cancel(world: &World, args: &CancelArgs) -> Result<Exit, CliError> {
    match &args.task {
        None => {
            wish(world, &args.state, &Wish::Cancel { task: None }, "cancelling", "there is nothing to cancel")
        }
        Some(task) => {
            let make = |task| Wish::Cancel { task: Some(task) };
            let said = format!("cancelling (`windlass retry {task}` takes it up again):");
            wish_for_tasks(world, &args.state, std::slice::from_ref(task), make, &said)
        }
    }
}
