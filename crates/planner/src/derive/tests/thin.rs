//! Documents that name few files, or only those beside the code.

use super::{default_plans, document};

#[test]
fn documents_that_name_few_files() {
    insta::assert_snapshot!(default_plans(document!("thin")), @r#"
    # documents and settings named, features not
    T001: Create board/.env.example
      create: board/.env.example
      test: config_static
      type: add_config
      notes: Rule: Written in Python.
    T002: Set up the project camera_board
      create: pyproject.toml
      test: config_static
      type: add_config
    T003: Build homepage
      after: T002
      create: camera_board/homepage.py, camera_board/__init__.py
      test: tests/test_homepage.py
      verify: python3 -m pytest tests/test_homepage.py
      type: create_service
      criteria: AC-001, AC-002
      notes: Layout: The package `camera_board` is at the top of the repository, so that `python3 -m pytest` there finds it; tests import it as `camera_board`. / Rule: Written in Python.
    T004: Build evaluation
      after: T002
      create: scripts/run_eval.py
      test: tests/test_run_eval.py
      verify: python3 -m pytest tests/test_run_eval.py
      type: create_service
      criteria: AC-003, AC-004
      notes: Evaluation: The benchmark computes the precision of answers; The runner is called by `scripts/run_eval.py` / Layout: The package `camera_board` is at the top of the repository, so that `python3 -m pytest` there finds it; tests import it as `camera_board`. / Rule: Written in Python.
    (assumed: no code found; assuming python, which the documents mention)
    (assumed: the documents give Homepage no file; assuming `camera_board/homepage.py` (a new file, named after it))

    # documents that are asked for
    T001: Set up the project transform_dataset
      create: pyproject.toml
      test: config_static
      type: add_config
    T002: Transform dataset
      after: T001
      create: transform_dataset/transform_dataset.py, transform_dataset/__init__.py
      test: tests/test_transform_dataset.py
      verify: python3 -m pytest tests/test_transform_dataset.py
      type: create_service
      criteria: AC-001, AC-002
      notes: Layout: The package `transform_dataset` is at the top of the repository, so that `python3 -m pytest` there finds it; tests import it as `transform_dataset`.
    T003: Update docs/setup.md
      after: T002
      create: docs/setup.md, docs/limits.md
      test: documentation_only
      type: add_config
      criteria: AC-003, AC-004
    (assumed: no code found; assuming python, which the documents mention)
    (assumed: the documents give transform dataset no file; assuming `transform_dataset/transform_dataset.py` (a new file, named after it))
    (COVERAGE_GAP: nothing in the documents covers `AC-002`; assigned to `Transform dataset`)

    # a file that something is in
    T001: Build slugs
      create: slug.py
      test: tests/test_slug.py
      verify: python3 -m pytest tests/test_slug.py
      type: create_service
      criteria: AC-001, AC-002, AC-003

    # a list of boxes about one new file
    TASK-1.2: Create src/_cli.py with 1 more file
      create: src/_cli.py, tests/test_cli.py
      modify: pyproject.toml
      test: tests/test_cli.py
      verify: python3 -m pytest tests/test_cli.py
      type: create_service
      notes: 1. Entry point: 1.1 Add the entry point to `pyproject.toml`; 1.2 Create `src/_cli.py` with a `main()` stub / 3. Tests: 3.1 Create `tests/test_cli.py`; test that a missing address exits with 1 / Test: 3.1 Create `tests/test_cli.py`; test that a missing address exits with 1

    # an entry point and what stands under an entity
    T001: Create Project dependencies in app/pyproject.toml
      create: app/pyproject.toml
      test: config_static
      type: add_config
    T002: Create The task in app/src/models/task.py
      after: T001
      create: app/src/models/task.py
      test: tests/test_task.py
      verify: python3 -m pytest tests/test_task.py
      type: create_model
      criteria: AC-001, AC-002
    T003: Create Works on tasks in app/src/services/board.py
      after: T002
      create: app/src/services/board.py, app/tests/unit/test_board.py
      test: app/tests/unit/test_board.py
      verify: python3 -m pytest app/tests/unit/test_board.py
      type: create_service
    T004: Create app/src/cli/app.py with 1 more file
      after: T003
      create: app/src/cli/app.py, app/tests/integration/test_cli.py, app/src/__main__.py
      test: app/tests/integration/test_cli.py
      verify: python3 -m pytest app/tests/integration/test_cli.py
      type: create_service

    # the one file that a sentence calls the program
    T001: Create juggle.py
      create: juggle.py
      test: tests/test_juggle.py
      verify: python3 -m pytest tests/test_juggle.py
      type: create_service
      criteria: AC-001, AC-002, AC-003, AC-004, AC-005, AC-006
    "#);
}
