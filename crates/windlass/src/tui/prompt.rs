//! What the bottom line asks: a text to type, or a key to confirm with.

use windlass_core::ids::TaskId;
use windlass_core::wish::Wish;

/// The question of the bottom line.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum PromptBox {
    /// A text to look for.
    Search(String),
    /// An answer for a task.
    Answer {
        /// The task.
        task: TaskId,
        /// What was typed so far.
        text: String,
    },
    /// Whether to do something that cannot be taken back.
    Confirm {
        /// The question.
        question: String,
        /// What is done on `y`.
        wish: Wish,
    },
    /// The list of keys, from this one on.
    Help(usize),
}

impl PromptBox {
    /// The text that is being typed, where one is.
    pub(super) fn text_mut(&mut self) -> Option<&mut String> {
        match self {
            PromptBox::Search(text) | PromptBox::Answer { text, .. } => Some(text),
            PromptBox::Confirm { .. } | PromptBox::Help(_) => None,
        }
    }

    /// The line as it is shown.
    pub(super) fn line(&self) -> String {
        match self {
            PromptBox::Search(text) => format!("/{text}█"),
            PromptBox::Answer { task, text } => format!("answer {task}: {text}█"),
            PromptBox::Confirm { question, .. } => format!("{question} [y/N]"),
            PromptBox::Help(_) => "↓ more  Esc closes".into(),
        }
    }
}
