//! The words that other tools have for a task's state, and what they mean here.
//!
//! A word that was read is a claim: it is kept as written and never believed.

use crate::StateOf;
use crate::memory::Origin;
use windlass_core::plan::Task;
use windlass_core::state::TaskState;

/// The words of one format with their meaning; the first word of a state is the one that is written.
pub(crate) struct StateWords(pub(crate) &'static [(TaskState, &'static str)]);

impl StateWords {
    /// The word for a state.
    pub(crate) fn of(&self, state: TaskState) -> &'static str {
        self.0.iter().find(|(s, _)| *s == state).map_or(state.as_str(), |(_, word)| word)
    }

    /// Whether the format has this word.
    pub(crate) fn knows(&self, word: &str) -> bool {
        self.0.iter().any(|(_, w)| *w == word)
    }

    /// The words, for a message.
    pub(crate) fn list(&self) -> String {
        let mut words: Vec<&str> = Vec::new();
        for (_, word) in self.0 {
            if !words.contains(word) {
                words.push(word);
            }
        }
        words.join(", ")
    }

    /// The word to write for a task: the known state, or else the word that was read. A word of another format is
    /// translated.
    pub(crate) fn written(&self, task: &Task, states: StateOf<'_>, origin: Origin) -> Option<String> {
        if let Some(state) = states(&task.id) {
            return Some(self.of(state).to_owned());
        }
        let claimed = task.claimed_state.as_deref()?;
        if origin == Origin::Own || self.knows(claimed) {
            return Some(claimed.to_owned());
        }
        Some(meaning(claimed).map_or(claimed, |state| self.of(state)).to_owned())
    }

    /// The word to write for a task, where a new object needs one.
    pub(crate) fn required(&self, task: &Task, states: StateOf<'_>, origin: Origin) -> Option<String> {
        let pending = || (origin == Origin::Foreign).then(|| self.of(TaskState::Pending).to_owned());
        self.written(task, states, origin).or_else(pending)
    }
}

/// The state that a word means, in any format.
pub(crate) fn meaning(word: &str) -> Option<TaskState> {
    let norm: String = word
        .trim()
        .chars()
        .map(|c| if matches!(c, '-' | ' ') { '_' } else { c.to_ascii_lowercase() })
        .collect();
    let state = match norm.as_str() {
        "pending" | "todo" | "not_started" | "open" | "ready" | "queued" => TaskState::Pending,
        "in_progress" | "claimed" | "active" | "executing" | "running" => TaskState::InProgress,
        "testing" | "verifying" | "review" => TaskState::Testing,
        "test_failed" | "waiting_retry" => TaskState::TestFailed,
        "completed" | "complete" | "done" | "x" => TaskState::Completed,
        "failed" => TaskState::Failed,
        "blocked" | "paused" | "deferred" => TaskState::Blocked,
        "skipped" | "cancelled" | "canceled" => TaskState::Skipped,
        _ => return None,
    };
    Some(state)
}
