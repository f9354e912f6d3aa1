//! Tests of `cli/stream_watch`.

use serde_json::{Value, json};

use super::*;
use crate::agent::cli::CliKind;

fn watch(spec: &CliSpec, lines: &[Value]) -> (CancelLevel, StreamSummary, bool) {
    let stop = CancellationSignal::new();
    let mut watch = StreamWatch::new(spec, None, Usage::default(), TurnMeter::alone(), stop.clone());
    for line in lines {
        watch.push(format!("{line}\n").as_bytes());
    }
    let WatchedTurn { told, stopped, .. } = watch.finish();
    (stop.level(), told, stopped)
}

fn retry(error: &str, delay: u64) -> Value {
    json!({"type": "system", "subtype": "api_retry", "error": error, "retry_delay_ms": delay})
}

fn command() -> Value {
    json!({"type": "item.started", "item": {"type": "command_execution", "command": "ls"}})
}

#[test]
fn a_refused_login_ends_the_run_at_once() {
    let claude = CliSpec::of(CliKind::Claude);
    let (level, told, stopped) = watch(&claude, &[retry("authentication_failed", 500)]);
    assert_eq!((level, stopped), (CancelLevel::Stop, true));
    assert!(matches!(told.failure, Some((Problem::Login, _))));
}

#[test]
fn retries_are_borne_up_to_a_number_and_a_wait_up_to_a_length() {
    let claude = CliSpec::of(CliKind::Claude);
    let few = vec![retry("overworked", 500); RETRIES as usize - 1];
    assert!(!watch(&claude, &few).2);
    let many = vec![retry("overworked", 500); RETRIES as usize];
    assert!(watch(&claude, &many).2);
    assert!(!watch(&claude, &[retry("rate_limit", PATIENCE * 1000)]).2);
    assert!(watch(&claude, &[retry("rate_limit", (PATIENCE + 1) * 1000)]).2);
}

#[test]
fn turns_are_counted_for_programs_without_such_a_limit() {
    let limited = |kind| CliSpec { max_turns: Some(2), ..CliSpec::of(kind) };
    let codex = limited(CliKind::Codex);
    assert!(!watch(&codex, &[command(), command()]).2);
    let (_, told, stopped) = watch(&codex, &[command(), command(), command()]);
    assert!(stopped && matches!(told.failure, Some((Problem::TurnLimit, _))));
    let answers: Vec<Value> = (0..5)
        .map(|n| {
            json!({"type": "assistant", "message": {"id": format!("m{n}"), "content": [],
            "usage": {"input_tokens": 1}}})
        })
        .collect();
    assert!(!watch(&limited(CliKind::Claude), &answers).2, "Claude Code has its own limit");
}

#[test]
fn nothing_is_ended_after_its_end() {
    let codex = CliSpec { max_turns: Some(1), ..CliSpec::of(CliKind::Codex) };
    let end = json!({"type": "turn.completed", "usage": {}});
    assert!(!watch(&codex, &[command(), end, command()]).2);
}
