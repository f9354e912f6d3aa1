//! Tests: what an agent is told about its turn.

use windlass_core::event::Usage;

use super::*;

fn over(end: TurnEnd, summary: Option<&str>, denied: &[&str]) -> TurnOver {
    TurnOver {
        end,
        usage: Usage::default(),
        model: None,
        session: None,
        summary: summary.map(str::to_owned),
        printed: None,
        structured: None,
        blocked: Vec::new(),
        denied: denied.iter().map(|d| (*d).to_owned()).collect(),
        output: None,
    }
}

fn done() -> TurnEnd {
    TurnEnd::Done { needs_files: Vec::new() }
}

fn nothing() -> Ingested {
    let tree = Oid::new(&"1".repeat(40)).unwrap();
    Ingested { tree, changes: Vec::new(), refused: Vec::new() }
}

#[test]
fn denials_and_questions_explain_why_nothing_changed() {
    let why = |summary, denied: &[&str]| why_nothing(&over(done(), summary, denied));
    assert_eq!(why(None, &[]), None);
    let kind = |summary, denied: &[&str]| why(summary, denied).unwrap().kind();
    assert_eq!(kind(Some("All done."), &[]), "no-change");
    assert_eq!(kind(Some("I could do A or B.\nWhich one do you want?\n"), &[]), "question");
    let printed = |summary: Option<&str>, text: &str| {
        let over = TurnOver { printed: Some(text.to_owned()), ..over(done(), summary, &[]) };
        why_nothing(&over).map(|failure| failure.summary())
    };
    let asked = "the agent changed nothing and asked: Which one?";
    assert_eq!(printed(None, "reading\n\nWhich one?\n").unwrap(), asked.replace("Which", "reading\n\nWhich"));
    assert_eq!(printed(Some("Which one?"), "noise").unwrap(), asked, "a message says more than the output");
    assert_eq!(printed(None, " \n"), None);
    let denied = why(Some("Why?"), &["a", "b", "c", "d", "e"]).unwrap().summary();
    assert!(denied.ends_with("`a`, `b`, `c`, `d`"), "{denied}");
}

#[test]
fn a_turn_ends_with_files_a_request_or_a_failure() {
    let end = |end, summary| conclude(over(end, summary, &[]), nothing(), "coder");
    let plain = end(done(), None).unwrap_or_else(|e| panic!("{e:?}"));
    assert!(plain.wants.is_empty() && !plain.again);
    let wants = end(TurnEnd::NeedsFiles(vec!["b".into()]), None).unwrap_or_else(|e| panic!("{e:?}"));
    assert!(wants.again && wants.wants == ["b"]);
    assert!(matches!(end(TurnEnd::Cancelled, None), Err(EarlyEnd::Interrupted)));
    let asked = end(done(), Some("Shall I?"));
    assert!(matches!(asked, Err(EarlyEnd::Failed { failure: Failure::OnlyWords { .. }, .. })));
    assert!(matches!(end(TurnEnd::OutOfBudget, None), Err(EarlyEnd::Interrupted)));
    let limited = TurnEnd::Failed(Failure::RateLimited {
        agent: "claude".into(),
        retry_after_seconds: Some(3),
        outage: None,
    });
    let Err(EarlyEnd::Failed { failure, .. }) = end(limited, None) else { panic!() };
    let by_name = Failure::RateLimited { agent: "coder".into(), retry_after_seconds: Some(3), outage: None };
    assert_eq!(failure, by_name, "the run knows the agent by its configured name");
}
