//! OpenAI Responses.

use serde_json::{Value, json};

use super::answer::Answer;
use super::asked::{Asked, Said, Tool, list, prompts, properties};
use super::dialect::{Spoken, Terms, event};

/// Reads a request.
pub(super) fn read(body: &Value) -> Asked {
    let said = match &body["input"] {
        Value::String(text) => vec![Said::Prompt(text.clone())],
        _ => list(body, "input").iter().flat_map(said).collect(),
    };
    let tool = |t: &Value| {
        let name = t["name"].as_str().or(t["type"].as_str())?.to_owned();
        Some(Tool { name, properties: properties(&t["parameters"]), free: t["type"] == "custom" })
    };
    Asked {
        model: body["model"].as_str().unwrap_or_default().to_owned(),
        stream: body["stream"] == true,
        said,
        tools: list(body, "tools").iter().filter_map(tool).collect(),
        json: body["text"]["format"]["type"] == "json_schema",
    }
}

fn said(item: &Value) -> Vec<Said> {
    let kind = item["type"].as_str().unwrap_or("message");
    if kind.ends_with("_output") {
        return vec![Said::ToolResult];
    }
    if kind != "message" || item["role"] != "user" {
        return vec![Said::Other];
    }
    prompts(&item["content"])
}

/// Says an answer.
pub(super) fn say(answer: &Answer, terms: &Terms<'_>) -> Spoken {
    let item = item(answer, terms.number);
    let used = terms.usage;
    let usage = json!({
        "input_tokens": used.input + used.cached, "input_tokens_details": {"cached_tokens": used.cached},
        "output_tokens": used.output, "output_tokens_details": {"reasoning_tokens": 0},
        "total_tokens": used.input + used.cached + used.output,
    });
    let response = |status: &str, output: Value, usage: Value| {
        json!({
            "id": format!("resp_{:06}", terms.number), "object": "response", "created_at": terms.number,
            "status": status, "model": terms.asked.model, "output": output, "usage": usage,
        })
    };
    let whole = response("completed", json!([item]), usage);
    let mut all = vec![json!({
        "type": "response.created", "response": response("in_progress", json!([]), Value::Null)
    })];
    all.extend(grow(&item));
    all.push(json!({"type": "response.output_item.done", "output_index": 0, "item": item}));
    all.push(json!({"type": "response.completed", "response": whole}));
    for (n, one) in all.iter_mut().enumerate() {
        one["sequence_number"] = json!(n);
    }
    Spoken { whole, events: all.iter().map(|e| event(e["type"].as_str(), e)).collect() }
}

/// The events by which an item comes into being.
fn grow(item: &Value) -> Vec<Value> {
    let mut start = item.clone();
    start["status"] = json!("in_progress");
    if item["type"] != "message" {
        return vec![json!({"type": "response.output_item.added", "output_index": 0, "item": start})];
    }
    start["content"] = json!([]);
    let text = &item["content"][0]["text"];
    let place = |mut event: Value| {
        event["output_index"] = json!(0);
        event["content_index"] = json!(0);
        event["item_id"] = item["id"].clone();
        event
    };
    let part = json!({"type": "output_text", "text": "", "annotations": []});
    vec![
        json!({"type": "response.output_item.added", "output_index": 0, "item": start}),
        place(json!({"type": "response.content_part.added", "part": part})),
        place(json!({"type": "response.output_text.delta", "delta": text})),
        place(json!({"type": "response.output_text.done", "text": text})),
    ]
}

fn item(answer: &Answer, number: u64) -> Value {
    let call_id = format!("call_{number:06}");
    match answer {
        Answer::Text(text) => json!({
            "type": "message", "id": format!("msg_{number:06}"), "role": "assistant", "status": "completed",
            "content": [{"type": "output_text", "text": text, "annotations": []}],
        }),
        Answer::Call { name, input, free: true } => json!({
            "type": "custom_tool_call", "id": format!("ctc_{number:06}"), "call_id": call_id, "name": name,
            "input": input.as_str().map_or_else(|| input.to_string(), str::to_owned), "status": "completed",
        }),
        Answer::Call { name, input, free: false } => {
            let mut call = json!({
                "type": "function_call", "id": format!("fc_{number:06}"), "call_id": call_id, "name": name,
                "arguments": input.to_string(), "status": "completed",
            });
            // A tool of a namespace is called `namespace.tool` in scripts.
            if let Some((namespace, tool)) = name.split_once('.') {
                (call["namespace"], call["name"]) = (namespace.into(), tool.into());
            }
            call
        }
    }
}
