//! Tests of `stream/codex`.

use serde_json::json;

use super::*;

fn error_of(line: &Value) -> (Problem, String, ErrorWeight) {
    match entries(line).into_iter().next() {
        Some(StreamEntry::Error { problem, message, weight }) => (problem, message, weight),
        other => panic!("{other:?}"),
    }
}

#[test]
fn threads_and_turns_become_sessions_and_ends() {
    let table = [
        (
            json!({"type": "thread.started", "thread_id": "t1"}),
            vec![StreamEntry::Session { id: "t1".into(), model: None }],
        ),
        (json!({"type": "turn.started"}), vec![StreamEntry::Working]),
        (json!({"type": "thread.started"}), vec![]),
        (json!({"type": "item.updated", "item": {"type": "agent_message"}}), vec![]),
        (json!({"type": "unknown"}), vec![]),
    ];
    for (line, wanted) in table {
        assert_eq!(entries(&line), wanted, "{line}");
    }
    let line = json!({"type": "turn.completed",
        "usage": {"input_tokens": 9, "cached_input_tokens": 4, "output_tokens": 2}});
    let usage = Usage { input_tokens: 9, output_tokens: 2, cache_read_tokens: 4, ..Usage::default() };
    assert_eq!(
        entries(&line),
        [
            StreamEntry::Usage { usage, span: UsageSpan::Conversation, model: None },
            StreamEntry::End { outcome: ClaimedEnd::Done, said: None, structured: None },
        ]
    );
}

#[test]
fn items_are_messages_tools_and_files() {
    let started = |item: Value| entries(&json!({"type": "item.started", "item": item}));
    let completed = |item: Value| entries(&json!({"type": "item.completed", "item": item}));
    let tool = |tool: &str, what: &str| StreamEntry::ToolUse { tool: tool.into(), what: what.into() };
    assert_eq!(started(json!({"type": "command_execution", "command": "ls\nx"})), [tool("shell", "ls")]);
    assert_eq!(started(json!({"type": "mcp_tool_call", "server": "s", "tool": "t"})), [tool("mcp s", "t")]);
    assert_eq!(started(json!({"type": "web_search", "query": "q"})), [tool("web search", "q")]);
    assert_eq!(started(json!({"type": "reasoning"})), []);
    assert_eq!(
        completed(json!({"type": "agent_message", "text": "done"})),
        [StreamEntry::Message { text: "done".into(), part: MessagePart::Whole }]
    );
    assert_eq!(
        completed(json!({"type": "file_change", "changes": [{"path": "a"}, {"kind": "odd"}, {"path": "b"}]})),
        [StreamEntry::FileChange { path: "a".into() }, StreamEntry::FileChange { path: "b".into() }]
    );
}

#[test]
fn a_tool_ends_well_badly_or_not_at_all() {
    let completed = |item: Value| entries(&json!({"type": "item.completed", "item": item}));
    let command = |status: &str, output: &str| {
        json!({"type": "command_execution", "id": "i1", "command": "make", "status": status,
            "aggregated_output": output})
    };
    assert_eq!(completed(command("completed", "ok")), [StreamEntry::ToolOver]);
    assert_eq!(completed(command("failed", "a\nlast\n")), [StreamEntry::ToolFailed { what: "last".into() }]);
    assert_eq!(completed(command("failed", " ")), [StreamEntry::ToolFailed { what: "make".into() }]);
    let denied = |what: &str| StreamEntry::Denied { call: "i1".into(), what: what.into() };
    assert_eq!(completed(command("declined", "")), [denied("make")]);
    assert_eq!(completed(command("failed", "it requires approval")), [denied("it requires approval")]);
}

#[test]
fn errors_are_read_through_their_wrapping() {
    let line =
        json!({"type": "error", "message": "Reconnecting... 1/5 (unexpected status 401 Unauthorized)"});
    let (problem, message, weight) = error_of(&line);
    assert_eq!((problem, weight), (Problem::Login, ErrorWeight::Passing));
    assert_eq!(message, "unexpected status 401 Unauthorized");
    let line = json!({"type": "turn.failed", "error": {"message": "stream disconnected"}});
    assert_eq!(error_of(&line).0, Problem::Cut);
    assert!(matches!(
        entries(&line)[1],
        StreamEntry::End { outcome: ClaimedEnd::Failed, said: None, structured: None }
    ));
    let line = json!({"type": "item.completed", "item": {"type": "error", "message": "deprecated option"}});
    assert_eq!(error_of(&line).2, ErrorWeight::Warning);
}
