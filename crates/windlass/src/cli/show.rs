//! `windlass show`: the history of one task: attempts, verdicts, evidence.

use std::fs::File;
use std::io::Read as _;
use std::path::Path;

use clap::Args;
use serde_json::json;
use windlass_core::ids::{BlobName, Oid};
use windlass_core::view::{Outputs, status_task};
use windlass_engine::git::Repo;
use windlass_engine::integrate::Evidence;

use super::brief::{BriefRole, show_brief};
use super::state::{PlanState, StateArgs, task_in};
use super::{CliError, Exit};
use crate::render;
use crate::world::World;

/// How many bytes of an agent's output are read for the summary.
const OUTPUT: u64 = 16 << 20;

/// Show one task's history: attempts, verdicts, evidence
#[derive(Debug, Args)]
pub(crate) struct ShowArgs {
    /// The task.
    #[arg(value_name = "TASK")]
    pub(super) task: String,

    #[command(flatten)]
    pub(super) state: StateArgs,

    /// Print the brief that an agent would get, with its number of tokens; needs no run.
    #[arg(
        long,
        value_name = "ROLE",
        num_args = 0..=1,
        require_equals = true,
        default_missing_value = "implementer",
        conflicts_with = "evidence"
    )]
    brief: Option<BriefRole>,

    /// Print the evidence record itself.
    #[arg(long, conflicts_with = "json")]
    evidence: bool,

    /// Print JSON.
    #[arg(long)]
    pub(super) json: bool,
}

/// Shows a task.
pub(crate) fn cmd_show(world: &World, args: &ShowArgs) -> Result<Exit, CliError> {
    if let Some(role) = args.brief {
        return show_brief(world, args, role);
    }
    let state = PlanState::find(world, &args.state)?;
    let chronicle = state.run_chronicle()?;
    let view = chronicle.view()?;
    let task = task_in(&view, &args.task)?;
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

/// The outputs of a plan.
struct Shelf<'a> {
    world: &'a World,
    state: &'a PlanState,
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
fn evidence_of(world: &World, blob: &Oid) -> Result<Option<Evidence>, CliError> {
    let repo = Repo::discover(world.git_env(), &world.cwd)?;
    Ok(repo.read_blob(blob).ok().and_then(|bytes| serde_json::from_slice(&bytes).ok()))
}
