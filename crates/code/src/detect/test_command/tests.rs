//! Tests of `test_command`.

use super::*;
use crate::repo::MemoryTree;

/// Paths and the text of each.
type PathTexts<'a> = &'a [(&'a str, &'a str)];

fn tree() -> MemoryTree {
    MemoryTree::new([
        ("Cargo.toml", "[workspace]\nmembers = [\"crates/*\"]\n"),
        (
            "crates/a/Cargo.toml",
            "[package]\nname = \"a-crate\"\n[[test]]\nname = \"odd\"\npath = \"tests/deep/odd.rs\"\n",
        ),
        ("crates/a/src/lib.rs", ""),
        ("crates/a/tests/it/main.rs", ""),
        ("crates/b/Cargo.toml", "[package]\nname = \"b\"\n"),
        ("crates/b/src/main.rs", ""),
        ("solo/Cargo.toml", "[package]\nname = \"solo\"\n[workspace]\n"),
        ("pyproject.toml", "[tool.pytest.ini_options]\n"),
        ("api/pyproject.toml", ""),
        ("api/uv.lock", ""),
        ("web/package.json", r#"{"devDependencies":{"vitest":"1"}}"#),
        ("j/package.json", r#"{"devDependencies":{"jest":"29"}}"#),
        ("m/package.json", r#"{"devDependencies":{"mocha":"10"}}"#),
        ("n/package.json", r#"{"devDependencies":{"tsx":"4"}}"#),
        ("j/native.test.js", "import test from 'node:test';"),
        ("go/go.mod", ""),
        ("tests/a.sh", "#!/bin/sh\n"),
        ("Makefile", "test-buf: x\n\tpytest x\n"),
        ("tests/test_foo_bar.py", ""),
        ("late_test.py", ""),
    ])
}

/// A package with two runners runs each of them on its own directory; what no script names belongs to `npm test`.
#[test]
fn scripts_tell_which_of_two_runners_runs_a_file() {
    let tree = MemoryTree::new([(
        "package.json",
        r#"{"scripts":{"test":"nyc mocha --recursive tests","test:jest":"jest ./tests_jest/**/*.js"},
            "devDependencies":{"jest":"29","mocha":"10"}}"#,
    )]);
    for (file, runner) in [
        ("tests/test_common.js", "mocha"),
        ("tests_jest/common.test.js", "jest"),
        ("lib/common.test.js", "mocha"),
    ] {
        let script = test_command(&tree, file).unwrap().script;
        assert!(script.contains(&format!("{runner} ")), "{file}: {script}");
    }
}

#[test]
fn one_file_one_command() {
    let tree = tree();
    let files = [
        "tests/test_x.py",
        "api/tests/test y.py",
        "crates/a/tests/it.rs",
        "crates/a/tests/it/sub.rs",
        "crates/a/tests/deep/odd.rs",
        "crates/a/tests/common/mod.rs",
        "crates/a/src/lib.rs (inline tests)",
        "crates/a/src/parse/lexer.rs",
        "crates/b/src/args.rs",
        "crates/b/src/main.rs",
        "crates/b/src/bin/x.rs",
        "web/src/a.test.ts",
        "j/a.test.js",
        "j/native.test.js",
        "m/test/a.js",
        "n/a.test.ts",
        "n/a.test.js",
        "go/calc/calc_test.go",
        "go/main_test.go",
        "tests/a.sh",
        "tests/b.sh",
        "tests/c.bats",
        "README.md",
        "Makefile",
    ];
    let all: String = files
        .iter()
        .map(|file| match test_command(&tree, file) {
            Some(found) => format!("{file}: {} ({:?}, {})\n", found.script, found.runner, found.why),
            None => format!("{file}: none\n"),
        })
        .collect();
    insta::assert_snapshot!(all, @r"
        tests/test_x.py: python3 -m pytest tests/test_x.py (Some(Pytest), pyproject.toml)
        api/tests/test y.py: cd api && python3 -m pytest 'tests/test y.py' (Some(Pytest), api/pyproject.toml)
        crates/a/tests/it.rs: cargo test -p a-crate --test it (Some(CargoTest), crates/a/Cargo.toml)
        crates/a/tests/it/sub.rs: cargo test -p a-crate --test it (Some(CargoTest), crates/a/Cargo.toml)
        crates/a/tests/deep/odd.rs: cargo test -p a-crate --test odd (Some(CargoTest), crates/a/Cargo.toml)
        crates/a/tests/common/mod.rs: cargo test -p a-crate --tests (Some(CargoTest), crates/a/Cargo.toml)
        crates/a/src/lib.rs (inline tests): cargo test -p a-crate --lib (Some(CargoTest), crates/a/Cargo.toml)
        crates/a/src/parse/lexer.rs: cargo test -p a-crate --lib parse::lexer:: (Some(CargoTest), crates/a/Cargo.toml)
        crates/b/src/args.rs: cargo test -p b --bin b args:: (Some(CargoTest), crates/b/Cargo.toml)
        crates/b/src/main.rs: cargo test -p b --bin b (Some(CargoTest), crates/b/Cargo.toml)
        crates/b/src/bin/x.rs: cargo test -p b --bin x (Some(CargoTest), crates/b/Cargo.toml)
        web/src/a.test.ts: cd web && npx --no-install vitest run src/a.test.ts (Some(Vitest), web/package.json)
        j/a.test.js: cd j && npx --no-install jest a.test.js (Some(Jest), j/package.json)
        j/native.test.js: cd j && node --test native.test.js (Some(NodeTest), j/package.json)
        m/test/a.js: cd m && npx --no-install mocha test/a.js (Some(Tap), m/package.json)
        n/a.test.ts: cd n && node --import tsx --test a.test.ts (Some(NodeTest), n/package.json)
        n/a.test.js: cd n && node --test a.test.js (Some(NodeTest), n/package.json)
        go/calc/calc_test.go: cd go && go test ./calc (Some(GoTest), go/go.mod)
        go/main_test.go: cd go && go test . (Some(GoTest), go/go.mod)
        tests/a.sh: sh tests/a.sh (None, a shell script)
        tests/b.sh: bash tests/b.sh (None, a shell script)
        tests/c.bats: bats --tap tests/c.bats (Some(Tap), a bats file)
        README.md: none
        Makefile: none
        ");
}

#[test]
fn unittest_only_where_pytest_is_nowhere() {
    let case = "import unittest\nclass T(unittest.TestCase):\n    def test_a(self): pass\n";
    let bare = MemoryTree::new([("tests/test_a.py", case)]);
    assert_eq!(
        test_command(&bare, "tests/test_a.py").unwrap().script,
        "python3 -m unittest -v tests/test_a.py"
    );
    assert_eq!(
        test_command(&bare, "tests/test_new.py").unwrap().script,
        "python3 -m unittest -v tests/test_new.py"
    );
    let with = MemoryTree::new([("tests/test_a.py", case), ("requirements-dev.txt", "pytest==8\n")]);
    assert_eq!(test_command(&with, "tests/test_a.py").unwrap().script, "python3 -m pytest tests/test_a.py");
}

#[test]
fn super_planner_conventions_in_order() {
    let tree = tree();
    let script = |id: &str| superplanner_command(&tree, id).map(|found| found.script);
    assert_eq!(script("foo-bar").as_deref(), Some("python3 -m pytest tests/test_foo_bar.py"));
    assert_eq!(script("buf").as_deref(), Some("make test-buf"));
    assert_eq!(script("late").as_deref(), Some("python3 -m pytest late_test.py"));
    assert_eq!(script("gone"), None);
}

/// What decides: an import, then a dependency, then a configuration file, then the ending.
#[test]
fn signs_in_their_order() {
    let import = ("a.test.ts", "import { it } from 'vitest'");
    let dependency = ("package.json", r#"{"devDependencies":{"mocha":"10"}}"#);
    let config = ("jest.config.js", "");
    let plain = ("package.json", "{}");
    let table: [(PathTexts<'_>, &str); 6] = [
        (&[import, dependency, config], "npx --no-install vitest run a.test.ts"),
        (&[dependency, config], "npx --no-install mocha a.test.ts"),
        (&[plain, config], "npx --no-install jest a.test.ts"),
        (&[plain], "node --experimental-strip-types --test a.test.ts"),
        (&[], "none"),
        (&[("package.json", "{")], "node --experimental-strip-types --test a.test.ts"),
    ];
    for (files, expected) in table {
        let tree = MemoryTree::new(files.iter().copied());
        let found = test_command(&tree, "a.test.ts").map_or("none".to_owned(), |command| command.script);
        assert_eq!(found, expected, "{files:?}");
    }
}

#[test]
fn names_that_are_no_test_file() {
    let tree = tree();
    for name in ["", ".", "/", "tests", "tests/", "a.unknown", ".py.", "Makefile (x)", " (a.py)"] {
        assert_eq!(test_command(&tree, name), None, "{name}");
    }
}

/// The conventions of super-planner: both spellings of an id, and the makefile only with such a target.
#[test]
fn super_planner_tasks() {
    let table: [(PathTexts<'_>, &str, Option<&str>); 9] = [
        (&[("tests/test_a.py", "")], "a", Some("python3 -m pytest tests/test_a.py")),
        (&[("tests/test_a-b.py", "")], "a-b", Some("python3 -m pytest tests/test_a-b.py")),
        (&[("tests/test_a_b.py", "")], "a-b", Some("python3 -m pytest tests/test_a_b.py")),
        (
            &[("tests/test_a.py", ""), ("Makefile", "test-a:\n\tx\n")],
            "a",
            Some("python3 -m pytest tests/test_a.py"),
        ),
        (&[("makefile", "test-a_b:\n\tx\n"), ("a_b_test.py", "")], "a-b", Some("make test-a_b")),
        (&[("Makefile", "test-other:\n\tx\n"), ("a_test.py", "")], "a", Some("python3 -m pytest a_test.py")),
        (&[("test_a.py", ""), ("tests/a_test.py", "")], "a", Some("python3 -m pytest test_a.py")),
        (&[("Makefile", "test-a b:\n\tx\n")], "a;b", None),
        (&[], "a", None),
    ];
    for (files, id, expected) in table {
        let tree = MemoryTree::new(files.iter().copied());
        let found = superplanner_command(&tree, id).map(|command| command.script);
        assert_eq!(found.as_deref(), expected, "{files:?}");
    }
}

/// A runner that the test script calls and no manifest lists: fetched by `npx`, or installed elsewhere.
#[test]
fn the_test_script_names_the_runner() {
    for (script, expected) in [
        ("npx mocha@10 test", "npx --no-install mocha test/a.test.js"),
        ("c8 -r text node_modules/.bin/tape test/*.js", "npx --no-install tape test/a.test.js"),
        ("eslint . && jest --ci", "npx --no-install jest test/a.test.js"),
        ("node --test", "node --test test/a.test.js"),
        ("echo none", "node --test test/a.test.js"),
    ] {
        let package = format!("{{\"scripts\": {{\"test\": \"{script}\"}}}}");
        let tree = MemoryTree::new([("package.json", package.as_str()), ("test/a.test.js", "")]);
        assert_eq!(test_command(&tree, "test/a.test.js").unwrap().script, expected, "{script}");
    }
}
