//! Leaves wishes for the coordinator, and says when they will be heard.

use windlass_core::view::{Liveness, RunView, View};
use windlass_core::wish::Wish;
use windlass_engine::chronicle::to_time;
use windlass_engine::requests::Requests;

use super::state::{PlanState, StateArgs, liveness, task_id, task_in};
use super::steering::refuse_what_changes_nothing;
use super::{CliError, Exit};
use crate::world::World;

/// Leaves one wish about a run at work; without one nothing is left, and `idle` says why.
pub(super) fn wish(
    world: &World,
    args: &StateArgs,
    wish: &Wish,
    said: &str,
    idle: &str,
) -> Result<Exit, CliError> {
    let state = PlanState::find(world, args)?;
    let view = state.run_chronicle()?.view()?;
    if at_work(&view).is_none() {
        world.print(&format!("no run of `{}` is at work: {idle}\n", state.name))?;
        return Ok(Exit::Fine);
    }
    submit(world, &state, std::slice::from_ref(wish))?;
    tell(world, &state, &view, said)
}

/// Leaves one wish about a task of a run at work; see [`wish`].
pub(super) fn wish_for_task(
    world: &World,
    args: &StateArgs,
    task: &str,
    wanted: &Wish,
    said: &str,
    idle: &str,
) -> Result<Exit, CliError> {
    task_in(&PlanState::find(world, args)?.run_chronicle()?.view()?, task)?;
    wish(world, args, wanted, said, idle)
}

/// Leaves one wish about the run as a whole, for this run or the next.
pub(super) fn wish_for_run(
    world: &World,
    args: &StateArgs,
    wish: &Wish,
    said: &str,
) -> Result<Exit, CliError> {
    let state = PlanState::find(world, args)?;
    let view = state.run_chronicle()?.view()?;
    submit(world, &state, std::slice::from_ref(wish))?;
    tell(world, &state, &view, said)
}

/// Leaves one wish per task; nothing is left if any task is unknown.
pub(super) fn wish_for_tasks(
    world: &World,
    args: &StateArgs,
    tasks: &[String],
    make: impl Fn(windlass_core::ids::TaskId) -> Wish,
    said: &str,
) -> Result<Exit, CliError> {
    let state = PlanState::find(world, args)?;
    let view = state.run_chronicle()?.view()?;
    let mut wishes = Vec::new();
    for task in tasks {
        task_in(&view, task)?;
        let wish = make(task_id(task)?);
        refuse_what_changes_nothing(&view, &wish)?;
        wishes.push(wish);
    }
    submit(world, &state, &wishes)?;
    let names: Vec<String> = tasks.iter().map(|t| format!("`{t}`")).collect();
    tell(world, &state, &view, &format!("{said} {}", names.join(", ")))
}

/// Leaves wishes for the coordinator.
pub(super) fn submit(world: &World, state: &PlanState, wishes: &[Wish]) -> Result<(), CliError> {
    let requests = Requests::open(&state.paths.requests())?;
    for wish in wishes {
        requests.submit(&to_time(world.now()), &wish.to_json()?)?;
    }
    Ok(())
}

/// The run, if its coordinator is alive.
pub(super) fn at_work(view: &View) -> Option<&RunView> {
    view.run.as_ref().filter(|r| r.ended.is_none() && liveness(r) == Liveness::Alive)
}

/// Whom a wish reaches, in words.
pub(super) fn heard_by(state: &PlanState, view: &View) -> String {
    match at_work(view) {
        Some(run) => format!("the run of `{}` (process {}) was told", state.name, run.pid),
        None => format!("no run of `{}` is at work: it is applied by the next `windlass run`", state.name),
    }
}

fn tell(world: &World, state: &PlanState, view: &View, said: &str) -> Result<Exit, CliError> {
    world.print(&format!("{said}; {}\n", heard_by(state, view)))?;
    Ok(Exit::Fine)
}
