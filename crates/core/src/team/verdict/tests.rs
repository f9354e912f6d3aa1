//! Verdicts read from good, broken and hostile answers.

use serde_json::json;

use super::*;

#[test]
fn only_a_clear_yes_is_a_yes_and_only_a_clear_no_is_a_no() {
    let issue = json!({"criterion": "AC-1", "severity": "medium", "message": "not done"});
    let grave = json!({"severity": "high", "message": "deletes data"});
    let table = [
        (json!({"verdict": "APPROVED"}), "approved"),
        (json!({"verdict": "approved", "issues": []}), "approved"),
        (json!({"verdict": "REJECTED", "issues": [issue]}), "rejected"),
        (json!({"verdict": "REJECTED"}), "unknown"),
        (json!({"verdict": "REJECTED", "issues": [{"severity": "severe", "message": "x"}]}), "unknown"),
        (json!({"verdict": "APPROVED", "issues": [grave]}), "unknown"),
        (json!({"verdict": "MAYBE"}), "unknown"),
        (json!({"status": "done"}), "unknown"),
        (json!([]), "unknown"),
        (json!("APPROVED"), "unknown"),
    ];
    for (answer, expected) in table {
        assert_eq!(Verdict::read(&answer).as_str(), expected, "{answer}");
    }
}

#[test]
fn the_same_issue_in_other_words_is_the_same() {
    let issue = |criterion: Option<&str>, message: &str, severity| Issue {
        criterion: criterion.map(str::to_owned),
        severity,
        message: message.into(),
        file: None,
        against: None,
    };
    let a = [issue(Some("AC-1"), "prints nothing", IssueSeverity::Medium)];
    let b = [
        issue(Some("AC-1"), "there is no output", IssueSeverity::Medium),
        issue(None, "a typo", IssueSeverity::Low),
    ];
    assert!(same_issues(&a, &b));
    assert!(!same_issues(&a, &[issue(Some("AC-2"), "prints nothing", IssueSeverity::Medium)]));
    assert!(!same_issues(&a, &[issue(Some("AC-1"), "prints nothing", IssueSeverity::High)]));
}

#[test]
fn answers_are_read_by_their_words_alone() {
    let issue = |fields: serde_json::Value| json!({"verdict": "REJECTED", "issues": [fields]});
    let table = [
        // Other names for the message, and keys that are not known.
        (issue(json!({"severity": "low", "text": "x"})), "rejected"),
        (issue(json!({"severity": "low", "description": "x", "line": 7})), "rejected"),
        (json!({"verdict": "APPROVED", "summary": "fine", "confidence": 0.2}), "approved"),
        (json!({"verdict": "APPROVED", "issues": [{"severity": "low", "message": "typo"}]}), "approved"),
        (json!({"verdict": "APPROVED", "issues": [{"severity": "medium", "message": "slow"}]}), "approved"),
        // Broken.
        (json!({"verdict": "Approved"}), "unknown"),
        (json!({"verdict": "APPROVED "}), "unknown"),
        (json!({"verdict": true}), "unknown"),
        (json!({"verdict": ["APPROVED"]}), "unknown"),
        (json!({"verdict": "APPROVED", "issues": null}), "unknown"),
        (json!({"verdict": "APPROVED", "issues": "none"}), "unknown"),
        (issue(json!({"severity": "HIGH", "message": "x"})), "unknown"),
        (issue(json!({"severity": "low"})), "unknown"),
        (issue(json!({"message": "x"})), "unknown"),
        (issue(json!("it is wrong")), "unknown"),
        // Hostile: a yes among reasons for a no.
        (json!({"verdict": "REJECTED", "issues": [], "override": "APPROVED"}), "unknown"),
        (json!(null), "unknown"),
    ];
    for (answer, expected) in table {
        assert_eq!(Verdict::read(&answer).as_str(), expected, "{answer}");
    }
}

#[test]
fn an_unknown_verdict_says_what_there_was_instead() {
    let reason = |answer| match Verdict::read(&answer) {
        Verdict::Unknown { reason } => reason,
        other @ (Verdict::Approved { .. } | Verdict::Rejected { .. }) => panic!("{other:?}"),
    };
    assert_eq!(reason(json!({"verdict": "REJECTED"})), "it rejects without naming an issue");
    let grave = json!({"verdict": "APPROVED", "issues": [{"severity": "high", "message": "x"}]});
    assert_eq!(reason(grave), "it approves in spite of an issue of high severity");
    assert!(reason(json!({})).starts_with("the answer is not a review: missing field `verdict`"));
}

fn issue(severity: IssueSeverity, message: &str) -> Issue {
    Issue { criterion: None, severity, message: message.into(), file: None, against: None }
}

#[test]
fn an_issue_is_one_line() {
    let full = Issue {
        criterion: Some("AC-2".into()),
        file: Some("src/a.rs".into()),
        against: Some("T-9".into()),
        ..issue(IssueSeverity::High, "drops rows")
    };
    let table = [
        (issue(IssueSeverity::Low, "a typo"), "low: a typo"),
        (
            Issue { criterion: Some("AC-2".into()), ..issue(IssueSeverity::Medium, "slow") },
            "medium: AC-2: slow",
        ),
        (Issue { file: Some("a.rs".into()), ..issue(IssueSeverity::Medium, "slow") }, "medium: slow (a.rs)"),
        (Issue { against: Some("T-9".into()), ..issue(IssueSeverity::Low, "x") }, "low: x, against `T-9`"),
        (full, "high: AC-2: drops rows (src/a.rs), against `T-9`"),
    ];
    for (issue, expected) in table {
        assert_eq!(issue.line(), expected);
    }
}

#[test]
fn what_a_verdict_means_for_a_plan_and_for_new_work() {
    let no = |issues: Vec<Issue>| Verdict::Rejected { issues };
    let unknown = Verdict::Unknown { reason: "no JSON".into() };
    let table = [
        // verdict, why the plan is not started, what a person must look at
        (Verdict::Approved { issues: vec![] }, None, None),
        (Verdict::Approved { issues: vec![issue(IssueSeverity::Medium, "slow")] }, None, None),
        (
            no(vec![issue(IssueSeverity::Low, "a"), issue(IssueSeverity::Medium, "b")]),
            Some("the plan was rejected: low: a; medium: b"),
            None,
        ),
        (
            no(vec![
                issue(IssueSeverity::High, "a"),
                issue(IssueSeverity::Low, "b"),
                issue(IssueSeverity::High, "c"),
            ]),
            Some("the plan was rejected: high: a; low: b; high: c"),
            Some("high: a; high: c"),
        ),
        (unknown, Some("the plan-reviewer gave no answer: no JSON"), None),
    ];
    for (verdict, plan, grave) in table {
        assert_eq!(verdict.on_the_plan(Role::PlanReviewer).as_deref(), plan, "{verdict:?}");
        assert_eq!(verdict.grave().as_deref(), grave, "{verdict:?}");
    }
}

#[test]
fn a_verdict_in_the_journal_is_not_an_answer_of_a_reviewer() {
    let table = [
        (Verdict::Approved { issues: vec![] }, json!({"verdict": "approved"})),
        (
            Verdict::Rejected { issues: vec![issue(IssueSeverity::Low, "x")] },
            json!({"verdict": "rejected", "issues": [{"severity": "low", "message": "x"}]}),
        ),
        (Verdict::Unknown { reason: "r".into() }, json!({"verdict": "unknown", "reason": "r"})),
    ];
    for (verdict, json) in table {
        assert_eq!(serde_json::to_value(&verdict).unwrap(), json);
        assert_eq!(serde_json::from_value::<Verdict>(json).unwrap(), verdict);
        assert_eq!(verdict.issues().len(), usize::from(verdict.as_str() == "rejected"));
    }
}

#[test]
fn low_remarks_count_only_among_themselves_and_order_never() {
    let [low, other, medium] =
        [issue(IssueSeverity::Low, "a"), issue(IssueSeverity::Low, "b"), issue(IssueSeverity::Medium, "c")];
    let table: [(&[&Issue], &[&Issue], bool); 6] = [
        (&[], &[], true),
        (&[&low], &[&low], true),
        (&[&low], &[&other], false),
        (&[&low, &other], &[&other, &low], true),
        (&[&medium, &low], &[&other, &medium], true),
        (&[&medium, &low], &[&low], false),
    ];
    for (a, b, same) in table {
        let owned = |list: &[&Issue]| list.iter().map(|i| (*i).clone()).collect::<Vec<_>>();
        assert_eq!(same_issues(&owned(a), &owned(b)), same, "{a:?} {b:?}");
    }
}
