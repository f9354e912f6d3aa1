//! Folding the same events gives the same spans; a headers variable is read as OpenTelemetry writes it.

use serde_json::json;
use windlass_core::event::{Event, RunEnd, RunEvent, RunStarted, TaskEvent, TurnEnded, Usage};
use windlass_core::ids::{AttemptNo, BlobName, Oid, TaskId};
use windlass_core::team::{Claim, Role};

use super::*;

fn started(seq: u64) -> Stamped {
    let oid = Oid::new("1111111111111111111111111111111111111111").unwrap();
    let event = RunEvent::RunStarted(RunStarted {
        version: "0.1.0".into(),
        pid: 7,
        pid_started: 70,
        branch: "windlass/shop".into(),
        tip: oid.clone(),
        base: oid,
        settings: Box::default(),
        only: Vec::new(),
        sandbox: "off".into(),
        source: String::new(),
    });
    Stamped { seq, at: i64::try_from(seq).unwrap() * 1000, event: Event::Run(event) }
}

fn over(seq: u64) -> Stamped {
    let event = Event::Run(RunEvent::RunEnded { end: RunEnd::Completed });
    Stamped { seq, at: i64::try_from(seq).unwrap() * 1000, event }
}

#[test]
fn ids_come_from_the_events_and_a_later_run_links_to_the_one_before() {
    let fold = |events: &[Stamped]| {
        let mut fold = SpanFold::new("shop");
        events.iter().flat_map(|event| fold.apply(event)).collect::<Vec<_>>()
    };
    let events = [started(1), over(2), started(3), over(4), started(5), started(6)];
    let spans = fold(&events);
    assert_eq!(spans, fold(&events));
    assert_eq!(spans.len(), 3);
    assert_eq!(spans[1].follows, Some((spans[0].trace, spans[0].id)));
    assert_ne!(spans[0].trace, spans[1].trace);
    // The third had no end: the next start ends it at the last moment known.
    assert_eq!((spans[2].error, spans[2].ended), (Some("lost"), 5000));
}

#[test]
fn providers_have_the_names_of_the_conventions_and_addresses_only_their_host() {
    let mut fold = SpanFold::new("shop");
    let mut event = started(1);
    if let Event::Run(RunEvent::RunStarted(run)) = &mut event.event {
        let all = [("mine", "claude"), ("local", "http://user:secret@127.0.0.1:11434/v1?key=x")];
        run.settings.providers = all.map(|(a, b)| (a.to_owned(), b.to_owned())).into();
    }
    fold.apply(&event);
    let known = ["claude", "mine", "codex", "gemini", "local", "cmd:x"].map(|agent| fold.provider(agent));
    assert_eq!(known, ["anthropic", "anthropic", "openai", "gcp.gemini", "127.0.0.1:11434", "cmd:x"]);
}

#[test]
fn a_turn_has_its_tokens_as_attributes_and_in_the_metrics() {
    let (task, usage) =
        (TaskId::new("T1").unwrap(), Usage { input_tokens: 1200, output_tokens: 50, ..Usage::default() });
    let began = TaskEvent::VerifyIntended {
        attempt: AttemptNo(1),
        onto: Oid::new(&"2".repeat(40)).unwrap(),
        place: None,
    };
    let turn = TaskEvent::TurnEnded(TurnEnded {
        attempt: AttemptNo(1),
        role: Role::Implementer,
        agent: "claude".into(),
        millis: 2500,
        claim: Claim::Done,
        usage,
        model: Some("m-1".into()),
        session: Some("s-1".into()),
        summary: Some("what it said stays here".into()),
        brief: BlobName::of(b"brief"),
        output: BlobName::of(b"output"),
    });
    let at = |seq: u64, event| Stamped { seq, at: 10_000, event: Event::Task { task: task.clone(), event } };
    let (mut fold, mut metrics) = (SpanFold::new("shop"), RunMetrics::default());
    let mut spans = Vec::new();
    for event in [started(1), at(2, began), at(3, turn)] {
        spans.extend(fold.apply(&event));
        metrics.apply(&event, |agent| fold.provider(agent));
    }
    let body = otlp::traces(&spans);
    let span = &body["resourceSpans"][0]["scopeSpans"][0]["spans"][0];
    assert_eq!(
        (&span["startTimeUnixNano"], &span["endTimeUnixNano"]),
        (&json!("7500000000"), &json!("10000000000"))
    );
    let attributes = span["attributes"].to_string();
    for (key, value) in [
        ("gen_ai.operation.name", r#"{"stringValue":"invoke_agent"}"#),
        ("gen_ai.provider.name", r#"{"stringValue":"anthropic"}"#),
        ("gen_ai.request.model", r#"{"stringValue":"m-1"}"#),
        ("gen_ai.usage.input_tokens", r#"{"intValue":"1200"}"#),
        ("gen_ai.usage.output_tokens", r#"{"intValue":"50"}"#),
        ("gen_ai.conversation.id", r#"{"stringValue":"s-1"}"#),
    ] {
        assert!(attributes.contains(&format!(r#"{{"key":"{key}","value":{value}}}"#)), "{key}: {attributes}");
    }
    assert!(!body.to_string().contains("what it said"), "{body}");
    let body = otlp::metrics(&metrics);
    let all = &body["resourceMetrics"][0]["scopeMetrics"][0]["metrics"];
    let tokens = all.as_array().unwrap().iter().find(|m| m["name"] == "gen_ai.client.token.usage").unwrap();
    let points = tokens["histogram"]["dataPoints"].as_array().unwrap();
    assert_eq!(points.len(), 2, "{tokens}");
    for point in points {
        let (buckets, bounds) =
            (point["bucketCounts"].as_array().unwrap(), point["explicitBounds"].as_array().unwrap());
        assert_eq!((buckets.len(), &point["count"]), (bounds.len() + 1, &json!("1")), "{point}");
    }
    assert_eq!(points[0]["sum"], 1200.0);
}

#[test]
fn headers_are_read_as_the_usual_variable_has_them() {
    let read = send::headers("Authorization=Basic%20abc=, x-team = a ,broken");
    let expected = [("Authorization", "Basic abc="), ("x-team", "a")];
    assert_eq!(read, expected.map(|(name, value)| (name.to_owned(), value.to_owned())));
}
