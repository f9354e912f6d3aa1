//! Units from tables and lists of the documents, and the operations on their files.

use super::{default_plans, document};

#[test]
fn units_from_tables_and_lists() {
    insta::assert_snapshot!(default_plans(document!("units")), @r"
    # an ownership table beats a list of files
    T-1: Create src/a.py
      create: src/a.py
      test: tests/test_a.py
      verify: python3 -m pytest tests/test_a.py
      type: create_service
    T-2: Create src/b.py
      create: src/b.py
      test: tests/test_b.py
      verify: python3 -m pytest tests/test_b.py
      type: create_service

    # a single owned file does not decide; the files of components count, too
    T-1: Create src/a.py
      create: src/a.py
      test: tests/test_a.py
      verify: python3 -m pytest tests/test_a.py
      type: create_service
    T002: Create Yard in src/yard.py
      create: src/yard.py
      test: tests/test_yard.py
      verify: python3 -m pytest tests/test_yard.py
      type: create_service
      criteria: AC-001
    (assumed: `src/yard.py` is listed without a task)

    # a listed file without a task becomes a unit of its own
    T-1: Create src/a.py
      create: src/a.py
      test: tests/test_a.py
      verify: python3 -m pytest tests/test_a.py
      type: create_service
    T-2: Create src/b.py
      create: src/b.py
      test: tests/test_b.py
      verify: python3 -m pytest tests/test_b.py
      type: create_service
    T003: Create src/c.py
      create: src/c.py
      test: tests/test_c.py
      verify: python3 -m pytest tests/test_c.py
      type: create_service
    (assumed: `src/c.py` is listed without a task)

    # a source and its header are one unit
    T001: Create src/cart.cpp with 1 more file
      create: src/cart.cpp, src/cart.hpp
      test: tests/cart_test.cpp
      type: create_service
    T002: Create src/order.cpp
      create: src/order.cpp
      test: tests/order_test.cpp
      type: create_service
    (no test runner: no known command runs the tests of `T001`, `T002`)

    # a style sheet belongs to its component
    T001: Create src/Player.tsx with 2 more files
      create: src/Player.tsx, src/Player.module.css, src/site.css
      test: src/Player.test.tsx
      type: create_service
    (no test runner: no known command runs the tests of `T001`)

    # documents are grouped, four at most
    T001: Document docs/a.md with 3 more files
      create: docs/a.md, docs/b.md, docs/c.md, docs/d.md
      test: documentation_only
      type: add_config
    T002: Document docs/e.md
      create: docs/e.md
      test: documentation_only
      type: add_config

    # tests go with their subject, and a package file with the tests beside it
    T001: Create src/cart.py
      create: src/cart.py, tests/test_cart.py, tests/__init__.py
      test: tests/test_cart.py
      verify: python3 -m pytest tests/test_cart.py
      type: create_service
    T002: Test tests/test_orders.py
      after: T001
      create: tests/test_orders.py
      test: tests/test_orders.py
      verify: python3 -m pytest tests/test_orders.py
      type: add_test

    # an unstated operation depends on what exists
    T001: Change First in src/a.py
      modify: src/a.py
      test: tests/test_a.py
      verify: python3 -m pytest tests/test_a.py
      type: add_method
      criteria: AC-001
    T002: Create Second in src/b.py
      create: src/b.py
      test: tests/test_b.py
      verify: python3 -m pytest tests/test_b.py
      type: create_service
      criteria: AC-002

    # creating an existing file is a modification
    T001: Change src/a.py
      modify: src/a.py
      test: tests/test_a.py
      verify: python3 -m pytest tests/test_a.py
      type: add_method
    T002: Create src/b.py
      create: src/b.py
      test: tests/test_b.py
      verify: python3 -m pytest tests/test_b.py
      type: create_service

    # modifying a missing file is a creation, and noted
    T001: Change src/a.py
      modify: src/a.py
      test: tests/test_a.py
      verify: python3 -m pytest tests/test_a.py
      type: add_method
    T002: Create src/b.py
      create: src/b.py
      test: tests/test_b.py
      verify: python3 -m pytest tests/test_b.py
      type: create_service
    (assumed: `src/b.py` is to be changed and is not there; it is created)

    # without any code the documents are believed
    T001: Change src/a.py
      modify: src/a.py
      test: tests/test_a.py
      verify: python3 -m pytest tests/test_a.py
      type: add_method
    T002: Change src/b.py
      modify: src/b.py
      test: tests/test_b.py
      verify: python3 -m pytest tests/test_b.py
      type: add_method

    # a file created twice is contradictory
    T-1: Create src/a.py
      create: src/a.py
      test: tests/test_a.py
      verify: python3 -m pytest tests/test_a.py
      type: create_service
    T-2: Change src/a.py
      after: T-1
      modify: src/a.py
      test: tests/test_a.py
      verify: python3 -m pytest tests/test_a.py
      type: add_method
    (contradiction: `src/a.py` is created twice; `T-2` changes it instead)

    # a file is removed
    T001: Remove src/old.py
      delete: src/old.py
      test: delete_dead_code
      type: add_config
    T002: Change src/a.py
      modify: src/a.py
      test: tests/test_a.py
      verify: python3 -m pytest tests/test_a.py
      type: add_method

    # a unit without files that nothing verifies is left out
    T-1: Create src/a.py
      create: src/a.py
      test: tests/test_a.py
      verify: python3 -m pytest tests/test_a.py
      type: create_service
    T-9: Sign-off
      after: T-1
      verify: python3 -m pytest tests/test_a.py
      type: integration_test
    T-2: Create src/b.py
      after: T-9
      create: src/b.py
      test: tests/test_b.py
      verify: python3 -m pytest tests/test_b.py
      type: create_service

    # stated files without an ownership table are found by task
    T-1: Hold lines
      create: src/cart.py
      test: tests/test_cart.py
      verify: python3 -m pytest tests/test_cart.py
      type: create_service
    T-2: Create Sum lines in src/total.py
      create: src/total.py
      test: tests/test_total.py
      verify: python3 -m pytest tests/test_total.py
      type: create_service

    # what stands below the name of a file is about it, and files of one heading are made together
    T001: Create shelf_state.py
      create: shelf_state.py
      test: tests/test_shelf_state.py
      verify: python3 -m pytest tests/test_shelf_state.py
      type: create_service
      criteria: AC-001, AC-002
    T002: Create book_registry.py with 1 more file
      after: T001
      create: book_registry.py, book_catalog.py
      test: tests/test_book_registry.py
      verify: python3 -m pytest tests/test_book_registry.py
      type: create_service
      criteria: AC-003, AC-004, AC-005
    T003: Create opening.gd
      create: opening.gd
      test: tests/opening_test.gd
      type: create_service
      criteria: AC-006, AC-007
    (no test runner: no known command runs the tests of `T003`)
    ");
}
