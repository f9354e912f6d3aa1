//! What a model behind a port is: where, which language, which model, and which variable holds the key.

use std::fmt;
use std::time::Duration;

/// The language an endpoint speaks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum ApiDialect {
    /// OpenAI Chat Completions, which Ollama, llama.cpp, vLLM and most others speak.
    #[default]
    OpenAi,
    /// Anthropic Messages.
    Anthropic,
}

/// A key, known by the name of the variable it comes from. The value is never shown.
#[derive(Clone, PartialEq, Eq)]
pub struct ApiKey {
    variable: String,
    value: Option<String>,
}

impl ApiKey {
    /// The key in this variable; no value where the variable is not set.
    pub fn new(variable: impl Into<String>, value: Option<String>) -> Self {
        Self { variable: variable.into(), value: value.filter(|v| !v.is_empty()) }
    }

    /// The name of its variable.
    pub fn variable(&self) -> &str {
        &self.variable
    }

    /// Whether there is a key in it.
    pub fn is_set(&self) -> bool {
        self.value.is_some()
    }

    /// The key itself.
    pub(super) fn value(&self) -> Option<&str> {
        self.value.as_deref()
    }

    /// The text without the key, wherever it stands in it.
    pub(super) fn taken_out_of(&self, text: &str) -> String {
        match &self.value {
            Some(value) => text.replace(value.as_str(), &format!("[{}]", self.variable)),
            None => text.to_owned(),
        }
    }
}

impl fmt::Debug for ApiKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ApiKey").field("variable", &self.variable).finish_non_exhaustive()
    }
}

/// A model behind an HTTP endpoint.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ApiSpec {
    /// The endpoint: `http://127.0.0.1:11434/v1`.
    pub endpoint: String,
    /// The dialect of its interface.
    pub dialect: ApiDialect,
    /// The model's name there.
    pub model: String,
    /// The key, where one is needed.
    pub key: Option<ApiKey>,
    /// How many tokens the model sees, its answer included.
    pub context_tokens: u32,
    /// How many of them its answer may have.
    pub answer_tokens: u32,
    /// The longest one of its turns may take, where it is shorter than the attempt's.
    pub timeout: Option<Duration>,
}

/// Assumed bytes per token of code. A low number is safe: servers refuse a request above the context size, and a shorter one only
/// leaves room.
pub const BYTES_PER_TOKEN: usize = 3;

impl ApiSpec {
    /// How many bytes of brief and files it can be told.
    pub fn room_bytes(&self) -> usize {
        (self.context_tokens.saturating_sub(self.answer_tokens) as usize) * BYTES_PER_TOKEN
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_is_never_shown() {
        let key = ApiKey::new("MODEL_KEY", Some("sk-secret-1".into()));
        assert!(!format!("{key:?}").contains("secret"), "{key:?}");
        assert_eq!(key.taken_out_of("no such key: sk-secret-1!"), "no such key: [MODEL_KEY]!");
        assert_eq!(ApiKey::new("MODEL_KEY", Some(String::new())).value(), None);
    }
}
