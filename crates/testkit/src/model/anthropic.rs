//! Anthropic Messages.

use serde_json::{Value, json};

use super::answer::Answer;
use super::asked::{Asked, Said, Tool, list, prompts, properties};
use super::dialect::{Spoken, Terms, event};

/// Reads a request.
pub(super) fn read(body: &Value) -> Asked {
    let tool = |t: &Value| {
        let name = t["name"].as_str()?.to_owned();
        Some(Tool { name, properties: properties(&t["input_schema"]), free: false })
    };
    Asked {
        model: body["model"].as_str().unwrap_or_default().to_owned(),
        stream: body["stream"] == true,
        said: list(body, "messages").iter().flat_map(said).collect(),
        tools: list(body, "tools").iter().filter_map(tool).collect(),
        json: false,
    }
}

fn said(message: &Value) -> Vec<Said> {
    if message["role"] != "user" {
        return vec![Said::Other];
    }
    let Some(parts) = message["content"].as_array() else {
        return prompts(&message["content"]);
    };
    let part = |p: &Value| match p["type"].as_str() {
        Some("tool_result") => Said::ToolResult,
        Some("text") => Said::Prompt(p["text"].as_str().unwrap_or_default().to_owned()),
        _ => Said::Other,
    };
    parts.iter().map(part).collect()
}

/// Says an answer.
pub(super) fn say(answer: &Answer, terms: &Terms<'_>) -> Spoken {
    let (block, stop) = block(answer, terms.number);
    let cost = |output: u64| {
        json!({
            "input_tokens": terms.usage.input, "cache_creation_input_tokens": 0,
            "cache_read_input_tokens": terms.usage.cached, "output_tokens": output,
        })
    };
    let message = |content: Value, stop: Value, usage: Value| {
        json!({
            "id": format!("msg_{:06}", terms.number), "type": "message", "role": "assistant",
            "model": terms.asked.model, "content": content, "stop_reason": stop, "stop_sequence": null,
            "usage": usage,
        })
    };
    let whole = message(json!([block]), json!(stop), cost(terms.usage.output));
    let (start, delta) = pieces(&block);
    let ended = json!({
        "type": "message_delta", "delta": {"stop_reason": stop, "stop_sequence": null},
        "usage": cost(terms.usage.output),
    });
    let events = [
        json!({"type": "message_start", "message": message(json!([]), Value::Null, cost(1))}),
        json!({"type": "content_block_start", "index": 0, "content_block": start}),
        json!({"type": "content_block_delta", "index": 0, "delta": delta}),
        json!({"type": "content_block_stop", "index": 0}),
        ended,
        json!({"type": "message_stop"}),
    ];
    Spoken { whole, events: events.iter().map(|e| event(e["type"].as_str(), e)).collect() }
}

fn block(answer: &Answer, number: u64) -> (Value, &'static str) {
    match answer {
        Answer::Text(text) => (json!({"type": "text", "text": text}), "end_turn"),
        Answer::Call { name, input, .. } => {
            let id = format!("toolu_{number:06}");
            (json!({"type": "tool_use", "id": id, "name": name, "input": input}), "tool_use")
        }
    }
}

/// A block as it begins in a stream, and what is added to it.
fn pieces(block: &Value) -> (Value, Value) {
    let mut start = block.clone();
    if block["type"] == "text" {
        start["text"] = json!("");
        (start, json!({"type": "text_delta", "text": block["text"]}))
    } else {
        start["input"] = json!({});
        (start, json!({"type": "input_json_delta", "partial_json": block["input"].to_string()}))
    }
}
