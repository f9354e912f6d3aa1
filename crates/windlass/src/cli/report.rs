//! `windlass report`: a report on the runs of a plan, as Markdown, HTML or JSON.

use std::path::PathBuf;

use clap::{Args, ValueEnum};
use windlass_core::plan::Plan;
use windlass_core::view::Outputs;
use windlass_core::view::report::{Reporter, RunReport};
use windlass_engine::chronicle::{Chronicle, ChronicleError};
use windlass_engine::output::OutputStore;

use super::state::{PlanState, StateArgs};
use super::{CliError, Exit};
use crate::render::{report_html, report_markdown};
use crate::world::World;

/// The largest plan that is read back.
const PLAN_BYTES: u64 = 256 << 20;

/// The form of a report.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum ReportStyle {
    /// For reading and for pull requests.
    Markdown,
    /// One page that needs nothing else.
    Html,
    /// `windlass.report/1`.
    Json,
}

/// Report on a plan's runs: coverage, timeline, cost, fix rates
#[derive(Debug, Args)]
pub(crate) struct ReportArgs {
    #[command(flatten)]
    state: StateArgs,

    /// The form: markdown, html or json. Without it, what the file's name ends in, or markdown.
    #[arg(long, value_name = "FORMAT", value_enum, hide_possible_values = true)]
    format: Option<ReportStyle>,

    /// Write it to this file.
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
}

/// Writes the report.
pub(crate) fn cmd_report(world: &World, args: &ReportArgs) -> Result<Exit, CliError> {
    let format = format_of(args)?;
    let state = PlanState::find(world, &args.state)?;
    let report = fold(&state, &state.run_chronicle()?)?;
    let text = match format {
        ReportStyle::Markdown => report_markdown(&report),
        ReportStyle::Html => report_html(&report),
        ReportStyle::Json => serde_json::to_string_pretty(&report)? + "\n",
    };
    match &args.output {
        None => world.print(&text)?,
        Some(path) => {
            let path = world.cwd.join(path);
            std::fs::write(&path, text).map_err(|e| {
                CliError::environment(format!("cannot write `{}`", path.display())).because_of(Some(&e))
            })?;
            world.tell(&format!("wrote {}\n", path.display()));
        }
    }
    Ok(Exit::Fine)
}

fn format_of(args: &ReportArgs) -> Result<ReportStyle, CliError> {
    if let Some(format) = args.format {
        return Ok(format);
    }
    let ending = args.output.as_ref().and_then(|p| p.extension()).map(|e| e.to_string_lossy().to_lowercase());
    match ending.as_deref() {
        None | Some("md" | "markdown" | "txt") => Ok(ReportStyle::Markdown),
        Some("html" | "htm") => Ok(ReportStyle::Html),
        Some("json") => Ok(ReportStyle::Json),
        Some(other) => Err(CliError::usage(format!("a report cannot be written as `.{other}`"))
            .hint("write `.md`, `.html` or `.json`, or choose with `--format`")),
    }
}

fn fold(state: &PlanState, chronicle: &Chronicle) -> Result<RunReport, CliError> {
    let mut reporter = Reporter::default();
    let mut failed = None;
    chronicle.each(|stamped| {
        if failed.is_none() {
            failed = reporter.apply(stamped).err();
        }
    })?;
    if let Some(error) = failed {
        return Err(ChronicleError::from(error).into());
    }
    let plan = reporter.plan_text().and_then(|name| {
        let store = OutputStore::open(&state.paths.out()).ok()?;
        serde_json::from_slice::<Plan>(&store.read(name, PLAN_BYTES).ok()?).ok()
    });
    Ok(reporter.finish(state.name.as_str(), plan.as_ref(), Outputs(&state.outputs())))
}
