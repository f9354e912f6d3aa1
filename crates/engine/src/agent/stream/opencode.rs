//! opencode's `run --format json`: steps with tools and text. Nothing says that it is over: a step that ended with
//! `stop` was the last one if no other follows.

use serde_json::Value;
use windlass_core::event::Usage;

use super::entry::{ClaimedEnd, ErrorWeight, MessagePart, StreamEntry, UsageSpan};
use super::json_text::{argument, at, file, line, message, number, text};
use super::problem::Problem;

/// Whether a stream begins with this event.
pub(in crate::agent) fn begins(event: &Value) -> bool {
    let kind = event.get("type").and_then(Value::as_str);
    matches!(kind, Some("step_start" | "error")) && event.get("sessionID").is_some()
}

/// What a line tells.
pub(in crate::agent) fn entries(event: &Value) -> Vec<StreamEntry> {
    let part = at(event, &["part"]).unwrap_or(&Value::Null);
    match text(event, &["type"]) {
        Some("step_start") => {
            let id = text(event, &["sessionID"]).map(str::to_owned);
            let session = id.map(|id| StreamEntry::Session { id, model: None });
            session.into_iter().chain([StreamEntry::Working]).collect()
        }
        Some("text") => {
            let said = text(part, &["text"]).unwrap_or_default();
            vec![StreamEntry::Message { text: message(said), part: MessagePart::Whole }]
        }
        Some("tool_use") => tool(part),
        Some("step_finish") => step_over(part),
        Some("error") => failed(event),
        _ => Vec::new(),
    }
}

fn tool(part: &Value) -> Vec<StreamEntry> {
    let state = at(part, &["state"]).unwrap_or(&Value::Null);
    let input = at(state, &["input"]).unwrap_or(&Value::Null);
    let tool = text(part, &["tool"]).unwrap_or("a tool").to_owned();
    let writes = matches!(tool.as_str(), "write" | "edit" | "patch" | "multiedit");
    let what = argument(input);
    let mut all = vec![StreamEntry::ToolUse { tool: tool.clone(), what: what.clone() }];
    if text(state, &["status"]) != Some("error") {
        let path = file(at(state, &["metadata"]).unwrap_or(&Value::Null)).or_else(|| file(input));
        // A tool is told when it has ended.
        let over = path.filter(|_| writes).map(|path| StreamEntry::FileChange { path });
        all.push(over.unwrap_or(StreamEntry::ToolOver));
        return all;
    }
    let words = text(state, &["error"]).unwrap_or("it did not work");
    if words.contains("rejected permission") || words.contains("prevents you from using") {
        let call = text(part, &["callID"]).unwrap_or_default().to_owned();
        all.push(StreamEntry::Denied { call, what: format!("{tool} {what}") });
    } else {
        all.push(StreamEntry::ToolFailed { what: line(words) });
    }
    all
}

fn step_over(part: &Value) -> Vec<StreamEntry> {
    let usage = tokens(part);
    let empty = usage.tokens() == 0;
    let span = UsageSpan::Step(text(part, &["id"]).unwrap_or_default().to_owned());
    let mut all = vec![StreamEntry::Usage { usage, span, model: None }];
    let reason = text(part, &["reason"]).unwrap_or_default();
    match reason {
        "stop" => all.push(StreamEntry::End { outcome: ClaimedEnd::Done, said: None, structured: None }),
        "tool-calls" => {}
        "content-filter" => {
            let message = "the model declined".into();
            all.push(StreamEntry::Error { problem: Problem::Declined, message, weight: ErrorWeight::Final });
            all.push(StreamEntry::End { outcome: ClaimedEnd::Failed, said: None, structured: None });
        }
        // An answer that broke off is asked for again, without end.
        "unknown" | "other" if empty => all.push(StreamEntry::Error {
            problem: Problem::Cut,
            message: "the model's answer broke off".into(),
            weight: ErrorWeight::Passing,
        }),
        _ => {
            let message = format!("the model stopped early: {reason}");
            all.push(StreamEntry::Error { problem: Problem::Cut, message, weight: ErrorWeight::Final });
            all.push(StreamEntry::End { outcome: ClaimedEnd::Failed, said: None, structured: None });
        }
    }
    all
}

/// Tokens of a step. The cached ones are counted apart, and thinking as well.
fn tokens(part: &Value) -> Usage {
    let read = number(part, &["tokens", "cache", "read"]);
    let written = number(part, &["tokens", "cache", "write"]);
    Usage {
        input_tokens: number(part, &["tokens", "input"]) + read + written,
        output_tokens: number(part, &["tokens", "output"]) + number(part, &["tokens", "reasoning"]),
        cache_read_tokens: read,
        cache_write_tokens: written,
        cost_usd: at(part, &["cost"]).and_then(Value::as_f64),
    }
}

fn failed(event: &Value) -> Vec<StreamEntry> {
    let error = at(event, &["error"]).unwrap_or(&Value::Null);
    let words = text(error, &["data", "message"]).or(text(error, &["name"])).unwrap_or("it gave no reason");
    let status = at(error, &["data", "statusCode"]).and_then(Value::as_u64);
    let mut problem = Problem::of(status, words);
    let told = text(error, &["data", "responseHeaders", "retry-after"]).and_then(|w| w.trim().parse().ok());
    if let (Problem::RateLimit { retry_after, .. }, Some(told)) = (&mut problem, told) {
        *retry_after = Some(told);
    }
    let session =
        text(event, &["sessionID"]).map(|id| StreamEntry::Session { id: id.to_owned(), model: None });
    let error = StreamEntry::Error { problem, message: line(words), weight: ErrorWeight::Final };
    let end = StreamEntry::End { outcome: ClaimedEnd::Failed, said: None, structured: None };
    session.into_iter().chain([error, end]).collect()
}

#[cfg(test)]
mod tests;
