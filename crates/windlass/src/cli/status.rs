//! `windlass status`: where everything stands.

use std::thread;
use std::time::Duration;

use clap::Args;
use windlass_core::event::Millis;
use windlass_core::view::{Liveness, Outputs, RunState, StatusDoc, View};
use windlass_engine::chronicle::Chronicle;

use super::state::{PlanState, StateArgs, is_live, liveness, run_state, task_in};
use super::{CliError, Exit};
use crate::render;
use crate::world::World;

/// Between two looks.
const TICK: Duration = Duration::from_millis(500);

/// Show where everything stands
#[derive(Debug, Args)]
pub(crate) struct StatusArgs {
    /// Only this task, with its steps.
    #[arg(value_name = "TASK")]
    task: Option<String>,

    #[command(flatten)]
    state: StateArgs,

    /// Print `windlass.status/1` as JSON.
    #[arg(long)]
    json: bool,

    /// Keep watching until the run ends.
    #[arg(short, long, conflicts_with = "json")]
    watch: bool,

    /// List every task, however many there are.
    #[arg(long)]
    all: bool,

    /// Fold everything below so many levels of parents into its parent; 0 shows only the top.
    #[arg(long, value_name = "N")]
    depth: Option<usize>,
}

/// Shows the status.
pub(crate) fn cmd_status(world: &World, args: &StatusArgs) -> Result<Exit, CliError> {
    let state = PlanState::find(world, &args.state)?;
    let Some(chronicle) = state.chronicle()? else {
        return never_run(world, args, &state);
    };
    if args.json {
        return print_json(world, args, &state, &chronicle);
    }
    if args.watch {
        return watch(world, args, &state, &chronicle);
    }
    world.print(&screen(world, args, &state, &chronicle)?)?;
    Ok(Exit::Fine)
}

fn never_run(world: &World, args: &StatusArgs, state: &PlanState) -> Result<Exit, CliError> {
    if args.json {
        let view = View::default();
        let outputs = state.outputs();
        let doc = StatusDoc::new(state.name.as_str(), &view, Liveness::Gone, world.now(), Outputs(&outputs));
        world.print(&(serde_json::to_string(&doc)? + "\n"))?;
    } else {
        let next = "next: `windlass check`, then `windlass run`";
        world.print(&format!("plan {} was never run\n\n{next}\n", state.name))?;
    }
    Ok(Exit::Fine)
}

fn print_json(
    world: &World,
    args: &StatusArgs,
    state: &PlanState,
    chronicle: &Chronicle,
) -> Result<Exit, CliError> {
    let view = chronicle.view()?;
    let coordinator = view.run.as_ref().map_or(Liveness::Gone, liveness);
    let now = clock(world, run_state(view.run.as_ref()), view.at);
    let outputs = state.outputs();
    let mut doc = StatusDoc::new(state.name.as_str(), &view, coordinator, now, Outputs(&outputs));
    if let Some(task) = &args.task {
        let id = task_in(&view, task)?.id.as_str();
        doc.tasks.retain(|t| t.id == id);
    }
    world.print(&(serde_json::to_string(&doc)? + "\n"))?;
    Ok(Exit::Fine)
}

fn screen(
    world: &World,
    args: &StatusArgs,
    state: &PlanState,
    chronicle: &Chronicle,
) -> Result<String, CliError> {
    let name = state.name.as_str();
    if let Some(task) = &args.task {
        let view = chronicle.view()?;
        let now = clock(world, run_state(view.run.as_ref()), view.at);
        let task = task_in(&view, task)?;
        return Ok(render::task_status(&view, task, now, &world.out));
    }
    if let Some(depth) = args.depth {
        let view = chronicle.view()?;
        let run = run_state(view.run.as_ref());
        let now = clock(world, run, view.at);
        return Ok(render::status_tree(name, &view, run, now, &world.out, depth));
    }
    let glance = if args.all { chronicle.view()?.glance_at_all() } else { chronicle.glance(is_live)? };
    let run = run_state(glance.run.as_ref());
    Ok(render::status(name, &glance, run, clock(world, run, glance.at), &world.out))
}

/// The current time; without an active run, the time of the last event.
fn clock(world: &World, run: RunState, last: Millis) -> Millis {
    if is_over(run) { last } else { world.now() }
}

/// Whether no run is active.
pub(super) fn is_over(run: RunState) -> bool {
    match run {
        RunState::Running | RunState::Paused => false,
        RunState::New
        | RunState::Completed
        | RunState::Stuck
        | RunState::Interrupted
        | RunState::Cancelled
        | RunState::BudgetSpent
        | RunState::Broken
        | RunState::Lost => true,
    }
}

/// Draws again whenever something happened, until the run is over.
fn watch(
    world: &World,
    args: &StatusArgs,
    state: &PlanState,
    chronicle: &Chronicle,
) -> Result<Exit, CliError> {
    let mut drawn = String::new();
    loop {
        let text = screen(world, args, state, chronicle)?;
        if text != drawn {
            // On a terminal the new picture takes the old one's place; elsewhere it follows it.
            let clear = if world.out.terminal { "\u{1b}[H\u{1b}[2J" } else { "" };
            world.print(&format!("{clear}{text}"))?;
            drawn = text;
        }
        if is_over(run_state(chronicle.glance(is_live)?.run.as_ref())) {
            return Ok(Exit::Fine);
        }
        thread::sleep(TICK);
    }
}
