//! Ordinary documents: PRDs, one page about a tool, prose, a message, a sentence.

use super::{default_plans, document};

#[test]
fn ordinary_documents() {
    insta::assert_snapshot!(default_plans(document!("prose")), @r#"
    # an ordinary PRD and the code that serves it
    T001: Build due dates
      modify: todo/api.py
      test: tests/test_api.py
      verify: python3 -m pytest tests/test_api.py
      type: add_endpoint
      criteria: AC-001, AC-002, AC-003 `assert result == 'due'`
      notes: Data format: Todos are stored in `todos.json`: Files written before this change have no `due`; they must still load. / Rule: No new dependencies / Rule: Python 3.10 / Must stay as it is: Files written before this change have no `due`; they must still load. / Must stay as it is: Existing endpoints keep working like today. / Data format: / ```json / {"todos": [{"id": 1, "title": "Buy milk", "done": false, "due": "2025-01-31"}]} / ```
    T002: Build overdue list
      after: T001
      modify: todo/api.py
      test: tests/test_api.py
      verify: python3 -m pytest tests/test_api.py
      type: add_endpoint
      criteria: AC-004, AC-005
      notes: Data format: Todos are stored in `todos.json`: Files written before this change have no `due`; they must still load. / Rule: No new dependencies / Rule: Python 3.10 / Must stay as it is: Files written before this change have no `due`; they must still load. / Must stay as it is: Existing endpoints keep working like today. / Data format: / ```json / {"todos": [{"id": 1, "title": "Buy milk", "done": false, "due": "2025-01-31"}]} / ```
    T003: Build export
      test: tests/test_export_feature.py
      verify: python3 -m pytest tests/test_export_feature.py
      type: add_method
      criteria: AC-006, AC-007, AC-008
      notes: Data format: Todos are stored in `todos.json`: Files written before this change have no `due`; they must still load. / Rule: No new dependencies / Rule: Python 3.10 / Must stay as it is: Files written before this change have no `due`; they must still load. / Must stay as it is: Existing endpoints keep working like today. / Data format: / ```json / {"todos": [{"id": 1, "title": "Buy milk", "done": false, "due": "2025-01-31"}]} / ```
    T004: Update README.md
      after: T002, T003
      modify: README.md
      test: documentation_only
      type: add_config
      criteria: AC-009
      notes: Rule: No new dependencies / Rule: Python 3.10 / Must stay as it is: Files written before this change have no `due`; they must still load. / Must stay as it is: Existing endpoints keep working like today.
    (assumed: the documents give Due dates no file; assuming `todo/api.py` (it answers `/todos`))
    (assumed: the documents give Overdue list no file; assuming `todo/api.py` (it answers `/todos/overdue`))
    (assumed: the documents give Export no file; its files are left open)
    (left out: 1 line under `4. Reminders by mail (not now, maybe later)`, excluded by its heading)
    (left out: 1 line under `Nice to have: colours in the CLI.`, excluded by its heading)
    (not read: `todo/api.py` does not parse at line 1: its exports are known only in part)

    # one page about a command line tool
    T001: Set up the project wordfreq
      create: go.mod
      test: config_static
      type: add_config
    T002: Build wordfreq
      after: T001
      create: wordfreq.go
      test: wordfreq_test.go
      type: create_service
      criteria: AC-001, AC-002, AC-003, AC-004, AC-005, AC-006, AC-007, AC-008, AC-009
      notes: Layout: The module is called `wordfreq`; its code and its tests are one package at the top of the repository. / Rule: Written in Go, standard library only.
    (assumed: no code found; assuming go, which the documents mention)
    (assumed: the documents give wordfreq no file; assuming `wordfreq.go` (a new file, named after it))
    (no test runner: no known command runs the tests of `T002`)

    # prose without a heading
    T001: Set up the project rate_limiter
      create: package.json, tsconfig.json
      test: config_static
      type: add_config
    T002: Build rate limiter
      after: T001
      create: src/rate-limiter.ts
      test: src/rate-limiter.test.ts
      type: create_service
      criteria: AC-001, AC-002, AC-003, AC-004, AC-005
      notes: Layout: ES modules (`"type": "module"`); `devDependencies` lists the test runner that the documents name, else vitest. / Rule: It is written in TypeScript and runs on Node 20. / Rule: We use vitest.
    (assumed: no code found; assuming typescript, which the documents mention)
    (assumed: the documents give rate limiter no file; assuming `src/rate-limiter.ts` (a new file, named after it))
    (no test runner: no known command runs the tests of `T002`)

    # requirements in groups, and open questions
    T001: Set up the project bookmark_manager
      create: pyproject.toml
      test: config_static
      type: add_config
    T002: Build saving
      after: T001
      create: bookmark_manager/saving.py, bookmark_manager/__init__.py
      test: tests/test_saving.py
      verify: python3 -m pytest tests/test_saving.py
      type: create_service
      criteria: AC-001, AC-002, AC-003
      notes: 5. Technical notes: Python 3.11, SQLite, no web framework. Database file: `~/.bookmarks.db`. / Layout: The package `bookmark_manager` is at the top of the repository, so that `python3 -m pytest` there finds it; tests import it as `bookmark_manager`.
    T003: Build searching
      after: T001
      create: bookmark_manager/searching.py
      test: tests/test_searching.py
      verify: python3 -m pytest tests/test_searching.py
      type: create_service
      criteria: AC-004, AC-005, AC-006
      notes: 5. Technical notes: Python 3.11, SQLite, no web framework. Database file: `~/.bookmarks.db`. / Layout: The package `bookmark_manager` is at the top of the repository, so that `python3 -m pytest` there finds it; tests import it as `bookmark_manager`.
    T004: Build import
      after: T001
      create: bookmark_manager/import_feature.py
      test: tests/test_import_feature.py
      verify: python3 -m pytest tests/test_import_feature.py
      type: create_service
      criteria: AC-007, AC-008, AC-009
      notes: 5. Technical notes: Python 3.11, SQLite, no web framework. Database file: `~/.bookmarks.db`. / Layout: The package `bookmark_manager` is at the top of the repository, so that `python3 -m pytest` there finds it; tests import it as `bookmark_manager`.
    (assumed: no code found; assuming python, which the documents mention)
    (assumed: the documents give Saving no file; assuming `bookmark_manager/saving.py` (a new file, named after it))
    (assumed: the documents give Searching no file; assuming `bookmark_manager/searching.py` (a new file, named after it))
    (assumed: the documents give Import no file; assuming `bookmark_manager/import_feature.py` (a new file, named after it))
    (left out: 1 line under `3. Non-goals`, excluded by its heading)
    (question: Do we need accounts?)
    (question: Should tags be case-sensitive?)

    # stories by role, one of them later
    T001: Set up the project recipe_box_stories
      create: package.json, tsconfig.json
      test: config_static
      type: add_config
    T002: Scale a recipe to another number of servings
      after: T001
      create: src/scale-recipe-another.ts
      test: src/scale-recipe-another.test.ts
      type: create_service
      criteria: AC-001, AC-002, AC-003
      notes: Layout: ES modules (`"type": "module"`); `devDependencies` lists the test runner that the documents name, else vitest.
    T003: A shopping list from several recipes
      after: T001
      create: src/shopping-list.ts
      test: src/shopping-list.test.ts
      type: create_service
      criteria: AC-004, AC-005, AC-006
      notes: Layout: ES modules (`"type": "module"`); `devDependencies` lists the test runner that the documents name, else vitest.
    (assumed: no code found; assuming typescript, which the documents mention)
    (assumed: the documents give scale a recipe to another number of servings no file; assuming `src/scale-recipe-another.ts` (a new file, named after it))
    (assumed: the documents give a shopping list from several recipes no file; assuming `src/shopping-list.ts` (a new file, named after it))
    (left out: 3 lines under `I want to tag recipes (later).`, excluded by its heading)
    (no test runner: no known command runs the tests of `T002`, `T003`)

    # a table of endpoints
    T001: Set up the project inventory_api
      create: pom.xml
      test: config_static
      type: add_config
    T002: Add the endpoints of /items
      after: T001
      create: src/main/java/Items.java
      test: src/test/java/ItemsTest.java
      type: add_endpoint
      criteria: AC-001, AC-002, AC-003
      notes: Layout: Maven's layout; tests are in `src/test/java`, with JUnit 5 unless the documents name another library. / Rule: Every response has `X-Request-Id` / Rule: p95 below 100 ms
    (assumed: no code found; assuming java, which the documents mention)
    (assumed: the documents give items no file; assuming `src/main/java/Items.java` (a new file, named after it))
    (no test runner: no known command runs the tests of `T002`)

    # a message with a list, and no language
    T001: Build exporter
      type: add_method, tdd
      criteria: AC-001, AC-002, AC-003, AC-004
      notes: Must stay as it is: The old behaviour of `--header` must not break.
    (language: the documents name none, and there is no code; until it is known, the tasks own no files)

    # one sentence
    T001: Set up the project parse_durations
      create: pyproject.toml
      test: config_static
      type: add_config
    T002: Parse durations
      after: T001
      create: parse_durations/parse_durations.py, parse_durations/__init__.py
      test: tests/test_parse_durations.py
      verify: python3 -m pytest tests/test_parse_durations.py
      type: create_service
      criteria: AC-001
      notes: Layout: The package `parse_durations` is at the top of the repository, so that `python3 -m pytest` there finds it; tests import it as `parse_durations`.
    (assumed: no code found; assuming python, which the documents mention)
    (assumed: the documents give parse durations no file; assuming `parse_durations/parse_durations.py` (a new file, named after it))

    # phases with behaviour
    T001: Set up the project chat_server
      create: Cargo.toml
      test: config_static
      type: add_config
    T002: Declare the modules core and rooms in src/lib.rs
      after: T001
      create: src/lib.rs, src/core.rs, src/rooms.rs
      test: type_definitions_only
      verify: cargo check
      type: add_config
    T003: Build core
      after: T002
      modify: src/core.rs
      test: tests/core.rs
      type: add_method
      criteria: AC-001, AC-002, AC-003
      notes: Layout: The crate is called `chat_server`; tests in `tests/` use its library, `chat_server`.
    T004: Build rooms
      after: T002
      modify: src/rooms.rs
      test: tests/rooms.rs
      type: add_method
      criteria: AC-004, AC-005
      notes: Layout: The crate is called `chat_server`; tests in `tests/` use its library, `chat_server`.
    (assumed: no code found; assuming rust, which the documents mention)
    (assumed: the documents give Core no file; assuming `src/core.rs` (a new file, named after it))
    (assumed: the documents give Rooms no file; assuming `src/rooms.rs` (a new file, named after it))
    (assumed: `src/lib.rs` has to declare 2 modules; a task of its own does it first)
    (left out: 2 lines under `Phase 3: Polish (nice to have)`, excluded by its heading)
    (no test runner: no known command runs the tests of `T003`, `T004`)
    "#);
}
