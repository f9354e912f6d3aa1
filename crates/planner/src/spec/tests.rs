//! What the reader makes of small documents.

use proptest::prelude::*;

use super::{Operation, Spec, SpecFile, read};

fn spec(text: &str) -> Spec {
    read(&[SpecFile { path: "doc.md".to_owned(), text: text.to_owned() }], &[])
}

fn criteria(text: &str) -> Vec<String> {
    spec(text).criteria.iter().map(|c| format!("{} {}", c.id, c.text)).collect()
}

#[test]
fn criteria_are_found_in_every_form() {
    let text = "# PRD\n\n## Functional Requirements\n\n### FR-1: Login\nUsers sign in.\n- by mail\n\n## Non-Functional Requirements\n\n| Requirement | Target |\n|---|---|\n| Page load | < 2 s |\n\n- Memory under 100 MB\n\n## Acceptance Criteria\n\n1. ✅ Wrong passwords are refused\n- [ ] Right ones are not\n\n**FR-2**: The session MUST end after 30 minutes of silence\n\nWHEN a file is too large THE SYSTEM SHALL refuse it.\n\n```gherkin\nScenario: empty\n  Given a cart\n  When it is empty\n  Then the total is 0\n```\n\n## Features\n\n- [ ] **Search**: finds things\n  - AC: results within 200 ms\n\n## Nice to Have\n\n- [ ] Acceptance of bitcoin\n\n## Out of Scope\n\n### Acceptance Criteria\n- never\n";
    insta::assert_snapshot!(criteria(text).join("\n"), @r"
    FR-1 Login
    AC-001 Page load: < 2 s
    AC-002 Memory under 100 MB
    AC-003 Wrong passwords are refused
    AC-004 Right ones are not
    FR-2 The session MUST end after 30 minutes of silence
    AC-005 WHEN a file is too large THE SYSTEM SHALL refuse it.
    AC-006 Given a cart When it is empty Then the total is 0
    AC-007 results within 200 ms
    ");
}

#[test]
fn criteria_are_found_in_the_lines_of_a_paragraph() {
    let text = "# Features\n\n1) Chat\nWhy: fewer clicks.\nAcceptance criteria (BDD):\nGiven a session\nWhen a question is asked\nThen the answer\nnames a step.\nGiven none\nThen nothing is shown.\nNotes:\nGiven names are kept.\n\n2) Search\nWhat: finds things\n";
    insta::assert_snapshot!(criteria(text).join("\n"), @r"
    AC-001 Given a session When a question is asked Then the answer names a step.
    AC-002 Given none Then nothing is shown.
    ");
}

/// Plain text is read as Markdown is, and everything keeps the line it stands on.
#[test]
fn plain_text_has_sections_criteria_and_files_too() {
    let text = "SHOP\n\n1. Scope\nWe sell apples.\n\n1.1 Non-Goals\n    • Pears\n\n2. Functional Requirements\n\n2.1 Carts (FR-001)\nA cart holds:\n    • apples\n    • bags\n\n2.2 Orders (FR-002)\nAn order is sent.\n\n3. Acceptance Criteria\n1) A cart is empty at first\n2) An order has an address\n\n4. Folder Structure\nshop/\n├── package.json\n└── src/\n    └── cart.ts\n";
    let read = read(&[SpecFile { path: "prd.txt".to_owned(), text: text.to_owned() }], &[]);
    let line = |span| read.sources.position(span).line;
    let mut said: Vec<String> = vec![format!("{:?}", read.title)];
    said.extend(read.criteria.iter().map(|c| format!("{}: {} {}", line(c.span), c.id, c.text)));
    said.extend(read.stories.iter().map(|s| format!("{}: {} {}", line(s.span), s.id, s.title)));
    said.extend(read.exclusions.iter().map(|r| format!("{}: not {} ({})", line(r.span), r.text, r.heading)));
    said.extend(read.files.iter().map(|f| format!("{}: {}", line(f.span), f.path)));
    insta::assert_snapshot!(said.join("\n"), @r#"
    Some("SHOP")
    11: FR-001 Carts
    16: FR-002 Orders
    20: AC-001 A cart is empty at first
    21: AC-002 An order has an address
    11: US-1 Carts
    16: US-2 Orders
    7: not Pears (1.1 Non-Goals)
    24: package.json
    24: src/cart.ts
    "#);
}

#[test]
fn tables_of_html_and_other_languages_are_read() {
    let html = "# PRD\n\n## Requirements\n\n<table>\n<tr><th>ID</th><th>Requirement</th></tr>\n<tr><td>FR-1</td><td>Carts hold things</td></tr>\n</table>\n";
    assert_eq!(criteria(html), ["FR-1 Carts hold things"]);
    let wide = "# 购物\n\n### TASK-1.1：购物车\n**描述**：\n创建 `src/cart.py`，包含：\n- 商品\n\n**验收标准：**\n- [ ] 新的购物车是空的\n\n## 文件清单\n\n| 文件 | 操作 | 任务 |\n|---|---|---|\n| `src/order.py` | 修改 | TASK-1.2 |\n";
    let read = spec(wide);
    assert_eq!(criteria(wide), ["AC-001 新的购物车是空的"]);
    assert_eq!(read.criteria[0].task.as_deref(), Some("TASK-1.1"));
    let files: Vec<String> =
        read.files.iter().map(|f| format!("{} {:?} {}", f.path, f.operation, f.tasks.join(","))).collect();
    assert_eq!(files, ["src/cart.py Create TASK-1.1", "src/order.py Modify TASK-1.2"]);
}

#[test]
fn what_asks_for_something_and_finds_no_place_is_listed() {
    let text = "# Spec\n\n## User Stories\n\n### US-1: Carts\n\nAs a buyer, I want carts.\n\n## Notes\n\nEvery cart MUST be kept.\n\n```\nnever ends\n\n## Acceptance Criteria\n\n- it holds\n";
    let read = spec(text);
    let left: Vec<&str> = read.unplaced.iter().map(|r| r.text.as_str()).collect();
    assert_eq!(
        left,
        ["code block is never closed; the text after it is read as prose", "Every cart MUST be kept."]
    );
    assert_eq!(criteria(text), ["AC-001 it holds"]);
}

#[test]
fn stories_hold_their_criteria() {
    let text = "## User Stories\n\n### US-7: Sign in\n**As a** visitor\n**I want** to sign in\n**So that** I am known\n\n**Acceptance Criteria:**\n- The form is shown\n";
    let spec = spec(text);
    assert_eq!(spec.stories[0].id, "US-7");
    assert_eq!(spec.stories[0].text, "As a visitor I want to sign in So that I am known");
    assert_eq!(spec.criteria[0].story.as_deref(), Some("US-7"));
}

#[test]
fn ownership_tasks_and_orders_are_read() {
    let text = "# Design\n\n## Plan\n\n### File Ownership\n\n| File | Task ID | Operation |\n|---|---|---|\n| `src/a.py` | TASK-001 | create |\n| src/commands/b.py, c.py | TASK-002 | modify (wire) |\n| old.py | TASK-002 | delete |\n| — (push) | TASK-003 | command |\n\n### Dependency Graph\n\n```\nTASK-001 (a) ──┐\nTASK-002 (b) ──┴──▶ TASK-003\n```\n";
    let spec = spec(text);
    let files: Vec<String> =
        spec.files.iter().map(|f| format!("{} {:?} {}", f.path, f.operation, f.tasks.join(","))).collect();
    insta::assert_snapshot!(files.join("\n"), @r"
    src/a.py Create TASK-001
    src/commands/b.py Modify TASK-002
    src/commands/c.py Modify TASK-002
    old.py Delete TASK-002
    ");
    let edges: Vec<String> = spec.edges.iter().map(|e| format!("{} {}", e.before, e.after)).collect();
    assert_eq!(edges, ["TASK-001 TASK-003", "TASK-002 TASK-003"]);
    assert_eq!(spec.tasks.iter().find(|t| t.id == "TASK-003").map(|t| t.title.as_str()), Some("push"));
}

#[test]
fn parts_decisions_and_what_is_left_over() {
    let text = "# Design\n\n## Components\n\n| Component | Responsibility | Files |\n|---|---|---|\n| Cart | holds lines | `src/cart.ts` |\n\n## Data Model\n\n```ts\nexport interface Line {\n  id: string;\n}\n```\n\n## API\n\n- `POST /carts` makes one\n\n### Decision: Keep carts in memory\n\n**Decision**: In memory.\n\n## Weather\n\nIt rains.\n";
    let spec = spec(text);
    assert_eq!(spec.components[0].files, ["src/cart.ts"]);
    assert_eq!(spec.models[0].name, "Line");
    assert_eq!((spec.endpoints[0].method.as_str(), spec.endpoints[0].route.as_str()), ("POST", "/carts"));
    assert_eq!(spec.decisions[0].title, "Keep carts in memory");
    // What names nothing of the work is kept for whoever it fits, and is no aside.
    let left: Vec<&str> = spec.details.iter().filter(|d| !d.aside).map(|d| d.heading.as_str()).collect();
    assert_eq!(left, ["Weather"]);
}

#[test]
fn short_names_and_patterns_stand_for_known_files() {
    let text = "## File Ownership\n\n| File | Task | Operation |\n|---|---|---|\n| analyze.py | T-1 | modify |\n| `src/cmd/*.py` | T-2 | delete |\n";
    let known: Vec<String> = ["src/cmd/analyze.py", "src/cmd/b.py", "src/x.py"].map(str::to_owned).into();
    let spec = read(&[SpecFile { path: "d.md".to_owned(), text: text.to_owned() }], &known);
    let files: Vec<(&str, Operation)> = spec.files.iter().map(|f| (f.path.as_str(), f.operation)).collect();
    assert_eq!(
        files,
        [
            ("src/cmd/analyze.py", Operation::Modify),
            ("src/cmd/analyze.py", Operation::Delete),
            ("src/cmd/b.py", Operation::Delete)
        ]
    );
}

/// Pieces that together make every reader do something.
fn piece() -> impl Strategy<Value = String> {
    prop_oneof![
        Just("## Acceptance Criteria\n".to_owned()),
        Just("| File | Task | Op |\n|---|---|---|\n| `a/b.py` | T-1 | create |\n".to_owned()),
        Just("```\nT-1 ──┐\n      ├─▶ T-2\n".to_owned()),
        Just("```mermaid\ngraph TD\n A[T-1] --> B[T-2]\n```\n".to_owned()),
        Just("### US-1: Ä\n**As a** x\n**I want** ü\n".to_owned()),
        Just("- [ ] Given é, when ß, then ñ\n   - AC: x\n".to_owned()),
        Just("1. Scope\nText.\n\n1.1 Needs\n• é\nFR-1: ü must hold\n".to_owned()),
        Just("<table><tr><th>é<th>ID\n<tr><td>ß</table>\n\n<own>\n".to_owned()),
        Just("Level 1 (all):\n T-1: x\nLevel 2 (depends on T-1)\n".to_owned()),
        "[ -~\\n|`#*>\\[\\](){}─▶é]{0,60}",
        ".{0,40}",
    ]
}

proptest! {
    #[test]
    fn any_text_is_read_and_every_place_is_in_it(pieces in prop::collection::vec(piece(), 0..12)) {
        let text = pieces.join("\n");
        let spec = spec(&text);
        let spans = spec.criteria.iter().map(|c| c.span)
            .chain(spec.stories.iter().map(|s| s.span))
            .chain(spec.files.iter().map(|f| f.span))
            .chain(spec.edges.iter().map(|e| e.span))
            .chain(spec.tasks.iter().map(|t| t.span))
            .chain(spec.unplaced.iter().map(|u| u.span));
        for span in spans {
            prop_assert!(text.get(span.start as usize..span.end as usize).is_some(), "{span:?}");
        }
        let mut ids: Vec<&str> = spec.criteria.iter().map(|c| c.id.as_str()).collect();
        ids.sort_unstable();
        let count = ids.len();
        ids.dedup();
        prop_assert_eq!(ids.len(), count);
    }
}
