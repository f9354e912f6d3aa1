//! What has changed since the last run: the plan on disk, and the user's branch.

use std::fs;
use std::path::Path;
use std::time::UNIX_EPOCH;

use windlass_core::event::Millis;
use windlass_core::graph::task_hash;
use windlass_core::state::TaskState;
use windlass_core::view::{Glance, RunState, RunView};
use windlass_engine::chronicle::Chronicle;

use super::checked::{CheckedPlan, ProfileArgs};
use super::state::{PlanState, StateArgs, is_live, plan_of};
use crate::render::counted;
use crate::world::World;

/// How many tasks of each kind are named.
const NAMED: usize = 6;

/// Says which tasks the plan on disk changes, if it was written after the last event. A plan that cannot be read is left
/// to `check`.
pub(super) fn edited(
    world: &World,
    args: &StateArgs,
    state: &PlanState,
    glance: &Glance,
    chronicle: &Chronicle,
) -> String {
    let selection = plan_of(world, args, state, glance.run.as_ref());
    let Some(path) = selection.plan.as_ref().map(|path| world.cwd.join(path)) else { return String::new() };
    if glance.run.as_ref().is_some_and(is_live) || !is_newer(&path, glance.at) {
        return String::new();
    }
    let loaded = CheckedPlan::load(world, &selection, &ProfileArgs::default());
    let (Ok(checked), Ok(view)) = (loaded, chronicle.view()) else { return String::new() };
    let Some(runnable) = &checked.runnable else { return String::new() };
    let graph = &runnable.graph;
    let mut changes: [Vec<&str>; 4] = Default::default();
    for (node, written) in runnable.leaves() {
        match view.task(node.id.as_str()) {
            None => changes[0].push(node.id.as_str()),
            Some(task) if task.hash == task_hash(written) => {}
            Some(task) if task.state == TaskState::Completed => changes[1].push(node.id.as_str()),
            Some(_) => changes[2].push(node.id.as_str()),
        }
    }
    let gone = view.tasks.iter().map(|t| t.id.as_str()).filter(|id| graph.find(id).is_none());
    changes[3].extend(gone);
    let said: Vec<String> = ["new", "stale", "changed", "gone"]
        .iter()
        .zip(&changes)
        .filter(|(_, ids)| !ids.is_empty())
        .map(|(what, ids)| {
            let more = if ids.len() > NAMED { ", …" } else { "" };
            format!("{what} {}{more}", ids.iter().take(NAMED).copied().collect::<Vec<_>>().join(", "))
        })
        .collect();
    if said.is_empty() {
        return String::new();
    }
    format!("the plan changed since the last run: {}; {}\n", said.join("; "), taken_up_by(&changes))
}

/// The commands that take changes up: what is stale was done once, and is done again only if a person asks for it.
fn taken_up_by(changes: &[Vec<&str>; 4]) -> String {
    let [new, stale, changed, gone] = changes;
    let retried = stale.first().map(|first| {
        let all = if stale.len() > 1 { "…" } else { first };
        format!("`windlass retry {all}` does what is stale again")
    });
    let is_run = [new, changed, gone].into_iter().any(|ids| !ids.is_empty());
    let run = is_run.then(|| "the next `windlass run` takes the rest".to_owned());
    match (retried, run) {
        (Some(retried), Some(run)) => format!("{retried}, {run}"),
        (Some(only), None) => only,
        (None, _) => "the next `windlass run` takes it".to_owned(),
    }
}

/// Whether a plan, or a file in its folder, was written after this time.
pub(super) fn is_newer(path: &Path, than: Millis) -> bool {
    let written = |path: &Path| -> Option<Millis> {
        let at = fs::metadata(path).ok()?.modified().ok()?.duration_since(UNIX_EPOCH).ok()?;
        Millis::try_from(at.as_millis()).ok()
    };
    let inside = |dir: &Path| fs::read_dir(dir).into_iter().flatten().flatten().map(|entry| entry.path());
    let mut files = std::iter::once(path.to_owned()).chain(inside(path)).chain(inside(&path.join("tasks")));
    files.any(|file| written(&file).is_some_and(|at| at > than))
}

/// The user's branch beside the integration branch.
pub(super) struct UserBranch {
    name: String,
    /// How many commits only the user's branch has, and how many only the other one.
    ahead: usize,
    behind: usize,
}

impl UserBranch {
    /// `None` where they cannot be compared: HEAD is detached or on the integration branch, or the run has no branch.
    pub(super) fn of(world: &World, run: Option<&RunView>) -> Option<Self> {
        let run = run?;
        let head = world.git_in(&world.cwd, &["symbolic-ref", "--quiet", "HEAD"]).ok()?;
        let name = head.trim().strip_prefix("refs/heads/").filter(|name| *name != run.branch)?.to_owned();
        let both = format!("HEAD...refs/heads/{}", run.branch);
        let counts = world.git_in(&world.cwd, &["rev-list", "--left-right", "--count", &both]).ok()?;
        let mut counts = counts.split_whitespace().map(|count| count.parse().ok());
        let (ahead, behind) = (counts.next()??, counts.next()??);
        Some(Self { name, ahead, behind })
    }

    /// Its name, if the run is over and everything that was merged is on it.
    pub(super) fn landed(&self, state: RunState) -> Option<&str> {
        (state == RunState::Completed && self.behind == 0).then_some(self.name.as_str())
    }

    /// Says when it has commits that the integration branch lacks.
    pub(super) fn moved_on(&self, glance: &Glance) -> String {
        let Some(run) = glance.run.as_ref().filter(|_| self.ahead > 0) else { return String::new() };
        // A branch that was landed has nothing to catch up with unless there is more to do.
        let done = glance.counts.completed == glance.counts.total && glance.counts.stale == 0;
        if self.behind == 0 && done {
            return String::new();
        }
        let (name, commits) = (&self.name, counted(self.ahead, "commit"));
        format!("`{name}` has {commits} that `{}` lacks: `windlass sync` brings them in\n", run.branch)
    }
}

#[cfg(test)]
mod tests {
    use super::taken_up_by;

    #[test]
    fn stale_tasks_are_taken_up_by_retry_alone() {
        let table: [([Vec<&str>; 4], &str); 4] = [
            ([vec!["a"], vec![], vec![], vec![]], "the next `windlass run` takes it"),
            ([vec![], vec!["b"], vec![], vec![]], "`windlass retry b` does what is stale again"),
            ([vec![], vec!["b", "c"], vec![], vec![]], "`windlass retry …` does what is stale again"),
            (
                [vec!["a"], vec!["b"], vec![], vec![]],
                "`windlass retry b` does what is stale again, the next `windlass run` takes the rest",
            ),
        ];
        for (changes, expected) in table {
            assert_eq!(taken_up_by(&changes), expected);
        }
    }
}
