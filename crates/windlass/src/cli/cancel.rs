//! `windlass cancel`: stop the run, or one task's attempt.

use clap::Args;
use windlass_core::wish::Wish;

use super::completing::task_ids;
use super::state::{StateArgs, task_id};
use super::wishing::{wish, wish_for_task};
use super::{CliError, Exit};
use crate::world::World;

/// Stop the run, or one task's attempt; finished work is kept, and the next run continues
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct CancelArgs {
    /// The task whose attempt is stopped; without it, the whole run.
    #[arg(value_name = "TASK", add = task_ids())]
    task: Option<String>,

    #[command(flatten)]
    state: StateArgs,
}

const EXAMPLES: &str = "\
Examples:
  windlass cancel          the whole run; `windlass run` continues later
  windlass cancel T3       the attempt at one task";

/// Records the request for the run.
pub(crate) fn cmd_cancel(world: &World, args: &CancelArgs) -> Result<Exit, CliError> {
    match &args.task {
        None => {
            wish(world, &args.state, &Wish::Cancel { task: None }, "cancelling", "there is nothing to cancel")
        }
        Some(task) => {
            let wish = Wish::Cancel { task: Some(task_id(task)?) };
            let said = format!("cancelling the attempt of `{task}`, which the next `windlass run` continues");
            wish_for_task(world, &args.state, task, &wish, &said, "there is no attempt to cancel")
        }
    }
}
