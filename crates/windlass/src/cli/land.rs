//! `windlass land`: brings the integration branch home.

use clap::Args;

use super::state::StateArgs;
use super::{CliError, Exit};
use crate::world::World;

/// Bring the integration branch home: fast-forward, or a verified merge; never forced
#[derive(Debug, Args)]
pub(crate) struct LandArgs {
    #[command(flatten)]
    pub(crate) state: StateArgs,

    /// The branch to land on; without it, the branch the work grew from.
    #[arg(long, value_name = "BRANCH")]
    pub(crate) onto: Option<String>,
}

/// Lands a plan's branch.
pub(crate) fn cmd_land(_world: &World, _args: &LandArgs) -> Result<Exit, CliError> {
    Err(CliError::environment("`windlass land` is not wired yet"))
}
