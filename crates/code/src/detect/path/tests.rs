//! Tests of `path`.

mod roles;

use super::*;

#[test]
fn test_paths() {
    let table = [
        ("tests/test_x.py", true),
        ("src/pkg/x_test.py", true),
        ("tests/conftest.py", true),
        ("src/pkg/x.py", false),
        ("tests/it.rs", true),
        ("src/parser/tests.rs", true),
        ("src/lib.rs", false),
        ("src/a.test.ts", true),
        ("src/__tests__/a.tsx", true),
        ("src/contest.ts", false),
        ("calc/calc_test.go", true),
        ("tests/run.sh", true),
        ("scripts/test_all.sh", true),
        ("scripts/deploy.sh", false),
        ("src/test/java/FooTest.java", true),
        ("tests/roman.rs", true),
        ("test.js", true),
        ("lib/spec.mjs", true),
        ("latest.js", false),
        ("shop/tests.py", true),
        ("README.md", false),
        ("specs/001/spec.md", false),
        ("spec/design.md", false),
        ("spec/a_spec.rb", true),
        ("tests/golden/out.txt", true),
    ];
    for (path, expected) in table {
        assert_eq!(is_test_path(path), expected, "{path}");
    }
}

#[test]
fn runner_configuration() {
    for yes in [
        "conftest.py",
        "tests/unit/conftest.py",
        "pyproject.toml",
        ".cargo/config.toml",
        "crates/a/build.rs",
        ".config/nextest.toml",
        "web/vitest.config.mts",
        "tsconfig.build.json",
        "tsconfig.json",
        ".npmrc",
        "Makefile",
        "go.mod",
        "x.pth",
    ] {
        assert!(runner_config(yes), "{yes}");
    }
    for yes in ["pytest.py", "src/_pytest/runner.py", "node_modules/a/index.js"] {
        assert!(runner_config(yes), "{yes}");
    }
    for no in ["src/lib.rs", "src/config.py", "docs/Makefile.md", "src/build.ts", "docs/pytest/a.md"] {
        assert!(!runner_config(no), "{no}");
    }
}

#[test]
fn expected_results() {
    for yes in ["tests/golden/a.txt", "src/__snapshots__/a.test.ts.snap", "tests/fixtures/a.json", "a.snap"] {
        assert!(holds_expected_results(yes), "{yes}");
    }
    for no in ["src/golden/a.txt", "tests/fixtures/mod.rs", "tests/a.py", "snapshots/README.md"] {
        assert!(!holds_expected_results(no), "{no}");
    }
}

#[test]
fn paths_in_comments() {
    let table = [
        ("// src/math/add.ts", Some("src/math/add.ts")),
        ("# path/to/mod.py", Some("path/to/mod.py")),
        ("<!-- docs/index.html -->", Some("docs/index.html")),
        ("/* src/a.css */", Some("src/a.css")),
        ("-- migrations/001.sql", Some("migrations/001.sql")),
        ("// ADD to src/types.ts", Some("src/types.ts")),
        ("ADD to src/types.ts", Some("src/types.ts")),
        ("// File: src/a.rs (new)", Some("src/a.rs")),
        ("//! src/a.rs", Some("src/a.rs")),
        ("# Makefile", Some("Makefile")),
        ("// `src/b.rs`:", Some("src/b.rs")),
        ("// the add function", None),
        ("// see https://example.com/a.ts", None),
        ("// version 1.2", None),
        ("// ../outside.ts", None),
        ("import x from 'y.ts'", None),
        ("#!/bin/sh", None),
        ("#", None),
    ];
    for (line, expected) in table {
        assert_eq!(comment_path(line).as_deref(), expected, "{line}");
    }
}
