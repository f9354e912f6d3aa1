//! Tasks and phases.

use crate::facts::{Facts, fixture};

#[test]
fn headings_and_tables_state_tasks() {
    insta::assert_snapshot!(
        Facts::new(&fixture!("tasks/headings_and_tables.md")).tasks().edges().text(), @r#"
    5: TASK-001 Schema | level 1 | in Phase 1: Foundation | A longer text about the schema, which replaces the shorter one.
    9: TASK-2 Model | level 1 | in Phase 1: Foundation
    15: TASK-003 View | level 2 | in Level 2
    16: TASK-004 Style | level 5 | in Level 2
    24: TASK-005 wiki push | level 3 | in Phase 3: Polish
    25: TASK-006  | level 3 | in Phase 3: Polish
    15: TASK-001 before TASK-003
    15: TASK-002 before TASK-003
    "#);
}

#[test]
fn headings_labels_items_and_tables_state_phases() {
    insta::assert_snapshot!(Facts::new(&fixture!("tasks/phases.md")).phases().text(), @r#"
    5: Phase 1: Basket | 3 tasks |  | `app/basket.py` holds lines
    9: Phase 2 |  | US-2, and guest checkout / One first  / Phase 3: Polish
    22: Phase 4 | behind a label of another phase | Phase 4: behind a label of another phase / inherited
    27: Phase 5 | the cloud | Phase 5: the cloud
    28: Level 6 | 4 tasks | 4 tasks, fully parallel | Level 6: 4 tasks, fully parallel
    33: Phase 8 | 2 tasks | 2 tasks are | Phase 8: 2 tasks are
    41: Phase 9 | 2 tasks | 2 · new | 
    21: Phase 3: Polish |  | Colours
    "#);
}
