//! The brief of a change reviewer.

use super::*;

#[test]
fn a_reviewer_sees_the_change_and_how_to_answer() {
    let task = Task {
        id: "T-1".into(),
        title: "Greet".into(),
        criteria: vec![Criterion { id: "AC-1".into(), text: "prints hello".into(), ..Criterion::default() }],
        ..Task::default()
    };
    let diff = format!("+{}", "é".repeat(SHOWN));
    let brief = ReviewBrief {
        task: &task,
        diff: &diff,
        tests: vec!["test_greet".into()],
        others: vec![EarlierTask { task: "T-0".into(), summary: "Parse".into() }],
        rejections: vec![],
    };
    let text = render_review(&brief).unwrap();
    for needle in ["AC-1: prints hello", "- test_greet", "- T-0: Parse", "left out here", "\"REJECTED\""] {
        assert!(text.contains(needle), "{needle}");
    }
    assert!(text.len() < SHOWN + 4_000);
}
