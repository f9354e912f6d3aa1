//! Tests of `stream/claude`.

use serde_json::json;

use super::*;

fn read(line: &Value) -> Vec<StreamEntry> {
    entries(line)
}

#[test]
fn an_init_event_names_session_and_model() {
    let line = json!({"type": "system", "subtype": "init", "session_id": "s1", "model": "m"});
    let session = StreamEntry::Session { id: "s1".into(), model: Some("m".into()) };
    assert_eq!(read(&line), [session, StreamEntry::Working]);
    for other in
        [json!({"type": "system", "subtype": "init"}), json!({"type": "later"}), json!([]), json!(null)]
    {
        assert_eq!(read(&other), [], "{other}");
    }
}

#[test]
fn an_answer_has_text_tools_and_usage() {
    let line = json!({"type": "assistant", "message": {"id": "m1", "model": "big", "content": [
        {"type": "text", "text": "I look."},
        {"type": "tool_use", "name": "Bash", "input": {"command": "ls -l\nrm x"}},
        {"type": "thinking", "thinking": "hm"},
    ], "usage": {"input_tokens": 3, "cache_read_input_tokens": 10, "cache_creation_input_tokens": 2, "output_tokens": 4}}});
    let usage = Usage {
        input_tokens: 15,
        output_tokens: 4,
        cache_read_tokens: 10,
        cache_write_tokens: 2,
        cost_usd: None,
    };
    assert_eq!(
        read(&line),
        [
            StreamEntry::Message { text: "I look.".into(), part: MessagePart::Whole },
            StreamEntry::ToolUse { tool: "Bash".into(), what: "ls -l".into() },
            StreamEntry::Usage { usage, span: UsageSpan::Step("m1".into()), model: Some("big".into()) },
        ]
    );
}

#[test]
fn a_retry_states_the_wait_only_if_the_provider_asked_for_one() {
    let table = [(1000, Some(1)), (20_000, Some(20)), (637, None), (0, None), (38_400, Some(39))];
    for (delay, wanted) in table {
        let line = json!({"type": "system", "subtype": "api_retry", "error": "rate_limit", "error_status": 429,
            "retry_delay_ms": delay});
        let problem = Problem::RateLimit { retry_after: wanted, resets_at: None };
        let message = "rate_limit (429)".to_owned();
        assert_eq!(
            read(&line),
            [StreamEntry::Error { problem, message, weight: ErrorWeight::Passing }],
            "{delay}"
        );
    }
    let line = json!({"type": "system", "subtype": "api_retry", "error": "authentication_failed"});
    assert!(matches!(read(&line)[..], [StreamEntry::Error { problem: Problem::Login, .. }]));
}

#[test]
fn tools_that_failed_and_files_that_changed_are_reported() {
    let failed = json!({"type": "user", "message": {"content": [
        {"type": "tool_result", "is_error": true, "content": [{"type": "text", "text": "no such file\nat all"}]},
        {"type": "tool_result", "is_error": false, "content": "fine"},
    ]}});
    assert_eq!(read(&failed), [StreamEntry::ToolFailed { what: "no such file".into() }]);
    let changed = json!({"type": "user", "tool_use_result": {"filePath": "/w/a.py", "structuredPatch": []}});
    assert_eq!(read(&changed), [StreamEntry::FileChange { path: "/w/a.py".into() }]);
    let looked = json!({"type": "user", "tool_use_result": {"filePath": "/w/a.py"}});
    assert_eq!(read(&looked), [], "reading a file changes nothing");
}

#[test]
fn only_the_error_fields_of_a_result_decide() {
    let end = |line: &Value| match read(line).pop() {
        Some(StreamEntry::End { outcome, said, .. }) => (outcome, said),
        other => panic!("{other:?}"),
    };
    let good =
        json!({"type": "result", "subtype": "success", "is_error": false, "result": "ok", "session_id": "s"});
    assert_eq!(end(&good), (ClaimedEnd::Done, Some("ok".into())));
    let bad = json!({"type": "result", "subtype": "success", "is_error": true, "result": "API Error: 500"});
    assert_eq!(end(&bad).0, ClaimedEnd::Failed);
}

#[test]
fn limits_of_the_program_have_their_own_kind() {
    let problem = |line: Value| {
        let mut errors = read(&line).into_iter().filter_map(|entry| match entry {
            StreamEntry::Error { problem, weight: ErrorWeight::Final, .. } => Some(problem),
            _ => None,
        });
        errors.next()
    };
    let result = |subtype: &str, reason: &str| json!({"type": "result", "subtype": subtype, "is_error": true, "terminal_reason": reason});
    assert_eq!(problem(result("error_max_turns", "")), Some(Problem::TurnLimit));
    assert_eq!(problem(result("", "max_turns")), Some(Problem::TurnLimit));
    assert_eq!(problem(result("error_max_budget_usd", "")), Some(Problem::MoneyLimit));
    assert_eq!(problem(result("", "aborted_tools")), Some(Problem::Stopped));
    assert_eq!(problem(result("error", "odd")), Some(Problem::Other));
}

#[test]
fn usage_since_the_last_result_is_that_of_the_run() {
    let line = json!({"type": "result", "is_error": false, "total_cost_usd": 9.0,
        "modelUsage": {"big": {"inputTokens": 50, "outputTokens": 60}},
        "model_usage_since_last_result": {"big": {"inputTokens": 5, "outputTokens": 6, "costUSD": 0.5}}});
    let (run, span) = used(&line);
    assert_eq!((run.input_tokens, run.output_tokens, run.cost_usd, span), (5, 6, Some(0.5), UsageSpan::Run));
    let older = json!({"modelUsage": {"big": {"inputTokens": 50}, "small": {"inputTokens": 1}}, "total_cost_usd": 2.0});
    let (whole, span) = used(&older);
    assert_eq!((whole.input_tokens, whole.cost_usd, span), (51, Some(2.0), UsageSpan::Conversation));
    let oldest = json!({"usage": {"input_tokens": 7}});
    assert_eq!(used(&oldest).0.input_tokens, 7);
    assert_eq!(main_model(&line).as_deref(), Some("big"));
}
