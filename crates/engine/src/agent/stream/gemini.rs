//! Gemini CLI's `-o stream-json`: `init`, `message`, `tool_use`, `tool_result`, `error`, and a `result` with a status.

use serde_json::Value;
use windlass_core::event::Usage;

use super::entry::{Entry, Outcome, Part, Span, Weight};
use super::problem::Problem;
use super::words::{argument, at, file, is_true, line, message, number, plain_error, text};

/// What a line tells.
pub(super) fn entries(event: &Value) -> Vec<Entry> {
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

fn said(event: &Value) -> Vec<Entry> {
    if text(event, &["role"]) != Some("assistant") {
        return Vec::new();
    }
    let part = if is_true(event, &["delta"]) { Part::Piece } else { Part::Whole };
    let said = text(event, &["content"]).unwrap_or_default();
    vec![Entry::Message { text: message(said), part }]
}

fn tool(event: &Value) -> Vec<Entry> {
    let input = at(event, &["parameters"]).unwrap_or(&Value::Null);
    let tool = text(event, &["tool_name"]).unwrap_or("a tool").to_owned();
    let writes = matches!(tool.as_str(), "write_file" | "replace" | "edit");
    let mut all = vec![Entry::ToolUse { tool, what: argument(input) }];
    if let Some(path) = file(input).filter(|_| writes) {
        all.push(Entry::FileChange { path });
    }
    all
}

fn outcome(event: &Value) -> Vec<Entry> {
    if text(event, &["status"]) != Some("error") {
        return Vec::new();
    }
    let words = text(event, &["error", "message"]).or(text(event, &["output"])).unwrap_or("it did not work");
    if words.contains("denied by policy") || words.contains("not allowed") {
        let call = text(event, &["tool_id"]).unwrap_or_default().to_owned();
        return vec![Entry::Denied { call, what: line(words) }];
    }
    vec![Entry::ToolFailed { what: line(words) }]
}

fn problem(event: &Value) -> Vec<Entry> {
    let words = text(event, &["message"]).unwrap_or("an error");
    let weight = match text(event, &["severity"]) {
        Some("warning") => Weight::Warning,
        _ => Weight::Passing,
    };
    vec![Entry::Error { problem: Problem::of(None, words), message: line(words), weight }]
}

fn result(event: &Value) -> Vec<Entry> {
    let stats = at(event, &["stats"]).unwrap_or(&Value::Null);
    let usage = Usage {
        input_tokens: number(stats, &["input_tokens"]),
        output_tokens: number(stats, &["output_tokens"]),
        cache_read_tokens: number(stats, &["cached"]),
        ..Usage::default()
    };
    let mut all = vec![Entry::Usage { usage, span: Span::Run, model: main_model(stats) }];
    let done = text(event, &["status"]) == Some("success");
    if !done && let Some(words) = text(event, &["error", "message"]) {
        let problem = Problem::of(None, words);
        all.push(Entry::Error { problem, message: plain_error(words), weight: Weight::Final });
    }
    let outcome = if done { Outcome::Done } else { Outcome::Failed };
    all.push(Entry::End { outcome, said: None, structured: None });
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
