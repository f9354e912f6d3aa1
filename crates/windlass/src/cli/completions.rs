//! `windlass completions`: what the shell needs to complete commands.

use clap::{Args, CommandFactory as _};
use clap_complete::Shell;

use super::{Cli, CliError, Exit};
use crate::world::World;

/// Print a completion script for a shell
#[derive(Debug, Args)]
pub(crate) struct CompletionsArgs {
    /// The shell.
    #[arg(value_name = "SHELL")]
    shell: Shell,
}

/// Prints the script.
pub(crate) fn cmd_completions(world: &World, args: &CompletionsArgs) -> Result<Exit, CliError> {
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut Cli::command(), "windlass", &mut script);
    world.print(&String::from_utf8_lossy(&script))?;
    Ok(Exit::Fine)
}
