//! `windlass export`: a plan in another format.

use std::path::PathBuf;

use clap::Args;
use windlass_core::dialect::{self, Dialect, TextFile};

use super::checked::PlanArgs;
use super::known::{known_view, state_in};
use super::writing::{Overwrite, write_files};
use super::{CliError, Exit};
use crate::input::{Configuration, find_plan, read_plan};
use crate::world::World;

/// Write a plan in another format, with progress from the journal
#[derive(Debug, Args)]
pub(crate) struct ExportArgs {
    #[command(flatten)]
    plan: PlanArgs,

    /// The format: native, zerg, homerun, ccw, superplanner, contract, taskmaster, speckit, or json.
    #[arg(long, value_name = "FORMAT")]
    to: To,

    /// Print it instead of writing files.
    #[arg(long, conflicts_with = "output")]
    stdout: bool,

    /// Where to write: a folder, or a file if the format has only one.
    #[arg(short, long, value_name = "PATH")]
    output: Option<PathBuf>,

    /// Overwrite files that exist.
    #[arg(long)]
    force: bool,
}

/// What a plan is written as.
#[derive(Debug, Clone, Copy)]
enum To {
    Json,
    Dialect(Dialect),
}

impl std::str::FromStr for To {
    type Err = dialect::UnknownDialect;
    fn from_str(text: &str) -> Result<Self, Self::Err> {
        if text == "json" { Ok(To::Json) } else { text.parse().map(To::Dialect) }
    }
}

/// Exports a plan.
pub(crate) fn cmd_export(world: &World, args: &ExportArgs) -> Result<Exit, CliError> {
    let configuration = Configuration::find(world)?;
    let target = find_plan(world, &configuration, args.plan.plan.as_deref())?;
    let plan = read_plan(world, &target, args.plan.from)?.loaded.plan;
    let files = match args.to {
        To::Json => {
            let text = serde_json::to_string_pretty(&dialect::plan_json(&plan))? + "\n";
            vec![TextFile { path: format!("{}.json", plan.name), bytes: text.into_bytes() }]
        }
        To::Dialect(to) => {
            let view = known_view(world, &plan.name)?;
            dialect::write(to, &plan, &|id| state_in(&view, id))
        }
    };
    match &args.output {
        Some(path) => {
            let overwrite = if args.force { Overwrite::Yes } else { Overwrite::No };
            let written = write_files(world, &world.cwd.join(path), &files, overwrite)?;
            for path in &written {
                world.print(&format!("wrote {}\n", world.shown(path)))?;
            }
        }
        None => print(world, &files)?,
    }
    Ok(Exit::Fine)
}

/// Prints the one file; several cannot be told apart on one stream.
fn print(world: &World, files: &[TextFile]) -> Result<(), CliError> {
    match files {
        [only] => world.print(&String::from_utf8_lossy(&only.bytes)),
        [] => Err(CliError::usage("this format cannot be written")),
        several => Err(CliError::usage(format!("this format is a folder of {} files", several.len()))
            .hint("say where to write it: `-o FOLDER`")),
    }
}
