//! Real projects in three languages, with the tool-chains of the machine: real red, real green, tests by name.

use windlass_core::event::RedKind;
use windlass_core::failure::Gate;
use windlass_core::report::{Runner, TestOutcome};
use windlass_engine::integrate::Evidence;
use windlass_testkit::{PlanTask, TestRepo};

use crate::world::{empty, evidence};

/// A repository in which the tests of a plan are red at first and green after the agent's work.
fn run(repo: &TestRepo) -> Vec<Evidence> {
    let before = crate::world::users_own(repo);
    repo.windlass(&["check"]).ends(0);
    repo.run(&[]).ends(0);
    assert_eq!(crate::world::users_own(repo), before);
    evidence(repo, "windlass/demo")
}

/// What was red, and what the verifier saw of it on the merge: each by name, in the words of its runner.
#[track_caller]
fn red_then_green(record: &Evidence, kind: RedKind, runner: Runner, red: &[&str], green: &[&str]) {
    let seen = record.red.as_ref().unwrap();
    assert_eq!((seen.kind, seen.tests.iter().map(String::as_str).collect::<Vec<_>>()), (kind, red.to_vec()));
    let report = record.green.gates.iter().find_map(|g| g.report.as_ref()).unwrap();
    assert_eq!(report.runner, runner);
    let names: Vec<&str> = report.tests.keys().map(String::as_str).collect();
    assert_eq!(names, green, "exactly these tests ran");
    assert!(report.tests.values().all(|outcome| *outcome == TestOutcome::Passed), "{report:?}");
}

#[test]
fn rust_with_cargo_test() {
    let first = PlanTask::new("double", "Double a number")
        .front("test_file: tests/double.rs")
        .section("Contract", "rust", "// src/lib.rs\npub fn double(n: i64) -> i64;")
        .section(
            "Test Specification",
            "rust",
            "// tests/double.rs\nuse arithmetic::double;\n\n#[test]\nfn doubles() {\n    assert_eq!(double(21), 42);\n}\n\n\
             #[test]\nfn zero_stays() {\n    assert_eq!(double(0), 0);\n}",
        )
        .section("Output Files", "", "MODIFY: src/lib.rs\nWRITE: tests/double.rs")
        .verified_by("cargo test --offline --test double");
    let second = PlanTask::new("negate", "Mend negate")
        .after(&["double"])
        .front("test_file: src/lib.rs (inline tests)")
        .section(
            "Test Specification",
            "rust",
            "// ADD to src/lib.rs\n#[cfg(test)]\nmod tests {\n    use super::*;\n\n    #[test]\n    fn negates() {\n        \
             assert_eq!(negate(3), -3);\n    }\n}",
        )
        .section("Output Files", "", "MODIFY: src/lib.rs")
        .verified_by("cargo test --offline --lib");
    let repo = empty()
        .file("Cargo.toml", "[package]\nname = \"arithmetic\"\nversion = \"0.1.0\"\nedition = \"2021\"\n")
        .file(".gitignore", "target\n")
        .file("src/lib.rs", "//! Arithmetic.\n\n/// Minus the number.\npub fn negate(n: i64) -> i64 {\n    n\n}\n")
        .plan("demo", &[first, second])
        .agent(
            "[double]\nappend src/lib.rs <<END\n\n/// Twice the number.\npub fn double(n: i64) -> i64 {\n    n * 2\n}\nEND\n\
             [negate]\nwrite src/lib.rs <<END\n//! Arithmetic.\n\n/// Minus the number.\npub fn negate(n: i64) -> i64 {\n    \
             -n\n}\n\n/// Twice the number.\npub fn double(n: i64) -> i64 {\n    n * 2\n}\n\n#[cfg(test)]\nmod tests {\n    \
             use super::*;\n\n    #[test]\n    fn negates() {\n        assert_eq!(negate(3), -3);\n    }\n}\nEND\n",
        );
    let locked = repo.command("cargo").args(["generate-lockfile", "--offline"]).status().unwrap();
    assert!(locked.success());
    repo.commit("start");
    let records = run(&repo);
    let [double, negate] = &records[..] else { panic!("{records:?}") };
    red_then_green(
        double,
        RedKind::MissingCode,
        Runner::CargoTest,
        &["tests/double.rs doubles", "tests/double.rs zero_stays"],
        &["tests/double.rs doubles", "tests/double.rs zero_stays"],
    );
    let inline = ["src/lib.rs@arithmetic tests::negates"];
    red_then_green(negate, RedKind::Assertion, Runner::CargoTest, &inline, &inline);
}

/// The test calls a function as it is going to be: the compiler refuses that today, and the task is to change it.
#[test]
fn a_changed_signature_is_red() {
    let task = PlanTask::new("add", "add takes two numbers")
        .front("test_file: tests/add.rs")
        .section("Output Files", "", "MODIFY: src/lib.rs\nMODIFY: tests/add.rs")
        .verified_by("cargo test --offline --test add");
    let tests = "use sums::add;\n\n#[test]\nfn adds() {\n    assert_eq!(add(1, 2), Some(3));\n    assert_eq!(add(5, 8), Some(13));\n}\n";
    let repo = empty()
        .file("Cargo.toml", "[package]\nname = \"sums\"\nversion = \"0.1.0\"\nedition = \"2021\"\n")
        .file(".gitignore", "target\n")
        .file("src/lib.rs", "pub fn add(a: i64) -> i64 {\n    a + 1\n}\n")
        .file("tests/add.rs", "use sums::add;\n\n#[test]\nfn adds() {\n    assert_eq!(add(1), 2);\n}\n")
        .plan("demo", &[task])
        .agent(&format!(
            "[add write_test]\nwrite tests/add.rs <<END\n{tests}END\n[add]\nwrite src/lib.rs <<END\n\
             pub fn add(a: i64, b: i64) -> Option<i64> {{\n    a.checked_add(b)\n}}\nEND\n"
        ));
    let locked = repo.command("cargo").args(["generate-lockfile", "--offline"]).status().unwrap();
    assert!(locked.success());
    repo.commit("start");
    let records = run(&repo);
    let [add] = &records[..] else { panic!("{records:?}") };
    let names = ["tests/add.rs adds"];
    red_then_green(add, RedKind::MissingCode, Runner::CargoTest, &names, &names);
}

#[test]
fn python_with_pytest() {
    let task = PlanTask::new("greet", "Greet by name")
        .front("test_file: tests/test_greet.py")
        .section("Contract", "python", "# src/greet.py\ndef greet(name: str) -> str: ...")
        .section(
            "Test Specification",
            "python",
            "# tests/test_greet.py\nimport pytest\n\nfrom src.greet import greet\n\n\ndef test_greets():\n    \
             assert greet(\"Ada\") == \"Hello, Ada!\"\n\n\ndef test_refuses_nobody():\n    \
             with pytest.raises(ValueError):\n        greet(\"\")",
        )
        .section("Output Files", "", "WRITE: src/greet.py\nWRITE: tests/test_greet.py")
        .verified_by("python3 -m pytest -q tests/test_greet.py");
    let repo = empty()
        .file("src/__init__.py", "")
        .file(".gitignore", "__pycache__\n.pytest_cache\n")
        .plan("demo", &[task])
        .committed()
        .agent(
            "[greet]\nwrite src/greet.py <<END\ndef greet(name: str) -> str:\n    if not name:\n        \
             raise ValueError(\"nobody\")\n    return f\"Hello, {name}!\"\nEND\n",
        );
    let pytest = repo.command("python3").args(["-c", "import pytest"]).output().unwrap();
    assert!(pytest.status.success(), "this test needs pytest: `scripts/test` installs it into target/venv");
    let records = run(&repo);
    let names = ["tests/test_greet.py::test_greets", "tests/test_greet.py::test_refuses_nobody"];
    red_then_green(&records[0], RedKind::MissingCode, Runner::Pytest, &names, &names);
}

#[test]
fn node_with_its_own_test_runner() {
    let task = PlanTask::new("slug", "Make slugs")
        .front("test_file: test/slug.test.js")
        .section(
            "Test Specification",
            "javascript",
            "// test/slug.test.js\nconst test = require('node:test');\nconst assert = require('node:assert');\n\
             const { slug } = require('../slug.js');\n\ntest('joins words', () => assert.equal(slug('Hello World'), \
             'hello-world'));\ntest('keeps a plain word', () => assert.equal(slug('word'), 'word'));",
        )
        .section("Output Files", "", "MODIFY: slug.js\nWRITE: test/slug.test.js")
        .verified_by("node --test test/slug.test.js");
    let repo = empty()
        .file("package.json", "{\n  \"name\": \"slug\",\n  \"version\": \"1.0.0\",\n  \"private\": true\n}\n")
        .file("slug.js", "exports.slug = (text) => text;\n")
        .plan("demo", &[task])
        .committed()
        .agent("[slug]\nwrite slug.js exports.slug = (text) => text.toLowerCase().replaceAll(' ', '-');\n");
    let records = run(&repo);
    let names = ["test/slug.test.js > joins words", "test/slug.test.js > keeps a plain word"];
    red_then_green(&records[0], RedKind::Assertion, Runner::NodeTest, &names, &names);
}

/// A fixture called `test_…` is no test; a test that the frozen file itself leaves out here is recorded, not failed; what
/// a runner makes of a base class is required although our reading does not see it.
#[test]
fn tests_are_read_as_pytest_reads_them() {
    let test = "# tests/test_area.py\nimport sys\n\nimport pytest\n\nfrom src.area import area\n\n\n\
        @pytest.fixture\ndef test_side():\n    return 3\n\n\n\
        def test_square(test_side):\n    assert area(test_side) == 9\n\n\n\
        @pytest.mark.skipif(sys.platform != \"win32\", reason=\"Windows only\")\ndef test_drive():\n    assert area(\"C:\") == 0\n\n\n\
        if sys.platform == \"win32\":\n    def test_registry():\n        assert area(0) == 0\n\n\n\
        class Shared:\n    def test_zero(self):\n        assert area(0) == 0\n\n\n\
        class TestArea(Shared):\n    pass";
    let task = PlanTask::new("area", "Area of a square")
        .front("test_file: tests/test_area.py")
        .section("Test Specification", "python", test)
        .section("Output Files", "", "WRITE: src/area.py\nWRITE: tests/test_area.py")
        .verified_by("python3 -m pytest -q tests/test_area.py");
    let repo = empty()
        .file("src/__init__.py", "")
        .file(".gitignore", "__pycache__\n.pytest_cache\n")
        .plan("demo", &[task])
        .committed()
        .agent("[area]\nwrite src/area.py <<END\ndef area(side):\n    return side * side\nEND\n");
    let records = run(&repo);
    let red = records[0].red.as_ref().unwrap();
    assert_eq!(red.kind, RedKind::MissingCode);
    assert_eq!(red.tests, ["tests/test_area.py::TestArea::test_zero", "tests/test_area.py::test_square"]);
    assert_eq!(red.left_out, ["tests/test_area.py::test_drive", "tests/test_area.py::test_registry"]);
    repo.windlass(&["audit"]).ends(0);
}

/// The code lists the cases of a test, and the test skips one of them here: recorded, not failed.
#[test]
fn a_case_that_the_code_lists_may_be_skipped() {
    let test = "# tests/test_lazy.py\nimport pytest\n\nfrom src import lazy\n\n\n\
        @pytest.mark.parametrize(\"name\", [item for item in lazy.NAMES])\ndef test_loads(name):\n    try:\n        \
        assert lazy.load(name).__name__ == name\n    except ImportError:\n        if name == \"winreg\":\n            \
        pytest.skip(\"Windows only\")\n        raise";
    let task = PlanTask::new("lazy", "Modules by name")
        .front("test_file: tests/test_lazy.py")
        .section("Test Specification", "python", test)
        .section("Output Files", "", "WRITE: src/lazy.py\nWRITE: tests/test_lazy.py")
        .verified_by("python3 -m pytest -q tests/test_lazy.py");
    let repo = empty()
        .file("src/__init__.py", "")
        .file(".gitignore", "__pycache__\n.pytest_cache\n")
        .plan("demo", &[task])
        .committed()
        .agent(
            "[lazy]\nwrite src/lazy.py <<END\nimport importlib\n\nNAMES = [\"json\", \"winreg\"]\n\n\ndef load(name):\n    \
             return importlib.import_module(name)\nEND\n",
        );
    let records = run(&repo);
    let red = records[0].red.as_ref().unwrap();
    assert_eq!(red.tests, ["tests/test_lazy.py::test_loads[json]"]);
    assert_eq!(red.left_out, ["tests/test_lazy.py::test_loads[winreg]"]);
    repo.windlass(&["audit"]).ends(0);
}

/// A stub raises while pytest collects the tests: the code is missing, nothing is wrong with the test.
#[test]
fn a_stub_that_raises_is_red() {
    let task = PlanTask::new("table", "Squares in a table")
        .front("test_file: tests/test_table.py")
        .section(
            "Test Specification",
            "python",
            "# tests/test_table.py\nimport pytest\n\nfrom src.table import table\n\n\n\
             @pytest.mark.parametrize(\"pair\", table(3))\ndef test_squares(pair):\n    assert pair[0] ** 2 == pair[1]",
        )
        .section("Output Files", "", "MODIFY: src/table.py\nWRITE: tests/test_table.py")
        .verified_by("python3 -m pytest -q tests/test_table.py");
    let repo = empty()
        .file("src/__init__.py", "")
        .file("src/table.py", "def table(n):\n    raise NotImplementedError\n")
        .file(".gitignore", "__pycache__\n.pytest_cache\n")
        .plan("demo", &[task])
        .committed()
        .agent(
            "[table]\nwrite src/table.py <<END\ndef table(n):\n    return [(i, i * i) for i in range(n)]\nEND\n",
        );
    let records = run(&repo);
    assert_eq!(records[0].red.as_ref().unwrap().kind, RedKind::MissingCode);
}

/// A package whose tests import what a build makes of its sources: the module that the new source becomes is missing code.
#[test]
fn javascript_that_is_built_before_its_tests() {
    let test = "import assert from 'node:assert';\nimport test from 'node:test';\nimport { count } from '../dist/count.js';\n\n\
                test('counts', () => assert.equal(count('a,b'), 2));";
    let task = PlanTask::new("count", "Count the parts")
        .front("test_file: test/count.test.js")
        .section("Test Specification", "javascript", &format!("// test/count.test.js\n{test}"))
        .section("Output Files", "", "WRITE: src/count.js\nWRITE: test/count.test.js");
    let package = r#"{"name": "parts", "type": "module", "scripts": {"pretest": "mkdir -p dist && cp src/*.js dist/", "test": "node --test"}}"#;
    let old = "import assert from 'node:assert';\nimport test from 'node:test';\nimport { join } from '../dist/join.js';\n\n\
               test('joins', () => assert.equal(join('a', 'b'), 'a,b'));\n";
    let repo = empty()
        .file("package.json", package)
        .file(".gitignore", "/dist/\n")
        .file("src/join.js", "export const join = (...parts) => parts.join(',');\n")
        .file("test/join.test.js", old)
        .plan("demo", &[task])
        .agent("[count]\nwrite src/count.js <<END\nexport const count = (text) => text.split(',').length;\nEND\n")
        .committed();
    let [record] = &run(&repo)[..] else { panic!("one commit") };
    assert_eq!(record.red.as_ref().unwrap().kind, RedKind::MissingCode);
    let tests = record.green.gates.iter().find(|gate| gate.gate == Gate::Tests).unwrap();
    assert!(tests.build_millis.is_some(), "the build is a command of its own: {tests:?}");
}

/// An implementation of a trait is missing code, wherever its type is declared.
#[test]
fn rust_that_implements_a_trait_for_a_type_of_another_file() {
    let test = "use money::Money;\n\n#[test]\nfn compares_with_a_number() {\n    assert!(Money(3) == 3u8);\n    assert!(Money(3) != 4u8);\n}";
    let same = "use crate::Money;\n\nimpl PartialEq for Money {\n    fn eq(&self, other: &Self) -> bool {\n        self.0 == other.0\n    }\n}\n";
    let number = "\nimpl PartialEq<u8> for Money {\n    fn eq(&self, other: &u8) -> bool {\n        self.0 == *other\n    }\n}\n";
    let task = PlanTask::new("cmp", "Compare money with numbers")
        .front("test_file: tests/cmp.rs")
        .section("Test Specification", "rust", &format!("// tests/cmp.rs\n{test}"))
        .section("Output Files", "", "MODIFY: src/cmp.rs\nWRITE: tests/cmp.rs");
    let manifest = "[package]\nname = \"money\"\nversion = \"0.1.0\"\nedition = \"2021\"\n";
    let repo = empty()
        .file("Cargo.toml", manifest)
        .file(".gitignore", "target\nCargo.lock\n")
        .file("src/lib.rs", "mod cmp;\n\n#[derive(Debug)]\npub struct Money(pub u8);\n")
        .file("src/cmp.rs", same)
        .plan("demo", &[task])
        .agent(&format!("[cmp]\nwrite src/cmp.rs <<END\n{same}{number}END\n"))
        .committed();
    let [record] = &run(&repo)[..] else { panic!("one commit") };
    assert_eq!(record.red.as_ref().unwrap().kind, RedKind::MissingCode);
}
