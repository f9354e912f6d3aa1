//! Request and response bodies of both API dialects. Pure.

use serde_json::{Value, json};
use windlass_core::event::Usage;

use super::prompt::Prompt;
use super::spec::{ApiDialect, ApiSpec};

/// By which name the length of the answer is limited: OpenAI's newer models take only the second.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum LengthLimit {
    MaxTokens,
    MaxCompletionTokens,
}

/// A model's answer.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Reply {
    pub(super) text: String,
    pub(super) usage: Usage,
    pub(super) model: Option<String>,
    /// Whether it was stopped by the limit on its length.
    pub(super) cut: bool,
}

/// The address of the one call that is made.
pub(super) fn url(spec: &ApiSpec) -> String {
    let base = spec.endpoint.trim_end_matches('/');
    let (whole, tail) = match spec.dialect {
        ApiDialect::OpenAi => ("/chat/completions", "/chat/completions"),
        ApiDialect::Anthropic if base.ends_with("/v1") => ("/messages", "/messages"),
        ApiDialect::Anthropic => ("/messages", "/v1/messages"),
    };
    if base.ends_with(whole) { base.to_owned() } else { format!("{base}{tail}") }
}

/// Additional headers.
pub(super) fn headers(spec: &ApiSpec) -> Vec<(&'static str, String)> {
    let key = spec.key.as_ref().and_then(|k| k.value());
    match spec.dialect {
        ApiDialect::OpenAi => key.map(|k| ("authorization", format!("Bearer {k}"))).into_iter().collect(),
        ApiDialect::Anthropic => {
            let version = ("anthropic-version", "2023-06-01".to_owned());
            key.map(|k| ("x-api-key", k.to_owned())).into_iter().chain([version]).collect()
        }
    }
}

/// The body of the request.
pub(super) fn body(spec: &ApiSpec, prompt: &Prompt, limit: LengthLimit) -> Value {
    let user = json!({"role": "user", "content": prompt.user});
    match spec.dialect {
        ApiDialect::OpenAi => {
            let system = json!({"role": "system", "content": prompt.system});
            let mut body = json!({"model": spec.model, "stream": false, "messages": [system, user]});
            let name = match limit {
                LengthLimit::MaxTokens => "max_tokens",
                LengthLimit::MaxCompletionTokens => "max_completion_tokens",
            };
            body[name] = json!(spec.answer_tokens);
            body
        }
        ApiDialect::Anthropic => json!({
            "model": spec.model, "max_tokens": spec.answer_tokens, "system": prompt.system, "messages": [user],
        }),
    }
}

/// Reads an answer; what is wrong with it, where it is none.
pub(super) fn reply(dialect: ApiDialect, body: &[u8]) -> Result<Reply, String> {
    let value: Value = serde_json::from_slice(body).map_err(|_| "its answer is not JSON".to_owned())?;
    let read = match dialect {
        ApiDialect::OpenAi => openai(&value),
        ApiDialect::Anthropic => anthropic(&value),
    };
    read.ok_or_else(|| format!("its answer has no text: {}", error_text(body)))
}

fn openai(value: &Value) -> Option<Reply> {
    let choice = value["choices"].get(0)?;
    let message = &choice["message"];
    // A refusal is said in a field of its own; a model that only thought has no content.
    let text = message["content"].as_str().or(message["refusal"].as_str()).unwrap_or_default();
    let used = &value["usage"];
    let count = |v: &Value| v.as_u64().unwrap_or(0);
    Some(Reply {
        text: text.to_owned(),
        usage: Usage {
            input_tokens: count(&used["prompt_tokens"]),
            output_tokens: count(&used["completion_tokens"]),
            cache_read_tokens: count(&used["prompt_tokens_details"]["cached_tokens"]),
            ..Usage::default()
        },
        model: value["model"].as_str().map(str::to_owned),
        cut: choice["finish_reason"] == "length",
    })
}

fn anthropic(value: &Value) -> Option<Reply> {
    let parts = value["content"].as_array()?;
    let text: String = parts.iter().filter_map(|p| p["text"].as_str()).collect();
    let used = &value["usage"];
    let count = |field: &str| used[field].as_u64().unwrap_or(0);
    let (read, written) = (count("cache_read_input_tokens"), count("cache_creation_input_tokens"));
    Some(Reply {
        text,
        usage: Usage {
            input_tokens: count("input_tokens") + read + written,
            output_tokens: count("output_tokens"),
            cache_read_tokens: read,
            cache_write_tokens: written,
            ..Usage::default()
        },
        model: value["model"].as_str().map(str::to_owned),
        cut: value["stop_reason"] == "max_tokens",
    })
}

/// What a server says is wrong, in a line.
pub(super) fn error_text(body: &[u8]) -> String {
    let value: Value = serde_json::from_slice(body).unwrap_or_default();
    let said = [&value["error"]["message"], &value["error"], &value["message"], &value["detail"]];
    let text = said.iter().find_map(|v| v.as_str()).map_or_else(|| String::from_utf8_lossy(body), Into::into);
    let line: String = text.split_whitespace().collect::<Vec<_>>().join(" ");
    line.chars().take(300).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn spec(dialect: ApiDialect, endpoint: &str) -> ApiSpec {
        ApiSpec {
            endpoint: endpoint.into(),
            dialect,
            model: "m".into(),
            key: None,
            context_tokens: 8192,
            answer_tokens: 2048,
            timeout: None,
        }
    }

    #[test]
    fn an_endpoint_may_be_given_in_the_usual_ways() {
        for (dialect, endpoint, wanted) in [
            (ApiDialect::OpenAi, "http://h/v1", "http://h/v1/chat/completions"),
            (ApiDialect::OpenAi, "http://h/v1/", "http://h/v1/chat/completions"),
            (ApiDialect::OpenAi, "http://h/v1/chat/completions", "http://h/v1/chat/completions"),
            (ApiDialect::Anthropic, "http://h", "http://h/v1/messages"),
            (ApiDialect::Anthropic, "http://h/v1", "http://h/v1/messages"),
            (ApiDialect::Anthropic, "http://h/v1/messages", "http://h/v1/messages"),
        ] {
            assert_eq!(url(&spec(dialect, endpoint)), wanted);
        }
    }

    #[test]
    fn answers_are_read_and_what_is_none_is_told() {
        let body = r#"{"model": "m-1", "choices": [{"message": {"content": "hi"}, "finish_reason": "length"}],
            "usage": {"prompt_tokens": 12, "completion_tokens": 5, "prompt_tokens_details": {"cached_tokens": 2}}}"#;
        let read = reply(ApiDialect::OpenAi, body.as_bytes()).unwrap();
        let usage = Usage { input_tokens: 12, output_tokens: 5, cache_read_tokens: 2, ..Usage::default() };
        assert_eq!(read, Reply { text: "hi".into(), usage, model: Some("m-1".into()), cut: true });
        let body = r#"{"content": [{"type": "thinking", "thinking": "x"}, {"type": "text", "text": "hi"}],
            "stop_reason": "end_turn", "usage": {"input_tokens": 10, "cache_read_input_tokens": 2, "output_tokens": 5}}"#;
        let read = reply(ApiDialect::Anthropic, body.as_bytes()).unwrap();
        assert_eq!((read.text.as_str(), read.usage.input_tokens, read.cut), ("hi", 12, false));
        for (body, why) in [
            ("<html>", "its answer is not JSON"),
            (r#"{"error": {"message": "no\n model"}}"#, "its answer has no text: no model"),
            ("[]", "its answer has no text: []"),
        ] {
            assert_eq!(reply(ApiDialect::OpenAi, body.as_bytes()).unwrap_err(), why);
            assert_eq!(reply(ApiDialect::Anthropic, body.as_bytes()).unwrap_err(), why);
        }
    }
}
