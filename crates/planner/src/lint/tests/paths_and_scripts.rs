//! Paths, verification scripts and source files of single tasks.

use std::fmt::Write as _;

use super::super::Profile;
use super::conditions::{codes, fine, script};
use windlass_core::plan::{Files, Methodology, Task, TestPlan};

#[test]
fn paths() {
    let paths = [
        "",
        "/etc/passwd",
        "C:/x.py",
        "\\x.py",
        "~/x.py",
        "a/../b.py",
        ".git/config",
        "a/.GIT/x",
        "-rf.py",
        ":x.py",
        "a\\b.py",
        "a\u{7}b.py",
        "plans/p/a.md",
        "src/ok.py",
        ".github/ci.yml",
        "src/with space.py",
        "a..b.py",
    ];
    let mut out = String::new();
    for path in paths {
        let mut task = fine();
        task.files.create.push(path.into());
        let found = codes(vec![task], Profile::Default);
        let bad: Vec<&str> = found.into_iter().filter(|c| matches!(*c, "WL0201" | "WL0207")).collect();
        let _ = writeln!(out, "`{}`: {}", path.escape_debug(), bad.join(" "));
    }
    insta::assert_snapshot!(out, @r"
    ``: WL0201
    `/etc/passwd`: WL0201
    `C:/x.py`: WL0201
    `\\x.py`: WL0201
    `~/x.py`: WL0201
    `a/../b.py`: WL0201
    `.git/config`: WL0201
    `a/.GIT/x`: WL0201
    `-rf.py`: WL0201
    `:x.py`: WL0201
    `a\\b.py`: WL0201
    `a\u{7}b.py`: WL0201
    `plans/p/a.md`: WL0207
    `src/ok.py`: 
    `.github/ci.yml`: 
    `src/with space.py`: 
    `a..b.py`:
    ");
}

#[test]
fn verification_scripts() {
    let scripts = [
        "pytest tests/test_cart.py",
        "pytest tests/test_cart.py || true",
        "pytest tests/test_cart.py | tail",
        "set -o pipefail\npytest tests/test_cart.py | tail",
        "pytest tests/test_cart.py; echo ok",
        "echo ok",
        "server & pytest tests/test_cart.py",
        "pytest tests/test_cart.py &",
        "grep x src/cart.py",
        "test -f src/cart.py && echo ok",
        "pytest tests/test_other.py",
        "cd tests && pytest test_cart.py",
        "for f in a; do pytest $f; done",
        "exit 0",
        "exit 1",
    ];
    let mut out = String::new();
    for text in scripts {
        let mut task = fine();
        script(&mut task, text);
        let found = codes(vec![task], Profile::Default);
        let about: Vec<&str> =
            found.into_iter().filter(|c| c.starts_with("WL03") || *c == "WL0204").collect();
        let _ = writeln!(out, "`{}`: {}", text.escape_debug(), about.join(" "));
    }
    insta::assert_snapshot!(out, @r"
    `pytest tests/test_cart.py`: 
    `pytest tests/test_cart.py || true`: WL0302
    `pytest tests/test_cart.py | tail`: WL0303
    `set -o pipefail\npytest tests/test_cart.py | tail`: 
    `pytest tests/test_cart.py; echo ok`: WL0302
    `echo ok`: WL0302
    `server & pytest tests/test_cart.py`: WL0314
    `pytest tests/test_cart.py &`: WL0302 WL0314
    `grep x src/cart.py`: WL0311
    `test -f src/cart.py && echo ok`: WL0311
    `pytest tests/test_other.py`: WL0204
    `cd tests && pytest test_cart.py`: 
    `for f in a; do pytest $f; done`: 
    `exit 0`: WL0302
    `exit 1`:
    ");
}

/// The lists of endings that `proof.rs` and `routing.rs` had missed these files.
#[test]
fn source_files_of_every_language_need_a_test() {
    let documents = |path: &str| {
        let test = TestPlan { none: Some("documentation_only".into()), ..TestPlan::default() };
        let files = Files { create: vec![path.into()], ..Files::default() };
        codes(vec![Task { test, files, verification: None, ..fine() }], Profile::Default).contains("WL0310")
    };
    let direct = |path: &str| {
        let files = Files { create: vec![path.into()], ..Files::default() };
        codes(vec![Task { methodology: Some(Methodology::Direct), files, ..fine() }], Profile::Default)
            .contains("WL0709")
    };
    for path in
        ["src/a.mjs", "src/a.hpp", "src/a.cc", "src/a.kt", "src/App.vue", "src/a.ts", "src/a.py", "run.sh"]
    {
        assert!(documents(path), "{path} is no documentation");
        assert!(direct(path), "{path} is code");
    }
    for path in ["docs/a.md", "a.toml", "index.html"] {
        assert!(!documents(path) && !direct(path), "{path}");
    }
}

/// C and C++ were no stack, and JavaScript with TypeScript are one.
#[test]
fn a_cycle_has_one_stack() {
    let stacks = |paths: &[&str]| {
        let files = Files { create: paths.iter().map(|p| (*p).to_owned()).collect(), ..Files::default() };
        codes(vec![Task { files, test: TestPlan::default(), ..fine() }], Profile::Ccw).contains("WL0429")
    };
    let table: [(&[&str], bool); 6] = [
        (&["a.py", "b.c"], true),
        (&["a.c", "b.cpp"], false),
        (&["a.ts", "b.jsx", "c.vue"], false),
        (&["a.java", "b.kt"], false),
        (&["a.py", "run.sh"], false),
        (&["a.py", "b.go"], true),
    ];
    for (paths, expected) in table {
        assert_eq!(stacks(paths), expected, "{paths:?}");
    }
}
