//! The history of files and directories: how tasks of plans in `plans/` ended in earlier runs.

use std::path::Path;

use windlass_core::state::TaskState;
use windlass_engine::chronicle::Chronicle;
use windlass_planner::steps::{History, TaskEnd};

use super::state::run_plans;
use crate::input::{Configuration, find_plan, locate, read_plan};
use crate::world::World;

/// The history of the surrounding repository; empty without one, because it only makes plans shorter.
pub(crate) fn familiarity(world: &World) -> History {
    let mut history = History::default();
    let Some(located) = locate(&world.cwd) else { return history };
    let (Ok(paths), Ok(configuration)) = (world.paths(&located.common_dir), Configuration::find(world))
    else {
        return history;
    };
    let top = located.top.unwrap_or_else(|| world.cwd.clone());
    for name in run_plans(&paths) {
        let folder = top.join(Path::new("plans").join(name.as_str()));
        let plan = find_plan(world, &configuration, Some(&folder))
            .and_then(|target| read_plan(world, &target, None));
        let view = Chronicle::open(&paths.plan(&name).journal()).ok().flatten().and_then(|c| c.view().ok());
        let (Ok(read), Some(view)) = (plan, view) else { continue };
        for task in &read.loaded.plan.tasks {
            let end = match view.task(&task.id).map(|t| t.state) {
                Some(TaskState::Completed) => TaskEnd::Merged,
                Some(TaskState::Failed | TaskState::Blocked) => TaskEnd::Failed,
                Some(
                    TaskState::Pending
                    | TaskState::InProgress
                    | TaskState::Testing
                    | TaskState::TestFailed
                    | TaskState::Skipped,
                )
                | None => continue,
            };
            history.add(task.owned(), end);
        }
    }
    history
}
