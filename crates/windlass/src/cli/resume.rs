//! `windlass resume`: go on after a pause.

use clap::Args;
use windlass_core::wish::Wish;

use super::state::StateArgs;
use super::wishing::wish;
use super::{CliError, Exit};
use crate::world::World;

/// Go on after a pause
#[derive(Debug, Args)]
pub(crate) struct ResumeArgs {
    #[command(flatten)]
    state: StateArgs,
}

/// Leaves the wish.
pub(crate) fn cmd_resume(world: &World, args: &ResumeArgs) -> Result<Exit, CliError> {
    wish(world, &args.state, &Wish::Resume, "resuming", "`windlass run` goes on by itself")
}
