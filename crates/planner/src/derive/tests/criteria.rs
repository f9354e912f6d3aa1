//! The assignment of criteria and decisions to units.

use super::{default_plans, document};

#[test]
fn criteria_are_assigned_to_units() {
    insta::assert_snapshot!(default_plans(document!("criteria")), @r"
    # by the id that a task names
    T-1: Serve FR-2
      create: src/a.py
      test: tests/test_a.py
      verify: python3 -m pytest tests/test_a.py
      type: create_service
      criteria: FR-2
    T-2: Serve FR-1
      create: src/b.py
      test: tests/test_b.py
      verify: python3 -m pytest tests/test_b.py
      type: create_service
      criteria: FR-1

    # by the file that a criterion names
    T001: Create src/a.py
      create: src/a.py
      test: tests/test_a.py
      verify: python3 -m pytest tests/test_a.py
      type: create_service
    T002: Create src/b.py
      create: src/b.py
      test: tests/test_b.py
      verify: python3 -m pytest tests/test_b.py
      type: create_service
      criteria: AC-001
    T003: Create src/yard.py
      create: src/yard.py
      test: tests/test_yard.py
      verify: python3 -m pytest tests/test_yard.py
      type: create_service
      criteria: AC-002

    # by a symbol of a contract
    T001: Create src/attic.py
      create: src/attic.py
      test: tests/test_attic.py
      verify: python3 -m pytest tests/test_attic.py
      type: create_service
    T002: Create src/yard.py
      create: src/yard.py
      test: tests/test_yard.py
      verify: python3 -m pytest tests/test_yard.py
      type: create_service
      criteria: AC-001
      contract: # src/yard.py / def settle(order: str) -> bool: ...

    # by the module that a symbol is named after
    T001: Create src/attic.py
      create: src/attic.py
      test: tests/test_attic.py
      verify: python3 -m pytest tests/test_attic.py
      type: create_service
    T002: Create src/order_service.py
      create: src/order_service.py
      test: tests/test_order_service.py
      verify: python3 -m pytest tests/test_order_service.py
      type: create_service
      criteria: AC-001

    # by the route, in the endpoint file named like it
    T001: Create src/routes/users.py
      create: src/routes/users.py
      test: tests/test_users.py
      verify: python3 -m pytest tests/test_users.py
      type: add_endpoint
    T002: Create src/routes/orders.py
      create: src/routes/orders.py
      test: tests/test_orders.py
      verify: python3 -m pytest tests/test_orders.py
      type: add_endpoint
      criteria: AC-001 `assert response.status_code == 201`

    # by the route, in the only endpoint file
    T001: Create src/services/stable.py
      create: src/services/stable.py
      test: tests/test_stable.py
      verify: python3 -m pytest tests/test_stable.py
      type: create_service
    T002: Create src/routes/animals.py
      after: T001
      create: src/routes/animals.py
      test: tests/test_animals.py
      verify: python3 -m pytest tests/test_animals.py
      type: add_endpoint
      criteria: AC-001 `assert response.status_code == 201`

    # by words, with the score of a weak match
    T001: Create basket with lines in src/a.py
      create: src/a.py
      test: tests/test_a.py
      verify: python3 -m pytest tests/test_a.py
      type: create_service
      criteria: AC-001
    T002: Create receipt printing for accountants who count every month in src/b.py
      create: src/b.py
      test: tests/test_b.py
      verify: python3 -m pytest tests/test_b.py
      type: create_service
      criteria: AC-002
    (unsure: `AC-002`: weak match (0.08), assigned to `Create receipt printing for accountants who count every month in src/b.py`)

    # to the unit with the fewest criteria, where nothing matches
    T001: Create src/a.py
      create: src/a.py
      test: tests/test_a.py
      verify: python3 -m pytest tests/test_a.py
      type: create_service
      criteria: AC-001
    T002: Create src/b.py
      create: src/b.py
      test: tests/test_b.py
      verify: python3 -m pytest tests/test_b.py
      type: create_service
      criteria: AC-002
    (COVERAGE_GAP: nothing in the documents covers `AC-002`; assigned to `Create src/b.py`)

    # tests and documents serve the criteria that mention them
    T001: Create the cart adds lines in src/cart.py
      create: src/cart.py
      test: tests/test_cart.py
      verify: python3 -m pytest tests/test_cart.py
      type: create_service
      criteria: AC-003
    T002: Document options of the cart in docs/cart-guide.md
      after: T001
      create: docs/cart-guide.md
      test: documentation_only
      type: add_config
      criteria: AC-001
    T003: Test coverage of the cart in tests/test_all_carts.py
      after: T001
      create: tests/test_all_carts.py
      test: tests/test_all_carts.py
      verify: python3 -m pytest tests/test_all_carts.py
      type: add_test
      criteria: AC-002

    # one unit serves everything
    T-1: Build it
      create: src/a.py, src/b.py
      test: tests/test_a.py
      verify: python3 -m pytest tests/test_a.py
      type: create_service
      criteria: AC-001, AC-002

    # criteria below a task belong to it
    TASK-1: Create Yard in src/yard.py
      create: src/yard.py
      test: tests/test_yard.py
      verify: python3 -m pytest tests/test_yard.py
      type: create_service
      criteria: AC-001
    TASK-2: Create Zone in src/zone.py
      create: src/zone.py
      test: tests/test_zone.py
      verify: python3 -m pytest tests/test_zone.py
      type: create_service
      criteria: AC-002

    # decisions go to the units with their words
    T001: Create receipts printed as PDF files in src/receipts.py
      create: src/receipts.py
      test: tests/test_receipts.py
      verify: python3 -m pytest tests/test_receipts.py
      type: create_service
      decisions: ADR-1
      notes: ADR-1 (Receipts are printed as PDF): Receipts are printed as PDF files.
    T002: Add lines in src/a.py
      create: src/a.py
      test: tests/test_a.py
      verify: python3 -m pytest tests/test_a.py
      type: create_service
    ");
}

/// What a table under the heading of a component says belongs to the component's task; a status to the only endpoint.
#[test]
fn headings_and_statuses_place_criteria() {
    let table = "| Component | File | Responsibility |\n|---|---|---|\n| RefundPolicy | src/policy.py | decides |\n\
        | Redeem endpoint | src/routes/redeem.py | POST /redeem |\n\n";
    let head = format!("# Technical Design: Refunds\n\n## Components\n\n{table}");
    let of = |text: &str, path: &str| {
        let case = super::Case { name: String::new(), files: Vec::new(), text: format!("{head}{text}") };
        let made = case.derived(&super::options(crate::lint::Profile::Default));
        let task = made.plan.tasks.iter().find(|t| t.owned().any(|own| own == path)).unwrap();
        task.criteria.iter().map(|c| c.text.clone()).collect::<Vec<_>>()
    };
    let table =
        "## RefundPolicy Logic\n\n| Age in days | Allowed |\n|---|---|\n| 0-30 | yes |\n| over 30 | no |\n";
    assert_eq!(of(table, "src/policy.py"), ["0-30: allowed yes", "over 30: allowed no"]);
    let status = "## Acceptance Criteria\n\n- API returns 402 when payment fails\n";
    assert_eq!(of(status, "src/routes/redeem.py"), ["API returns 402 when payment fails"]);
}

/// Boxes under the heading of a story are its criteria, whatever they say.
#[test]
fn boxes_below_a_story_are_its_criteria() {
    let text = "# PRD\n\n## User Stories\n\n### US-1: Balance\n\n- [ ] Balance > 0\n- [x] Given no card, when paying, then an error is shown\n\n### US-2: Limits\n\nSome words about limits.\n\n- [ ] PIN must be exactly 4 digits\n";
    let case = super::Case { name: String::new(), files: Vec::new(), text: text.to_owned() };
    let made = case.derived(&super::options(crate::lint::Profile::Default));
    let all: Vec<(Vec<String>, usize)> =
        made.plan.tasks.iter().map(|t| (t.traces_to.stories.clone(), t.criteria.len())).collect();
    assert_eq!(all, [(vec!["US-1".to_owned()], 2), (vec!["US-2".to_owned()], 1)]);
}
