//! `windlass resume`: continues after a pause.

use clap::Args;
use windlass_core::wish::Wish;

use super::state::StateArgs;
use super::wishing::wish;
use super::{CliError, Exit};
use crate::world::World;

/// Continue after a pause
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct ResumeArgs {
    #[command(flatten)]
    state: StateArgs,
}

const EXAMPLES: &str = "\
Examples:
  windlass resume";

/// Records the request for the run.
pub(crate) fn cmd_resume(world: &World, args: &ResumeArgs) -> Result<Exit, CliError> {
    wish(world, &args.state, &Wish::Resume {}, "resuming", "`windlass run` continues by itself")
}
