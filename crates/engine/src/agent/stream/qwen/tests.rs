//! Tests of `stream/qwen`.

use serde_json::json;

use super::*;

#[test]
fn a_failed_request_is_told_as_if_the_model_had_said_it() {
    let line =
        |text: &str| json!({"type": "assistant", "message": {"content": [{"type": "text", "text": text}]}});
    let all = entries(&line("[API Error: 401 no such key]"));
    assert!(matches!(
        &all[..],
        [StreamEntry::Error { problem: Problem::Login, message, weight: ErrorWeight::Passing }]
            if message == "401 no such key"
    ));
    assert!(matches!(&entries(&line("fine"))[..], [StreamEntry::Message { .. }]));
}

#[test]
fn cached_tokens_are_part_of_what_was_read() {
    let line = json!({"type": "assistant", "message": {"id": "m", "content": [],
        "usage": {"input_tokens": 10, "cache_read_input_tokens": 4, "output_tokens": 1}}});
    let [StreamEntry::Usage { usage, .. }] = &entries(&line)[..] else { panic!() };
    assert_eq!((usage.input_tokens, usage.cache_read_tokens), (10, 4));
}

#[test]
fn a_long_wait_is_a_rate_limit() {
    let line = |millis: u64| json!({"type": "system", "subtype": "retry", "data": {"reason": "retry", "delayMs": millis}});
    let problem = |millis| match &entries(&line(millis))[..] {
        [StreamEntry::Error { problem, .. }] => *problem,
        other => panic!("{other:?}"),
    };
    assert_eq!(problem(60_000), Problem::RateLimit { retry_after: Some(60), resets_at: None });
    assert_eq!(problem(2_000), Problem::Other);
}

#[test]
fn written_files_are_known_by_their_tool() {
    let line = json!({"type": "assistant", "message": {"content": [
        {"type": "tool_use", "name": "write_file", "input": {"file_path": "a"}},
        {"type": "tool_use", "name": "read_file", "input": {"file_path": "b"}},
    ]}});
    let changed: Vec<_> = entries(&line)
        .into_iter()
        .filter_map(|entry| match entry {
            StreamEntry::FileChange { path } => Some(path),
            _ => None,
        })
        .collect();
    assert_eq!(changed, ["a"]);
}

#[test]
fn a_result_ends_the_run_and_its_total_is_ignored() {
    let line = json!({"type": "result", "is_error": false, "result": "done", "session_id": "s",
        "usage": {"input_tokens": 99}, "structured_result": {"verdict": "approved"}});
    let all = entries(&line);
    assert!(!all.iter().any(|entry| matches!(entry, StreamEntry::Usage { .. })), "{all:?}");
    let structured = Some(json!({"verdict": "approved"}));
    let end = StreamEntry::End { outcome: ClaimedEnd::Done, said: Some("done".into()), structured };
    assert_eq!(all.last(), Some(&end));
    let failed =
        json!({"type": "result", "is_error": true, "error": {"message": "max session turns reached"}});
    assert!(matches!(
        entries(&failed)[0],
        StreamEntry::Error { problem: Problem::TurnLimit, weight: ErrorWeight::Final, .. }
    ));
}
