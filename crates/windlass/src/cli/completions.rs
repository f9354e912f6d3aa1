//! `windlass completions`: what the shell needs to complete commands, tasks and plans.

use clap::Args;
use clap_complete::env::Shells;

use super::{CliError, Exit};
use crate::world::World;

/// The variable by which a shell asks for candidates.
pub(super) const VARIABLE: &str = "WINDLASS_COMPLETE";

/// Print a completion script for a shell: commands, options, tasks and plans
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct CompletionsArgs {
    /// The shell: bash, zsh, fish, elvish or powershell.
    #[arg(value_name = "SHELL")]
    shell: String,
}

const EXAMPLES: &str = "\
Examples:
  source <(windlass completions bash)                      in ~/.bashrc
  windlass completions zsh > ~/.zfunc/_windlass
  windlass completions fish > ~/.config/fish/completions/windlass.fish";

/// Prints the script.
pub(crate) fn cmd_completions(world: &World, args: &CompletionsArgs) -> Result<Exit, CliError> {
    let shells = Shells::builtins();
    let Some(shell) = shells.completer(&args.shell) else {
        let known: Vec<&str> = shells.names().collect();
        return Err(CliError::usage(format!("`{}` is not a known shell", args.shell))
            .hint(format!("known: {}", known.join(", "))));
    };
    let mut script = Vec::new();
    shell
        .write_registration(VARIABLE, "windlass", "windlass", "windlass", &mut script)
        .map_err(|e| CliError::environment("cannot make the script").because_of(Some(&e)))?;
    world.print(&String::from_utf8_lossy(&script))?;
    Ok(Exit::Fine)
}
