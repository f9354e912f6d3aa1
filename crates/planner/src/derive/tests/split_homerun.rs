//! Splitting under the profile of homerun.

use super::split_plans;
use crate::lint::Profile;

#[test]
fn homerun_splits_by_criterion_and_by_file() {
    insta::assert_snapshot!(split_plans(Profile::Homerun), @r"
    # many criteria of one file
    001: Build the cart
      type: create_service
      criteria: AC-1, AC-2, AC-3, AC-4, NFR-1
    001a: AC-1: a cart holds lines
      part of: 001
      create: src/cart.py, tests/test_cart.py
      test: tests/test_cart.py
      verify: python3 -m pytest tests/test_cart.py
      type: add_method
      criteria: AC-1
      notes: Leave to later parts: AC-2 a cart counts lines; AC-3 a cart drops lines; AC-4 a cart sums lines; NFR-1 a cart answers within 10 ms
    001b: AC-2: a cart counts lines
      part of: 001
      after: 001a
      modify: src/cart.py, tests/test_cart.py
      test: tests/test_cart.py
      verify: python3 -m pytest tests/test_cart.py
      type: add_method
      criteria: AC-2
      notes: Leave to later parts: AC-3 a cart drops lines; AC-4 a cart sums lines; NFR-1 a cart answers within 10 ms
    001c: AC-3: a cart drops lines
      part of: 001
      after: 001b
      modify: src/cart.py, tests/test_cart.py
      test: tests/test_cart.py
      verify: python3 -m pytest tests/test_cart.py
      type: add_method
      criteria: AC-3
      notes: Leave to later parts: AC-4 a cart sums lines; NFR-1 a cart answers within 10 ms
    001d: AC-4: a cart sums lines
      part of: 001
      after: 001c
      modify: src/cart.py, tests/test_cart.py
      test: tests/test_cart.py
      verify: python3 -m pytest tests/test_cart.py
      type: add_method
      criteria: AC-4, NFR-1
    002: Write the guide
      after: 001
      create: docs/guide.md
      test: documentation_only
      type: add_config
    (unsure: `AC-1`: weak match (0.16), assigned to `T-1`)
    (unsure: `AC-2`: weak match (0.16), assigned to `T-1`)
    (unsure: `AC-3`: weak match (0.16), assigned to `T-1`)
    (unsure: `AC-4`: weak match (0.16), assigned to `T-1`)
    (unsure: `NFR-1`: weak match (0.11), assigned to `T-1`)

    # many files of one task
    001: Create src/models/cart.py with 5 more files
      type: add_endpoint_complex
      criteria: AC-001, AC-002, AC-003, AC-004
    001a: AC-001: the model holds lines
      part of: 001
      create: src/models/cart.py
      test: tests/test_cart.py
      verify: python3 -m pytest tests/test_cart.py
      type: add_field
      criteria: AC-001
      notes: Leave to later parts: AC-002 the service sums lines; AC-003 the route answers; AC-004 the guide names the route
    001b: AC-002: the service sums lines
      part of: 001
      after: 001a
      create: src/services/cart.py, tests/test_cart.py
      test: tests/test_cart.py
      verify: python3 -m pytest tests/test_cart.py
      type: add_method
      criteria: AC-002
      notes: Leave to later parts: AC-003 the route answers; AC-004 the guide names the route
    001c: Create src/models/cart.py with 5 more files in docs/cart.md
      part of: 001
      after: 001b
      create: docs/cart.md
      test: documentation_only
      type: add_endpoint
    001d: Create src/models/cart.py with 5 more files in settings.yml, part 1 of 1
      part of: 001
      after: 001c
      create: settings.yml, deploy.yml
      test: config_static
      type: add_endpoint
    001e: AC-003: the route answers
      part of: 001
      after: 001d
      create: src/routes/cart.py
      test: tests/test_cart.py
      verify: python3 -m pytest tests/test_cart.py
      type: add_endpoint
      criteria: AC-003, AC-004
    002: Create src/b.py
      create: src/b.py
      test: tests/test_b.py
      verify: python3 -m pytest tests/test_b.py
      type: create_service
    (unsure: `AC-001`: weak match (0.16), assigned to `T-1`)
    (unsure: `AC-002`: weak match (0.16), assigned to `T-1`)
    (unsure: `AC-004`: weak match (0.16), assigned to `T-1`)

    # a task without a test
    001: Build the cart
      create: src/cart.py
      test: tests/test_cart.py
      verify: python3 -m pytest tests/test_cart.py
      type: create_service
    002: Write the guide
      after: 001
      type: add_config
      criteria: AC-1, AC-2, AC-3, AC-4
    002a: AC-1: the guide explains carts
      part of: 002
      after: 001
      create: docs/guide.md
      test: documentation_only
      type: add_config
      criteria: AC-1
      notes: Leave to later parts: AC-2 the guide explains lines; AC-3 the guide explains sums; AC-4 the guide explains orders
    002b: AC-2: the guide explains lines
      part of: 002
      after: 002a
      modify: docs/guide.md
      test: documentation_only
      type: add_config
      criteria: AC-2
      notes: Leave to later parts: AC-3 the guide explains sums; AC-4 the guide explains orders
    002c: AC-3: the guide explains sums
      part of: 002
      after: 002b
      modify: docs/guide.md
      test: documentation_only
      type: add_config
      criteria: AC-3
      notes: Leave to later parts: AC-4 the guide explains orders
    002d: AC-4: the guide explains orders
      part of: 002
      after: 002c
      modify: docs/guide.md
      test: documentation_only
      type: add_config
      criteria: AC-4
    (unsure: `AC-2`: weak match (0.19), assigned to `T-1`)
    (unsure: `AC-3`: weak match (0.19), assigned to `T-1`)
    (unsure: `AC-4`: weak match (0.19), assigned to `T-1`)

    # many lines of one file
    001: Create src/cart.py
      create: src/cart.py
      test: tests/test_cart.py
      verify: python3 -m pytest tests/test_cart.py
      type: create_service
    002: Create src/b.py
      create: src/b.py
      test: tests/test_b.py
      verify: python3 -m pytest tests/test_b.py
      type: create_service
    ");
}
