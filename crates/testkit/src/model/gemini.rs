//! Gemini generateContent and streamGenerateContent.

use serde_json::{Value, json};

use super::answer::Answer;
use super::asked::{Asked, Said, Tool, list, properties};
use super::dialect::{Spoken, Terms, event};

/// Reads a request. Model and manner are in its path.
pub(super) fn read(path: &str, body: &Value) -> Asked {
    let last = path.rsplit('/').next().unwrap_or_default();
    let tool = |f: &Value| {
        let name = f["name"].as_str()?.to_owned();
        let schema =
            if f["parametersJsonSchema"].is_object() { &f["parametersJsonSchema"] } else { &f["parameters"] };
        Some(Tool { name, properties: properties(schema), free: false })
    };
    let functions = list(body, "tools").iter().flat_map(|t| list(t, "functionDeclarations"));
    Asked {
        model: last.split(':').next().unwrap_or_default().to_owned(),
        stream: last.contains("stream"),
        said: list(body, "contents").iter().flat_map(said).collect(),
        tools: functions.filter_map(tool).collect(),
        json: body["generationConfig"]["responseMimeType"] == "application/json",
    }
}

fn said(content: &Value) -> Vec<Said> {
    let by_user = content["role"].as_str().is_none_or(|role| role == "user");
    let part = |p: &Value| {
        if p["functionResponse"].is_object() {
            return Said::ToolResult;
        }
        match p["text"].as_str() {
            Some(text) if by_user => Said::Prompt(text.to_owned()),
            _ => Said::Other,
        }
    };
    list(content, "parts").iter().map(part).collect()
}

/// Says an answer; a stream of it has one event.
pub(super) fn say(answer: &Answer, terms: &Terms<'_>) -> Spoken {
    let part = match answer {
        Answer::Text(text) => json!({"text": text}),
        Answer::Call { name, input, .. } => {
            json!({"functionCall": {"id": format!("fc-{:06}", terms.number), "name": name, "args": input}})
        }
    };
    let used = terms.usage;
    let whole = json!({
        "candidates": [{"content": {"role": "model", "parts": [part]}, "finishReason": "STOP", "index": 0}],
        "usageMetadata": {
            "promptTokenCount": used.input + used.cached, "cachedContentTokenCount": used.cached,
            "candidatesTokenCount": used.output, "totalTokenCount": used.input + used.cached + used.output,
        },
        "modelVersion": terms.asked.model, "responseId": format!("r-{:06}", terms.number),
    });
    Spoken { events: vec![event(None, &whole)], whole }
}
