//! `windlass graph`: the plan as a picture, and how long it would take.

use clap::{Args, ValueEnum};

use super::checked::{Checked, PlanArgs, ProfileArgs};
use super::{CliError, Exit};
use crate::world::World;

/// Draw a plan: levels, critical path, and how long N workers would take
#[derive(Debug, Args)]
pub(crate) struct GraphArgs {
    #[command(flatten)]
    plan: PlanArgs,

    /// How it is drawn.
    #[arg(long, value_enum, default_value_t, value_name = "FORMAT")]
    format: Format,

    /// Say how long so many workers would take. May be given more than once.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    workers: Vec<u32>,
}

/// How a graph is drawn.
#[derive(Debug, Clone, Copy, Default, ValueEnum)]
enum Format {
    #[default]
    Text,
    Dot,
    Mermaid,
    Svg,
}

/// Draws a plan.
pub(crate) fn cmd_graph(world: &World, args: &GraphArgs) -> Result<Exit, CliError> {
    let checked = Checked::of(world, &args.plan, &ProfileArgs::default())?;
    let _ = (&args.format, &args.workers, checked);
    Err(CliError::environment("`windlass graph` is not wired yet"))
}
