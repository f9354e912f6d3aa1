//! OpenAI Chat Completions.

use serde_json::{Value, json};

use super::answer::Answer;
use super::asked::{Asked, Said, Tool, list, prompts, properties};
use super::dialect::{Spoken, Terms, event};

/// Reads a request.
pub(super) fn read(body: &Value) -> Asked {
    let tool = |t: &Value| {
        let function = &t["function"];
        let name = function["name"].as_str()?.to_owned();
        Some(Tool { name, properties: properties(&function["parameters"]), free: false })
    };
    Asked {
        model: body["model"].as_str().unwrap_or_default().to_owned(),
        stream: body["stream"] == true,
        said: list(body, "messages").iter().flat_map(said).collect(),
        tools: list(body, "tools").iter().filter_map(tool).collect(),
        json: body["response_format"]["type"].as_str().is_some_and(|t| t.starts_with("json")),
    }
}

fn said(message: &Value) -> Vec<Said> {
    match message["role"].as_str() {
        Some("tool") => vec![Said::ToolResult],
        Some("user") => prompts(&message["content"]),
        _ => vec![Said::Other],
    }
}

/// Says an answer.
pub(super) fn say(answer: &Answer, terms: &Terms<'_>) -> Spoken {
    let used = terms.usage;
    let usage = json!({
        "prompt_tokens": used.input + used.cached, "completion_tokens": used.output,
        "total_tokens": used.input + used.cached + used.output,
        "prompt_tokens_details": {"cached_tokens": used.cached},
    });
    let (content, calls, finish) = match answer {
        Answer::Text(text) => (json!(text), Value::Null, "stop"),
        Answer::Call { name, input, .. } => {
            let function = json!({"name": name, "arguments": input.to_string()});
            let id = format!("call_{:06}", terms.number);
            (
                Value::Null,
                json!([{"index": 0, "id": id, "type": "function", "function": function}]),
                "tool_calls",
            )
        }
    };
    let mut message = json!({"role": "assistant", "content": content});
    let mut delta = json!({});
    if calls.is_null() {
        delta["content"] = content;
    } else {
        delta["tool_calls"] = calls.clone();
        message["tool_calls"] = calls;
    }
    let frame = |object: &str, choices: Value, usage: &Value| {
        json!({
            "id": format!("chatcmpl-{:06}", terms.number), "object": object, "created": terms.number,
            "model": terms.asked.model, "choices": choices, "usage": usage,
        })
    };
    let piece = |delta: Value, finish: Value| {
        let choices = json!([{"index": 0, "delta": delta, "finish_reason": finish}]);
        event(None, &frame("chat.completion.chunk", choices, &Value::Null))
    };
    let events = vec![
        piece(json!({"role": "assistant", "content": ""}), Value::Null),
        piece(delta, Value::Null),
        piece(json!({}), json!(finish)),
        event(None, &frame("chat.completion.chunk", json!([]), &usage)),
        "data: [DONE]\n\n".to_owned(),
    ];
    let choices = json!([{"index": 0, "message": message, "finish_reason": finish}]);
    Spoken { whole: frame("chat.completion", choices, &usage), events }
}
