//! Units in phases.

use super::{DeriveOptions, Grouping, default_plans, document, options, tasks_of};
use crate::lint::Profile;

#[test]
fn units_in_phases() {
    insta::assert_snapshot!(default_plans(document!("phases")), @r"
    # phases by file, by component and by words
    T001: Create Basket in app/basket.py
      phase: Phase 1: Basket
      create: app/basket.py
      test: tests/test_basket.py
      verify: python3 -m pytest tests/test_basket.py
      type: create_service
      notes: Phase 1: Basket: `app/basket.py`
    T002: Create Payment desk in app/checkout.py
      after: T001
      phase: Phase 2: Checkout
      create: app/checkout.py
      test: tests/test_checkout.py
      verify: python3 -m pytest tests/test_checkout.py
      type: create_service
    T003: Create Receipts in app/receipts.py
      after: T001
      phase: Phase 2: Checkout
      create: app/receipts.py
      test: tests/test_receipts.py
      verify: python3 -m pytest tests/test_receipts.py
      type: create_service
      notes: Phase 2: Checkout: the Payment desk; `app/receipts.py`
    T004: Create Labels in app/labels.py
      create: app/labels.py
      test: tests/test_labels.py
      verify: python3 -m pytest tests/test_labels.py
      type: create_service
    ");
}

/// One phase alone, and phases as sub-plans.
#[test]
fn phases_alone_and_as_sub_plans() {
    let planned = |wish: DeriveOptions| tasks_of(document!("phases"), &wish);
    let mut out = String::new();
    for phase in 1..=4 {
        out.push_str(&format!("## phase {phase}\n"));
        out.push_str(&planned(DeriveOptions { phase: Some(phase), ..options(Profile::Default) }));
    }
    for depth in 0..=1 {
        out.push_str(&format!("## depth {depth}\n"));
        let grouping = Grouping::Nested(depth);
        out.push_str(&planned(DeriveOptions { grouping, ..options(Profile::Default) }));
    }
    insta::assert_snapshot!(out, @r"
    ## phase 1
    # phases by file, by component and by words
    T001: Create Basket in app/basket.py
      phase: Phase 1: Basket
      create: app/basket.py
      test: tests/test_basket.py
      verify: python3 -m pytest tests/test_basket.py
      type: create_service
      notes: Phase 1: Basket: `app/basket.py`
    (left out: in no phase: Create Labels in app/labels.py)
    (left out: planned phase 1 (Phase 1: Basket) only; 0 criteria belong to other phases)

    ## phase 2
    # phases by file, by component and by words
    T002: Create Payment desk in app/checkout.py
      phase: Phase 2: Checkout
      create: app/checkout.py
      read: app/basket.py
      test: tests/test_checkout.py
      verify: python3 -m pytest tests/test_checkout.py
      type: create_service
    T003: Create Receipts in app/receipts.py
      phase: Phase 2: Checkout
      create: app/receipts.py
      read: app/basket.py
      test: tests/test_receipts.py
      verify: python3 -m pytest tests/test_receipts.py
      type: create_service
      notes: Phase 2: Checkout: the Payment desk; `app/receipts.py`
    (left out: in no phase: Create Labels in app/labels.py)
    (left out: planned phase 2 (Phase 2: Checkout) only; 0 criteria belong to other phases)

    ## phase 3
    # phases by file, by component and by words
    T004: Create Labels in app/labels.py
      create: app/labels.py
      test: tests/test_labels.py
      verify: python3 -m pytest tests/test_labels.py
      type: create_service
    (left out: planned phase 3 (Rest) only; 0 criteria belong to other phases)

    ## phase 4
    # phases by file, by component and by words
    (left out: no phase 4; the documents have `Phase 1: Basket`, `Phase 2: Checkout`, `Rest`)

    ## depth 0
    # phases by file, by component and by words
    T001: Create Basket in app/basket.py
      phase: Phase 1: Basket
      create: app/basket.py
      test: tests/test_basket.py
      verify: python3 -m pytest tests/test_basket.py
      type: create_service
      notes: Phase 1: Basket: `app/basket.py`
    T002: Create Payment desk in app/checkout.py
      after: T001
      phase: Phase 2: Checkout
      create: app/checkout.py
      test: tests/test_checkout.py
      verify: python3 -m pytest tests/test_checkout.py
      type: create_service
    T003: Create Receipts in app/receipts.py
      after: T001
      phase: Phase 2: Checkout
      create: app/receipts.py
      test: tests/test_receipts.py
      verify: python3 -m pytest tests/test_receipts.py
      type: create_service
      notes: Phase 2: Checkout: the Payment desk; `app/receipts.py`
    T004: Create Labels in app/labels.py
      create: app/labels.py
      test: tests/test_labels.py
      verify: python3 -m pytest tests/test_labels.py
      type: create_service

    ## depth 1
    # phases by file, by component and by words
    T001: Create Basket in app/basket.py
      part of: phase-1-basket
      phase: Phase 1: Basket
      create: app/basket.py
      test: tests/test_basket.py
      verify: python3 -m pytest tests/test_basket.py
      type: create_service
      notes: Phase 1: Basket: `app/basket.py`
    phase-1-basket: Phase 1: Basket
      phase: Phase 1: Basket
    T002: Create Payment desk in app/checkout.py
      part of: phase-2-checkout
      after: T001
      phase: Phase 2: Checkout
      create: app/checkout.py
      test: tests/test_checkout.py
      verify: python3 -m pytest tests/test_checkout.py
      type: create_service
    T003: Create Receipts in app/receipts.py
      part of: phase-2-checkout
      after: T001
      phase: Phase 2: Checkout
      create: app/receipts.py
      test: tests/test_receipts.py
      verify: python3 -m pytest tests/test_receipts.py
      type: create_service
      notes: Phase 2: Checkout: the Payment desk; `app/receipts.py`
    phase-2-checkout: Phase 2: Checkout
      phase: Phase 2: Checkout
    T004: Create Labels in app/labels.py
      part of: phase-3-rest
      create: app/labels.py
      test: tests/test_labels.py
      verify: python3 -m pytest tests/test_labels.py
      type: create_service
    phase-3-rest: Rest
      phase: Rest
    ");
}
