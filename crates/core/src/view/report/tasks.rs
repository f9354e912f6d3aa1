//! The tasks of a report: how each stands, what it cost, and why it did not complete.

use serde::Serialize;

use crate::state::TaskState;
use crate::view::{Ending, View};

/// One task.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ReportTask {
    /// Its id.
    pub id: String,
    /// Its title.
    pub title: String,
    /// Its state.
    pub state: TaskState,
    /// Milliseconds in attempts.
    pub millis: i64,
    /// The commit that carries it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub commit: Option<String>,
    /// Why it stands there, where there is a reason.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub why: Option<String>,
    /// The next step, if it failed or is blocked.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub next: Option<String>,
    /// Its tests that are not known to depend on the code.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub weak_tests: Vec<String>,
}

/// The tasks, in the order of the plan.
pub(super) fn report_tasks(view: &View) -> Vec<ReportTask> {
    let one = |task: &crate::view::TaskView| {
        let why = view.why(task);
        ReportTask {
            id: task.id.to_string(),
            title: task.title.clone(),
            state: task.state,
            millis: task.worked_until(view.at),
            commit: task.commit.as_ref().map(|commit| commit.short().to_string()),
            next: Ending::of(task, why.as_ref()).map(|ending| ending.remedy),
            why: why.map(|why| why.to_string()),
            weak_tests: task.weak_tests.clone(),
        }
    };
    view.tasks.iter().map(one).collect()
}
