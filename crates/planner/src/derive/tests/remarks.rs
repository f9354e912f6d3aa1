//! Risks, remarks, sections, contracts and assertions.

use super::{default_plans, document};

#[test]
fn remarks_contracts_and_assertions() {
    insta::assert_snapshot!(default_plans(document!("remarks")), @r#"
    # risks, test notes, metrics and constraints reach the task they mention
    T-1: Create src/cart.py
      create: src/cart.py
      test: tests/test_cart.py
      verify: python3 -m pytest tests/test_cart.py
      type: create_service
      risks: `src/cart.py` may overflow
      notes: Measured by: A cart holds 50 lines in src/cart.py
    T-2: Create src/receipts.py
      create: src/receipts.py
      test: tests/test_receipts.py
      verify: python3 -m pytest tests/test_receipts.py
      type: create_service
      notes: Constraints: T-2 uses no network / Rule: T-2 uses no network
    (left out: 1 of 2 risks match no task)
    (left out: 2 of 2 lines about tests match no task)

    # sections by file, by task, by words, and without a task
    T-2: Create in depth in src/receipts.py
      create: src/receipts.py
      test: tests/test_receipts.py
      verify: python3 -m pytest tests/test_receipts.py
      type: create_service
      criteria: AC-002, AC-003
      notes: Weather: It rains.
    T-1: Create src/cart.py
      create: src/cart.py
      test: tests/test_cart.py
      verify: python3 -m pytest tests/test_cart.py
      type: create_service
      criteria: AC-001
      notes: Storage: `src/cart.py` keeps lines in a list. / Weather: It rains.

    # excluded sections are counted
    T001: Create src/cart.py
      create: src/cart.py
      test: tests/test_cart.py
      verify: python3 -m pytest tests/test_cart.py
      type: create_service
    T002: Create src/order.py
      create: src/order.py
      test: tests/test_order.py
      verify: python3 -m pytest tests/test_order.py
      type: create_service
    (left out: 2 lines under `Future Improvements`, excluded by its heading)
    (left out: 1 line under `Out of Scope`, excluded by its heading)

    # the text below the heading of a requirement is a note
    T001: Create src/cart.py
      create: src/cart.py
      test: tests/test_cart.py
      verify: python3 -m pytest tests/test_cart.py
      type: create_service
      criteria: FR-1
      notes: FR-1: Export every cart as text: One line per item, in the order they were added, in `src/cart.py`. / FR-1 (Export every cart as text): One line per item, in the order they were added, in `src/cart.py`.
    T002: Create src/order.py
      create: src/order.py
      test: tests/test_order.py
      verify: python3 -m pytest tests/test_order.py
      type: create_service

    # a contract is that of the file named above the code
    T001: Create src/cart.py
      create: src/cart.py
      test: tests/test_cart.py
      verify: python3 -m pytest tests/test_cart.py
      type: create_service
    T002: Create Current in src/order.py
      create: src/order.py
      test: tests/test_order.py
      verify: python3 -m pytest tests/test_order.py
      type: create_service

    # assertions follow the words of criteria
    T001: Create src/cart.py
      create: src/cart.py
      test: tests/test_cart.py
      verify: python3 -m pytest tests/test_cart.py
      type: create_service
      criteria: AC-001, AC-002, AC-003, AC-004 `assert result == 'done'`, AC-005 `assert "Saved" in output`, AC-006, AC-007 `assert response.status_code == 404`, AC-008, AC-009
    T002: Create src/order.py
      create: src/order.py
      test: tests/test_order.py
      verify: python3 -m pytest tests/test_order.py
      type: create_service
    "#);
}
