//! Tasks and phases.

use crate::facts::{Facts, fixture, read_documents};

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

/// Conventions and background state no tasks, files or order.
#[test]
fn documents_that_ask_for_nothing() {
    let text = "# T\n\n## TASK-001: Schema\n\n- Files: a.py\n\n## TASK-002: Model\n\nTASK-002 depends on TASK-001.\n";
    let facts = |path: &str| {
        Facts::new(&read_documents(&[("PRD.md", "# PRD\n"), (path, text)])).tasks().files().edges().text()
    };
    assert_eq!(facts("AGENTS.md"), "");
    assert_eq!(facts("README.md"), "");
    insta::assert_snapshot!(facts("plan.md"), @r"
    3: TASK-001 Schema | Files: a.py
    7: TASK-002 Model | TASK-002 depends on TASK-001.
    5: Unsaid a.py by Task for [TASK-001] | TASK-001: Schema
    9: TASK-001 before TASK-002
    ");
}
