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
    T001: Create slug.py
      create: slug.py
      test: tests/test_slug.py
      verify: python3 -m pytest tests/test_slug.py
      type: create_service
      criteria: AC-001, AC-002, AC-003 `with pytest.raises(ValueError): act()`
    "#);
}
