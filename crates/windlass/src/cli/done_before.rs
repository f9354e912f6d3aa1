//! Tasks that homerun's own files call completed, and that no run here knows: they were done before, elsewhere.
//!
//! They are not carried out again, and nothing proves them. A task that a run knows is what its journal says.

use std::collections::HashSet;

use windlass_core::plan::Plan;
use windlass_formats::Dialect;

use super::CliError;
use super::known::{known_view, state_in};
use crate::input::ReadPlan;
use crate::world::World;

/// The ids of such tasks, parents of nothing else among them.
pub(super) fn done_before(world: &World, read: &ReadPlan) -> Result<Vec<String>, CliError> {
    let plan = &read.loaded.plan;
    let claimed = |id: &str| plan.task(id).and_then(|t| t.claimed_state.as_deref()) == Some("completed");
    if read.dialect != Dialect::Homerun || !plan.tasks.iter().any(|t| claimed(&t.id)) {
        return Ok(Vec::new());
    }
    let view = known_view(world, &plan.name)?;
    let parents: HashSet<&str> = plan.tasks.iter().filter_map(|t| t.parent.as_deref()).collect();
    let leaf = |id: &str| !parents.contains(id);
    let mut done: Vec<String> = Vec::new();
    for task in plan.tasks.iter().filter(|t| leaf(&t.id)) {
        let by_parent = task.parent.as_deref().is_some_and(claimed);
        if (claimed(&task.id) || by_parent) && state_in(&view, &task.id).is_none() {
            done.push(task.id.clone());
        }
    }
    // A parent is done with its parts.
    for parent in parents {
        let mut parts = plan.tasks.iter().filter(|t| t.parent.as_deref() == Some(parent));
        if parts.all(|part| done.contains(&part.id)) {
            done.push(parent.to_owned());
        }
    }
    Ok(done)
}

/// The plan without these tasks; the others do not wait for them.
pub(super) fn without(plan: &Plan, done: &[String]) -> Plan {
    let mut rest = plan.clone();
    rest.tasks.retain(|task| !done.contains(&task.id));
    for task in &mut rest.tasks {
        task.depends_on.retain(|id| !done.contains(id));
    }
    rest
}
