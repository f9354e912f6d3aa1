//! A task's steps and the state of each, kept in two letters per step.

use serde::{Deserialize, Serialize};

use crate::event::StepResult;
use crate::plan::Action;

worded! {
    /// The state of a step.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
    #[serde(rename_all = "lowercase")]
    pub enum StepState {
        /// Not begun.
        Pending = "pending",
        /// Under way.
        Running = "running",
        /// Did what it must.
        Passed = "passed",
        /// Did not.
        Failed = "failed",
        /// Had nothing to do.
        Skipped = "skipped",
    }
}

impl From<StepResult> for StepState {
    fn from(result: StepResult) -> Self {
        match result {
            StepResult::Passed => StepState::Passed,
            StepResult::Failed => StepState::Failed,
            StepResult::Skipped => StepState::Skipped,
        }
    }
}

/// One step.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct StepView {
    /// What it does.
    pub action: Action,
    /// Its state.
    pub state: StepState,
}

/// The steps of a task, in order.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Steps(pub Vec<StepView>);

/// A text that is no list of steps.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is not a list of steps")]
pub struct NotSteps(String);

const ACTIONS: [(Action, char); 7] = [
    (Action::WriteTest, 'w'),
    (Action::VerifyFail, 'r'),
    (Action::Implement, 'i'),
    (Action::VerifyPass, 'g'),
    (Action::Refactor, 'x'),
    (Action::Format, 'f'),
    (Action::Commit, 'c'),
];
const STATES: [(StepState, char); 5] = [
    (StepState::Pending, '.'),
    (StepState::Running, '>'),
    (StepState::Passed, '+'),
    (StepState::Failed, '!'),
    (StepState::Skipped, '-'),
];

impl Steps {
    /// The steps, none begun.
    pub fn pending(actions: &[Action]) -> Self {
        Self(actions.iter().map(|action| StepView { action: *action, state: StepState::Pending }).collect())
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The step under way.
    pub fn running(&self) -> Option<StepView> {
        self.0.iter().copied().find(|s| s.state == StepState::Running)
    }

    /// Sets one step; a step the seal did not know is added, for the journal has the last word.
    pub(super) fn set(&mut self, at: u32, action: Action, state: StepState) {
        let at = at as usize;
        while self.0.len() <= at {
            self.0.push(StepView { action, state: StepState::Pending });
        }
        self.0[at].action = action;
        self.settle_one(at, state);
    }

    /// What is under way becomes `state`.
    pub(super) fn settle(&mut self, state: StepState) {
        for at in 0..self.0.len() {
            if self.0[at].state == StepState::Running {
                self.settle_one(at, state);
            }
        }
    }

    /// A repair without a result leaves the earlier work, which failed at a later step: that step is shown.
    fn settle_one(&mut self, at: usize, state: StepState) {
        let stands_later = self.0[at + 1..].iter().any(|later| later.state == StepState::Failed);
        let nothing_new = state == StepState::Failed && stands_later;
        self.0[at].state = if nothing_new { StepState::Passed } else { state };
    }

    /// The steps as a strip with a mark each: `[✓✓▶··]`.
    pub fn strip(&self) -> String {
        let mark = |step: &StepView| match step.state {
            StepState::Pending => '·',
            StepState::Running => '▶',
            StepState::Passed => '✓',
            StepState::Failed => '✗',
            StepState::Skipped => '-',
        };
        format!("[{}]", self.0.iter().map(mark).collect::<String>())
    }

    /// The last step that failed, from 1: where the task stands or ended.
    pub fn failed(&self) -> Option<usize> {
        self.0.iter().rposition(|s| s.state == StepState::Failed).map(|at| at + 1)
    }

    /// The start of another attempt from the base or from red. Tests that were seen red and frozen stay proved; the rest
    /// begins again. An attempt that continues on the failed tree keeps what was seen of it until the step is carried out again.
    pub(super) fn begin_again(&mut self, frozen: Frozen) {
        let work = self.0.iter().position(|s| matches!(s.action, Action::Implement | Action::Refactor));
        let from = match frozen {
            Frozen::Yes => work.unwrap_or(0),
            Frozen::No => 0,
        };
        for step in &mut self.0[from..] {
            step.state = StepState::Pending;
        }
    }

    /// The branch moved: the commit is made, and what was never begun had nothing to do.
    pub(super) fn finish(&mut self) {
        self.settle(StepState::Passed);
        for step in &mut self.0 {
            step.state = match (step.action, step.state) {
                (Action::Commit, _) => StepState::Passed,
                // A refactoring that was discarded failed, and the task is completed without it.
                (_, StepState::Pending | StepState::Failed) => StepState::Skipped,
                (_, state @ (StepState::Running | StepState::Passed | StepState::Skipped)) => state,
            };
        }
    }
}

/// Whether a task's tests were seen red and frozen.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Frozen {
    Yes,
    No,
}

impl From<Steps> for String {
    fn from(steps: Steps) -> String {
        let letter_of = |step: StepView| {
            let action = ACTIONS.iter().find(|(a, _)| *a == step.action).map_or('?', |(_, c)| *c);
            let state = STATES.iter().find(|(s, _)| *s == step.state).map_or('?', |(_, c)| *c);
            [action, state]
        };
        steps.0.into_iter().flat_map(letter_of).collect()
    }
}

impl TryFrom<String> for Steps {
    type Error = NotSteps;
    fn try_from(text: String) -> Result<Self, NotSteps> {
        let step = |pair: &[u8]| {
            let action = ACTIONS.iter().find(|(_, c)| *c == char::from(pair[0])).map(|(a, _)| *a)?;
            let state = STATES.iter().find(|(_, c)| pair.get(1).is_some_and(|p| *c == char::from(*p)))?.0;
            Some(StepView { action, state })
        };
        let steps: Option<Vec<StepView>> = text.as_bytes().chunks(2).map(step).collect();
        steps.map(Self).ok_or(NotSteps(text))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_step_in_every_state_survives_its_letters() {
        for (action, _) in ACTIONS {
            for (state, _) in STATES {
                let steps = Steps(vec![StepView { action, state }; 2]);
                let text = String::from(steps.clone());
                assert_eq!(text.len(), 4);
                assert_eq!(Steps::try_from(text), Ok(steps));
            }
        }
        for bad in ["w", "?+", "w?", "w+i", "é"] {
            assert!(Steps::try_from(bad.to_owned()).is_err(), "{bad}");
        }
    }

    #[test]
    fn a_completed_task_has_no_pending_step() {
        let all = |text: &str| Steps::try_from(text.to_owned()).unwrap();
        let mut steps = all("w-r+i.i.g+f>c.");
        steps.finish();
        assert_eq!(steps, all("w-r+i-i-g+f+c+"));
        assert_eq!(all("w+r+i!g!f.c.").failed(), Some(4));
        assert_eq!(steps.failed(), None);
        assert_eq!(all("w-r+i!g>f.c.").strip(), "[-✓✗▶··]");
    }

    #[test]
    fn a_repair_in_vain_leaves_the_task_where_it_was() {
        let all = |text: &str| Steps::try_from(text.to_owned()).unwrap();
        let mut steps = all("w+r+i>g!f.c.");
        steps.set(2, Action::Implement, StepState::Failed);
        assert_eq!(steps, all("w+r+i+g!f.c."));
        let mut steps = all("w+r+i>g+f!c.");
        steps.settle(StepState::Failed);
        assert_eq!(steps, all("w+r+i+g+f!c."));
        let mut steps = all("w+r+i>g.f.c.");
        steps.set(2, Action::Implement, StepState::Failed);
        assert_eq!(steps, all("w+r+i!g.f.c."));
    }

    #[test]
    fn a_second_try_keeps_what_was_frozen() {
        let all = |text: &str| Steps::try_from(text.to_owned()).unwrap();
        let mut steps = all("w+r+i+g!f.c.");
        steps.begin_again(Frozen::Yes);
        assert_eq!(steps, all("w+r+i.g.f.c."));
        steps.begin_again(Frozen::No);
        assert_eq!(steps, all("w.r.i.g.f.c."));
    }
}
