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

/// A fixture in a file that other tests use is a person's to give: the tests are tried with it, and the question says so.
#[test]
fn a_person_is_asked_for_a_file_of_tests_without_which_nothing_is_red() {
    let task = PlanTask::new("mul", "Multiply")
        .front("test_file: tests/test_mul.py")
        .section("Output Files", "", "WRITE: mul.py\nWRITE: tests/test_mul.py")
        .verified_by("python3 -m pytest -q tests/test_mul.py");
    let repo = empty()
        .file(".gitignore", "__pycache__\n.pytest_cache\n")
        .file("conftest.py", "")
        .plan("demo", &[task])
        .committed()
        .agent(
            "[mul write_test]\nwrite tests/test_mul.py <<END\nfrom mul import mul\n\n\ndef test_mul(pair):\n    \
             assert mul(*pair) == 6\nEND\nwrite tests/conftest.py <<END\nimport pytest\n\n\n@pytest.fixture\ndef pair():\n    \
             return 2, 3\nEND\n[mul]\nwrite mul.py <<END\ndef mul(a, b):\n    return a * b\nEND\n",
        );
    // The import fails first, so that the fixture is not missed before there is code.
    repo.write("mul.py", "def mul(a, b):\n    return 0\n");
    repo.write(
        "plans/demo/tasks/mul.md",
        &repo.read("plans/demo/tasks/mul.md").replace("WRITE: mul.py", "MODIFY: mul.py"),
    );
    repo.commit("a first version");
    let run = repo.run(&[]).ends(3);
    assert!(run.stdout.contains("`windlass approve mul --files tests/conftest.py`"), "{run}");
    assert_eq!(run.stdout.matches('▶').count(), 2, "{run}");
    repo.windlass(&["approve", "mul", "--files", "tests/conftest.py"]).ends(0);
    repo.run(&[]).ends(0);
    assert!(repo.git(&["show", "windlass/demo:tests/conftest.py"]).contains("fixture"));
}

/// The code needs a package that the manifest does not declare, and the task does not own the manifest.
#[test]
fn a_person_is_asked_for_a_manifest_that_the_tests_cannot_do_without() {
    let task = PlanTask::new("double", "Double a number")
        .front("test_file: tests/double.rs")
        .section(
            "Test Specification",
            "rust",
            "// tests/double.rs\nuse sums::double;\n\n#[test]\nfn doubles() {\n    assert_eq!(double(21), 42);\n}",
        )
        .section("Output Files", "", "MODIFY: src/lib.rs\nWRITE: tests/double.rs")
        .verified_by("cargo test --offline --test double");
    let package =
        |name: &str| format!("[package]\nname = \"{name}\"\nversion = \"0.1.0\"\nedition = \"2021\"\n");
    let repo = empty()
        .file(".gitignore", "target\nCargo.lock\n")
        .file("Cargo.toml", &package("sums"))
        .file("src/lib.rs", "//! Sums.\n")
        .file("helper/Cargo.toml", &package("helper"))
        .file("helper/src/lib.rs", "pub fn twice(n: i64) -> i64 {\n    n * 2\n}\n")
        .plan("demo", &[task])
        .committed()
        .agent(
            "write src/lib.rs <<END\n//! Sums.\n\npub fn double(n: i64) -> i64 {\n    helper::twice(n)\n}\nEND\n\
             shell grep -q helper Cargo.toml || printf '\\n[dependencies]\\nhelper = { path = \"helper\" }\\n' >>Cargo.toml\n",
        );
    let run = repo.run(&[]).ends(3);
    assert!(run.stdout.contains("`windlass approve double --files Cargo.toml`"), "{run}");
    assert_eq!(run.stdout.matches('▶').count(), 2, "{run}");
    repo.windlass(&["approve", "double", "--files", "Cargo.toml"]).ends(0);
    repo.run(&[]).ends(0);
    assert!(repo.git(&["show", "windlass/demo:Cargo.toml"]).contains("helper"));
}

/// A second attempt that repairs the code and also raises a version passes without its change of the manifest.
#[test]
fn nobody_is_asked_for_a_manifest_that_the_tests_do_without() {
    let task = PlanTask::new("double", "Double a number")
        .front("test_file: tests/double.rs")
        .section(
            "Test Specification",
            "rust",
            "// tests/double.rs\nuse sums::double;\n\n#[test]\nfn doubles() {\n    assert_eq!(double(21), 42);\n}",
        )
        .section("Output Files", "", "MODIFY: src/lib.rs\nWRITE: tests/double.rs")
        .verified_by("cargo test --offline --test double");
    let code = |factor: u32| {
        format!(
            "write src/lib.rs <<END\n//! Sums.\n\npub fn double(n: i64) -> i64 {{\n    n * {factor}\n}}\nEND\n"
        )
    };
    let raise = "shell sed -i s/0.1.0/0.2.0/ Cargo.toml\n";
    let repo = empty()
        .file(".gitignore", "target\nCargo.lock\n")
        .file("Cargo.toml", "[package]\nname = \"sums\"\nversion = \"0.1.0\"\nedition = \"2021\"\n")
        .file("src/lib.rs", "//! Sums.\n")
        .plan("demo", &[task])
        .committed()
        .agent(&format!("[double implement]\n{}{raise}[double fix]\n{}{raise}", code(3), code(2)));
    repo.run(&[]).ends(0);
    assert_eq!(state(&repo, "double"), "completed");
    assert!(repo.git(&["show", "windlass/demo:Cargo.toml"]).contains("0.1.0"));
}

/// A test-writer that puts its cases into a file beside the test: they belong to the test and are frozen with it.
#[test]
fn data_of_a_new_test_is_taken_in_and_frozen_with_it() {
    let task = PlanTask::new("mul", "Multiply")
        .front("test_file: tests/test_mul.py")
        .section("Output Files", "", "WRITE: mul.py\nWRITE: tests/test_mul.py")
        .verified_by("python3 -m pytest -q tests/test_mul.py");
    let tests = "[mul write_test]\nwrite tests/test_mul.py <<END\nimport json\nimport pathlib\n\nfrom mul import mul\n\n\n\
                 def test_mul():\n    for a, b, c in json.loads(pathlib.Path('tests/data/cases.json').read_text()):\n        \
                 assert mul(a, b) == c\nEND\nshell mkdir -p tests/data && echo '[[2, 3, 6], [4, 5, 20]]' >tests/data/cases.json\n\
                 write notes.txt mine\n";
    let good = "[mul]\nwrite mul.py <<END\ndef mul(a, b):\n    return a * b\nEND\n";
    let repo = |agent: &str| {
        let files = empty().file(".gitignore", "__pycache__\n.pytest_cache\n").file("conftest.py", "");
        files.plan("demo", std::slice::from_ref(&task)).committed().agent(agent)
    };
    let honest = repo(&format!("{tests}{good}"));
    let run = honest.run(&[]).ends(0).says("granted tests/data/cases.json");
    assert!(run.stdout.contains("left out of the candidate (out-of-scope): `notes.txt`"), "{run}");
    assert_eq!(honest.git(&["show", "windlass/demo:tests/data/cases.json"]), "[[2, 3, 6], [4, 5, 20]]");
    // Who writes the code cannot change it.
    let changes = repo(&format!("{tests}{good}shell echo '[]' >tests/data/cases.json\n"));
    let run = changes.run(&[]).ends(0);
    assert!(run.stdout.contains("put back as frozen (frozen-changed): `tests/data/cases.json`"), "{run}");
    assert_eq!(changes.git(&["show", "windlass/demo:tests/data/cases.json"]), "[[2, 3, 6], [4, 5, 20]]");
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
