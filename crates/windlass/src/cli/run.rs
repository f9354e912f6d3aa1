//! `windlass run`: carries a plan out; goes on where an earlier run stopped.

use std::path::PathBuf;

use clap::Args;

use super::checked::{PlanArgs, ProfileArgs};
use super::{CliError, Exit};
use crate::world::World;

/// Carry a plan out; goes on by itself where an earlier run stopped
#[derive(Debug, Args)]
pub(crate) struct RunArgs {
    #[command(flatten)]
    pub(crate) plan: PlanArgs,

    #[command(flatten)]
    pub(crate) profile: ProfileArgs,

    /// Who carries tasks out, whatever their tier: `mechanical`, `cmd:COMMAND`, `replay:FOLDER`, or a name from
    /// `[agents]`.
    #[arg(long, value_name = "AGENT")]
    pub(crate) agent: Option<String>,

    /// How many attempts and verifications at once.
    #[arg(short, long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pub(crate) jobs: Option<u32>,

    /// Stop starting work once so many US dollars are spent, as far as agents tell.
    #[arg(long, value_name = "USD")]
    pub(crate) max_cost: Option<f64>,

    /// Stop starting work once so many tokens are spent, as far as agents tell.
    #[arg(long, value_name = "N")]
    pub(crate) max_tokens: Option<u64>,

    /// Say what would be done, and the most it could cost, and do nothing.
    #[arg(long)]
    pub(crate) dry_run: bool,

    /// Carry out this task and what it needs, and no more. May be given more than once.
    #[arg(long, value_name = "TASK")]
    pub(crate) until: Vec<String>,

    /// Go on although the check has warnings.
    #[arg(short, long)]
    pub(crate) yes: bool,

    /// Keep what agents change, turn by turn, for `--agent replay:DIR`.
    #[arg(long, value_name = "DIR")]
    pub(crate) record: Option<PathBuf>,

    /// Let agents run although this machine cannot fence them in.
    #[arg(long)]
    pub(crate) allow_unsandboxed: bool,

    /// Print events as JSON, one per line.
    #[arg(long)]
    pub(crate) json: bool,
}

/// Runs a plan.
pub(crate) fn cmd_run(_world: &World, _args: &RunArgs) -> Result<Exit, CliError> {
    Err(CliError::environment("`windlass run` is not wired yet"))
}
