//! What agents at work are doing now. Kept beside the view and never stored: it is worth nothing later.

use std::collections::BTreeMap;

use crate::event::{Event, Millis, Stamped, TaskEvent, TurnProgress, Usage};
use crate::ids::TaskId;

/// What the agent of one task reported last.
#[derive(Debug, Clone, PartialEq)]
pub struct AgentActivity {
    /// When it reported.
    pub at: Millis,
    /// Its progress then.
    pub progress: TurnProgress,
}

impl AgentActivity {
    /// The tool in use, or the last words in quotation marks; `None` if the agent reports neither.
    pub fn doing(&self) -> Option<String> {
        let said = || self.progress.said.as_ref().map(|said| format!("“{said}”"));
        self.progress.tool.clone().or_else(said)
    }
}

/// What the agents at work reported last, by task. A fold over events, like the view.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Activities(BTreeMap<TaskId, AgentActivity>);

impl Activities {
    /// Takes in one event.
    pub fn apply(&mut self, stamped: &Stamped) {
        let Event::Task { task, event } = &stamped.event else { return };
        match event {
            TaskEvent::Heartbeat { progress: Some(progress), .. } => {
                let activity = AgentActivity { at: stamped.at, progress: progress.clone() };
                self.0.insert(task.clone(), activity);
            }
            TaskEvent::AttemptStarted(_)
            | TaskEvent::StepStarted { .. }
            | TaskEvent::TurnEnded(_)
            | TaskEvent::CandidateMade { .. }
            | TaskEvent::AttemptEnded { .. }
            | TaskEvent::Merged { .. } => drop(self.0.remove(task)),
            TaskEvent::Heartbeat { progress: None, .. }
            | TaskEvent::ProcessStarted { .. }
            | TaskEvent::StepEnded { .. }
            | TaskEvent::TestsFrozen { .. }
            | TaskEvent::TestsHeld { .. }
            | TaskEvent::TestsLinked { .. }
            | TaskEvent::TestsTried { .. }
            | TaskEvent::ChangesLeftOut { .. }
            | TaskEvent::FilesGranted { .. }
            | TaskEvent::VerifyIntended { .. }
            | TaskEvent::VerifyStarted { .. }
            | TaskEvent::VerifyAbandoned { .. }
            | TaskEvent::Verified { .. }
            | TaskEvent::ReviewStarted { .. }
            | TaskEvent::Reviewed { .. }
            | TaskEvent::ReviewAbandoned { .. }
            | TaskEvent::MergeIntended { .. }
            | TaskEvent::TaskFailed { .. }
            | TaskEvent::TaskBlocked { .. }
            | TaskEvent::TaskSkipped { .. }
            | TaskEvent::TaskReset
            | TaskEvent::TaskCancelled
            | TaskEvent::TaskReopened { .. }
            | TaskEvent::Answered(_)
            | TaskEvent::Approved
            | TaskEvent::Finding { .. } => {}
        }
    }

    /// What the turns under way have used, as far as they report it.
    pub fn usage(&self) -> Usage {
        let mut sum = Usage::default();
        self.0.values().for_each(|activity| sum.add(&activity.progress.usage));
        sum
    }

    /// What the agent of a task reported last.
    pub fn of(&self, task: &TaskId) -> Option<&AgentActivity> {
        self.0.get(task)
    }
}
