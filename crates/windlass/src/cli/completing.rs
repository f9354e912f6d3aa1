//! What a shell may complete: tasks and plans by name, as this repository has them.
//!
//! A shell asks on every press of its key, so whatever is wrong gives no candidates and no message.

use std::ffi::OsStr;

use clap_complete::engine::{ArgValueCompleter, CompletionCandidate, PathCompleter, ValueCompleter as _};

use super::state::{PlanState, StateArgs, run_plans};
use crate::input::{Configuration, find_plan, locate, read_plan};
use crate::world::{ColourWish, World};

/// The tasks of the plan that was run last, or of the only one.
pub(super) fn task_ids() -> ArgValueCompleter {
    ArgValueCompleter::new(|typed: &OsStr| matching(typed, tasks().unwrap_or_default()))
}

/// The plans that were run, and those in `plans/`.
pub(super) fn plan_names() -> ArgValueCompleter {
    ArgValueCompleter::new(|typed: &OsStr| {
        let mut found = matching(typed, plans().unwrap_or_default());
        found.extend(PathCompleter::any().complete(typed));
        found
    })
}

fn matching(typed: &OsStr, known: Vec<(String, String)>) -> Vec<CompletionCandidate> {
    let typed = typed.to_string_lossy();
    let fits = known.into_iter().filter(|(name, _)| name.starts_with(typed.as_ref()));
    fits.map(|(name, help)| {
        let help = if help.is_empty() { None } else { Some(help.into()) };
        CompletionCandidate::new(name).help(help)
    })
    .collect()
}

/// Ids and titles.
fn tasks() -> Option<Vec<(String, String)>> {
    let world = World::look(ColourWish::Never, None).ok()?;
    let state = PlanState::find(&world, &StateArgs::default()).ok();
    if let Some(chronicle) = state.and_then(|state| state.chronicle().ok().flatten()) {
        let view = chronicle.view().ok()?;
        return Some(view.tasks.iter().map(|task| (task.id.to_string(), task.title.clone())).collect());
    }
    let configuration = Configuration::find(&world).ok()?;
    let target = find_plan(&world, &configuration, None).ok()?;
    let plan = read_plan(&world, &target, None).ok()?.loaded.plan;
    Some(plan.tasks.into_iter().map(|task| (task.id, task.title)).collect())
}

fn plans() -> Option<Vec<(String, String)>> {
    let world = World::look(ColourWish::Never, None).ok()?;
    let paths = world.paths(&locate(&world.cwd)?.common_dir).ok()?;
    Some(run_plans(&paths).into_iter().map(|name| (name.to_string(), String::new())).collect())
}
