//! `windlass show`: the history of one task: attempts, verdicts, evidence.

use std::fs::File;
use std::io::Read as _;
use std::path::Path;

use clap::Args;
use serde_json::json;
use windlass_core::ids::{BlobName, Oid};
use windlass_core::view::{Outputs, TaskView, View, status_parents, status_task};
use windlass_engine::chronicle::Chronicle;
use windlass_engine::git::Repo;
use windlass_engine::integrate::Evidence;
use windlass_planner::brief::Purpose;

use super::brief::{role_parser, show_brief};
use super::completing::task_ids;
use super::state::{PlanState, StateArgs, phase_in, run_state, titles};
use super::status::{clock, unknown};
use super::{CliError, Exit};
use crate::render::{self, StatusKnown, TreeView};
use crate::world::World;

/// How many bytes of an agent's output are read for the summary.
const OUTPUT: u64 = 16 << 20;

/// Show one task's history: attempts, verdicts, evidence
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct ShowArgs {
    /// The task, or a phase; without it, the plan as a tree.
    #[arg(value_name = "TASK|PHASE", add = task_ids(), required_unless_present_any = ["depth", "json"])]
    pub(super) task: Option<String>,

    #[command(flatten)]
    pub(super) state: StateArgs,

    /// Print the brief that an agent would get, with its number of tokens; needs no run.
    #[arg(
        long,
        value_name = "ROLE",
        num_args = 0..=1,
        require_equals = true,
        default_missing_value = "implementer",
        value_parser = role_parser(),
        conflicts_with = "evidence"
    )]
    brief: Option<Purpose>,

    /// Print the evidence record itself.
    #[arg(long, conflicts_with = "json")]
    evidence: bool,

    /// Fold everything below so many levels of phases into its phase.
    #[arg(long, value_name = "N", conflicts_with_all = ["brief", "evidence"])]
    depth: Option<usize>,

    /// Print JSON.
    #[arg(long)]
    pub(super) json: bool,
}

const EXAMPLES: &str = "\
Examples:
  windlass show T3                 its attempts, verdicts and evidence
  windlass show T3 --brief         what an agent would be told
  windlass show T3 --evidence | jq .";

/// Shows a task.
pub(crate) fn cmd_show(world: &World, args: &ShowArgs) -> Result<Exit, CliError> {
    if let Some(role) = args.brief {
        return show_brief(world, args, role);
    }
    let state = PlanState::find(world, &args.state)?;
    let chronicle = state.run_chronicle()?;
    let view = chronicle.view()?;
    let found = args.task.as_deref().and_then(|named| view.task(named));
    let Some(task) = found else { return show_tree(world, args, &state, &chronicle, &view) };
    let history = chronicle.history(&task.id)?;
    let kept = Shelf { world, state: &state };
    let record =
        history.merged.as_ref().map(|merged| evidence_of(world, &merged.evidence)).transpose()?.flatten();
    if args.json {
        let doc = json!({
            "schema": "windlass.show/1",
            "plan": state.name.as_str(),
            "task": status_task(&view, task, world.now(), Outputs(&state.outputs())),
            "history": history,
            "evidence": record,
        });
        world.print(&(serde_json::to_string_pretty(&doc)? + "\n"))?;
    } else if args.evidence {
        let merged = history.merged.ok_or_else(|| {
            CliError::usage(format!("task `{}` is not merged, so there is no evidence yet", task.id))
        })?;
        let repo = Repo::discover(world.git_env(), &world.cwd)?;
        world.print(&String::from_utf8_lossy(&repo.read_blob(&merged.evidence)?))?;
    } else {
        let mut text = render::story(&view, task, &history, world.now(), &world.out, &kept);
        if let Some(record) = &record {
            text.push_str(&render::evidence(record, &world.out));
        }
        text.push_str(&render::where_to_look(task, &history));
        world.print(&text)?;
    }
    Ok(Exit::Fine)
}

/// A phase with its tasks, or the whole plan as a tree.
fn show_tree(
    world: &World,
    args: &ShowArgs,
    state: &PlanState,
    chronicle: &Chronicle,
    view: &View,
) -> Result<Exit, CliError> {
    let titles = titles(state, chronicle)?;
    let phase = match args.task.as_deref() {
        Some(named) => Some(phase_in(view, &titles, named).ok_or_else(|| unknown(view, named))?),
        None => None,
    };
    let run = run_state(view.run.as_ref());
    let now = clock(world, run, view.at);
    if args.json {
        let mut parents = status_parents(view);
        for parent in &mut parents {
            parent.title = titles.get(parent.id).cloned();
        }
        let inside = |task: &&TaskView| phase.is_none_or(|wanted| view.places_of(task).contains(&wanted));
        let outputs = state.outputs();
        let tasks: Vec<_> =
            view.tasks.iter().filter(inside).map(|t| status_task(view, t, now, Outputs(&outputs))).collect();
        let shown = phase.map(|at| &parents[at]);
        let all = phase.is_none().then_some(&parents);
        let doc = json!({
            "schema": "windlass.show/1",
            "plan": state.name.as_str(),
            "phase": shown,
            "parents": all,
            "tasks": tasks,
        });
        world.print(&(serde_json::to_string_pretty(&doc)? + "\n"))?;
        return Ok(Exit::Fine);
    }
    let below = usize::from(phase.is_some());
    let depth = args.depth.map_or(usize::MAX, |depth| depth.saturating_add(below));
    let tree = TreeView { depth, phase, titles: &titles, known: StatusKnown::default() };
    let text = match phase {
        Some(_) => render::phase_status(view, now, &world.out, &tree),
        None => render::status_tree(state.name.as_str(), view, run, now, &world.out, &tree),
    };
    world.print(&text)?;
    Ok(Exit::Fine)
}

/// The outputs of a plan.
pub(crate) struct Shelf<'a> {
    /// The world.
    pub(crate) world: &'a World,
    /// The plan.
    pub(crate) state: &'a PlanState,
}

impl render::TurnOutputs for Shelf<'_> {
    fn deeds(&self, name: &BlobName) -> Option<String> {
        render::deeds(&output(&self.state.paths.out().join(name.checked()?))?)
    }

    fn place(&self, name: &BlobName) -> Option<String> {
        Some(self.world.shown(&self.state.paths.out().join(name.checked()?)))
    }
}

/// The beginning of an output, if it is there.
fn output(path: &Path) -> Option<Vec<u8>> {
    let mut bytes = Vec::new();
    File::open(path).ok()?.take(OUTPUT).read_to_end(&mut bytes).ok()?;
    Some(bytes)
}

/// The record, if it is there and of a kind this program knows.
pub(crate) fn evidence_of(world: &World, blob: &Oid) -> Result<Option<Evidence>, CliError> {
    let repo = Repo::discover(world.git_env(), &world.cwd)?;
    Ok(repo.read_blob(blob).ok().and_then(|bytes| serde_json::from_slice(&bytes).ok()))
}
