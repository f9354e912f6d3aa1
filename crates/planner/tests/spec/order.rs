//! The order of tasks. How drawings, levels and charts are read in detail is shown in the tests of `readers/order`.

use crate::facts::{Facts, fixture};

#[test]
fn drawings_and_sentences_state_an_order() {
    insta::assert_snapshot!(Facts::new(&fixture!("order/statements.md")).edges().tasks().text(), @r#"
    14: T-001 before T-002
    19: T-002 before T-009
    24: T-003 before T-004
    33: T-002 before T-004
    36: T-001 before T-003
    free: T-003 T-001
    7: T-001 Schema
    8: T-002 Model
    9: T-003 View
    10: T-004 Push
    19: T-009 New one
    "#);
}

#[test]
fn without_known_tasks_there_is_no_order() {
    assert_eq!(Facts::new(&fixture!("order/no_tasks.md")).edges().tasks().text(), "");
}
