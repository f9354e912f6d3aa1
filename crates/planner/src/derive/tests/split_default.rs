//! Splitting under the default profile.

use super::split_plans;
use crate::lint::Profile;

#[test]
fn the_default_profile_keeps_criteria_together() {
    insta::assert_snapshot!(split_plans(Profile::Default), @r"
    # many criteria of one file
    T-1: Build the cart
      create: src/cart.py, tests/test_cart.py
      test: tests/test_cart.py
      verify: python3 -m pytest tests/test_cart.py
      type: create_service
      criteria: AC-1, AC-2, AC-3, AC-4, NFR-1
    T-2: Write the guide
      after: T-1
      create: docs/guide.md
      test: documentation_only
      type: add_config
    (unsure: `AC-1`: weak match (0.16), assigned to `T-1`)
    (unsure: `AC-2`: weak match (0.16), assigned to `T-1`)
    (unsure: `AC-3`: weak match (0.16), assigned to `T-1`)
    (unsure: `AC-4`: weak match (0.16), assigned to `T-1`)
    (unsure: `NFR-1`: weak match (0.11), assigned to `T-1`)

    # many files of one task
    T-1: Create src/models/cart.py with 5 more files
      create: src/models/cart.py, src/services/cart.py, src/routes/cart.py, tests/test_cart.py, docs/cart.md, settings.yml, deploy.yml
      test: tests/test_cart.py
      verify: python3 -m pytest tests/test_cart.py
      type: add_endpoint_complex
      criteria: AC-001, AC-002, AC-003, AC-004
    T-2: Create src/b.py
      create: src/b.py
      test: tests/test_b.py
      verify: python3 -m pytest tests/test_b.py
      type: create_service
    (unsure: `AC-001`: weak match (0.16), assigned to `T-1`)
    (unsure: `AC-002`: weak match (0.16), assigned to `T-1`)
    (unsure: `AC-004`: weak match (0.16), assigned to `T-1`)

    # a task without a test
    T-2: Build the cart
      create: src/cart.py
      test: tests/test_cart.py
      verify: python3 -m pytest tests/test_cart.py
      type: create_service
    T-1: Write the guide
      after: T-2
      create: docs/guide.md
      test: documentation_only
      type: add_config
      criteria: AC-1, AC-2, AC-3, AC-4
    (unsure: `AC-2`: weak match (0.19), assigned to `T-1`)
    (unsure: `AC-3`: weak match (0.19), assigned to `T-1`)
    (unsure: `AC-4`: weak match (0.19), assigned to `T-1`)

    # many lines of one file
    T-1: Create src/cart.py
      create: src/cart.py
      test: tests/test_cart.py
      verify: python3 -m pytest tests/test_cart.py
      type: create_service
    T-2: Create src/b.py
      create: src/b.py
      test: tests/test_b.py
      verify: python3 -m pytest tests/test_b.py
      type: create_service
    ");
}
