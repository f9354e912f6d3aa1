//! Claude Code's `--output-format stream-json`: `system`, `assistant`, `user`, and one `result` at the end.
//!
//! A failed request ends as `subtype: "success"` with `is_error: true`: only the error fields are believed.

use serde_json::Value;
use windlass_core::event::Usage;

use super::entry::{ClaimedEnd, ErrorWeight, MessagePart, StreamEntry, UsageSpan};
use super::json_text::{argument, at, file, is_true, items, line, message, number, text};
use super::problem::Problem;

/// Whether a stream begins with this event.
pub(in crate::agent) fn begins(event: &Value) -> bool {
    let has = |key: &str| event.get(key).is_some();
    match event.get("type").and_then(Value::as_str) {
        Some("system") => has("session_id") && !has("qwen_code_version"),
        Some("result") => has("session_id") && has("modelUsage"),
        Some(_) | None => false,
    }
}

/// What a line tells.
pub(in crate::agent) fn entries(event: &Value) -> Vec<StreamEntry> {
    match text(event, &["type"]) {
        Some("system") => system(event),
        Some("assistant") => assistant(event),
        Some("user") => user(event),
        Some("result") => result(event),
        _ => Vec::new(),
    }
}

fn system(event: &Value) -> Vec<StreamEntry> {
    match text(event, &["subtype"]) {
        Some("init") => session(event),
        Some("api_retry") => vec![retry(event)],
        Some("permission_denied") => {
            let tool = text(event, &["tool_name"]).unwrap_or("a tool");
            let call = text(event, &["tool_use_id"]).unwrap_or_default().to_owned();
            vec![StreamEntry::Denied { call, what: tool.to_owned() }]
        }
        _ => Vec::new(),
    }
}

/// The session of an `init` event.
pub(super) fn session(event: &Value) -> Vec<StreamEntry> {
    let model = text(event, &["model"]).map(str::to_owned);
    let id = text(event, &["session_id"]);
    id.map(|id| vec![StreamEntry::Session { id: id.to_owned(), model }, StreamEntry::Working])
        .unwrap_or_default()
}

/// The seconds that the provider asks to wait. Its `Retry-After` is whole seconds; what the program makes up itself is not,
/// and says something only when it is long.
fn waiting(millis: u64) -> Option<u64> {
    const LONG: u64 = 20_000;
    (millis > LONG || millis > 0 && millis.is_multiple_of(1000)).then(|| millis.div_ceil(1000))
}

fn retry(event: &Value) -> StreamEntry {
    let words = text(event, &["error"]).unwrap_or("an error");
    let status = at(event, &["error_status"]).and_then(Value::as_u64);
    let mut problem = Problem::of(status, words);
    if status.is_none() && problem == Problem::Other {
        // A retry without a status follows a connection that failed.
        problem = Problem::Unreachable;
    }
    if let Problem::RateLimit { retry_after, resets_at } = &mut problem {
        (*retry_after, *resets_at) = (waiting(number(event, &["retry_delay_ms"])), None);
    }
    let message = match status {
        Some(status) => format!("{words} ({status})"),
        None => words.to_owned(),
    };
    StreamEntry::Error { problem, message, weight: ErrorWeight::Passing }
}

/// What the model said and which tools it wants.
pub(super) fn assistant(event: &Value) -> Vec<StreamEntry> {
    let said = at(event, &["message"]).unwrap_or(&Value::Null);
    if is_true(event, &["is_api_error_message"]) {
        let words = items(said, &["content"]).iter().find_map(|c| text(c, &["text"])).unwrap_or_default();
        let status = at(event, &["api_error_status"]).and_then(Value::as_u64);
        let problem = Problem::of(status, words);
        return vec![StreamEntry::Error { problem, message: line(words), weight: ErrorWeight::Passing }];
    }
    let mut all: Vec<StreamEntry> = items(said, &["content"]).iter().flat_map(content).collect();
    let tokens = claude_tokens(at(said, &["usage"]).unwrap_or(&Value::Null));
    if tokens != Usage::default() {
        let span = UsageSpan::Step(text(said, &["id"]).unwrap_or_default().to_owned());
        let model = text(said, &["model"]).map(str::to_owned);
        all.push(StreamEntry::Usage { usage: tokens, span, model });
    }
    all
}

fn content(block: &Value) -> Vec<StreamEntry> {
    match text(block, &["type"]) {
        Some("text") => {
            let said = text(block, &["text"]).unwrap_or_default();
            vec![StreamEntry::Message { text: message(said), part: MessagePart::Whole }]
        }
        Some("tool_use") => {
            let input = at(block, &["input"]).unwrap_or(&Value::Null);
            let tool = text(block, &["name"]).unwrap_or("a tool").to_owned();
            vec![StreamEntry::ToolUse { tool, what: argument(input) }]
        }
        _ => Vec::new(),
    }
}

/// What became of the tools.
fn user(event: &Value) -> Vec<StreamEntry> {
    let mut all: Vec<StreamEntry> = failed_tools(event);
    let outcome = at(event, &["tool_use_result"]).unwrap_or(&Value::Null);
    if at(outcome, &["structuredPatch"]).is_some()
        && let Some(path) = file(outcome)
    {
        all.push(StreamEntry::FileChange { path });
    }
    over_unless(all, event)
}

/// What was read of a tool's result; its mere end where nothing was.
pub(super) fn over_unless(all: Vec<StreamEntry>, event: &Value) -> Vec<StreamEntry> {
    let is_result = |c: &Value| text(c, &["type"]) == Some("tool_result");
    if all.is_empty() && items(event, &["message", "content"]).iter().any(is_result) {
        return vec![StreamEntry::ToolOver];
    }
    all
}

/// The tools of a `user` event that did not work.
pub(super) fn failed_tools(event: &Value) -> Vec<StreamEntry> {
    let results = items(event, &["message", "content"]).iter();
    let failed = results.filter(|c| is_true(c, &["is_error"]));
    failed.map(|c| StreamEntry::ToolFailed { what: line(&plain(at(c, &["content"]))) }).collect()
}

/// The text of a content, which is a string or a list of blocks.
fn plain(content: Option<&Value>) -> String {
    match content {
        Some(Value::String(text)) => text.clone(),
        Some(Value::Array(blocks)) => blocks.iter().filter_map(|b| text(b, &["text"])).collect(),
        _ => String::new(),
    }
}

fn result(event: &Value) -> Vec<StreamEntry> {
    let mut all = denials(event);
    all.extend(
        text(event, &["session_id"]).map(|id| StreamEntry::Session { id: id.to_owned(), model: None }),
    );
    let (usage, span) = used(event);
    all.push(StreamEntry::Usage { usage, span, model: main_model(event) });
    let declined = text(event, &["stop_reason"]) == Some("refusal");
    let failed = is_true(event, &["is_error"]) || declined;
    if failed {
        all.push(failure(event));
    }
    all.push(StreamEntry::End {
        outcome: if failed { ClaimedEnd::Failed } else { ClaimedEnd::Done },
        said: text(event, &["result"]).map(message),
        structured: at(event, &["structured_output"]).cloned(),
    });
    all
}

/// What it was not allowed to do, as the result lists it.
pub(super) fn denials(event: &Value) -> Vec<StreamEntry> {
    let denied = |d: &Value| {
        let tool = text(d, &["tool_name"]).unwrap_or("a tool");
        let what = argument(at(d, &["tool_input"]).unwrap_or(&Value::Null));
        let call = text(d, &["tool_use_id"]).unwrap_or_default().to_owned();
        StreamEntry::Denied { call, what: format!("{tool} {what}").trim_end().to_owned() }
    };
    items(event, &["permission_denials"]).iter().map(denied).collect()
}

fn failure(event: &Value) -> StreamEntry {
    let words = text(event, &["result"])
        .map(str::to_owned)
        .filter(|w| !w.is_empty())
        .or_else(|| items(event, &["errors"]).iter().find_map(|e| e.as_str().map(str::to_owned)))
        .or_else(|| text(event, &["terminal_reason"]).map(str::to_owned))
        .unwrap_or_else(|| "it gave no reason".into());
    let status = at(event, &["api_error_status"]).and_then(Value::as_u64);
    let problem = match (text(event, &["subtype"]), text(event, &["terminal_reason"])) {
        _ if text(event, &["stop_reason"]) == Some("refusal") => Problem::Declined,
        (Some("error_max_turns"), _) | (_, Some("max_turns")) => Problem::TurnLimit,
        (Some("error_max_budget_usd"), _) | (_, Some("budget_exhausted")) => Problem::MoneyLimit,
        (_, Some("aborted_streaming" | "aborted_tools")) => Problem::Stopped,
        _ => Problem::of(status, &words),
    };
    StreamEntry::Error { problem, message: line(&words), weight: ErrorWeight::Final }
}

/// What was used. The sums over models count what the money counts, which `usage` does not always; but `modelUsage` and
/// `total_cost_usd` go on from what a continued conversation had.
fn used(event: &Value) -> (Usage, UsageSpan) {
    if let Some(since) = at(event, &["model_usage_since_last_result"]) {
        let mut usage = sum(since);
        let costs = since.as_object().into_iter().flat_map(|m| m.values());
        // Not a sum: that of nothing is below zero.
        usage.cost_usd = Some(costs.filter_map(|m| at(m, &["costUSD"])?.as_f64()).fold(0.0, |a, b| a + b));
        return (usage, UsageSpan::Run);
    }
    let mut usage = at(event, &["modelUsage"]).map(sum).unwrap_or_default();
    if usage == Usage::default() {
        usage = claude_tokens(at(event, &["usage"]).unwrap_or(&Value::Null));
    }
    usage.cost_usd = at(event, &["total_cost_usd"]).and_then(Value::as_f64);
    (usage, UsageSpan::Conversation)
}

/// Tokens of all models.
fn sum(models: &Value) -> Usage {
    let mut usage = Usage::default();
    for tokens in models.as_object().into_iter().flat_map(|m| m.values()) {
        let (read, written) =
            (number(tokens, &["cacheReadInputTokens"]), number(tokens, &["cacheCreationInputTokens"]));
        usage.add(&Usage {
            input_tokens: number(tokens, &["inputTokens"]) + read + written,
            output_tokens: number(tokens, &["outputTokens"]),
            cache_read_tokens: read,
            cache_write_tokens: written,
            cost_usd: None,
        });
    }
    usage
}

/// The model that wrote most.
fn main_model(event: &Value) -> Option<String> {
    let models = at(event, &["modelUsage"])?.as_object()?;
    let written = |v: &Value| number(v, &["outputTokens"]);
    models.iter().max_by_key(|(_, v)| written(v)).map(|(name, _)| name.clone())
}

/// Tokens in the words of the Messages API, where the cached ones are counted apart.
fn claude_tokens(usage: &Value) -> Usage {
    let (read, written) =
        (number(usage, &["cache_read_input_tokens"]), number(usage, &["cache_creation_input_tokens"]));
    Usage {
        input_tokens: number(usage, &["input_tokens"]) + read + written,
        output_tokens: number(usage, &["output_tokens"]),
        cache_read_tokens: read,
        cache_write_tokens: written,
        cost_usd: None,
    }
}

#[cfg(test)]
mod tests;
