//! `windlass demo`: the whole line on a bundled sample.

use clap::Args;

use super::{CliError, Exit};
use crate::world::World;

/// See the whole line on a bundled sample; needs no agent, key or network
#[derive(Debug, Args)]
pub(crate) struct DemoArgs {}

/// Shows the demo.
pub(crate) fn cmd_demo(_world: &World, _args: &DemoArgs) -> Result<Exit, CliError> {
    Err(CliError::environment("`windlass demo` is not wired yet"))
}
