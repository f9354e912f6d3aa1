//! What the model is to say, as data.
//!
//! ```json
//! {"conversations": {"T-1": [
//!     [{"status": {"code": 429, "retry_after": 1, "times": 2}}, {"write": {"path": "a.sh", "text": "echo a\n"}}, {"say": "Done."}],
//!     [{"run": "rm a.sh"}]
//! ]}}
//! ```
//!
//! A conversation is named by a word of the prompt. It is a list of turns, each for one prompt; the last one is repeated.
//! A turn is a list of steps, one for each request; when all are used up the model says that it is done.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::Value;

/// One thing the model does.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum Step {
    /// It says something.
    Say(String),
    /// It writes a file, by whichever tool the caller offers for that.
    Write {
        /// The path, as the model gives it.
        path: String,
        /// The whole file.
        text: String,
    },
    /// It runs a shell command, by whichever tool the caller offers for that.
    Run(String),
    /// It calls a tool by its name.
    Call {
        /// The name.
        tool: String,
        /// What it is given.
        input: Value,
    },
    /// It answers in the structure that was asked for: by a tool for it, or as text.
    Data(Value),
    /// The body is this text instead of an answer, with status 200.
    Body(String),
    /// An error status instead of an answer.
    Status {
        /// The status.
        code: u16,
        /// The header `Retry-After`, in seconds.
        #[serde(default)]
        retry_after: Option<u64>,
        /// How often; always, where nothing is said.
        #[serde(default)]
        times: Option<u32>,
    },
    /// The connection is closed in the middle of the answer that follows.
    Cut {
        /// After so many bytes of its body.
        after: usize,
        /// How often; always, where nothing is said.
        #[serde(default)]
        times: Option<u32>,
    },
    /// Nothing comes; in a stream, after the first event of the answer that follows.
    Hang {
        /// How often; always, where nothing is said.
        #[serde(default)]
        times: Option<u32>,
    },
    /// The answer that follows comes slowly.
    Slow {
        /// Between two events.
        millis: u64,
    },
}

impl Step {
    /// It writes a file.
    pub fn write(path: &str, text: &str) -> Self {
        Step::Write { path: path.into(), text: text.into() }
    }

    /// It says something.
    pub fn say(text: &str) -> Self {
        Step::Say(text.into())
    }

    /// An error status, always.
    pub fn status(code: u16) -> Self {
        Step::Status { code, retry_after: None, times: None }
    }

    /// Whether only a caller that offers tools can be answered so.
    fn needs_tools(&self) -> bool {
        match self {
            Step::Write { .. } | Step::Run(_) | Step::Call { .. } | Step::Data(_) => true,
            Step::Say(_)
            | Step::Body(_)
            | Step::Status { .. }
            | Step::Cut { .. }
            | Step::Hang { .. }
            | Step::Slow { .. } => false,
        }
    }
}

/// What every answer says it has cost.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Tokens {
    /// Read, besides what was cached.
    pub input: u64,
    /// Read from the cache.
    pub cached: u64,
    /// Written.
    pub output: u64,
}

impl Default for Tokens {
    fn default() -> Self {
        Self { input: 1000, cached: 200, output: 50 }
    }
}

/// What the model is to say.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Script {
    /// By a word of the prompt: turns of steps.
    #[serde(default)]
    pub conversations: BTreeMap<String, Vec<Vec<Step>>>,
    /// What every answer costs.
    #[serde(default)]
    pub usage: Tokens,
    /// A time without answers, from the first request on.
    #[serde(default)]
    pub outage: Option<Outage>,
}

/// A time in which every request goes wrong.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Outage {
    /// The fault of every request in it.
    pub fault: Fault,
    /// How long, from the first request on.
    pub millis: u64,
}

/// How a request goes wrong in an outage.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Fault {
    /// An error status.
    Status(u16),
    /// The connection is closed without an answer.
    Reset,
    /// Nothing comes until the outage is over; then the connection is closed.
    Hang,
}

/// A script that cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum ScriptError {
    /// It is no script.
    #[error("the script cannot be read")]
    Json(#[from] serde_json::Error),
    /// A conversation without a turn has nothing to say.
    #[error("the conversation `{0}` has no turn")]
    Empty(String),
}

impl Script {
    /// Reads it from JSON.
    pub fn read(text: &str) -> Result<Self, ScriptError> {
        let script: Script = serde_json::from_str(text)?;
        match script.conversations.iter().find(|(_, turns)| turns.is_empty()) {
            Some((word, _)) => Err(ScriptError::Empty(word.clone())),
            None => Ok(script),
        }
    }

    /// Adds a turn to the conversation of this word.
    pub fn turn(mut self, word: &str, steps: impl IntoIterator<Item = Step>) -> Self {
        self.conversations.entry(word.into()).or_default().push(steps.into_iter().collect());
        self
    }

    /// The word by which a prompt is known: the one that stands first in it.
    pub(super) fn word_in(&self, text: &str) -> Option<&str> {
        let found = self.conversations.keys().filter_map(|word| Some((position(text, word)?, word)));
        // Of two words at the same place the longer one is meant.
        found.min_by_key(|(at, word)| (*at, usize::MAX - word.len())).map(|(_, word)| word.as_str())
    }

    /// Whether the conversation is one with a caller that offers tools. A request of it without tools is an aside then:
    /// a title for the session, say.
    pub(super) fn has_tools(&self, word: &str) -> bool {
        self.conversations.get(word).is_some_and(|turns| turns.iter().flatten().any(Step::needs_tools))
    }
}

/// Where the word stands as a whole word.
fn position(text: &str, word: &str) -> Option<usize> {
    let part = |c: char| c.is_alphanumeric() || c == '-' || c == '_';
    text.match_indices(word).map(|(at, _)| at).find(|at| {
        !text[..*at].chars().next_back().is_some_and(part)
            && !text[at + word.len()..].chars().next().is_some_and(part)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_prompt_is_known_by_its_first_whole_word() {
        let script = Script::default().turn("T-1", []).turn("T-1-a", []).turn("b", []);
        for (text, word) in [
            ("# T-1: say b", Some("T-1")),
            ("# T-1-a: say b", Some("T-1-a")),
            ("about b, then T-1", Some("b")),
            ("T-10 and xb", None),
        ] {
            assert_eq!(script.word_in(text), word, "{text}");
        }
    }

    #[test]
    fn a_script_is_read_as_it_is_written() {
        let text = r#"{"conversations": {"T-1": [[{"status": {"code": 429, "retry_after": 1, "times": 2}},
            {"write": {"path": "a", "text": "b"}}], [{"run": "rm a"}, {"hang": {}}, {"cut": {"after": 9}}]]}}"#;
        let script = Script::read(text).unwrap();
        let again = Script::read(&serde_json::to_string(&script).unwrap()).unwrap();
        assert_eq!(again, script);
        let limit = Step::Status { code: 429, retry_after: Some(1), times: Some(2) };
        assert_eq!(script.conversations["T-1"][0][0], limit);
        assert!(matches!(Script::read(r#"{"conversations": {"a": []}}"#), Err(ScriptError::Empty(_))));
        assert!(matches!(
            Script::read(r#"{"conversations": {"a": [[{"sing": 1}]]}}"#),
            Err(ScriptError::Json(_))
        ));
    }
}
