//! `windlass import`: another tool's plan as a native one.

use std::path::PathBuf;

use clap::Args;
use windlass_formats::Dialect;

use super::writing::{Overwrite, write_files};
use super::{CliError, Exit};
use crate::input::{Configuration, find_plan, plan_name, read_plan};
use crate::render::{self, counted};
use crate::world::World;

/// Bring another tool's plan into `plans/`, in the native format
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct ImportArgs {
    /// The plan: a file or folder in any known format, `-` for standard input.
    plan: PathBuf,

    /// The plan's format, if it cannot be detected.
    #[arg(long, value_name = "FORMAT")]
    from: Option<Dialect>,

    /// Where to write it; without it, `plans/<name>` beside windlass.toml.
    #[arg(short, long, value_name = "FOLDER")]
    output: Option<PathBuf>,

    /// Overwrite files that exist.
    #[arg(long)]
    force: bool,
}

const EXAMPLES: &str = "\
Examples:
  windlass import .taskmaster/tasks/tasks.json
  windlass import specs/001-shop -o plans/shop";

/// Imports a plan.
pub(crate) fn cmd_import(world: &World, args: &ImportArgs) -> Result<Exit, CliError> {
    let configuration = Configuration::find(world)?;
    let target = find_plan(world, &configuration, Some(&args.plan))?;
    let read = read_plan(world, &target, args.from)?;
    let loaded = read.loaded;
    world.tell(&render::human(&loaded.diagnostics, &loaded.sources, &world.err, 50));
    let top = configuration.dir.unwrap_or_else(|| world.cwd.clone());
    let root = match &args.output {
        Some(path) => world.cwd.join(path),
        None => top.join("plans").join(plan_name(&loaded.plan.name).as_str()),
    };
    let files = windlass_formats::write(Dialect::Native, &loaded.plan, &|_| None);
    let overwrite = if args.force { Overwrite::Yes } else { Overwrite::No };
    let written = write_files(world, &root, &files, overwrite)?;
    let root = world.shown(&root);
    world.print(&format!(
        "read {} from {} and wrote {} below {root}\n\nnext: `windlass check {root}`\n",
        counted(loaded.plan.tasks.len(), "task"),
        read.dialect,
        counted(written.len(), "file"),
    ))?;
    Ok(Exit::Fine)
}
