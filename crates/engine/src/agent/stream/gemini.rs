//! Gemini CLI's `-o stream-json`: `init`, `message`, `tool_use`, `tool_result`, `error`, and a `result` with a status.

use serde_json::Value;
use windlass_core::event::Usage;

use super::entry::{ClaimedEnd, ErrorWeight, MessagePart, StreamEntry, UsageSpan};
use super::json_text::{argument, at, file, is_true, line, message, number, plain_error, text};
use super::problem::Problem;

/// Whether a stream begins with this event.
pub(in crate::agent) fn begins(event: &Value) -> bool {
    event.get("type").is_some_and(|kind| kind == "init") && event.get("session_id").is_some()
}

/// What a line tells.
pub(in crate::agent) fn entries(event: &Value) -> Vec<StreamEntry> {
    match text(event, &["type"]) {
        Some("init") => super::claude::session(event),
        Some("message") => said(event),
        Some("tool_use") => tool(event),
        Some("tool_result") => outcome(event),
        Some("error") => problem(event),
        Some("result") => result(event),
        _ => Vec::new(),
    }
}

fn said(event: &Value) -> Vec<StreamEntry> {
    if text(event, &["role"]) != Some("assistant") {
        return Vec::new();
    }
    let part = if is_true(event, &["delta"]) { MessagePart::Piece } else { MessagePart::Whole };
    let said = text(event, &["content"]).unwrap_or_default();
    vec![StreamEntry::Message { text: message(said), part }]
}

fn tool(event: &Value) -> Vec<StreamEntry> {
    let input = at(event, &["parameters"]).unwrap_or(&Value::Null);
    let tool = text(event, &["tool_name"]).unwrap_or("a tool").to_owned();
    let writes = matches!(tool.as_str(), "write_file" | "replace" | "edit");
    let mut all = vec![StreamEntry::ToolUse { tool, what: argument(input) }];
    if let Some(path) = file(input).filter(|_| writes) {
        all.push(StreamEntry::FileChange { path });
    }
    all
}

fn outcome(event: &Value) -> Vec<StreamEntry> {
    if text(event, &["status"]) != Some("error") {
        return vec![StreamEntry::ToolOver];
    }
    let words = text(event, &["error", "message"]).or(text(event, &["output"])).unwrap_or("it did not work");
    if words.contains("denied by policy") || words.contains("not allowed") {
        let call = text(event, &["tool_id"]).unwrap_or_default().to_owned();
        return vec![StreamEntry::Denied { call, what: line(words) }];
    }
    vec![StreamEntry::ToolFailed { what: line(words) }]
}

fn problem(event: &Value) -> Vec<StreamEntry> {
    let words = text(event, &["message"]).unwrap_or("an error");
    let weight = match text(event, &["severity"]) {
        Some("warning") => ErrorWeight::Warning,
        _ => ErrorWeight::Passing,
    };
    vec![StreamEntry::Error { problem: Problem::of(None, words), message: line(words), weight }]
}

fn result(event: &Value) -> Vec<StreamEntry> {
    let stats = at(event, &["stats"]).unwrap_or(&Value::Null);
    let usage = Usage {
        input_tokens: number(stats, &["input_tokens"]),
        output_tokens: number(stats, &["output_tokens"]),
        cache_read_tokens: number(stats, &["cached"]),
        ..Usage::default()
    };
    let mut all = vec![StreamEntry::Usage { usage, span: UsageSpan::Run, model: main_model(stats) }];
    let done = text(event, &["status"]) == Some("success");
    if !done && let Some(words) = text(event, &["error", "message"]) {
        let problem = Problem::of(None, words);
        all.push(StreamEntry::Error { problem, message: plain_error(words), weight: ErrorWeight::Final });
    }
    let outcome = if done { ClaimedEnd::Done } else { ClaimedEnd::Failed };
    all.push(StreamEntry::End { outcome, said: None, structured: None });
    all
}

/// The model that wrote most.
fn main_model(stats: &Value) -> Option<String> {
    let models = at(stats, &["models"])?.as_object()?;
    let written = |v: &Value| number(v, &["output_tokens"]);
    models
        .iter()
        .filter(|(_, v)| written(v) > 0)
        .max_by_key(|(_, v)| written(v))
        .map(|(name, _)| name.clone())
}

#[cfg(test)]
mod tests;
