//! Tests of `stream/opencode`.

use serde_json::json;

use super::*;

fn finish(reason: &str, tokens: u64) -> Vec<StreamEntry> {
    let part = json!({"id": "p", "reason": reason, "tokens": {"input": tokens, "output": 0}});
    entries(&json!({"type": "step_finish", "part": part}))
}

#[test]
fn the_reason_of_a_step_decides_whether_it_was_the_last() {
    let kinds = |all: &[StreamEntry]| {
        all.iter()
            .map(|entry| match entry {
                StreamEntry::Usage { .. } => "usage",
                StreamEntry::End { outcome: ClaimedEnd::Done, .. } => "done",
                StreamEntry::End { outcome: ClaimedEnd::Failed, .. } => "failed",
                StreamEntry::Error { weight: ErrorWeight::Passing, .. } => "retry",
                StreamEntry::Error { weight: ErrorWeight::Final, .. } => "error",
                other => panic!("{other:?}"),
            })
            .collect::<Vec<_>>()
            .join(" ")
    };
    let table = [
        ("stop", 1, "usage done"),
        ("tool-calls", 1, "usage"),
        ("unknown", 0, "usage retry"),
        ("other", 0, "usage retry"),
        ("unknown", 5, "usage error failed"),
        ("length", 5, "usage error failed"),
    ];
    for (reason, tokens, wanted) in table {
        assert_eq!(kinds(&finish(reason, tokens)), wanted, "{reason} {tokens}");
    }
}

#[test]
fn tokens_include_the_cache_and_thinking() {
    let part = json!({"cost": 0.25, "tokens": {"input": 1, "output": 2, "reasoning": 3,
        "cache": {"read": 10, "write": 20}}});
    let usage = tokens(&part);
    assert_eq!((usage.input_tokens, usage.output_tokens), (31, 5));
    assert_eq!((usage.cache_read_tokens, usage.cache_write_tokens, usage.cost_usd), (10, 20, Some(0.25)));
}

#[test]
fn tools_write_fail_or_are_denied() {
    let line = |tool: &str, state: Value| {
        entries(&json!({"type": "tool_use", "part": {"tool": tool, "callID": "c", "state": state}}))
    };
    let input = json!({"filePath": "a.py"});
    let written = line("write", json!({"status": "completed", "input": input}));
    assert_eq!(written[1], StreamEntry::FileChange { path: "a.py".into() });
    let read = line("read", json!({"status": "completed", "input": input}));
    assert_eq!(read[1..], [StreamEntry::ToolOver]);
    let failed = line("bash", json!({"status": "error", "input": {"command": "x"}, "error": "not found"}));
    assert_eq!(failed[1], StreamEntry::ToolFailed { what: "not found".into() });
    let denied = line(
        "bash",
        json!({"status": "error", "input": {"command": "x"},
        "error": "The user rejected permission to use this"}),
    );
    assert_eq!(denied[1], StreamEntry::Denied { call: "c".into(), what: "bash x".into() });
}

#[test]
fn an_error_ends_the_run_and_may_state_a_wait() {
    let line = json!({"type": "error", "sessionID": "s", "error": {"name": "APIError", "data": {
        "message": "slow down", "statusCode": 429, "responseHeaders": {"retry-after": "12"}}}});
    let all = entries(&line);
    assert_eq!(all[0], StreamEntry::Session { id: "s".into(), model: None });
    let limit = Problem::RateLimit { retry_after: Some(12), resets_at: None };
    assert!(matches!(&all[1], StreamEntry::Error { problem, .. } if *problem == limit), "{all:?}");
    assert!(matches!(all[2], StreamEntry::End { outcome: ClaimedEnd::Failed, .. }));
}
