//! pytest on the command line: what starts it, what picks single tests, what is run in its place.

use super::super::tests::{
    assert_commands, assert_instrumented, assert_runs, assert_runs_no_tests, assert_selects,
};
use super::*;

#[test]
fn every_way_to_start_it() {
    assert_runs(
        "pytest",
        &[
            "pytest",
            "py.test -q",
            "./.venv/bin/pytest tests",
            "python -m pytest",
            "python3.12 -m pytest -x",
            "pypy3 -m pytest",
            "/usr/bin/python3 -B -m pytest",
            "python -W error -X dev -m pytest tests",
            "python -m coverage run --source src --omit x -m pytest",
            "uv run pytest",
            "uv run --group test --with pytest-cov --python 3.12 pytest -q",
            "uv run --frozen -- pytest",
            "uvx --with pytest-xdist pytest -n 2",
            "poetry run pytest",
            "poetry run python -m pytest",
            "pipenv run pytest",
            "pdm run pytest",
            "rye run pytest",
            "pixi run pytest",
            "mise exec -- pytest",
            "CI=1 PYTHONPATH=src pytest",
            "env -u HOME CI=1 pytest",
            "timeout -k 5 60 pytest",
            "nice -n 5 pytest",
            "nohup pytest",
            "xvfb-run -a pytest",
            "cd api && uv run pytest",
            "! pytest",
            "time pytest",
            "'py'test",
        ],
    );
}

#[test]
fn what_runs_no_tests() {
    assert_runs_no_tests(&[
        "pytest --help",
        "pytest -h",
        "pytest --version",
        "pytest -V",
        "pytest tests --collect-only -q",
        "pytest --co",
        "pytest --fixtures",
        "pytest --markers",
        "pytest --setup-plan",
        "pytest --cache-show",
        "python -c 'import pytest'",
        "python -m pip install pytest",
        "python -m pytest_cov",
        "python pytest.py",
        "pythonic -m pytest",
        "pip install pytest",
        "uv add pytest",
        "poetry add --group dev pytest",
        "echo pytest",
        "which pytest",
        "mypytest",
        "# pytest",
    ]);
}

/// The `-m` of `python -m pytest` is no mark.
#[test]
fn picked_by_name() {
    assert_selects(
        &[
            "pytest tests/a.py::test_b",
            "pytest 'tests/a.py::TestC::test_d[x y]'",
            "pytest -m slow",
            "python -m pytest -m 'not slow'",
            "pytest --deselect=tests/a.py::test_b",
            "pytest --lf",
        ],
        &["pytest", "pytest tests/a.py tests/b.py", "python -m pytest -q", "pytest -k adds", "pytest -x"],
    );
}

#[test]
fn the_report_is_the_last_argument() {
    assert_instrumented(&[
        (
            "pytest",
            "pytest --junitxml=/r/report-1.xml -o junit_family=xunit1 --maxfail=0 --continue-on-collection-errors --tb=native",
        ),
        (
            "pytest -q > out.txt",
            "pytest -q --junitxml=/r/report-1.xml -o junit_family=xunit1 --maxfail=0 --continue-on-collection-errors --tb=native > out.txt",
        ),
        (
            "pytest tests # all",
            "pytest tests --junitxml=/r/report-1.xml -o junit_family=xunit1 --maxfail=0 --continue-on-collection-errors --tb=native # all",
        ),
        (
            "pytest;echo done",
            "pytest --junitxml=/r/report-1.xml -o junit_family=xunit1 --maxfail=0 --continue-on-collection-errors --tb=native;echo done",
        ),
        (
            "pytest -- tests/-odd.py",
            "pytest --junitxml=/r/report-1.xml -o junit_family=xunit1 --maxfail=0 --continue-on-collection-errors --tb=native -- tests/-odd.py",
        ),
        (
            "pytest \\\n  -q tests\n",
            "pytest \\\n  -q tests --junitxml=/r/report-1.xml -o junit_family=xunit1 --maxfail=0 --continue-on-collection-errors --tb=native\n",
        ),
        (
            "(cd api && A=1 uv run pytest)",
            "(cd api && A=1 uv run pytest --junitxml=/r/report-1.xml -o junit_family=xunit1 --maxfail=0 --continue-on-collection-errors --tb=native)",
        ),
        (
            "pytest a\npytest b\n",
            "pytest a --junitxml=/r/report-1.xml -o junit_family=xunit1 --maxfail=0 --continue-on-collection-errors --tb=native\npytest b --junitxml=/r/report-2.xml -o junit_family=xunit1 --maxfail=0 --continue-on-collection-errors --tb=native\n",
        ),
        ("pytest --collect-only", "pytest --collect-only"),
    ]);
}

#[test]
fn one_file_in_the_environment_of_the_set_up() {
    assert_commands(
        &[
            ("ini/pytest.ini", ""),
            ("poetry/pyproject.toml", ""),
            ("poetry/poetry.lock", ""),
            ("pipenv/Pipfile", ""),
            ("pipenv/Pipfile.lock", ""),
            ("both/uv.lock", ""),
            ("both/poetry.lock", ""),
            ("mono/uv.lock", ""),
            ("mono/api/setup.cfg", ""),
        ],
        &[
            ("tests/test_a.py", "python3 -m pytest tests/test_a.py"),
            ("./tests/test_a.py (new)", "python3 -m pytest tests/test_a.py"),
            ("tests/it's.py", r"python3 -m pytest 'tests/it'\''s.py'"),
            ("ini/tests/test_a.py", "cd ini && python3 -m pytest tests/test_a.py"),
            ("poetry/test_a.py", "cd poetry && python3 -m pytest test_a.py"),
            ("pipenv/test_a.py", "cd pipenv && python3 -m pytest test_a.py"),
            ("both/test_a.py", "cd both && python3 -m pytest test_a.py"),
            ("mono/api/test_a.py", "cd mono/api && python3 -m pytest test_a.py"),
            ("test_a.pyc", "none"),
            ("test_a", "none"),
        ],
    );
}

/// The name that pytest itself prints, from what its report has.
#[test]
fn names_are_node_ids() {
    let table = [
        (Some("tests/test_a.py"), "tests.test_a", "test_b", "tests/test_a.py::test_b"),
        (Some("tests/test_a.py"), "tests.test_a.TestC", "test_d", "tests/test_a.py::TestC::test_d"),
        (Some("tests/test_a.py"), "tests.test_a.A.B", "t[1.5]", "tests/test_a.py::A::B::t[1.5]"),
        (Some("tests/test_a.py"), "", "tests.test_a", "tests/test_a.py"),
        (Some("tests/test_a.py"), "base.TestBase", "test_b", "base.TestBase::test_b"),
        (None, "tests.test_a", "test_b", "tests.test_a::test_b"),
        (None, "", "test_b", "test_b"),
    ];
    for (file, class, name, expected) in table {
        let case = JunitCase::sample(file, class, name);
        assert_eq!(node_id(&case), expected);
    }
}
