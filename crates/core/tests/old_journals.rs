//! Journals written by earlier versions: every line is still an event, and folds to the status it folded to then.
//!
//! `journals/before-run-and-task-events.jsonl` has every event kind there was when events became two enums; its
//! `.status.json` is what the program of that time printed for it with `status --json`; only the wording of reasons
//! was updated since.

use std::collections::BTreeSet;

use serde_json::Value;
use windlass_core::event::{Event, Stamped};
use windlass_core::schedule::Scheduler;
use windlass_core::view::{Liveness, Outputs, StatusDoc, View};

const LINES: &str = include_str!("journals/before-run-and-task-events.jsonl");
const STATUS: &str = include_str!("journals/before-run-and-task-events.status.json");

/// Every kind an event can have on disk. A kind is never renamed or taken out.
const KINDS: [&str; 37] = [
    "agent_paused",
    "approved",
    "attempt_ended",
    "attempt_started",
    "candidate_made",
    "files_granted",
    "finding",
    "heartbeat",
    "merge_intended",
    "merged",
    "merging_paused",
    "merging_resumed",
    "paused",
    "plan_judged",
    "plan_sealed",
    "process_started",
    "queue_formed",
    "resumed",
    "review_abandoned",
    "review_started",
    "reviewed",
    "run_ended",
    "run_started",
    "step_ended",
    "step_started",
    "stop_requested",
    "task_blocked",
    "task_failed",
    "task_reset",
    "task_skipped",
    "tests_frozen",
    "tip_moved",
    "turn_ended",
    "verified",
    "verify_abandoned",
    "verify_intended",
    "verify_started",
];

fn stamped() -> impl Iterator<Item = Stamped> {
    (1_u64..).zip(1_i64..).zip(LINES.lines()).map(|((seq, second), line)| {
        let event = Event::from_json(line).unwrap_or_else(|e| panic!("{line}: {e}"));
        Stamped { seq, at: second * 1000, event }
    })
}

#[test]
fn the_journal_has_every_kind_of_event() {
    let kinds: BTreeSet<String> = LINES
        .lines()
        .map(|line| serde_json::from_str::<Value>(line).unwrap()["kind"].as_str().unwrap().to_owned())
        .collect();
    assert_eq!(kinds.iter().map(String::as_str).collect::<Vec<_>>(), KINDS);
}

#[test]
fn every_line_is_written_back_as_it_was_read() {
    for (line, stamped) in LINES.lines().zip(stamped()) {
        let before: Value = serde_json::from_str(line).unwrap();
        assert_eq!(serde_json::to_value(&stamped.event).unwrap(), before);
        assert_eq!(stamped.event.task().map(windlass_core::ids::TaskId::as_str), before["task"].as_str());
    }
}

/// Everything that the old status said is said again, in the same words. Fields that came since may stand beside it.
fn holds_all_of(now: &Value, before: &Value, place: &str) {
    match (now, before) {
        (Value::Object(now), Value::Object(before)) => {
            for (key, value) in before {
                let at = format!("{place}.{key}");
                holds_all_of(now.get(key).unwrap_or_else(|| panic!("{at} is gone")), value, &at);
            }
        }
        (Value::Array(now), Value::Array(before)) => {
            assert_eq!(now.len(), before.len(), "{place}");
            for (index, (now, before)) in now.iter().zip(before).enumerate() {
                holds_all_of(now, before, &format!("{place}[{index}]"));
            }
        }
        (now, before) => assert_eq!(now, before, "{place}"),
    }
}

#[test]
fn it_folds_to_the_status_it_folded_to_then() {
    let mut view = View::default();
    for event in stamped() {
        view.apply(&event).unwrap();
    }
    let status = StatusDoc::new("till", &view, Liveness::Gone, view.at, Outputs("out"));
    let expected: Value = serde_json::from_str(STATUS).unwrap();
    let now = serde_json::to_value(&status).unwrap();
    holds_all_of(&now, &expected, "status");
}

#[test]
fn the_scheduler_accepts_it() {
    let mut scheduler = Scheduler::default();
    for event in stamped() {
        scheduler.apply(&event).unwrap_or_else(|e| panic!("event {}: {e}", event.seq));
    }
    assert_eq!(scheduler.tasks().len(), 8);
}

#[test]
fn a_line_from_a_later_version_is_refused() {
    assert!(Event::from_json(r#"{"kind":"from_the_future"}"#).is_err());
    assert!(Event::from_json(r#"{"kind":"from_the_future","task":"a"}"#).is_err());
    assert!(Event::from_json(r#"{"kind":"merged"}"#).is_err(), "an event of a task names its task");
    assert!(Event::from_json(r#"{"kind":"paused","task":"a"}"#).is_err(), "the run is paused, not a task");
}
