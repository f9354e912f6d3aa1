//! Splitting under the contract profile.

use super::split_plans;
use crate::lint::Profile;

#[test]
fn contract_splits_by_lines() {
    insta::assert_snapshot!(split_plans(Profile::Contract), @r"
    # many criteria of one file
    TASK-001: Build the cart
      create: src/cart.py, tests/test_cart.py
      test: tests/test_cart.py
      verify: python3 -m pytest tests/test_cart.py
      type: create_service
      criteria: AC-1, AC-2, AC-3, AC-4, NFR-1
    TASK-002: Write the guide
      after: TASK-001
      create: docs/guide.md
      test: documentation_only
      type: add_config
    (unsure: `AC-1`: weak match (0.16), assigned to `T-1`)
    (unsure: `AC-2`: weak match (0.16), assigned to `T-1`)
    (unsure: `AC-3`: weak match (0.16), assigned to `T-1`)
    (unsure: `AC-4`: weak match (0.16), assigned to `T-1`)
    (unsure: `NFR-1`: weak match (0.11), assigned to `T-1`)

    # many files of one task
    TASK-001: Create src/models/cart.py with 5 more files
      create: src/models/cart.py, src/services/cart.py, src/routes/cart.py, tests/test_cart.py, docs/cart.md, settings.yml, deploy.yml
      test: tests/test_cart.py
      verify: python3 -m pytest tests/test_cart.py
      type: add_endpoint_complex
      criteria: AC-001, AC-002, AC-003, AC-004
    TASK-002: Create src/b.py
      create: src/b.py
      test: tests/test_b.py
      verify: python3 -m pytest tests/test_b.py
      type: create_service
    (unsure: `AC-001`: weak match (0.16), assigned to `T-1`)
    (unsure: `AC-002`: weak match (0.16), assigned to `T-1`)
    (unsure: `AC-004`: weak match (0.16), assigned to `T-1`)

    # a task without a test
    TASK-001: Build the cart
      create: src/cart.py
      test: tests/test_cart.py
      verify: python3 -m pytest tests/test_cart.py
      type: create_service
    TASK-002: Write the guide
      after: TASK-001
      create: docs/guide.md
      test: documentation_only
      type: add_config
      criteria: AC-1, AC-2, AC-3, AC-4
    (unsure: `AC-2`: weak match (0.19), assigned to `T-1`)
    (unsure: `AC-3`: weak match (0.19), assigned to `T-1`)
    (unsure: `AC-4`: weak match (0.19), assigned to `T-1`)

    # many lines of one file
    TASK-001: Create src/cart.py
      type: create_service
    TASK-001a: Create src/cart.py in src/cart.py, part 1 of 3
      part of: TASK-001
      create: src/cart.py
      test: tests/test_cart.py
      verify: python3 -m pytest tests/test_cart.py
      type: add_method
    TASK-001b: Create src/cart.py in src/cart.py, part 2 of 3
      part of: TASK-001
      after: TASK-001a
      modify: src/cart.py
      test: tests/test_cart.py
      verify: python3 -m pytest tests/test_cart.py
      type: add_method
    TASK-001c: Create src/cart.py in src/cart.py, part 3 of 3
      part of: TASK-001
      after: TASK-001b
      modify: src/cart.py
      test: tests/test_cart.py
      verify: python3 -m pytest tests/test_cart.py
      type: add_method
    TASK-002: Create src/b.py
      create: src/b.py
      test: tests/test_b.py
      verify: python3 -m pytest tests/test_b.py
      type: create_service
    ");
}
