//! The file that an agent may write to `WINDLASS_RESULT`. Parsed leniently, never trusted.

use std::path::Path;

use serde::Deserialize;
use serde_json::Value;
use windlass_core::event::Usage;
use windlass_core::failure::Failure;

use super::TurnEnd;

/// The largest answer that is read.
const MAX_BYTES: u64 = 1 << 20;

/// The content of the result file.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct ResultFile {
    status: Option<String>,
    reason: Option<String>,
    needs_files: Vec<String>,
    pub(super) summary: Option<String>,
    pub(super) usage: Usage,
    pub(super) session: Option<String>,
    pub(super) model: Option<String>,
    retry_after_seconds: Option<u64>,
    /// Other fields, such as a verdict or a queue.
    #[serde(flatten)]
    rest: serde_json::Map<String, serde_json::Value>,
}

impl ResultFile {
    /// Reads the file's bytes; an unreadable answer is an error of the agent's.
    pub(super) fn read(bytes: &[u8]) -> Result<Self, Failure> {
        serde_json::from_slice(bytes)
            .map_err(|e| Failure::AgentError { message: format!("its answer is not the JSON expected: {e}") })
    }

    /// The fields beyond the common ones, if there are any.
    pub(super) fn structured(&self) -> Option<serde_json::Value> {
        (!self.rest.is_empty()).then(|| serde_json::Value::Object(self.rest.clone()))
    }

    /// How the turn ended according to the file.
    pub(super) fn end(&self, agent: &str) -> TurnEnd {
        match self.status.as_deref() {
            None | Some("done") => TurnEnd::Done { needs_files: self.needs_files.clone() },
            Some("blocked") if !self.needs_files.is_empty() => TurnEnd::NeedsFiles(self.needs_files.clone()),
            Some("blocked") => {
                let reason = self.reason.clone().unwrap_or_else(|| "it gave no reason".into());
                TurnEnd::Failed(Failure::SpecContradiction { reason })
            }
            Some("rate_limited") => TurnEnd::Failed(Failure::RateLimited {
                agent: agent.to_owned(),
                retry_after_seconds: self.retry_after_seconds,
                outage: None,
            }),
            Some(other) => {
                let message = format!("its answer has the unknown status `{other}`");
                TurnEnd::Failed(Failure::AgentError { message })
            }
        }
    }
}

/// Reads the result file, if there is one. A link, a directory or a huge file is an error.
pub(super) fn read_answer(path: &Path) -> Option<Result<ResultFile, Failure>> {
    let meta = std::fs::symlink_metadata(path).ok()?;
    if !meta.is_file() || meta.len() > MAX_BYTES {
        let message = "its answer is not a plain file of at most 1 MiB".into();
        return Some(Err(Failure::AgentError { message }));
    }
    let bytes = std::fs::read(path).ok()?;
    if bytes.iter().all(u8::is_ascii_whitespace) {
        return None;
    }
    Some(ResultFile::read(&bytes))
}

/// A result in the agent's last message, if the message is nothing but that JSON, possibly in a code fence.
pub(super) fn answer_in(said: &str) -> Option<ResultFile> {
    let answer: ResultFile = serde_json::from_value(json_in(said)?).ok()?;
    answer.status.is_some().then_some(answer)
}

/// Parses a text that is JSON, possibly in a code fence.
pub(super) fn json_in(said: &str) -> Option<Value> {
    let said = said.trim();
    let fenced =
        said.strip_prefix("```json").or(said.strip_prefix("```")).and_then(|s| s.strip_suffix("```"));
    serde_json::from_str(fenced.unwrap_or(said).trim()).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn answers_are_read_leniently_and_nonsense_is_an_error() {
        let end = |text: &str| ResultFile::read(text.as_bytes()).map(|a| a.end("x"));
        assert_eq!(end("{}"), Ok(TurnEnd::Done { needs_files: vec![] }));
        assert_eq!(
            end(r#"{"status":"blocked","needs_files":["a"],"more":1}"#),
            Ok(TurnEnd::NeedsFiles(vec!["a".into()]))
        );
        assert!(matches!(
            end(r#"{"status":"blocked","reason":"r"}"#),
            Ok(TurnEnd::Failed(Failure::SpecContradiction { .. }))
        ));
        assert!(matches!(end(r#"{"status":"won"}"#), Ok(TurnEnd::Failed(Failure::AgentError { .. }))));
        assert!(end("done!").is_err());
    }

    #[test]
    fn last_words_are_an_answer_only_if_they_are_nothing_else() {
        let blocked = "```json\n{\"status\": \"blocked\", \"reason\": \"r\"}\n```";
        assert!(matches!(answer_in(blocked).unwrap().end("x"), TurnEnd::Failed(_)));
        for said in ["I am done.", "{\"answer\": 42}", "see {\"status\": \"done\"}", ""] {
            assert!(answer_in(said).is_none(), "{said}");
        }
    }
}
