//! Files and the tasks that change them.

use crate::facts::{Facts, fixture};

#[test]
fn tables_of_files() {
    insta::assert_snapshot!(Facts::new(&fixture!("files/tables.md")).files().unplaced().text(), @r"
    7: Create src/a.py by Ownership for [TASK-001] | create | 120 lines
    8: Modify src/commands/b.py by Ownership for [TASK-002] | modify (wire it)
    8: Modify src/commands/c.py by Ownership for [TASK-002] | modify (wire it)
    9: Delete old.py by Ownership for [TASK-002] | delete
    10: Modify README.md by Ownership for [TASK-003]
    10: Create docs/x.md by Ownership for [TASK-003]
    11: Modify in.py by Ownership for [TASK-003] | modify
    13: Modify index.html by Ownership for [TASK-004] | modify index.html
    17: Create src/d.py by Ownership for [] | New component for carts
    18: Modify src/e.py by Ownership for [] | Remove the photo fields
    24: Create n.py by Ownership for [T-1]
    24: Modify m.py by Ownership for [T-1]
    24: Delete x.py by Ownership for [T-1]
    28: Modify t.py by Task for [T-2] | Wire it
    34: Unsaid src/cart.py by Component for [] | add up the prices
    40: Unsaid src/mention.py by Mention for [] | Carts
    11: unplaced () `../outside.py` is outside the repository
    42: unplaced (Notes) a table
    ");
}

#[test]
fn lists_and_lines_of_files() {
    insta::assert_snapshot!(Facts::new(&fixture!("files/lines.md")).files().text(), @r#"
    5: Modify src/a.py by Ownership for [] | src/a.py: the entry point
    6: Create src/b.py by Ownership for [] | create src/b.py
    7: Delete src/c.py by Ownership for [] | src/c.py (delete)
    13: Create src/e.py by Ownership for [] | src/e.py
    17: Create src/cart.ts by Task for [TASK-001]
    19: Create lib/line.ts by Task for [TASK-001]
    23: Unsaid src/x.ts by Task for [TASK-001] | TASK-001: Carts
    23: Create src/y.ts by Task for [TASK-001] | TASK-001: Carts
    24: Modify src/z.ts by Task for [TASK-001] | TASK-001: Carts
    25: Delete src/old.ts by Task for [TASK-001] | TASK-001: Carts
    32: Unsaid src/component.py by Component for [] | Notes
    38: Modify Cargo.toml by Tree for [] | Add to Cargo.toml: serde = "1"; toml = "0.8"
    "#);
}

#[test]
fn drawn_trees() {
    insta::assert_snapshot!(Facts::new(&fixture!("files/trees.md")).files().text(), @r#"
    5: Unsaid package.json by Tree for []
    5: Create src/cart.ts by Tree for [] | NEW
    5: Read src/order.ts by Tree for [] | existing)
    5: Modify src/deep/line.ts by Tree for [] | modified
    5: Unsaid .gitignore by Tree for []
    18: Unsaid app/Cargo.toml by Tree for []
    18: Unsaid app/main.rs by Tree for []
    24: Unsaid lib/util.py by Tree for []
    24: Unsaid lib/sub/more.py by Tree for []
    33: Create one.py by Tree for []
    33: Read two.py by Tree for [] | unchanged
    56: Unsaid web/src/index.ts by Tree for []
    56: Unsaid web/turbo.json by Tree for [] | settings
    56: Unsaid web/.env.example by Tree for [] | settings
    "#);
}
