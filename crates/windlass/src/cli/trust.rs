//! `windlass trust`: let what a repository's `windlass.toml` sets beyond the sandbox count.

use clap::Args;

use super::{CliError, Exit};
use crate::input::Configuration;
use crate::world::World;

/// Show what windlass.toml sets beyond the sandbox, and let it count
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct TrustArgs {
    /// Trust without a question.
    #[arg(short, long)]
    yes: bool,

    /// Take the trust back.
    #[arg(long, conflicts_with = "yes")]
    revoke: bool,
}

const EXAMPLES: &str = "\
Examples:
  windlass trust                   what windlass.toml asks for, then a question
  windlass trust --revoke";

/// Shows the settings, asks, and records the answer.
pub(crate) fn cmd_trust(world: &World, args: &TrustArgs) -> Result<Exit, CliError> {
    let configuration = Configuration::find(world)?;
    let Some(trust) = configuration.trust(world) else {
        world.print("nothing in windlass.toml reaches beyond the sandbox\n")?;
        return Ok(Exit::Fine);
    };
    if args.revoke {
        let taken = trust.take_back()?;
        world.print(if taken { "no longer trusted\n" } else { "these settings were not trusted\n" })?;
        return Ok(Exit::Fine);
    }
    world.print(&trust.words(world))?;
    if trust.is_given() {
        world.print("trusted already\n")?;
        return Ok(Exit::Fine);
    }
    if !args.yes && !world.can_ask {
        return Err(CliError::usage("there is no terminal to ask on").hint("`windlass trust --yes`"));
    }
    world.needs_person("trust in these settings")?;
    if args.yes || world.ask("Trust these settings? [y/N] ")? {
        trust.give(world)?;
        world.print("trusted; a change of one of these settings asks again\n")?;
        return Ok(Exit::Fine);
    }
    Ok(Exit::Blocked)
}
