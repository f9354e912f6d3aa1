//! What is under way: a row per task at work, the same for every front end.

use serde::Serialize;

use super::activity::Activities;
use super::fold::View;
use crate::event::{Millis, Usage};
use crate::ids::TaskId;
use crate::state::TaskState;

/// A task at work.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct RunningRow {
    /// The task.
    pub task: TaskId,
    /// Its title.
    pub title: String,
    /// Its steps with a mark each: `[✓✓▶··]`.
    pub strip: String,
    /// The step under way, or what it waits for.
    pub step: &'static str,
    /// Which attempt.
    pub attempt: u32,
    /// The agent.
    pub agent: String,
    /// When the attempt began.
    pub since: Millis,
    /// What its agent is doing, where that is reported.
    pub doing: Option<String>,
    /// What the task has used, the turn under way included.
    pub usage: Usage,
}

impl View {
    /// The tasks at work, the one that began first at the top.
    pub fn running_rows(&self, activities: &Activities) -> Vec<RunningRow> {
        let at_work = self.tasks.iter().filter(|task| match task.state {
            TaskState::InProgress | TaskState::Testing => true,
            TaskState::Pending
            | TaskState::TestFailed
            | TaskState::Completed
            | TaskState::Failed
            | TaskState::Blocked
            | TaskState::Skipped => false,
        });
        let mut rows: Vec<RunningRow> = at_work
            .map(|task| {
                let activity = activities.of(&task.id);
                let mut usage = task.usage;
                if let Some(activity) = activity {
                    usage.add(&activity.progress.usage);
                }
                let waiting = if task.state == TaskState::Testing { "verify" } else { "starting" };
                RunningRow {
                    task: task.id.clone(),
                    title: task.title.clone(),
                    strip: task.steps.strip(),
                    step: task.steps.running().map_or(waiting, |step| step.action.as_str()),
                    attempt: task.attempt.0,
                    agent: task.agent_and_place().unwrap_or_default(),
                    since: task.began.unwrap_or(task.heard),
                    doing: activity.and_then(super::AgentActivity::doing),
                    usage,
                }
            })
            .collect();
        rows.sort_by_key(|row| row.since);
        rows
    }
}
