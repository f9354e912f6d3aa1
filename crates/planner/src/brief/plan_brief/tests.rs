//! The briefs about a plan.

use super::*;

#[test]
fn both_parts_are_told_what_they_may_answer() {
    let task = PlannedTask {
        id: "a".into(),
        title: "Do a".into(),
        objective: String::new(),
        after: vec!["z".into()],
        files: vec!["a.rs".into(), "b.rs".into()],
        criteria: vec!["it works".into()],
        contract: vec![CodeBlock { code: "fn a();".into(), ..CodeBlock::default() }],
    };
    let brief = |purpose| PlanBrief { purpose, name: "p".into(), tasks: vec![task.clone()] };
    let review = render_plan(&brief(PlanPurpose::ReviewPlan)).unwrap();
    assert!(review.contains("### a: Do a") && review.contains("verdict") && !review.contains("queue"));
    assert!(review.contains("- provides:\n```\nfn a();\n```"), "{review}");
    let order = render_plan(&brief(PlanPurpose::Integrate)).unwrap();
    assert!(order.contains("- changes: a.rs, b.rs") && order.contains("\"queue\""), "{order}");
}
