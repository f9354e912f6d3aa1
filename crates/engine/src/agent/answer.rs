//! What an agent may leave in `WINDLASS_RESULT`. Read leniently, believed never.

use serde::Deserialize;
use windlass_core::event::Usage;
use windlass_core::failure::Failure;

use super::TurnEnd;

/// The largest answer that is read.
pub(super) const MAX_BYTES: u64 = 1 << 20;

/// The answer file.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct Answer {
    status: Option<String>,
    reason: Option<String>,
    needs_files: Vec<String>,
    pub(super) summary: Option<String>,
    pub(super) usage: Usage,
    pub(super) session: Option<String>,
    retry_after_seconds: Option<u64>,
}

impl Answer {
    /// Reads the file's bytes; an unreadable answer is an error of the agent's.
    pub(super) fn read(bytes: &[u8]) -> Result<Self, Failure> {
        serde_json::from_slice(bytes)
            .map_err(|e| Failure::AgentError { message: format!("its answer is not the JSON expected: {e}") })
    }

    /// What the answer says about the turn.
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
            }),
            Some(other) => {
                let message = format!("its answer has the unknown status `{other}`");
                TurnEnd::Failed(Failure::AgentError { message })
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn answers_are_read_leniently_and_nonsense_is_an_error() {
        let end = |text: &str| Answer::read(text.as_bytes()).map(|a| a.end("x"));
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
}
