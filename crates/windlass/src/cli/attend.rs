//! `windlass attend`: carries attempts out for a coordinator on another machine.

use std::io::{self, IsTerminal as _};

use clap::Args;
use windlass_engine::agent::cli::CliKind;
use windlass_engine::git::Repo;
use windlass_engine::place::{AttendHost, attend, clean_attended};

use super::{CliError, Exit};
use crate::config::Config;
use crate::running::{
    QueueToAttend, SandboxOverrides, attend_queue, configure, is_logged_out, runtime, sandbox_config,
};
use crate::world::World;

/// Carry out attempts for a run on another machine
///
/// A place of `[places]` in windlass.toml starts it there, for example by ssh; it speaks with the run over its standard
/// input and output. With `--nats` it fetches attempts from a broker instead, and nothing has to lead to this machine. It
/// installs nothing, and keeps what it needs below the cache directory.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct AttendArgs {
    /// Fetch attempts from the queue of a NATS broker, `tls://HOST:4222`, until Ctrl-C.
    #[arg(long, value_name = "URL", conflicts_with = "clean")]
    nats: Option<String>,

    /// The queue at the broker: the `queue` of the place.
    #[arg(long, value_name = "NAME", default_value = "windlass", requires = "nats")]
    queue: String,

    /// A file with a token, an nkey seed or credentials for the broker, that only you can read.
    #[arg(long, value_name = "FILE", requires = "nats")]
    key: Option<String>,

    /// A file with the certificate of the broker's authority.
    #[arg(long, value_name = "FILE", requires = "nats")]
    ca: Option<String>,

    /// How many attempts run here at once.
    #[arg(long, value_name = "N", default_value_t = 1, requires = "nats")]
    #[arg(value_parser = clap::value_parser!(u32).range(1..=1000))]
    slots: u32,

    /// Remove everything that earlier attempts left in the cache, and end.
    #[arg(long)]
    clean: bool,

    /// What is started for each attempt instead of `windlass attend`, with the same on its standard input and output.
    #[arg(last = true, value_name = "COMMAND", requires = "nats")]
    command: Vec<String>,
}

const EXAMPLES: &str = "\
Examples:
  windlass attend                  what `via = \"ssh:big\"` of `[places.big]` starts on that machine
  windlass attend --nats tls://broker.example:4222 --key fleet.nk --slots 4
  windlass attend --clean";

/// Attends until the coordinator is gone.
pub(crate) fn cmd_attend(world: &World, args: &AttendArgs) -> Result<Exit, CliError> {
    let cache_home = world.cache_home()?.to_owned();
    if args.clean {
        let cleaned = clean_attended(&cache_home);
        cleaned.map_err(|e| CliError::file("cannot clean", &cache_home.join("windlass"), &e))?;
        return Ok(Exit::Fine);
    }
    if let Some(url) = &args.nats {
        let asked = QueueToAttend {
            url,
            queue: &args.queue,
            key: args.key.as_deref(),
            ca: args.ca.as_deref(),
            slots: usize::try_from(args.slots).unwrap_or(1),
            command: &args.command,
        };
        attend_queue(world, &asked)?;
        return Ok(Exit::Fine);
    }
    if io::stdin().is_terminal() {
        let said = "`windlass attend` speaks with a run on another machine, not with a person";
        return Err(CliError::usage(said)
            .hint("name this machine in `[places]` of the other machine's windlass.toml, or fetch attempts with `--nats URL`")
            .hint("`windlass doctor --place NAME` there tries it"));
    }
    let host = AttendHost {
        version: env!("CARGO_PKG_VERSION").into(),
        git: world.git_env(),
        sandbox: sandbox_config(world, &Config::default(), &SandboxOverrides::default(), Vec::new()),
        agents: agents(world),
        git_version: Repo::program_version(&world.git_env())?,
        configure: configure(world.clone()),
        cache_home,
    };
    let runtime = runtime(2)?;
    let ended = runtime.block_on(attend(host, io::stdin(), io::stdout()));
    // The thread that reads standard input cannot be ended; the program can.
    runtime.shutdown_background();
    ended.map_err(CliError::blocked)?;
    Ok(Exit::Fine)
}

/// The agents that are installed here, each with what is missing.
fn agents(world: &World) -> Vec<String> {
    let here = |kind: &&CliKind| world.program(kind.facts().program.as_ref()).is_some();
    let shown = |kind: &CliKind| {
        let name = kind.as_str();
        if is_logged_out(world, name) { format!("{name} (not logged in)") } else { name.to_owned() }
    };
    CliKind::ALL.iter().filter(here).map(shown).collect()
}
