//! What the client of the Agent Client Protocol prints: `session`, `update`, `denied`, and at last `end`, `error` or `gone`.

use serde_json::Value;
use windlass_core::event::Usage;

use super::entry::{ClaimedEnd, ErrorWeight, MessagePart, StreamEntry, UsageSpan};
use super::json_text::{argument, at, items, line, message, number, text};
use super::problem::Problem;

/// Whether a line is of this stream.
pub(super) fn is_acp(event: &Value) -> bool {
    event.get("acp").is_some_and(Value::is_string)
}

/// What a line tells.
pub(super) fn entries(event: &Value) -> Vec<StreamEntry> {
    match text(event, &["acp"]) {
        Some("session") => session(event),
        Some("update") => update(at(event, &["update"]).unwrap_or(&Value::Null)),
        Some("denied") => {
            let call = at(event, &["call"])
                .map(|call| call.as_str().map_or_else(|| call.to_string(), str::to_owned));
            let what = line(text(event, &["what"]).unwrap_or("a tool"));
            vec![StreamEntry::Denied { call: call.unwrap_or_default(), what }]
        }
        Some("note") => {
            let message = line(text(event, &["message"]).unwrap_or_default());
            vec![StreamEntry::Error { problem: Problem::Other, message, weight: ErrorWeight::Warning }]
        }
        Some("end") => {
            let cost = at(event, &["cost_usd"]).and_then(Value::as_f64);
            end(at(event, &["result"]).unwrap_or(&Value::Null), cost)
        }
        Some("error" | "gone") => failure(event),
        _ => Vec::new(),
    }
}

fn session(event: &Value) -> Vec<StreamEntry> {
    let id = text(event, &["id"]).unwrap_or_default().to_owned();
    let model = text(event, &["model"]).map(str::to_owned);
    vec![StreamEntry::Session { id, model }, StreamEntry::Working]
}

fn update(update: &Value) -> Vec<StreamEntry> {
    match text(update, &["sessionUpdate"]) {
        Some("agent_message_chunk") => {
            let said = text(update, &["content", "text"]).unwrap_or_default();
            let mut all = told_beside(update);
            if !said.is_empty() {
                all.push(StreamEntry::Message { text: message(said), part: MessagePart::Piece });
            }
            all
        }
        Some("tool_call") => {
            let tool = text(update, &["kind"]).unwrap_or("tool").to_owned();
            let input = argument(at(update, &["rawInput"]).unwrap_or(&Value::Null));
            let title = || line(text(update, &["title"]).unwrap_or_default());
            vec![StreamEntry::ToolUse { tool, what: if input.is_empty() { title() } else { input } }]
        }
        Some("tool_call_update") => tool_update(update),
        _ => Vec::new(),
    }
}

/// What became of a tool, and the files it says it changed.
fn tool_update(update: &Value) -> Vec<StreamEntry> {
    match text(update, &["status"]) {
        Some("completed") => {
            let diffs =
                items(update, &["content"]).iter().filter(|part| text(part, &["type"]) == Some("diff"));
            let changed = diffs.filter_map(|part| text(part, &["path"]));
            let mut all: Vec<StreamEntry> =
                changed.map(|path| StreamEntry::FileChange { path: path.to_owned() }).collect();
            all.push(StreamEntry::ToolOver);
            all
        }
        Some("failed") => {
            let said = items(update, &["content"]).iter().find_map(|part| text(part, &["content", "text"]));
            vec![StreamEntry::ToolFailed { what: line(said.unwrap_or("it failed")) }]
        }
        _ => Vec::new(),
    }
}

/// The tokens of one answer, where an agent tells them beside a message.
fn told_beside(update: &Value) -> Vec<StreamEntry> {
    let Some(told) = at(update, &["_meta", "usage"]) else { return Vec::new() };
    let usage = tokens(told);
    if usage == Usage::default() {
        return Vec::new();
    }
    vec![StreamEntry::Usage { usage, span: UsageSpan::Step(String::new()), model: None }]
}

/// The end of a turn.
fn end(result: &Value, cost_usd: Option<f64>) -> Vec<StreamEntry> {
    let mut all = Vec::new();
    let counted = at(result, &["_meta", "quota", "token_count"]);
    let usage = at(result, &["usage"]).map(tokens).filter(|usage| *usage != Usage::default());
    let usage = usage.or_else(|| counted.map(tokens)).unwrap_or_default();
    let usage = Usage { cost_usd, ..usage };
    let model = items(result, &["_meta", "quota", "model_usage"]).iter().find_map(|m| text(m, &["model"]));
    if usage != Usage::default() {
        all.push(StreamEntry::Usage { usage, span: UsageSpan::Run, model: model.map(str::to_owned) });
    }
    let stopped = match text(result, &["stopReason"]) {
        Some("end_turn") => None,
        Some("max_tokens" | "max_turn_requests") => {
            Some((Problem::TurnLimit, "it took as many turns as it may"))
        }
        Some("refusal") => Some((Problem::Declined, "the model declined")),
        Some("cancelled") => Some((Problem::Stopped, "it was cancelled")),
        _ => Some((Problem::Other, "it ended for no reason that the protocol knows")),
    };
    if let Some((problem, words)) = stopped {
        all.push(StreamEntry::Error { problem, message: words.to_owned(), weight: ErrorWeight::Final });
    }
    let outcome = if stopped.is_none() { ClaimedEnd::Done } else { ClaimedEnd::Failed };
    all.push(StreamEntry::End { outcome, said: None, structured: None });
    all
}

fn failure(event: &Value) -> Vec<StreamEntry> {
    let words = text(event, &["message"]).unwrap_or("it gave no reason");
    let problem = match at(event, &["code"]).and_then(Value::as_i64) {
        // The protocol's own code for an agent that wants a login.
        Some(-32000) => Problem::Login,
        _ => Problem::of(None, words),
    };
    vec![StreamEntry::Error { problem, message: line(words), weight: ErrorWeight::Final }]
}

/// Tokens in the words of the protocol, and in those of agents that came before it.
fn tokens(told: &Value) -> Usage {
    let first = |names: &[&str]| names.iter().map(|name| number(told, &[name])).find(|n| *n > 0).unwrap_or(0);
    let read = first(&["cachedReadTokens"]);
    let written = first(&["cachedWriteTokens"]);
    let input = first(&["inputTokens", "input_tokens", "promptTokens"]);
    let output = first(&["outputTokens", "output_tokens", "completionTokens"]);
    // Some count cached tokens among the input and some do not; the total tells.
    let total = first(&["totalTokens"]);
    Usage {
        input_tokens: if total > output { total - output } else { input + read + written },
        output_tokens: output,
        cache_read_tokens: read,
        cache_write_tokens: written,
        cost_usd: None,
    }
}

#[cfg(test)]
mod tests;
