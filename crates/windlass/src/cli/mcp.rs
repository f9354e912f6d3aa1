//! `windlass mcp`: the commands as tools for an agent, over standard input and output.

use clap::Args;

use super::{CliError, Exit};
use crate::world::World;

/// Serve the commands as tools to an agent (Model Context Protocol, over standard input and output)
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct McpArgs {}

const EXAMPLES: &str = "\
Examples:
  windlass mcp                what a client starts; in another directory: `windlass -C DIR mcp`
  claude mcp add windlass -- windlass mcp
  codex mcp add windlass -- windlass mcp
  windlass init --skills      writes a plugin that brings it";

/// Serves until standard input ends.
#[cfg(feature = "mcp")]
pub(crate) fn cmd_mcp(world: &World, _: &McpArgs) -> Result<Exit, CliError> {
    crate::mcp::serve(world)?;
    Ok(Exit::Fine)
}

/// Refuses: the feature is not part of this build.
#[cfg(not(feature = "mcp"))]
pub(crate) fn cmd_mcp(_: &World, _: &McpArgs) -> Result<Exit, CliError> {
    Err(CliError::environment("this build of Windlass has no MCP server"))
}
