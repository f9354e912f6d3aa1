//! The languages, and what a request in one of them is answered with.

use serde_json::{Value, json};

use super::answer::Answer;
use super::asked::Asked;
use super::script::Tokens;
use super::{anthropic, chat, gemini, responses};

/// A language.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Dialect {
    /// Anthropic Messages.
    Anthropic,
    /// OpenAI Responses.
    Responses,
    /// OpenAI Chat Completions.
    Chat,
    /// Gemini generateContent.
    Gemini,
}

/// An answer in a language, both ways.
pub(super) struct Spoken {
    /// As one document.
    pub(super) whole: Value,
    /// As a stream of events.
    pub(super) events: Vec<String>,
}

/// What all answers need besides their content. The number stands for the ids and times real servers make up.
pub(super) struct Terms<'a> {
    pub(super) asked: &'a Asked,
    pub(super) usage: Tokens,
    pub(super) number: u64,
}

impl Dialect {
    /// The language of a path.
    pub(super) fn of(path: &str) -> Option<Self> {
        match path {
            p if p.ends_with("/messages") => Some(Dialect::Anthropic),
            p if p.ends_with("/responses") => Some(Dialect::Responses),
            p if p.ends_with("/chat/completions") => Some(Dialect::Chat),
            p if p.contains(":generateContent") || p.contains(":streamGenerateContent") => {
                Some(Dialect::Gemini)
            }
            _ => None,
        }
    }

    /// Reads a request.
    pub(super) fn read(self, path: &str, body: &Value) -> Asked {
        match self {
            Dialect::Anthropic => anthropic::read(body),
            Dialect::Responses => responses::read(body),
            Dialect::Chat => chat::read(body),
            Dialect::Gemini => gemini::read(path, body),
        }
    }

    /// Says an answer.
    pub(super) fn say(self, answer: &Answer, terms: &Terms<'_>) -> Spoken {
        match self {
            Dialect::Anthropic => anthropic::say(answer, terms),
            Dialect::Responses => responses::say(answer, terms),
            Dialect::Chat => chat::say(answer, terms),
            Dialect::Gemini => gemini::say(answer, terms),
        }
    }

    /// The body of an error.
    pub(super) fn error(self, code: u16) -> Value {
        let message = format!("scripted status {code}");
        let kind = match code {
            400 => "invalid_request_error",
            401 => "authentication_error",
            403 => "permission_error",
            429 => "rate_limit_error",
            529 => "overloaded_error",
            _ => "api_error",
        };
        match self {
            Dialect::Anthropic => json!({"type": "error", "error": {"type": kind, "message": message}}),
            Dialect::Responses | Dialect::Chat => {
                json!({"error": {"message": message, "type": kind, "param": null, "code": code.to_string()}})
            }
            Dialect::Gemini => {
                let status = match code {
                    400 => "INVALID_ARGUMENT",
                    401 => "UNAUTHENTICATED",
                    403 => "PERMISSION_DENIED",
                    429 => "RESOURCE_EXHAUSTED",
                    503 | 529 => "UNAVAILABLE",
                    _ => "INTERNAL",
                };
                json!({"error": {"code": code, "message": message, "status": status}})
            }
        }
    }
}

/// An event of a stream, with or without a name.
pub(super) fn event(name: Option<&str>, data: &Value) -> String {
    match name {
        Some(name) => format!("event: {name}\ndata: {data}\n\n"),
        None => format!("data: {data}\n\n"),
    }
}
