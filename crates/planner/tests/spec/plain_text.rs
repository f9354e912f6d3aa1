//! Plain text and other languages are read by the same rules.

use crate::facts::{Facts, fixture, read_documents};

#[test]
fn plain_text_has_sections_criteria_and_files() {
    let spec = fixture!("plain_text/prd.txt");
    let facts = Facts::new(&spec).documents().criteria().stories().exclusions().files();
    insta::assert_snapshot!(facts.text(), @r"
    plain_text/prd.txt is requirements: SHOP
    11: FR-001 Carts (Heading) | detail A cart holds: apples; bags | story US-1
    16: FR-002 Orders (Heading) | detail An order is sent. | story US-2
    20: AC-001 A cart is empty at first (Item)
    21: AC-002 An order has an address (Item)
    11: US-1 Carts | A cart holds: apples; bags
    16: US-2 Orders | An order is sent.
    7: excluded (1.1 Non-Goals) Pears
    24: Unsaid package.json by Tree for []
    24: Unsaid src/cart.ts by Tree for []
    ");
}

#[test]
fn other_languages() {
    insta::assert_snapshot!(Facts::new(&fixture!("plain_text/wide.md")).criteria().tasks().files().text(), @r#"
    9: AC-001 新的购物车是空的 (Item) | task TASK-1.1
    3: TASK-1.1 购物车 | 描述： 创建 `src/cart.py`，包含：; 商品; 验收标准：; 新的购物车是空的
    15: TASK-1.2 
    4: Create src/cart.py by Task for [TASK-1.1]
    15: Modify src/order.py by Ownership for [TASK-1.2] | 修改
    "#);
}

/// A name that ends in `.md` needs two certain headings to be read as plain text.
#[test]
fn the_ending_of_the_name_is_a_hint() {
    let text = "Shop\n\nRequirements\n- Selling\n";
    let criteria = |path: &str| Facts::new(&read_documents(&[(path, text)])).criteria().text();
    assert_eq!(criteria("prd.txt"), "4: AC-001 Selling (Item)\n");
    assert_eq!(criteria("prd.TEXT"), "4: AC-001 Selling (Item)\n");
    assert_eq!(criteria("prd.md"), "");
}
