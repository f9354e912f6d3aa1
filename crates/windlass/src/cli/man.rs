//! `windlass man`: manual pages, made from the same declarations as `--help`.

use std::path::PathBuf;

use clap::{Args, CommandFactory as _};

use super::{Cli, CliError, Exit};
use crate::world::World;

/// Print a manual page, or write all of them
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct ManArgs {
    /// The command; without it, the page of `windlass` itself.
    #[arg(value_name = "COMMAND")]
    command: Option<String>,

    /// Write the page of every command into this directory.
    #[arg(long, value_name = "DIR", conflicts_with = "command")]
    output: Option<PathBuf>,
}

const EXAMPLES: &str = "\
Examples:
  windlass man run | man -l -
  windlass man --output ~/.local/share/man/man1";

/// Prints a page, or writes all of them.
pub(crate) fn cmd_man(world: &World, args: &ManArgs) -> Result<Exit, CliError> {
    let mut root = Cli::command();
    root.build();
    if let Some(dir) = &args.output {
        let dir = world.cwd.join(dir);
        std::fs::create_dir_all(&dir).map_err(|e| CliError::file("cannot make", &dir, &e))?;
        let mut written = 0;
        for command in std::iter::once(&root).chain(root.get_subcommands().filter(|c| !c.is_hide_set())) {
            let path = dir.join(format!("{}.1", title(command)));
            std::fs::write(&path, page(command)?).map_err(|e| CliError::file("cannot write", &path, &e))?;
            written += 1;
        }
        world.tell(&format!("wrote {written} pages to {}\n", world.shown(&dir)));
        return Ok(Exit::Fine);
    }
    let command = match &args.command {
        None => &root,
        Some(name) => root.find_subcommand(name).ok_or_else(|| {
            CliError::usage(format!("there is no command `{name}`")).hint("`windlass --help` lists them")
        })?,
    };
    world.print(&String::from_utf8_lossy(&page(command)?))?;
    Ok(Exit::Fine)
}

fn title(command: &clap::Command) -> String {
    match command.get_name() {
        "windlass" => "windlass".into(),
        name => format!("windlass-{name}"),
    }
}

fn page(command: &clap::Command) -> Result<Vec<u8>, CliError> {
    let mut text = Vec::new();
    let made = clap_mangen::Man::new(command.clone()).title(title(command)).render(&mut text);
    made.map_err(|e| CliError::environment("cannot make the page").because_of(Some(&e)))?;
    Ok(text)
}
