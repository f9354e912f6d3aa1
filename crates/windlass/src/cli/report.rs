//! `windlass report`: a report on the runs of a plan, as Markdown, HTML, JSON or JUnit XML.

use std::path::PathBuf;

use clap::{Args, ValueEnum};
use windlass_core::graph::draw::{self, Charset, DrawOptions};
use windlass_core::graph::{Graph, SealOptions, TaskIx, seal};
use windlass_core::plan::Plan;
use windlass_core::view::Outputs;
use windlass_core::view::report::{Reporter, RunReport};
use windlass_engine::chronicle::{Chronicle, ChronicleError};
use windlass_engine::output::OutputStore;

use super::checked::seal_options;
use super::state::{PlanState, StateArgs};
use super::{CliError, Exit};
use crate::config::Config;
use crate::render::{report_html, report_junit, report_markdown};
use crate::world::World;

/// The largest plan that is read back.
const PLAN_BYTES: u64 = 256 << 20;

/// A plan with more tasks is not drawn.
const DRAWN: usize = 300;

/// A way to draw a graph.
type Drawing = fn(&Graph, &Plan, &DrawOptions<'_>) -> String;

/// The form of a report.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum ReportStyle {
    /// For reading and for pull requests.
    Markdown,
    /// One page without further files.
    Html,
    /// `windlass.report/1`.
    Json,
    /// JUnit XML: a case per task, for CI servers.
    Junit,
}

/// Report on a plan's runs: coverage, timeline, cost, fix rates
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct ReportArgs {
    #[command(flatten)]
    state: StateArgs,

    /// The form: markdown, html, json or junit. Without it, what the file's name ends in, or markdown.
    #[arg(long, value_name = "FORMAT", value_enum, hide_possible_values = true)]
    format: Option<ReportStyle>,

    /// Write it to this file.
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
}

const EXAMPLES: &str = "\
Examples:
  windlass report | gh pr comment --body-file -
  windlass report -o report.html      one page, with timeline and graph
  windlass report -o junit.xml        for a CI server";

/// Writes the report.
pub(crate) fn cmd_report(world: &World, args: &ReportArgs) -> Result<Exit, CliError> {
    let format = format_of(args)?;
    let state = PlanState::find(world, &args.state)?;
    let (report, plan) = fold(&state, &state.run_chronicle()?)?;
    let text = match format {
        ReportStyle::Markdown => {
            report_markdown(&report, picture(&report, plan.as_ref(), draw::mermaid).as_deref())
        }
        ReportStyle::Html => report_html(&report, picture(&report, plan.as_ref(), draw::svg).as_deref()),
        ReportStyle::Json => serde_json::to_string_pretty(&report)? + "\n",
        ReportStyle::Junit => report_junit(&report),
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
        Some("xml") => Ok(ReportStyle::Junit),
        Some(other) => Err(CliError::usage(format!("a report cannot be written as `.{other}`"))
            .hint("write `.md`, `.html`, `.json` or `.xml`, or choose with `--format`")),
    }
}

/// The graph of the plan with the states of its tasks; `None` if it is too large to look at.
fn picture(report: &RunReport, plan: Option<&Plan>, draw: Drawing) -> Option<String> {
    let plan = plan.filter(|_| report.tasks.len() <= DRAWN)?;
    let options = SealOptions { max_depth: u32::MAX, ..seal_options(&Config::default()) };
    let sealed = seal(plan, &options).ok()?;
    let graph = &sealed.graph;
    let state = |ix: TaskIx| {
        let id = graph.node(ix).id.as_str();
        report.tasks.iter().find(|task| task.id == id).map(|task| task.state)
    };
    let options = DrawOptions { width: 100, charset: Charset::Unicode, state: &state };
    Some(draw(graph, plan, &options))
}

pub(super) fn fold(state: &PlanState, chronicle: &Chronicle) -> Result<(RunReport, Option<Plan>), CliError> {
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
    let report = reporter.finish(state.name.as_str(), plan.as_ref(), Outputs(&state.outputs()));
    Ok((report, plan))
}
