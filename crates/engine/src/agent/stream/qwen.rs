//! Qwen Code's `-o stream-json`: Claude Code's shapes, with differences in what is counted and how it fails.
//!
//! When a limit of its own ends it there is no `result`: its exit code has to tell.

use serde_json::Value;
use windlass_core::event::Usage;

use super::claude::{assistant, denials, failed_tools, over_unless, session};
use super::entry::{ClaimedEnd, ErrorWeight, StreamEntry};
use super::json_text::{at, is_true, items, message, number, plain_error, text};
use super::problem::Problem;

/// Seconds it waits after a rate limit, seen in 0.24.4.
const RATE_LIMIT_WAIT: u64 = 60;

/// Whether a stream begins with this event.
pub(in crate::agent) fn begins(event: &Value) -> bool {
    event.get("type").is_some_and(|kind| kind == "system") && event.get("qwen_code_version").is_some()
}

/// What a line tells.
pub(in crate::agent) fn entries(event: &Value) -> Vec<StreamEntry> {
    match text(event, &["type"]) {
        Some("system") => system(event),
        Some("assistant") => said(event),
        Some("user") => over_unless(failed_tools(event), event),
        Some("result") => result(event),
        _ => Vec::new(),
    }
}

fn system(event: &Value) -> Vec<StreamEntry> {
    match text(event, &["subtype"]) {
        Some("init") => session(event),
        Some("retry") => {
            let reason = text(event, &["data", "reason"]).unwrap_or("retry");
            let wait = number(event, &["data", "delayMs"]) / 1000;
            // It does not say why, but only for a rate limit it waits so long.
            let problem = if wait >= RATE_LIMIT_WAIT {
                Problem::RateLimit { retry_after: Some(wait), resets_at: None }
            } else {
                Problem::of(None, reason)
            };
            vec![StreamEntry::Error {
                problem,
                message: format!("it tries again: {reason}"),
                weight: ErrorWeight::Passing,
            }]
        }
        _ => Vec::new(),
    }
}

/// What the model said. A failed request is told as if the model had said it.
fn said(event: &Value) -> Vec<StreamEntry> {
    let mut all = Vec::new();
    for entry in assistant(event) {
        match entry {
            StreamEntry::Message { text, .. } if text.starts_with("[API Error") => {
                let problem = Problem::of(None, &text);
                all.push(StreamEntry::Error {
                    problem,
                    message: plain_error(&text),
                    weight: ErrorWeight::Passing,
                });
            }
            StreamEntry::Usage { span, model, .. } => {
                let usage = tokens(at(event, &["message", "usage"]).unwrap_or(&Value::Null));
                all.push(StreamEntry::Usage { usage, span, model });
            }
            other => all.push(other),
        }
    }
    all.extend(written_files(event));
    all
}

fn written_files(event: &Value) -> impl Iterator<Item = StreamEntry> {
    let blocks = items(event, &["message", "content"]).iter();
    blocks.filter_map(|block| {
        let writes = matches!(text(block, &["name"]), Some("write_file" | "edit" | "notebook_edit"));
        let path = writes.then(|| at(block, &["input"]).and_then(super::json_text::file)).flatten()?;
        Some(StreamEntry::FileChange { path })
    })
}

fn result(event: &Value) -> Vec<StreamEntry> {
    let mut all = denials(event);
    all.extend(
        text(event, &["session_id"]).map(|id| StreamEntry::Session { id: id.to_owned(), model: None }),
    );
    // Its own total is not taken: in a continued conversation some of what was before is in it twice.
    let failed = is_true(event, &["is_error"]);
    if failed {
        let words =
            text(event, &["error", "message"]).or(text(event, &["result"])).unwrap_or("no reason given");
        let problem = Problem::of(None, words);
        all.push(StreamEntry::Error { problem, message: plain_error(words), weight: ErrorWeight::Final });
    }
    all.push(StreamEntry::End {
        outcome: if failed { ClaimedEnd::Failed } else { ClaimedEnd::Done },
        said: text(event, &["result"]).map(message),
        structured: at(event, &["structured_result"]).cloned(),
    });
    all
}

/// Tokens: the cached ones are counted among those read.
fn tokens(usage: &Value) -> Usage {
    Usage {
        input_tokens: number(usage, &["input_tokens"]),
        output_tokens: number(usage, &["output_tokens"]),
        cache_read_tokens: number(usage, &["cache_read_input_tokens"]),
        ..Usage::default()
    }
}

#[cfg(test)]
mod tests;
