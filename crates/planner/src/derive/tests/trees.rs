//! Trees of files in every drawing, and diagrams that say what builds on what.

use super::{default_plans, document};

#[test]
fn trees_of_files() {
    insta::assert_snapshot!(default_plans(document!("trees")), @r"
    # a tree without slashes, with the text about its files
    T001: Create include/types.h
      create: include/types.h
      test: tests/types_test.cpp
      type: create_service
      criteria: AC-001
      notes: include/types.h: - types.h defines the types used in the project
    T002: Create include/shelf.h with 1 more file
      after: T001
      create: include/shelf.h, src/shelf.cpp
      test: tests/shelf_test.cpp
      type: create_service
      criteria: AC-002
      notes: include/shelf.h, src/shelf.cpp: - shelf.h & shelf.cpp / - Class: `BookShelf` / - Functions: /   - `put(book)`: adds a book
    T003: Create src/main.cpp
      after: T002
      create: src/main.cpp
      test: tests/main_test.cpp
      type: create_service
    T004: Create makefile
      after: T003
      create: makefile
      test: config_static
      type: add_config
    (no test runner: no known command runs the tests of `T001`, `T002`, `T003`)

    # the first line is the repository itself
    T001: Create pyproject.toml
      create: pyproject.toml
      test: config_static
      type: add_config
    T002: Create tool/core.py with 1 more file
      after: T001
      create: tool/core.py, tool/__init__.py, tests/test_core.py
      test: tests/test_core.py
      verify: python3 -m pytest tests/test_core.py
      type: create_service

    # the first line is a package of the repository
    T001: Create tool/src/core.py
      create: tool/src/core.py
      test: tests/test_core.py
      verify: python3 -m pytest tests/test_core.py
      type: create_service

    # folders and files by indentation
    T001: Create src/cart.py
      create: src/cart.py, tests/test_cart.py
      test: tests/test_cart.py
      verify: python3 -m pytest tests/test_cart.py
      type: create_service
    T002: Create src/api/routes.py
      create: src/api/routes.py
      test: tests/test_routes.py
      verify: python3 -m pytest tests/test_routes.py
      type: add_endpoint

    # nested items
    T001: Add prices up in src/cart.py
      create: src/cart.py
      test: tests/test_cart.py
      verify: python3 -m pytest tests/test_cart.py
      type: create_service
      criteria: AC-001
      notes: src/cart.py: - `cart.py`: adds prices up
    T002: Create answers requests in src/api/routes.py
      create: src/api/routes.py
      test: tests/test_routes.py
      verify: python3 -m pytest tests/test_routes.py
      type: add_endpoint
      notes: src/api/routes.py: - `routes.py` — answers requests
    (COVERAGE_GAP: nothing in the documents covers `AC-001`; assigned to `Add prices up in src/cart.py`)

    # a drawing of boxes is no tree
    T001: Set up the project shop
      create: pyproject.toml
      test: config_static
      type: add_config
    T002: Build shop
      after: T001
      create: shop/shop.py, shop/__init__.py
      test: tests/test_shop.py
      verify: python3 -m pytest tests/test_shop.py
      type: create_service
      criteria: AC-001
      notes: Layout: The package `shop` is at the top of the repository, so that `python3 -m pytest` there finds it; tests import it as `shop`.
    (assumed: no code found; assuming python, which the documents mention)
    (assumed: the documents give Shop no file; assuming `shop/shop.py` (a new file, named after it))

    # settings, locks and folders with a dot
    T001: Create .eslintrc.js
      create: .eslintrc.js
      test: config_static
      type: add_config
    T002: Create package.json
      create: package.json
      test: config_static
      type: add_config
    T003: Create src/.hidden/a.js
      after: T002
      create: src/.hidden/a.js
      test: src/.hidden/a.test.js
      type: create_service
    T004: Create src/index.js
      after: T003
      create: src/index.js
      test: src/index.test.js
      type: create_service
    (no test runner: no known command runs the tests of `T003`, `T004`)

    # slashes before every name, and files under the heading of their folder
    T001: Open the store and returns it in lib/store/open.ts
      create: lib/store/open.ts
      test: lib/store/open.test.ts
      type: create_service
      notes: lib/store/open.ts: - `open.ts` — opens the store and returns it.
    T002: Close the store and writes what is open in lib/store/close.ts
      create: lib/store/close.ts
      test: lib/store/close.test.ts
      type: create_service
      notes: lib/store/close.ts: - `close.ts` — closes the store and writes what is open.
    T003: Create the first page in app/page.tsx
      after: T001, T002
      create: app/page.tsx
      test: app/page.test.tsx
      type: create_service
    T004: Create one card in app/parts/Card.tsx
      after: T001, T002
      create: app/parts/Card.tsx
      test: app/parts/Card.test.tsx
      type: create_service
    (no test runner: no known command runs the tests of `T001`, `T002`, `T003`, `T004`)

    # folders of the system are no project
    T001: Set up the project cards
      create: pyproject.toml
      test: config_static
      type: add_config
    T002: Build cards
      after: T001
      create: cards/cards.py, cards/__init__.py
      test: tests/test_cards.py
      verify: python3 -m pytest tests/test_cards.py
      type: create_service
      criteria: AC-001
      notes: Layout: The package `cards` is at the top of the repository, so that `python3 -m pytest` there finds it; tests import it as `cards`.
    (assumed: no code found; assuming python, which the documents mention)
    (assumed: the documents give Cards no file; assuming `cards/cards.py` (a new file, named after it))
    ");
}

#[test]
fn diagrams_order_units() {
    insta::assert_snapshot!(default_plans(document!("diagrams")), @r"
    # classes
    T001: Create area/shape.py
      create: area/shape.py
      test: tests/test_shape.py
      verify: python3 -m pytest tests/test_shape.py
      type: create_service
    T002: Create area/circle.py
      after: T001
      create: area/circle.py
      test: tests/test_circle.py
      verify: python3 -m pytest tests/test_circle.py
      type: create_service
    T003: Create area/square.py
      after: T001
      create: area/square.py
      test: tests/test_square.py
      verify: python3 -m pytest tests/test_square.py
      type: create_service
    T004: Create area/store.py
      create: area/store.py
      test: tests/test_store.py
      verify: python3 -m pytest tests/test_store.py
      type: create_service
    T005: Create area/canvas.py
      after: T002, T003, T004
      create: area/canvas.py
      test: tests/test_canvas.py
      verify: python3 -m pytest tests/test_canvas.py
      type: create_service
    T006: Create area/main.py
      after: T005
      create: area/main.py
      test: tests/test_main.py
      verify: python3 -m pytest tests/test_main.py
      type: create_service

    # a line against the types of members is not followed
    T001: Create app/settings_file.py
      create: app/settings_file.py
      test: tests/test_settings_file.py
      verify: python3 -m pytest tests/test_settings_file.py
      type: create_service
    T002: Create app/builder.py
      after: T001
      create: app/builder.py
      test: tests/test_builder.py
      verify: python3 -m pytest tests/test_builder.py
      type: create_service

    # a sequence with short names and answers
    T001: Create shop/printer.py
      create: shop/printer.py
      test: tests/test_printer.py
      verify: python3 -m pytest tests/test_printer.py
      type: create_service
    T002: Create shop/cash_box.py
      after: T001
      create: shop/cash_box.py
      test: tests/test_cash_box.py
      verify: python3 -m pytest tests/test_cash_box.py
      type: create_service
    T003: Create shop/desk.py
      after: T002
      create: shop/desk.py
      test: tests/test_desk.py
      verify: python3 -m pytest tests/test_desk.py
      type: create_service

    # PlantUML, and things that need each other are one task
    T001: Create lib/book.py with 1 more file
      create: lib/book.py, lib/sheet.py
      test: tests/test_book.py
      verify: python3 -m pytest tests/test_book.py
      type: create_service
      notes: lib/book.py: - `book.py`: calls `Sheet.count()` / lib/sheet.py: - `sheet.py`: uses `Book`
    T002: Show books in lib/index_page.py
      after: T001
      create: lib/index_page.py
      test: tests/test_index_page.py
      verify: python3 -m pytest tests/test_index_page.py
      type: create_service
      notes: lib/index_page.py: - `index_page.py`: shows books

    # a chart of components
    T001: Create the vault in web/vault.py
      create: web/vault.py
      test: tests/test_vault.py
      verify: python3 -m pytest tests/test_vault.py
      type: create_service
      notes: web/vault.py: - `vault.py`: the vault
    T002: Create the clerk in web/clerk.py
      after: T001
      create: web/clerk.py
      test: tests/test_clerk.py
      verify: python3 -m pytest tests/test_clerk.py
      type: create_service
      notes: web/clerk.py: - `clerk.py`: the clerk
    T003: Create the gate in web/gate.py
      after: T002
      create: web/gate.py
      test: tests/test_gate.py
      verify: python3 -m pytest tests/test_gate.py
      type: create_service
      notes: web/gate.py: - `gate.py`: the gate

    # imports in code blocks
    T001: Create the store in web/b.ts
      create: web/b.ts
      test: web/b.test.ts
      type: create_service
      notes: web/b.ts: - `b.ts`: the store
    T002: Create the first page in web/a.ts
      after: T001
      create: web/a.ts
      test: web/a.test.ts
      type: create_service
      contract: // web/a.ts / export function show(): string;
      notes: web/a.ts: - `a.ts`: the first page / web/a.ts: / ```ts / import { load } from './b'; / export function show(): string; / ```
    (no test runner: no known command runs the tests of `T001`, `T002`)

    # a jar starts with the class that its build file names
    T001: Create build.gradle
      create: build.gradle
      test: config_static
      type: add_config
    T002: Create src/main/java/ids/Worker.java
      after: T001
      create: src/main/java/ids/Worker.java
      test: src/test/java/ids/WorkerTest.java
      type: create_service
    T003: Create src/main/java/ids/Main.java
      after: T002
      create: src/main/java/ids/Main.java
      modify: build.gradle
      test: src/test/java/ids/MainTest.java
      type: create_service
    (no test runner: no known command runs the tests of `T002`, `T003`)
    ");
}

#[test]
fn files_that_documents_name_are_planned_whatever_they_are() {
    let said = default_plans(document!("any_files"));
    let made: Vec<&str> = said.lines().filter_map(|line| line.strip_prefix("  create: ")).collect();
    let all = made.join(", ");
    for path in [
        "paper/abstract.md",
        "paper/method.md",
        "package/README.md",
        "src/board.zig",
        "src/moves.zig",
        "build.zig",
    ] {
        assert!(all.contains(path), "{path} in\n{said}");
    }
    // What is said beside a tree of documents belongs to its own headings.
    assert!(said.contains("Build counting\n"), "{said}");
    assert!(said.contains("Build scoring\n"), "{said}");
}
