//! What the journal knows of a plan that was read: the state of each task, where there is a journal at all.

use windlass_core::state::TaskState;
use windlass_core::view::View;
use windlass_engine::chronicle::Chronicle;

use super::CliError;
use crate::input::{locate, plan_name};
use crate::world::World;

/// The view of a plan's runs; empty outside a repository and before the first run.
pub(crate) fn known_view(world: &World, plan: &str) -> Result<View, CliError> {
    let Some(located) = locate(&world.cwd) else { return Ok(View::default()) };
    let Ok(paths) = world.paths(&located.common_dir) else { return Ok(View::default()) };
    let chronicle = Chronicle::open(&paths.plan(&plan_name(plan)).journal())?;
    Ok(chronicle.map(|c| c.view()).transpose()?.unwrap_or_default())
}

/// The state of a task or a parent, as far as the journal knows.
pub(crate) fn state_in(view: &View, id: &str) -> Option<TaskState> {
    let task = view.task(id).map(|t| t.state);
    task.or_else(|| {
        let at = view.parents.iter().position(|p| p.id == id)?;
        view.parent_states().get(at).copied()
    })
}
