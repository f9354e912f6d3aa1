//! `windlass audit`: every evidence record, verified again from the commits alone.

use std::path::PathBuf;

use clap::Args;

use super::{CliError, Exit};
use crate::world::World;

/// Verify every evidence record again, from the commits alone
#[derive(Debug, Args)]
pub(crate) struct AuditArgs {
    /// The plan, by its name or path; without it, the plan whose state is here.
    #[arg(value_name = "PLAN")]
    pub(crate) plan: Option<PathBuf>,

    /// Print JSON.
    #[arg(long)]
    pub(crate) json: bool,
}

/// Audits a plan's branch.
pub(crate) fn cmd_audit(_world: &World, _args: &AuditArgs) -> Result<Exit, CliError> {
    Err(CliError::environment("`windlass audit` is not wired yet"))
}
