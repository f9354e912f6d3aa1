//! The history of files and directories: how the tasks of every plan ended in earlier runs, by the plans in their journals.

use windlass_core::event::{Event, RunEvent};
use windlass_core::ids::PlanName;
use windlass_core::plan::Plan;
use windlass_core::state::TaskState;
use windlass_core::view::View;
use windlass_engine::chronicle::Chronicle;
use windlass_engine::output::OutputStore;
use windlass_engine::paths::Paths;
use windlass_planner::steps::{History, TaskEnd};

use super::state::run_plans;
use crate::input::locate;
use crate::world::World;

/// The most bytes of a plan's text.
const LARGEST: u64 = 64 * 1024 * 1024;

/// The history of the surrounding repository; empty without one, because it only makes plans shorter.
pub(crate) fn familiarity(world: &World) -> History {
    let mut history = History::default();
    let Some(located) = locate(&world.cwd) else { return history };
    let Ok(paths) = world.paths(&located.common_dir) else { return history };
    for name in run_plans(&paths) {
        let Some((plan, view)) = run(&paths, &name) else { continue };
        for task in &plan.tasks {
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

/// A plan as it was last sealed, wherever its files are, and what became of its tasks.
fn run(paths: &Paths, name: &PlanName) -> Option<(Plan, View)> {
    let paths = paths.plan(name);
    let chronicle = Chronicle::open(&paths.journal()).ok().flatten()?;
    let mut sealed = None;
    let each = chronicle.each(|stamped| {
        if let Event::Run(RunEvent::PlanSealed { text, .. }) = &stamped.event {
            sealed.clone_from(text);
        }
    });
    each.ok()?;
    let text = OutputStore::open(&paths.out()).ok()?.read(&sealed?, LARGEST).ok()?;
    Some((serde_json::from_slice(&text).ok()?, chronicle.view().ok()?))
}
