//! From documents to a plan, as a person sees it.

use crate::space::Space;

const PRD: &str = "# PRD: Shop\n\n### US-1: Fill a cart\n**As a** customer\n**I want** to fill a cart\n\n**Acceptance Criteria:**\n- [ ] A cart holds at most 50 lines\n- [ ] Adding nothing raises ValueError in `cart.py`\n\n## Weather\n\nIt rains.\n";
const DESIGN: &str = "# Technical Design: Shop\n\n## File Ownership\n\n| File | Task | Operation |\n|---|---|---|\n| `src/cart.py` | T-1 | create |\n| `../outside.py` | T-1 | modify |\n| `src/total.py` | T-2 | create |\n\nT-2 depends on T-1.\n";

fn documents(space: &Space) {
    space.write("docs/PRD.md", PRD);
    space.write("docs/design.md", DESIGN);
}

#[test]
fn documents_become_a_plan_that_passes() {
    let space = Space::new();
    documents(&space);
    insta::assert_snapshot!(space.run(&["plan", "docs"]), @"");
    assert!(space.run(&["plan", "docs"]).contains("exists"), "nothing is written over");
    let checked = space.run(&["check", "plans/shop"]);
    assert!(checked.contains("--- exit 0") || !checked.contains("--- exit"), "{checked}");
    let task = space.read("plans/shop/tasks/T-1.md");
    assert!(task.contains("test_file: tests/test_cart.py"), "{task}");
}

#[test]
fn a_plan_is_printed_in_any_format() {
    let space = Space::new();
    documents(&space);
    let json = space.run(&["plan", "docs", "--stdout", "--format", "json", "--yes"]);
    assert!(json.contains("\"id\": \"T-2\""), "{json}");
    let zerg = space.run(&["plan", "docs", "--stdout", "--format", "zerg"]);
    assert!(zerg.contains("\"feature\": \"shop\""), "{zerg}");
}

#[test]
fn what_cannot_be_planned_is_refused_with_a_reason() {
    let space = Space::new();
    space.write("empty/notes.txt", "nothing");
    insta::assert_snapshot!(space.run(&["plan", "empty"]), @"");
    space.write("prose.md", "\u{feff}# Thoughts\r\n\r\nNothing but prose.\r\n");
    insta::assert_snapshot!(space.run(&["plan", "prose.md"]), @"");
    space.write("wish.md", "# Wish\n\n## Acceptance Criteria\n\n- It shines\n");
    insta::assert_snapshot!(space.run(&["plan", "wish.md"]), @"");
    space.write("binary.md", "a\0b");
    insta::assert_snapshot!(space.run(&["plan", "binary.md"]), @"");
    insta::assert_snapshot!(space.run(&["plan", "nowhere.md"]), @"");
}

#[test]
fn homerun_s_input_is_answered() {
    let space = Space::new();
    space.write("tree/docs/PRD.md", PRD);
    space.write("tree/docs/ADR.md", "# ADR-001: Memory\n\n**Decision**: Carts live in memory.\n");
    space.write("tree/docs/TECHNICAL_DESIGN.md", DESIGN);
    let input = r#"{"worktree_path": "tree", "session_id": "shop-1", "branch": "create/shop-1",
        "spec_paths": {"prd": "docs/PRD.md", "adr": "docs/ADR.md", "technical_design": "docs/TECHNICAL_DESIGN.md"}}"#;
    space.write("input.json", input);
    let said = space.run(&["plan", "--input", "input.json"]);
    assert!(said.contains("\"signal\": \"PLANNING_COMPLETE\""), "{said}");
    assert!(said.contains("\"tasks_count\": 2"), "{said}");
    let tasks = space.read("tree/docs/tasks.json");
    assert!(tasks.contains("\"AC-001\""), "{tasks}");
    space.write("bad.json", "{}");
    assert!(space.run(&["plan", "--input", "bad.json"]).contains("`worktree_path`"));
}
