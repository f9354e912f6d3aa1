//! Tests of `stream/gemini`.

use serde_json::json;

use super::*;

#[test]
fn messages_are_pieces_or_whole_and_only_the_agent_counts() {
    let line =
        |role: &str, delta: bool| json!({"type": "message", "role": role, "content": "hi", "delta": delta});
    let said = |part| [StreamEntry::Message { text: "hi".into(), part }];
    assert_eq!(entries(&line("assistant", true)), said(MessagePart::Piece));
    assert_eq!(entries(&line("assistant", false)), said(MessagePart::Whole));
    assert_eq!(entries(&line("user", false)), []);
}

#[test]
fn tools_that_write_change_a_file() {
    let line =
        |tool: &str| json!({"type": "tool_use", "tool_name": tool, "parameters": {"file_path": "a.py"}});
    for (tool, count) in [("write_file", 2), ("replace", 2), ("edit", 2), ("read_file", 1)] {
        assert_eq!(entries(&line(tool)).len(), count, "{tool}");
    }
    assert_eq!(entries(&line("edit"))[1], StreamEntry::FileChange { path: "a.py".into() });
}

#[test]
fn a_failed_tool_is_denied_or_broken() {
    let line = |words: &str| json!({"type": "tool_result", "status": "error", "tool_id": "t", "error": {"message": words}});
    let broken = StreamEntry::ToolFailed { what: "no such file".into() };
    assert_eq!(entries(&line("no such file")), [broken]);
    for words in ["Tool denied by policy", "this is not allowed"] {
        assert_eq!(entries(&line(words)), [StreamEntry::Denied { call: "t".into(), what: words.into() }]);
    }
    assert_eq!(entries(&json!({"type": "tool_result", "status": "success"})), [StreamEntry::ToolOver]);
}

#[test]
fn the_status_of_a_result_decides() {
    let line = json!({"type": "result", "status": "success", "stats": {"input_tokens": 8, "output_tokens": 3,
        "cached": 2, "models": {"small": {"output_tokens": 1}, "big": {"output_tokens": 2}, "none": {"output_tokens": 0}}}});
    let usage = Usage { input_tokens: 8, output_tokens: 3, cache_read_tokens: 2, ..Usage::default() };
    assert_eq!(
        entries(&line),
        [
            StreamEntry::Usage { usage, span: UsageSpan::Run, model: Some("big".into()) },
            StreamEntry::End { outcome: ClaimedEnd::Done, said: None, structured: None },
        ]
    );
    let failed = json!({"type": "result", "status": "error", "error": {"message": "[API Error: 429 quota]"}});
    let all = entries(&failed);
    assert!(matches!(
        all[1],
        StreamEntry::Error { problem: Problem::RateLimit { .. }, weight: ErrorWeight::Final, .. }
    ));
    assert!(matches!(all[2], StreamEntry::End { outcome: ClaimedEnd::Failed, .. }));
}

#[test]
fn warnings_are_told_apart_from_errors() {
    for (severity, wanted) in [("warning", ErrorWeight::Warning), ("error", ErrorWeight::Passing)] {
        let line = json!({"type": "error", "severity": severity, "message": "m"});
        assert!(matches!(entries(&line)[0], StreamEntry::Error { weight, .. } if weight == wanted));
    }
}
