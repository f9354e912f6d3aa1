//! Tests of `stream/acp`.

use serde_json::json;

use super::*;
use crate::agent::stream::StreamSummary;

fn told(events: &[Value]) -> StreamSummary {
    let mut told = StreamSummary::default();
    for event in events {
        assert!(is_acp(event));
        for entry in entries(event) {
            told.take(entry);
        }
    }
    told
}

fn update(update: &Value) -> Value {
    json!({ "acp": "update", "update": update })
}

#[test]
fn a_turn_is_read_from_its_session_to_its_end() {
    let told = told(&[
        json!({ "acp": "session", "id": "s-1", "model": "m" }),
        update(
            &json!({ "sessionUpdate": "tool_call", "toolCallId": "c", "title": "Write a.sh", "kind": "edit", "rawInput": {} }),
        ),
        update(&json!({ "sessionUpdate": "tool_call_update", "toolCallId": "c", "status": "completed",
            "content": [{ "type": "diff", "path": "/w/a.sh", "newText": "x" }] })),
        update(
            &json!({ "sessionUpdate": "agent_message_chunk", "content": { "type": "text", "text": "Do" } }),
        ),
        update(
            &json!({ "sessionUpdate": "agent_message_chunk", "content": { "type": "text", "text": "ne." } }),
        ),
        json!({ "acp": "end", "result": { "stopReason": "end_turn",
            "usage": { "inputTokens": 2000, "outputTokens": 100, "cachedReadTokens": 400 } } }),
    ]);
    assert_eq!((told.session.as_deref(), told.model.as_deref()), (Some("s-1"), Some("m")));
    assert_eq!((told.said.as_deref(), told.end, told.tools), (Some("Done."), Some(ClaimedEnd::Done), 1));
    assert_eq!(
        (told.usage.input_tokens, told.usage.output_tokens, told.usage.cache_read_tokens),
        (2400, 100, 400)
    );
}

#[test]
fn an_end_that_is_none_is_a_failure_by_its_reason() {
    let why = |event: Value| told(&[event]).failure.map(|(problem, _)| problem);
    let stop = |reason: &str| json!({ "acp": "end", "result": { "stopReason": reason } });
    assert_eq!(why(stop("end_turn")), None);
    assert_eq!(why(stop("max_tokens")), Some(Problem::TurnLimit));
    assert_eq!(why(stop("refusal")), Some(Problem::Declined));
    assert_eq!(why(stop("because")), Some(Problem::Other));
    assert_eq!(
        why(json!({ "acp": "error", "code": -32000, "message": "Authentication required" })),
        Some(Problem::Login)
    );
    let limited =
        why(json!({ "acp": "error", "code": -32603, "message": "Internal error: 429 Too Many Requests" }));
    assert!(matches!(limited, Some(Problem::RateLimit { .. })), "{limited:?}");
    assert_eq!(
        why(json!({ "acp": "gone", "message": "the agent ended: exit status: 1" })),
        Some(Problem::Other)
    );
    assert_eq!(
        told(&[json!({ "acp": "denied", "call": 3, "what": "fs/write_text_file: no" })]).denied.len(),
        1
    );
}
