//! Components, endpoints, data models and decisions.

use crate::facts::{Facts, fixture, read_documents};

#[test]
fn tables_items_and_headings_name_components() {
    insta::assert_snapshot!(Facts::new(&fixture!("components/forms.md")).components().text(), @r#"
    7: Cart ["src/cart.ts"] needs ["Line", "Tax"] serves ["FR-1"] | holds lines (FR-1)
    8: src/tax.ts ["src/tax.ts"] needs [] serves []
    11: Order ["src/order.ts"] needs [] serves ["NFR-2"] | sends it, see NFR-2
    12: src/mail.ts ["src/mail.ts"] needs [] serves [] | sends mail
    18: web [] needs [] serves [] | UI
    34: spawn sites ["launcher.py"] needs [] serves [] | Where processes start.
    38: New module ["src/x.ts"] needs [] serves []
    40: src/y.ts ["src/y.ts"] needs [] serves []
    "#);
}

#[test]
fn endpoints_and_data_models() {
    insta::assert_snapshot!(Facts::new(&fixture!("interfaces/endpoints_and_models.md")).interfaces().text(), @r#"
    5: POST /carts | `POST /carts` makes one
    6: DELETE /carts/{id} | DELETE /carts/{id}: removes one.
    7: GET /orders | [GET] /orders, all of them
    12: PUT /carts/{id} | PUT /carts/{id} replaces one.
    16: GET /users | lists users
    21: PATCH /users/{id} | 
    25: HEAD /users | asks
    32: model User ["id", "name"]
    39: model Order ["total"]
    49: model Schema ["version"]
    53: model Line [] | 6 lines
    53: model Id [] | 6 lines
    62: model stock [] | 4 lines
    69: model Cart [] | 5 lines
    69: model State [] | 5 lines
    "#);
}

#[test]
fn headings_labels_and_tables_state_decisions() {
    insta::assert_snapshot!(Facts::new(&fixture!("decisions/forms.md")).decisions().text(), @r#"
    3: ADR-0001 Queue | Use the database.
    13: ADR-7 ADR 7 Cache | In memory.
    17: ADR-003 Language | Rust.
    21: ADR-004 Storage | Files.
    35: ADR-005 Cache: where | Memory.
    43: ADR-006 Colours | blue — calm
    "#);
}

/// In a document of decisions a title is enough.
#[test]
fn decisions_without_text() {
    let text = "# Decisions\n\n## ADR-1: Queue\n\n## ADR-2: Cache\n";
    let decisions = |path: &str| Facts::new(&read_documents(&[(path, text)])).decisions().text();
    assert_eq!(decisions("decisions.md"), "3: ADR-1 Queue | \n5: ADR-2 Cache | \n");
    assert_eq!(decisions("design.md"), "");
}
