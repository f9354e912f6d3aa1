//! Tests: the verdict of a reviewer's turn.

use windlass_core::event::Usage;

use super::*;

fn over(end: TurnEnd, summary: Option<&str>, structured: Option<Value>) -> TurnOver {
    TurnOver {
        end,
        usage: Usage::default(),
        model: None,
        session: None,
        summary: summary.map(str::to_owned),
        printed: None,
        structured,
        denied: Vec::new(),
        blocked: Vec::new(),
        output: None,
    }
}

fn done() -> TurnEnd {
    TurnEnd::Done { needs_files: Vec::new() }
}

#[test]
fn an_answer_is_structured_or_stands_in_the_words() {
    let structured = serde_json::json!({"verdict": "APPROVED"});
    let told = over(done(), Some("{\"verdict\": \"REJECTED\"}"), Some(structured.clone()));
    assert_eq!(answer(&told, "verdict"), Some(structured));
    let told = over(
        done(),
        Some("Looks fine.\n```json\n{\"verdict\": \"APPROVED\"}\n```"),
        Some(serde_json::json!({"x": 1})),
    );
    assert_eq!(answer(&told, "verdict").unwrap()["verdict"], "APPROVED", "another object is no answer");
    assert_eq!(answer(&over(done(), Some("fine"), None), "verdict"), None);
    assert_eq!(answer(&over(done(), None, None), "verdict"), None);
}

#[test]
fn the_published_schemas_are_found_by_name() {
    for name in ["review.schema.json", "queue.schema.json"] {
        assert!(schema(name).is_some_and(|s| s.is_object()), "{name}");
    }
    assert!(schema("none.json").is_none());
}
