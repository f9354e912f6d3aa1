//! Codex's `exec --json`: a thread, turns, items; `turn.completed` or `turn.failed` at the end.
//!
//! Usage counts the whole thread, so a turn that resumes or forks one must subtract. Cost and model are not reported.

use serde_json::Value;
use windlass_core::event::Usage;

use super::entry::{ClaimedEnd, ErrorWeight, MessagePart, StreamEntry, UsageSpan};
use super::json_text::{at, items, line, message, number, plain_error, text};
use super::problem::Problem;

/// Whether a stream begins with this event.
pub(in crate::agent) fn begins(event: &Value) -> bool {
    event.get("type").is_some_and(|kind| kind == "thread.started")
}

/// What a line tells.
pub(in crate::agent) fn entries(event: &Value) -> Vec<StreamEntry> {
    match text(event, &["type"]) {
        Some("thread.started") => {
            let id = text(event, &["thread_id"]);
            id.map(|id| vec![StreamEntry::Session { id: id.to_owned(), model: None }]).unwrap_or_default()
        }
        Some("turn.started") => vec![StreamEntry::Working],
        Some("item.started") => at(event, &["item"]).map(started).unwrap_or_default(),
        Some("item.completed") => at(event, &["item"]).map(completed).unwrap_or_default(),
        Some("error") => {
            let words = text(event, &["message"]).unwrap_or("an error");
            vec![error(words, ErrorWeight::Passing)]
        }
        Some("turn.completed") => finished(event),
        Some("turn.failed") => {
            let words = text(event, &["error", "message"]).unwrap_or("it gave no reason");
            let end = StreamEntry::End { outcome: ClaimedEnd::Failed, said: None, structured: None };
            vec![error(words, ErrorWeight::Final), end]
        }
        _ => Vec::new(),
    }
}

fn error(words: &str, weight: ErrorWeight) -> StreamEntry {
    // `Reconnecting... 1/1 (why)`
    let why = words.strip_prefix("Reconnecting").and_then(|w| w.split_once('(')?.1.strip_suffix(')'));
    let words = why.unwrap_or(words);
    StreamEntry::Error { problem: Problem::of(None, words), message: plain_error(words), weight }
}

fn started(item: &Value) -> Vec<StreamEntry> {
    let (tool, what) = match text(item, &["type"]) {
        Some("command_execution") => ("shell".to_owned(), text(item, &["command"]).unwrap_or_default()),
        Some("mcp_tool_call") => {
            let server = text(item, &["server"]).unwrap_or_default();
            (format!("mcp {server}"), text(item, &["tool"]).unwrap_or_default())
        }
        Some("web_search") => ("web search".to_owned(), text(item, &["query"]).unwrap_or_default()),
        _ => return Vec::new(),
    };
    vec![StreamEntry::ToolUse { tool, what: line(what) }]
}

fn completed(item: &Value) -> Vec<StreamEntry> {
    match text(item, &["type"]) {
        Some("agent_message") => {
            let said = text(item, &["text"]).unwrap_or_default();
            vec![StreamEntry::Message { text: message(said), part: MessagePart::Whole }]
        }
        Some("file_change") => items(item, &["changes"])
            .iter()
            .filter_map(|c| Some(StreamEntry::FileChange { path: text(c, &["path"])?.to_owned() }))
            .collect(),
        Some("command_execution" | "mcp_tool_call") => {
            vec![tool_over(item).unwrap_or(StreamEntry::ToolOver)]
        }
        Some("error") => {
            vec![error(text(item, &["message"]).unwrap_or("a warning"), ErrorWeight::Warning)]
        }
        _ => Vec::new(),
    }
}

fn tool_over(item: &Value) -> Option<StreamEntry> {
    let words = text(item, &["error", "message"])
        .or_else(|| text(item, &["aggregated_output"]).filter(|o| !o.trim().is_empty()));
    let what = || {
        let tool = text(item, &["command"]).or(text(item, &["tool"])).unwrap_or("a tool");
        words.map_or_else(|| line(tool), |w| line(&last_line(w)))
    };
    let refused = words.is_some_and(|w| w.contains("requires approval"));
    match text(item, &["status"]) {
        Some("failed") if refused => Some(denied(item, what())),
        Some("declined") => Some(denied(item, what())),
        Some("failed") => Some(StreamEntry::ToolFailed { what: what() }),
        _ => None,
    }
}

fn last_line(words: &str) -> String {
    words.lines().rev().find(|l| !l.trim().is_empty()).unwrap_or_default().to_owned()
}

fn denied(item: &Value, what: String) -> StreamEntry {
    StreamEntry::Denied { call: text(item, &["id"]).unwrap_or_default().to_owned(), what }
}

fn finished(event: &Value) -> Vec<StreamEntry> {
    let usage = at(event, &["usage"]).unwrap_or(&Value::Null);
    let usage = Usage {
        input_tokens: number(usage, &["input_tokens"]),
        output_tokens: number(usage, &["output_tokens"]),
        cache_read_tokens: number(usage, &["cached_input_tokens"]),
        cache_write_tokens: number(usage, &["cache_write_input_tokens"]),
        cost_usd: None,
    };
    vec![
        StreamEntry::Usage { usage, span: UsageSpan::Conversation, model: None },
        StreamEntry::End { outcome: ClaimedEnd::Done, said: None, structured: None },
    ]
}

#[cfg(test)]
mod tests;
