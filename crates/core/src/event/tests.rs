//! Events in JSON: every kind with the fewest fields it may have, unknown fields, and lines that are refused.

use serde_json::{Value, json};

use super::*;

const OID: &str = "0123456789abcdef0123456789abcdef01234567";

/// Each kind of event of a run with the fields it cannot do without.
fn run_kinds() -> Vec<(&'static str, Value)> {
    vec![
        (
            "run_started",
            json!({"version": "1.0", "pid": 7, "branch": "windlass/p", "tip": OID, "base": OID, "settings": {}}),
        ),
        ("plan_sealed", json!({"hash": "h", "tasks": []})),
        ("run_ended", json!({"reason": "completed"})),
        ("paused", json!({})),
        ("resumed", json!({})),
        ("stop_requested", json!({"cancel": true})),
        ("tip_moved", json!({"tip": OID})),
        ("merging_paused", json!({"reason": "the branch is checked out"})),
        ("merging_resumed", json!({})),
        ("agent_paused", json!({"agent": "a", "until": 5, "reason": "429"})),
        (
            "plan_judged",
            json!({"hash": "h", "role": "plan-reviewer", "agent": "a", "millis": 1,
                   "verdict": {"verdict": "approved"}, "brief": "b", "output": "o"}),
        ),
        ("closing_failed", json!({"tip": OID, "summary": "s"})),
        ("queue_formed", json!({"hash": "h", "queue": ["a"]})),
        ("finding", json!({"message": "m"})),
    ]
}

/// The same for events of a task.
fn task_kinds() -> Vec<(&'static str, Value)> {
    vec![
        (
            "attempt_started",
            json!({"attempt": 1, "rung": {"bug-hunter": 2}, "agent": "a", "tier": "small", "base": OID}),
        ),
        ("process_started", json!({"attempt": 1, "pid": 7, "started": 9})),
        ("step_started", json!({"attempt": 1, "step": 0, "action": "write_test"})),
        (
            "step_ended",
            json!({"attempt": 1, "step": 0, "action": "format", "result": "skipped", "millis": 4}),
        ),
        ("heartbeat", json!({"attempt": 1, "bytes": 4096})),
        (
            "turn_ended",
            json!({"attempt": 1, "role": "implementer", "agent": "a", "millis": 3, "brief": "b", "output": "o"}),
        ),
        (
            "tests_frozen",
            json!({"attempt": 1, "commit": OID, "red": "missing-code", "tests": ["t"], "files": []}),
        ),
        (
            "tests_held",
            json!({"attempt": 1, "held": {"by": OID, "tests": ["t"],
                   "mutants": [{"path": "a.py", "change": "early return", "blob": OID, "failed": ["t"]}]}}),
        ),
        (
            "tests_linked",
            json!({"attempt": 1, "links": [{"criterion": "AC-1", "tests": ["t"], "by": "answer"}]}),
        ),
        ("tests_tried", json!({"attempt": 1, "mutants": []})),
        ("changes_left_out", json!({"attempt": 1})),
        ("files_granted", json!({"files": ["a"]})),
        ("candidate_made", json!({"attempt": 1, "commit": OID})),
        ("verify_intended", json!({"attempt": 1, "onto": OID})),
        ("verify_started", json!({"attempt": 1, "merge": OID, "tree": OID})),
        ("verify_abandoned", json!({"attempt": 1})),
        ("verified", json!({"attempt": 1, "tree": OID, "proof": "p"})),
        ("review_started", json!({"attempt": 1, "agent": "a"})),
        ("reviewed", json!({"attempt": 1, "verdict": {"verdict": "unknown", "reason": "no JSON"}})),
        ("review_abandoned", json!({"attempt": 1})),
        ("merge_intended", json!({"attempt": 1, "commit": OID})),
        ("merged", json!({"attempt": 1, "commit": OID, "tree": OID, "evidence": OID})),
        ("attempt_ended", json!({"attempt": 1, "end": "lost"})),
        ("task_failed", json!({"reason": "r"})),
        ("task_blocked", json!({"why": "awaiting-approval"})),
        ("task_skipped", json!({})),
        ("task_reset", json!({})),
        ("task_reopened", json!({"because": "wrong"})),
        ("answered", json!({"answer": "port 80"})),
        ("approved", json!({})),
        ("finding", json!({"message": "m"})),
    ]
}

/// A line of the journal: the kind, the task if there is one, and the fields.
fn line(kind: &str, task: Option<&str>, fields: &Value) -> Value {
    let mut line = json!({"kind": kind});
    let object = line.as_object_mut().unwrap();
    if let Some(task) = task {
        object.insert("task".into(), task.into());
    }
    object.extend(fields.as_object().unwrap().clone());
    line
}

fn every_line() -> Vec<Value> {
    let run = run_kinds().into_iter().map(|(kind, fields)| line(kind, None, &fields));
    run.chain(task_kinds().into_iter().map(|(kind, fields)| line(kind, Some("T-1"), &fields))).collect()
}

fn read(line: &Value) -> Result<Event, serde_json::Error> {
    Event::from_json(&line.to_string())
}

#[test]
fn every_kind_is_read_from_its_fewest_fields_and_written_back() {
    for line in every_line() {
        let event = read(&line).unwrap_or_else(|e| panic!("{line}: {e}"));
        assert_eq!(event.task().map(TaskId::as_str), line["task"].as_str());
        let written = serde_json::to_value(&event).unwrap();
        for (key, value) in line.as_object().unwrap().iter().filter(|(key, _)| *key != "settings") {
            assert_eq!(&written[key], value, "{key} of {line}");
        }
        assert_eq!(read(&written).unwrap(), event, "{written}");
    }
}

#[test]
fn no_event_can_do_without_one_of_these_fields() {
    for line in every_line() {
        for key in line.as_object().unwrap().keys() {
            // A finding without a task is one about the run.
            if key == "task" && line["kind"] == "finding" {
                continue;
            }
            let mut less = line.clone();
            less.as_object_mut().unwrap().remove(key);
            assert!(read(&less).is_err(), "{line} without {key}");
        }
    }
}

#[test]
fn a_field_of_a_later_version_changes_nothing() {
    for line in every_line() {
        let mut more = line.clone();
        more["from_the_future"] = json!({"deep": [1, 2]});
        assert_eq!(read(&more).unwrap(), read(&line).unwrap(), "{more}");
    }
}

#[test]
fn what_an_old_journal_does_not_say_has_a_default() {
    let parse = |kind: &str, task, fields: Value| read(&line(kind, task, &fields)).unwrap();
    let fields = |kinds: Vec<(&str, Value)>, kind| kinds.into_iter().find(|(k, _)| *k == kind).unwrap().1;
    let Event::Run(RunEvent::RunStarted(started)) =
        parse("run_started", None, fields(run_kinds(), "run_started"))
    else {
        panic!("not a start")
    };
    assert_eq!((started.pid_started, started.only.len(), started.sandbox.as_str()), (0, 0, ""));
    assert_eq!(*started.settings, crate::policy::Settings::default());
    let Event::Task { event: TaskEvent::TurnEnded(turn), .. } =
        parse("turn_ended", Some("a"), fields(task_kinds(), "turn_ended"))
    else {
        panic!("not a turn")
    };
    assert_eq!(
        (turn.claim, turn.usage, turn.model, turn.session),
        (Claim::Done, Usage::default(), None, None)
    );
    let Event::Task { event: TaskEvent::CandidateMade { added, removed, .. }, .. } =
        parse("candidate_made", Some("a"), fields(task_kinds(), "candidate_made"))
    else {
        panic!("not a candidate")
    };
    assert_eq!((added, removed), (0, 0));
}

#[test]
fn a_sealed_task_of_an_old_journal_has_no_waits_and_no_pools() {
    let line = json!({"id": "a", "title": "A", "hash": "h", "mode": "tdd", "tier": "medium"});
    let task: SealedTask = serde_json::from_value(line.clone()).unwrap();
    assert!(task.deps.is_empty() && task.pools.is_empty() && task.steps.is_empty() && !task.needs_approval);
    let mut expected = line;
    expected["priority"] = 0.into();
    assert_eq!(serde_json::to_value(&task).unwrap(), expected);
}

#[test]
fn the_reasons_inside_events_have_fixed_words() {
    fn check<T: Serialize + serde::de::DeserializeOwned + PartialEq + std::fmt::Debug>(
        table: Vec<(T, Value)>,
    ) {
        for (value, json) in table {
            assert_eq!(serde_json::to_value(&value).unwrap(), json);
            assert_eq!(serde_json::from_value::<T>(json).unwrap(), value);
        }
    }
    let id = |text: &str| TaskId::new(text).unwrap();
    check(vec![
        (BlockReason::AgentBlocked { reason: "r".into() }, json!({"why": "agent-blocked", "reason": "r"})),
        (
            BlockReason::NeedsFiles { files: vec![("a".into(), "T-1".into())] },
            json!({"why": "needs-files", "files": [["a", "T-1"]]}),
        ),
        (BlockReason::AwaitingApproval, json!({"why": "awaiting-approval"})),
        (BlockReason::Deadlock { reason: "r".into() }, json!({"why": "deadlock", "reason": "r"})),
        (BlockReason::Escalated { reason: "r".into() }, json!({"why": "escalated", "reason": "r"})),
        (BlockReason::NoVerdict { reason: "r".into() }, json!({"why": "no-verdict", "reason": "r"})),
        (
            BlockReason::Unordered { with: vec![id("b")], reason: "r".into() },
            json!({"why": "unordered", "with": ["b"], "reason": "r"}),
        ),
    ]);
    check(vec![
        (RunEnd::Completed, json!({"reason": "completed"})),
        (RunEnd::Stuck, json!({"reason": "stuck"})),
        (RunEnd::Interrupted, json!({"reason": "interrupted"})),
        (RunEnd::Cancelled, json!({"reason": "cancelled"})),
        (RunEnd::BudgetSpent, json!({"reason": "budget-spent"})),
        (RunEnd::Broken { message: "disk full".into() }, json!({"reason": "broken", "message": "disk full"})),
    ]);
    check(vec![
        (
            AttemptEnd::Failed { failure: crate::failure::Failure::NoChange },
            json!({"end": "failed", "failure": {"failure": "no-change"}}),
        ),
        (AttemptEnd::Interrupted, json!({"end": "interrupted"})),
        (AttemptEnd::Lost, json!({"end": "lost"})),
    ]);
    check(vec![
        (RedKind::Assertion, json!("assertion")),
        (RedKind::MissingCode, json!("missing-code")),
        (RedKind::ExitCode, json!("exit-code")),
    ]);
    check(vec![
        (StepResult::Passed, json!("passed")),
        (StepResult::Failed, json!("failed")),
        (StepResult::Skipped, json!("skipped")),
    ]);
}

#[test]
fn what_a_red_test_showed_is_said_in_words() {
    let table = [
        (RedReason::Assertion, "assertion", "an assertion failed"),
        (RedReason::MissingCode, "missing-code", "code is missing"),
        (RedReason::Error, "error", "it ended with an error"),
        (RedReason::Passed, "passed", "it passed already"),
    ];
    for (reason, word, text) in table {
        assert_eq!(reason.as_str(), text);
        let seen = RedTest { reason, said: String::new() };
        assert_eq!(serde_json::to_value(&seen).unwrap(), json!({"reason": word}));
    }
}

#[test]
fn hostile_lines_are_refused() {
    let kinds = task_kinds();
    let (kind, fields) = kinds.iter().find(|(kind, _)| *kind == "merged").unwrap();
    let merged = line(kind, Some("T-1"), fields).to_string();
    assert!(Event::from_json(&merged).is_ok());
    let table = [
        String::new(),
        "null".into(),
        "[]".into(),
        "{}".into(),
        r#"{"kind":7}"#.into(),
        r#"{"task":"a"}"#.into(),
        merged.replace("T-1", "../../x"),
        merged.replace("\"T-1\"", "7"),
        merged.replace(OID, "HEAD"),
        merged.replace("\"attempt\":1", "\"attempt\":-1"),
        merged.replace("\"attempt\":1", "\"attempt\":4294967296"),
        merged.replace("\"merged\"", "\"Merged\""),
        merged[..merged.len() - 1].to_owned(),
        format!("{merged}{merged}"),
        merged.replacen('{', r#"{"task":"other","#, 1),
    ];
    for text in table {
        assert!(Event::from_json(&text).is_err(), "{text}");
    }
    assert_eq!(
        Event::from_json(r#"{"kind":"paused","task":null}"#).unwrap(),
        Event::Run(RunEvent::Paused),
        "no task is no task, however it is written"
    );
}

#[test]
fn a_stamped_event_has_its_number_and_its_time() {
    let stamped = Stamped { seq: 3, at: 1_700_000_000_000, event: RunEvent::Paused.into() };
    assert_eq!(
        serde_json::to_value(&stamped).unwrap(),
        json!({"seq": 3, "at": 1_700_000_000_000_i64, "event": {"kind": "paused"}})
    );
    let task = TaskId::new("a").unwrap();
    let event = TaskEvent::Approved.of(task.clone());
    assert_eq!(event.task(), Some(&task));
    assert_eq!(serde_json::to_value(&event).unwrap(), json!({"kind": "approved", "task": "a"}));
}

#[test]
fn what_was_left_out_is_named_path_by_path_and_once() {
    let list = |paths: &[&str]| paths.iter().map(|p| (*p).to_owned()).collect::<Vec<_>>();
    let table: [(&[&str], &[&str], &str); 4] = [
        (&[], &[], ""),
        (&["a", "b c"], &[], "left out of the candidate (out-of-scope): `a`, `b c`"),
        (&[], &["t"], "put back as frozen (frozen-changed): `t`"),
        (
            &["a"],
            &["t"],
            "left out of the candidate (out-of-scope): `a`; put back as frozen (frozen-changed): `t`",
        ),
    ];
    for (paths, frozen, expected) in table {
        let mut left = LeftOut { paths: list(paths), frozen: list(frozen) };
        assert_eq!(left.words(), expected);
        assert_eq!(left.is_empty(), expected.is_empty());
        left.add(&left.clone());
        assert_eq!(left.words(), expected, "nothing is named twice");
    }
}
