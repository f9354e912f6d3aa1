//! Builds apart, by runner.

use super::build_step;
use crate::repo::MemoryTree;

fn built(script: &str) -> Option<String> {
    build_step(&MemoryTree::default(), script, "/r").map(|step| step.run.script)
}

#[test]
fn every_runner_that_builds_first_builds_apart() {
    let scripts = [
        "cargo test -p x --lib 'a::' -- --nocapture",
        "cd core && cargo nextest run --retries 2 --no-fail-fast -p x name",
        "go test ./...",
        "go test -race -tags 'a b' -run '^TestX$' -count=1 -v -timeout 5m ./x -args -y",
        "mvn -q -pl core -am -Dtest=XTest test",
        "gradle :core:test --tests shop.CartTest",
        "cmake -S . -B build && cmake --build build && ctest --test-dir build -R '^x$'",
        "cargo test --lib\ncargo test --test it",
    ];
    let squeezed =
        |text: String| text.split(' ').filter(|part| !part.is_empty()).collect::<Vec<_>>().join(" ");
    let all: String =
        scripts.iter().map(|script| format!("{}\n", squeezed(built(script).unwrap()))).collect();
    insta::assert_snapshot!(all, @r"
        ( set -o pipefail; cargo test --no-fail-fast --no-run -p x --lib 'a::' -- 2>&1 | tee /r/report-1.txt )
        cd core && cargo nextest run --no-run -p x name
        go list -export -test -deps ./...
        go list -export -test -deps -race -tags 'a b' ./x
        mvn -q -pl core -am -Dtest=XTest test-compile
        gradle :core:testClasses
        cmake -S . -B build && cmake --build build && true
        cargo test --no-run --lib
        cargo test --no-run --test it
    ");
}

#[test]
fn what_one_would_not_start_twice_stays_one_script() {
    let scripts = [
        "pytest tests",
        "./prepare.sh && cargo test",
        "cargo test | grep ok",
        "cargo test || go test ./...",
        "if cargo test; then true; fi",
        "cargo test && pytest",
        "cargo test --no-run",
        "make test",
    ];
    for script in scripts {
        assert_eq!(built(script), None, "{script}");
    }
}

#[test]
fn only_cargo_fails_at_a_build_as_at_a_test() {
    let alike = |script| build_step(&MemoryTree::default(), script, "/r").unwrap().fails_alike;
    assert!(alike("cargo test --lib"));
    assert!(!alike("cargo test --lib && cargo test --test it"));
    assert!(!alike("go test ./..."));
    assert!(!alike("cargo test --lib && go test ./..."));
}

#[test]
fn what_a_package_builds_before_its_tests_is_divided_from_them() {
    let package =
        r#"{"scripts": {"build": "tsc", "unit": "mocha", "serve": "node server.js", "lint": "eslint ."}}"#;
    let tree = MemoryTree::new([("package.json", package), ("web/package.json", package)]);
    let table = [
        (
            "npm run --silent build && npx --no-install mocha a.js",
            "npm run --silent build && true",
            "npx --no-install mocha a.js",
        ),
        (
            "cd web && npm run build && npx mocha a.js",
            "cd web && npm run build && true",
            "cd web && npx mocha a.js",
        ),
        (
            "export A=1\nnpx --no-install tsc -p .\njest x",
            "export A=1\nnpx --no-install tsc -p .\ntrue",
            "export A=1\njest x",
        ),
        ("rimraf dist && tsc && node --test a.js", "rimraf dist && tsc && true", "node --test a.js"),
        (
            "node scripts/build.js && npm run unit -- a.js",
            "node scripts/build.js && true",
            "npm run unit -- a.js",
        ),
        // The second test file of a task.
        ("npm run build && mocha a\nnpm run build && mocha b", "npm run build && true", "mocha a\nmocha b"),
        (
            "npm run build && mocha a\ncd web && npm run build && mocha b",
            "npm run build && true",
            "mocha a\ncd web && npm run build && mocha b",
        ),
    ];
    for (script, build, tests) in table {
        let step = build_step(&tree, script, "/r").unwrap();
        assert_eq!(step.run.script, build, "{script}");
        assert_eq!(step.tests.as_deref(), Some(tests), "{script}");
        assert!(step.fails_alike && !step.run.expects.is_empty(), "{script}");
    }
    for script in [
        "npx mocha a.js",
        "npm run serve && npx mocha a.js",
        "npm run unit && npx mocha a.js",
        "npm run lint && npx mocha a.js",
        "npm run build || npx mocha a.js",
        "npm run build & npx mocha a.js",
        "npm run build | tee x && npx mocha a.js",
        "npm run build > x && npx mocha a.js",
        "(npm run build && npx mocha a.js)",
        "if npm run build; then npx mocha a.js; fi",
        "./prepare.sh && npm run build && npx mocha a.js",
        "npm run build && npm run other",
    ] {
        assert_eq!(build_step(&tree, script, "/r"), None, "{script}");
    }
}
