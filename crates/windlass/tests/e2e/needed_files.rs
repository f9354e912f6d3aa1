//! Work that needs another file than the task names: what is told, what is given, and that nothing is spent on it twice.

use windlass_testkit::{PlanTask, TestRepo};

use crate::world::{empty, state};

/// A task on `a.sh`, which reads `lib.sh`. Its agent changes both, as a person would.
fn shell(script: &str) -> TestRepo {
    empty()
        .file("README.md", "hello\n")
        .file("lib.sh", "say() { echo nothing; }\n")
        .plan("demo", &[PlanTask::shell("a")])
        .agent(script)
        .committed()
}

const BOTH: &str = "write a.sh . ./lib.sh; say\nwrite lib.sh say() { echo a; }\n";

#[test]
fn a_person_is_asked_for_a_file_that_the_tests_cannot_do_without() {
    let repo = shell(BOTH);
    let run = repo.run(&[]).ends(3);
    assert!(run.stdout.contains("left out of the candidate (out-of-scope): `lib.sh`"), "{run}");
    assert!(
        run.stdout.contains("lib.sh (its tests pass with the change of this file, and fail without it)"),
        "{run}"
    );
    assert!(run.stdout.contains("`windlass approve a --files lib.sh`"), "{run}");
    assert_eq!(run.stdout.matches('▶').count(), 2, "a second attempt had the chance to do without\n{run}");
    assert_eq!(state(&repo, "a"), "blocked");
    repo.windlass(&["approve", "a", "--files", "lib.sh"]).ends(0);
    repo.run(&[]).ends(0);
    assert_eq!(repo.git(&["show", "windlass/demo:lib.sh"]), "say() { echo a; }");
}

#[test]
fn an_attempt_that_does_without_it_is_taken() {
    let repo = shell(&format!("[a implement]\n{BOTH}[a fix]\nwrite a.sh echo a\n"));
    repo.run(&[]).ends(0);
    assert_eq!(repo.git(&["show", "windlass/demo:lib.sh"]), "say() { echo nothing; }");
}

#[test]
fn a_new_file_beside_its_own_is_given_if_the_tests_need_it() {
    let repo = shell("write a.sh . ./more.sh; say\nwrite more.sh say() { echo a; }\n");
    let run = repo.run(&[]).ends(0);
    assert_eq!(run.stdout.matches('▶').count(), 1, "{run}");
    assert_eq!(repo.git(&["show", "windlass/demo:more.sh"]), "say() { echo a; }");
    // What they do not need is left out as ever.
    let repo = shell("write a.sh echo a\nwrite more.sh say() { echo a; }\n");
    let run = repo.run(&[]).ends(0);
    assert!(run.stdout.contains("left out of the candidate (out-of-scope): `more.sh`"), "{run}");
}

#[test]
fn documents_that_name_no_file_give_a_task_what_its_tests_reach() {
    let repo = empty()
        .file("pyproject.toml", "[project]\nname = \"stock\"\nversion = \"0.1.0\"\n")
        .file("stock/__init__.py", "")
        .file("stock/store.py", "class Store:\n    def __init__(self):\n        self.items = {}\n")
        .file(
            "stock/cli.py",
            "import argparse\n\nfrom .store import Store\n\n\ndef main(argv, store):\n    parser = argparse.ArgumentParser()\n    \
             parser.add_argument(\"command\")\n    parser.parse_args(argv)\n    return 0\n",
        )
        .file("stock/other.py", "def other():\n    return 1\n")
        .file(
            "tests/test_store.py",
            "import unittest\n\nfrom stock.store import Store\n\n\nclass TestStore(unittest.TestCase):\n    def test_empty(self):\n        \
             self.assertEqual(Store().items, {})\n",
        )
        .file("docs/next.md", "# Counting\n\n## Acceptance criteria\n\n- AC-1: `stock count` prints the number of items\n")
        .agent(
            "[* write_test]\nshell printf '%s\\n' 'import contextlib' 'import io' 'import unittest' '' 'from stock.cli import main' \
             'from stock.store import Store' '' '' 'class TestCount(unittest.TestCase):' '    def test_count(self):' \
             '        store = Store()' '        store.items = {1: 2, 3: 4}' '        out = io.StringIO()' \
             '        with contextlib.redirect_stdout(out):' '            main([\"count\"], store)' \
             '        self.assertEqual(out.getvalue(), \"2\\n\")' >tests/test_cli.py\n\
             [* implement]\nappend stock/store.py <<END\n\n    def count(self):\n        return len(self.items)\nEND\n\
             append stock/other.py # mine\n\
             write stock/cli.py <<END\nfrom .store import Store\n\n\ndef main(argv, store):\n    if argv == [\"count\"]:\n        \
             print(store.count())\n    return 0\nEND\n",
        )
        .committed();
    let planned = repo.windlass(&["plan", "docs/next.md"]).ends(0);
    assert!(planned.stderr.contains("assuming `stock/cli.py`"), "{planned}");
    let run = repo.run(&[]).ends(0);
    let changed = repo.git(&["diff", "--name-only", "HEAD", "windlass/counting"]);
    assert_eq!(changed, "stock/cli.py\nstock/store.py\ntests/test_cli.py", "{run}");
    assert!(run.stdout.contains("left out of the candidate (out-of-scope): `stock/other.py`"), "{run}");
}
