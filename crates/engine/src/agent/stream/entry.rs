//! The entries of an agent's output stream.

use serde_json::Value;
use windlass_core::event::Usage;

use super::problem::Problem;

/// One thing that happened.
#[derive(Debug, Clone, PartialEq)]
pub enum StreamEntry {
    /// The conversation has a name.
    Session {
        /// The name, by which it can be continued.
        id: String,
        /// The model, where it is told.
        model: Option<String>,
    },
    /// It works again: an end reported before was not final.
    Working,
    /// It said something.
    Message {
        /// Its text.
        text: String,
        /// Whether the message is complete.
        part: MessagePart,
    },
    /// It uses a tool.
    ToolUse {
        /// The name of the tool.
        tool: String,
        /// On what, in a line.
        what: String,
    },
    /// A tool came to its end.
    ToolOver,
    /// A tool did not work.
    ToolFailed {
        /// What it said, in a line.
        what: String,
    },
    /// It says that it changed a file.
    FileChange {
        /// Which, as it named it.
        path: String,
    },
    /// It was not allowed to do something.
    Denied {
        /// The call, as some streams tell of it twice.
        call: String,
        /// What, in a line.
        what: String,
    },
    /// What was used.
    Usage {
        /// How much.
        usage: Usage,
        /// Of what.
        span: UsageSpan,
        /// By which model, where it is told.
        model: Option<String>,
    },
    /// Something went wrong.
    Error {
        /// What kind of thing.
        problem: Problem,
        /// In its words.
        message: String,
        /// How bad it is.
        weight: ErrorWeight,
    },
    /// It is over.
    End {
        /// How it ended.
        outcome: ClaimedEnd,
        /// Its last words, where the end repeats them.
        said: Option<String>,
        /// Its answer in the required schema.
        structured: Option<Value>,
    },
}

/// Whether a message is complete.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MessagePart {
    /// All of it.
    Whole,
    /// A piece; the next piece goes on where it stops.
    Piece,
}

/// What a usage counts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum UsageSpan {
    /// One answer of the model, by its name: told once for each of its parts.
    Step(String),
    /// The whole run of the program.
    Run,
    /// The conversation since it began, earlier runs included.
    Conversation,
}

/// How bad an error is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ErrorWeight {
    /// It does not matter.
    Warning,
    /// It is tried again.
    Passing,
    /// It ends the run.
    Final,
}

/// How a run of the program ended, by its own account.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ClaimedEnd {
    /// It claims to be done.
    Done,
    /// It gave up.
    Failed,
}
