//! `windlass check`: every finding at once.

use std::fmt::Write as _;

use clap::{Args, ValueEnum};

use super::checked::{CheckedPlan, PlanSelection, ProfileArgs};
use super::{CliError, Exit};
use crate::render;
use crate::world::World;

/// The number of findings that are shown without `--all`.
const SHOWN: usize = 100;

/// Check a plan and report every finding
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct CheckArgs {
    #[command(flatten)]
    plan: PlanSelection,

    #[command(flatten)]
    profile: ProfileArgs,

    /// How findings are written: for people, as JSON, as SARIF 2.1.0, or as GitHub annotations.
    #[arg(long, value_enum, default_value_t, value_name = "FORMAT")]
    format: FindingsFormat,

    /// Show every finding, however many there are.
    #[arg(long)]
    all: bool,
}

const EXAMPLES: &str = "\
Examples:
  windlass check                              the plan of windlass.toml, or the only one in plans/
  windlass check plans/shop --profile zerg
  windlass check --format sarif > plan.sarif  for a code scanner";

/// How findings are written.
#[derive(Debug, Clone, Copy, Default, ValueEnum)]
enum FindingsFormat {
    #[default]
    Human,
    Json,
    Sarif,
    Github,
}

/// Checks a plan.
pub(crate) fn cmd_check(world: &World, args: &CheckArgs) -> Result<Exit, CliError> {
    let checked = CheckedPlan::load(world, &args.plan, &args.profile)?;
    let report = checked.report();
    match args.format {
        FindingsFormat::Human => {
            world.print(&human(world, &report, if args.all { usize::MAX } else { SHOWN }))?;
        }
        FindingsFormat::Json => world.stream(|out| render::json(&report, out))?,
        FindingsFormat::Sarif => {
            world.stream(|out| render::sarif(&report, &super::explain::title_of, out))?;
        }
        FindingsFormat::Github => world.stream(|out| render::github(&report, out))?,
    }
    let exit = if checked.has_errors() { Exit::Findings } else { Exit::Fine };
    // The program ends here; dropping a large plan piece by piece would waste time.
    std::mem::forget(checked);
    Ok(exit)
}

fn human(world: &World, report: &render::CheckReport<'_>, limit: usize) -> String {
    let mut text = render::human(report.findings, report.sources, &world.out, limit);
    if report.findings.len() > limit {
        let rest = report.findings.len() - limit;
        let _ = writeln!(text, "… and {rest} more; `windlass check --all` shows every one\n");
    }
    text.push_str(&render::summary(report, &world.out));
    if let Some(first) = report.findings.first() {
        let _ = writeln!(text, "for more on a finding: windlass explain {}", first.code);
    }
    text
}
