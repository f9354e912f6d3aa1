//! Test files, commands, task types and titles.

use super::{default_plans, document};

#[test]
fn tests_commands_and_titles() {
    insta::assert_snapshot!(default_plans(document!("tests_and_titles")), @"
    # the test of a file is where the repository keeps tests
    T001: Create src/shop/order.py
      create: src/shop/order.py
      test: tests/unit/test_order.py
      verify: python3 -m pytest tests/unit/test_order.py
      type: create_service
    T002: Change src/shop/cart.py
      modify: src/shop/cart.py
      test: tests/unit/test_cart.py
      verify: python3 -m pytest tests/unit/test_cart.py
      type: add_method

    # several test files of pytest are one call
    T-1: Create src/cart.py
      create: src/cart.py, tests/test_cart.py, tests/test_sums.py, tests/conftest.py
      test: tests/test_cart.py
      verify: python3 -m pytest tests/test_cart.py tests/test_sums.py
      type: create_service
    T-2: Create src/b.py
      create: src/b.py
      test: tests/test_b.py
      verify: python3 -m pytest tests/test_b.py
      type: create_service

    # a gate runs the tests of the tasks before it
    T-1: Create src/cart.py
      create: src/cart.py, tests/test_cart.py
      test: tests/test_cart.py
      verify: python3 -m pytest tests/test_cart.py
      type: create_service
    T-2: Create src/b.py
      create: src/b.py
      test: tests/test_b.py
      verify: python3 -m pytest tests/test_b.py
      type: create_service
    T-3: Check: quality gates
      after: T-1
      verify: python3 -m pytest tests/test_cart.py
      type: integration_test

    # a file without a known runner is noted
    T001: Create lib/cart.ex
      create: lib/cart.ex
      test: tests/cart_test.ex
      type: create_service
    T002: Create lib/cart.kt
      create: lib/cart.kt
      test: tests/cart_test.kt
      type: create_service
    (no test runner: no known command runs the tests of `T001`, `T002`)

    # a refactoring keeps its tests
    T-1: Extract the sum from the cart
      modify: src/shop/cart.py
      test: tests/test_cart.py
      verify: python3 -m pytest tests/test_cart.py
      type: rename_refactor
    T-2: Fix the regression in orders
      create: src/shop/order.py
      test: tests/test_order.py
      verify: python3 -m pytest tests/test_order.py
      type: bug_fix

    # types, configuration, dependencies and documents have no test
    T-3: Add the dependency on zod
      modify: package.json
      test: dependency_update
      type: add_config
    T-1: Create src/types.ts
      create: src/types.ts
      test: type_definitions_only
      type: add_config
    T-2: Create tsconfig.json
      create: tsconfig.json
      test: config_static
      type: add_config
    T-4: Document docs/guide.md
      create: docs/guide.md
      test: documentation_only
      type: add_config

    # titles say what is done
    T001: Turn titles into slugs in src/shop/slug.py
      create: src/shop/slug.py
      test: tests/test_slug.py
      verify: python3 -m pytest tests/test_slug.py
      type: create_service
    T002: Create crowd heuristics in src/shop/crowd.py
      create: src/shop/crowd.py
      test: tests/test_crowd.py
      verify: python3 -m pytest tests/test_crowd.py
      type: create_service
    T003: Create src/shop/plain.py
      create: src/shop/plain.py
      test: tests/test_plain.py
      verify: python3 -m pytest tests/test_plain.py
      type: create_service
    T004: Create src/shop/long.py
      create: src/shop/long.py
      test: tests/test_long.py
      verify: python3 -m pytest tests/test_long.py
      type: create_service
    T005: Remove src/shop/old.py
      delete: src/shop/old.py
      test: delete_dead_code
      type: add_config
    T006: Document explain slugs in README.md
      after: T001, T002, T003, T004
      modify: README.md
      test: documentation_only
      type: add_config
    T007: Write unit tests for slugs in tests/test_everything.py
      after: T001, T002, T003, T004
      create: tests/test_everything.py
      test: tests/test_everything.py
      verify: python3 -m pytest tests/test_everything.py
      type: add_test
    ");
}
