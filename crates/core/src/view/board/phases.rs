//! Phases with the states of the tasks below them.

use std::collections::BTreeMap;

use serde::Serialize;

use crate::state::TaskState;
use crate::view::View;

/// One phase: a parent and the fold of what is below it.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct PhaseDoc {
    /// Its id.
    pub id: String,
    /// Its title, where the plan gives one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    /// The phase above it, as a place in the list.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub up: Option<u32>,
    /// The fold of its tasks.
    pub state: TaskState,
    /// How many tasks are below it.
    pub tasks: u32,
    /// How many of them are completed, at work, in need of a person, and not begun.
    pub tally: [u32; 4],
}

/// Every phase, in the order of the view.
pub fn phases(view: &View, titles: &BTreeMap<String, String>) -> Vec<PhaseDoc> {
    let mut tallies = vec![[0_u32; 4]; view.parents.len()];
    for task in &view.tasks {
        let kind = match task.state {
            TaskState::Completed | TaskState::Skipped => 0,
            TaskState::InProgress | TaskState::Testing | TaskState::TestFailed => 1,
            TaskState::Failed | TaskState::Blocked => 2,
            TaskState::Pending => 3,
        };
        for at in view.places_of(task) {
            tallies[at][kind] += 1;
        }
    }
    let folded = view.parents.iter().zip(view.parent_states()).zip(tallies);
    let made = folded.map(|((parent, state), tally)| PhaseDoc {
        id: parent.id.clone(),
        title: titles.get(&parent.id).cloned(),
        up: parent.up,
        state,
        tasks: tally.iter().sum(),
        tally,
    });
    made.collect()
}
