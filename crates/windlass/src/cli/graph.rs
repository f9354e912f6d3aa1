//! `windlass graph`: draws a plan and estimates how long it takes.

use std::fmt::Write as _;

use clap::{Args, ValueEnum};
use serde_json::json;
use windlass_core::graph::draw::{self, Charset, DrawOptions};
use windlass_core::graph::{EdgeReason, Graph, Limit, TaskIx, WhatIf, task_hash, what_if};
use windlass_core::plan::Plan;
use windlass_core::state::TaskState;
use windlass_planner::runnable::RunnablePlan;

use super::checked::{CheckedPlan, PlanSelection, ProfileArgs};
use super::known::{known_view, state_in};
use super::{CliError, Exit};
use crate::render;
use crate::world::World;

/// The number of findings that are shown if the plan cannot be drawn.
const SHOWN: usize = 20;

/// Draw a plan: levels, critical path, and how long N workers would take
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct GraphArgs {
    #[command(flatten)]
    plan: PlanSelection,

    /// How it is drawn.
    #[arg(long, value_enum, default_value_t, value_name = "FORMAT")]
    format: DrawingFormat,

    /// Estimate how long N workers would take. May be given more than once.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    workers: Vec<u32>,

    /// Draw text with plain characters only.
    #[arg(long)]
    ascii: bool,
}

const EXAMPLES: &str = "\
Examples:
  windlass graph                        in the terminal
  windlass graph --workers 1 --workers 4   how long so many would take
  windlass graph --format svg > plan.svg
  windlass graph --format json | jq .links";

/// How a graph is drawn.
#[derive(Debug, Clone, Copy, Default, ValueEnum)]
enum DrawingFormat {
    #[default]
    Text,
    Dot,
    Mermaid,
    Svg,
    Json,
}

/// Draws a plan.
pub(crate) fn cmd_graph(world: &World, args: &GraphArgs) -> Result<Exit, CliError> {
    let checked = CheckedPlan::load(world, &args.plan, &ProfileArgs::default())?;
    let Some(RunnablePlan { plan, graph, .. }) = &checked.runnable else {
        let errors = checked.errors();
        world.tell(&render::human(&errors, &checked.read.loaded.sources, &world.err, SHOWN));
        let error = CliError::usage(format!(
            "plan `{}` has errors and cannot be drawn",
            checked.read.loaded.plan.name
        ));
        return Err(error.hint("`windlass check` shows every finding"));
    };
    let view = known_view(world, &plan.name)?;
    let state = |ix: TaskIx| state_in(&view, graph.node(ix).id.as_str());
    let charset = if args.ascii { Charset::Ascii } else { Charset::Unicode };
    let options = DrawOptions { width: world.out.width, charset, state: &state };
    let mut text = match args.format {
        DrawingFormat::Text => draw::text(graph, plan, &options),
        DrawingFormat::Dot => draw::dot(graph, plan, &options),
        DrawingFormat::Mermaid => draw::mermaid(graph, plan, &options),
        DrawingFormat::Svg => draw::svg(graph, plan, &options),
        DrawingFormat::Json => json(graph, plan, &state, &args.workers)?,
    };
    if !args.workers.is_empty() {
        let lines: String = args.workers.iter().map(|n| outcome(&what_if(graph, *n))).collect();
        match args.format {
            DrawingFormat::Text => {
                let _ = write!(text, "\n{lines}");
            }
            DrawingFormat::Json => {}
            // A drawing usually goes to a file; the lines about it must not end up in that file.
            DrawingFormat::Dot | DrawingFormat::Mermaid | DrawingFormat::Svg => world.tell(&lines),
        }
    }
    world.print(&text)?;
    Ok(Exit::Fine)
}

/// For programs: `windlass.graph/1`.
fn json(
    graph: &Graph,
    plan: &Plan,
    state: &dyn Fn(TaskIx) -> Option<TaskState>,
    workers: &[u32],
) -> Result<String, CliError> {
    let id = |ix: TaskIx| graph.node(ix).id.as_str();
    let mut level_of = vec![0; graph.nodes().len()];
    for (level, tasks) in graph.levels().iter().enumerate() {
        for ix in tasks {
            level_of[ix.at()] = level;
        }
    }
    let tasks = graph.indices().map(|ix| {
        let node = graph.node(ix);
        json!({
            "id": id(ix),
            "title": plan.tasks[node.task].title,
            "hash": task_hash(&plan.tasks[node.task]),
            "mode": node.mode,
            "tier": node.tier,
            "state": state(ix),
            "level": level_of[ix.at()],
            "seconds": node.cost,
        })
    });
    let links = graph.edges().iter().map(|edge| {
        let (why, path) = match &edge.why {
            EdgeReason::Stated => ("stated", None),
            EdgeReason::FromParent => ("parent", None),
            EdgeReason::Barrier => ("parts_first", None),
            EdgeReason::FileOrder { path } => ("file", Some(path)),
        };
        json!({"first": id(edge.first), "then": id(edge.then), "why": why, "path": path})
    });
    let estimates = workers.iter().map(|n| what_if(graph, *n)).map(|outcome| {
        json!({"workers": outcome.workers, "seconds": outcome.makespan, "limited_by": limit(&outcome)})
    });
    let doc = json!({
        "schema": "windlass.graph/1",
        "plan": plan.name,
        "tasks": tasks.collect::<Vec<_>>(),
        "links": links.collect::<Vec<_>>(),
        "critical_path": graph.critical_path().into_iter().map(id).collect::<Vec<_>>(),
        "estimates": estimates.collect::<Vec<_>>(),
    });
    Ok(serde_json::to_string_pretty(&doc)? + "\n")
}

/// What limits the length of a plan.
fn limit(outcome: &WhatIf) -> String {
    match &outcome.limited_by {
        Limit::CriticalPath => "the critical path".to_owned(),
        Limit::Workers => "the number of workers".to_owned(),
        Limit::Pool(name) => format!("`{name}`"),
    }
}

fn outcome(outcome: &WhatIf) -> String {
    let limit = limit(outcome);
    let millis = i64::try_from(outcome.makespan).unwrap_or(i64::MAX).saturating_mul(1000);
    let workers = render::counted(outcome.workers as usize, "worker");
    format!("with {workers}: {}, limited by {limit}\n", render::time(millis))
}
