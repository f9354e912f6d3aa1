//! `windlass pause`: start nothing new.

use clap::Args;
use windlass_core::wish::Wish;

use super::state::StateArgs;
use super::wishing::wish;
use super::{CliError, Exit};
use crate::world::World;

/// Start nothing new; running work continues
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct PauseArgs {
    #[command(flatten)]
    state: StateArgs,
}

const EXAMPLES: &str = "\
Examples:
  windlass pause && windlass status";

/// Records the request for the run.
pub(crate) fn cmd_pause(world: &World, args: &PauseArgs) -> Result<Exit, CliError> {
    wish(world, &args.state, &Wish::Pause {}, "pausing", "there is nothing to pause")
}
