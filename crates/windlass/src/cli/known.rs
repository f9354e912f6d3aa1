//! What the journal knows of a plan that was read: the state of each task, and what was done, where there is a journal
//! at all.

use windlass_core::calendar;
use windlass_core::event::{EventFact, Millis};
use windlass_core::state::TaskState;
use windlass_core::view::View;
use windlass_engine::chronicle::Chronicle;
use windlass_formats::{Logged, LoggedDeed};

use super::CliError;
use crate::input::{locate, plan_name};
use crate::world::World;

/// The view of a plan's runs; empty outside a repository and before the first run.
pub(crate) fn known_view(world: &World, plan: &str) -> Result<View, CliError> {
    Ok(chronicle(world, plan)?.map(|c| c.view()).transpose()?.unwrap_or_default())
}

/// What was done for a plan so far, oldest first.
pub(crate) fn known_log(world: &World, plan: &str) -> Result<Vec<Logged>, CliError> {
    let mut log = Vec::new();
    if let Some(chronicle) = chronicle(world, plan)? {
        chronicle.each(|stamped| {
            let deed = match (stamped.event.fact(), stamped.event.task()) {
                (EventFact::RunBegan, _) => LoggedDeed::RunStarted,
                (EventFact::AttemptBegan, Some(task)) => LoggedDeed::AttemptStarted(task.to_string()),
                (EventFact::Commit { .. }, Some(task)) => LoggedDeed::Merged(task.to_string()),
                // The commit of a sync is that of no task.
                (EventFact::AttemptBegan | EventFact::Commit { .. }, None)
                | (
                    EventFact::Turn(_)
                    | EventFact::AttemptEnded(_)
                    | EventFact::TaskStopped(_)
                    | EventFact::Other,
                    _,
                ) => return,
            };
            log.push(Logged { at: rfc3339(stamped.at), deed });
        })?;
    }
    Ok(log)
}

/// A time as other tools write it: `2026-01-02T03:04:05Z`.
pub(crate) fn rfc3339(at: Millis) -> String {
    calendar::rfc3339(at / 1000)
}

fn chronicle(world: &World, plan: &str) -> Result<Option<Chronicle>, CliError> {
    let Some(located) = locate(&world.cwd) else { return Ok(None) };
    let Ok(paths) = world.paths(&located.common_dir) else { return Ok(None) };
    Ok(Chronicle::open(&paths.plan(&plan_name(plan)).journal())?)
}

/// The state of a task or a parent, as far as the journal knows.
pub(crate) fn state_in(view: &View, id: &str) -> Option<TaskState> {
    let task = view.task(id).map(|t| t.state);
    task.or_else(|| {
        let at = view.parents.iter().position(|p| p.id == id)?;
        view.parent_states().get(at).copied()
    })
}
