//! node's own test runner on the command line.

use super::super::tests::{
    assert_commands, assert_instrumented, assert_runs, assert_runs_no_tests, assert_selects,
};
use super::*;
use crate::script::instrument as instrumented;

#[test]
fn the_reporter_is_a_url_without_special_characters() {
    assert!(!data_url(NODE_REPORTER).contains([' ', '\'', '"', '#', '?', '\\', '\n']));
}

#[test]
fn bytes_of_a_url() {
    let table = [
        ("a1", "a1"),
        ("a b", "a%20b"),
        ("'\"", "%27%22"),
        ("\\n\n", "%5Cn%0A"),
        ("#?%", "%23%3F%25"),
        ("é", "%C3%A9"),
        ("(x)=>{}", "(x)=>{}"),
    ];
    for (source, expected) in table {
        assert_eq!(data_url(source), format!("data:text/javascript,{expected}"));
    }
}

#[test]
fn every_way_to_start_it() {
    assert_runs(
        "node --test",
        &[
            "node --test",
            "node --test tests/",
            "node --import tsx --test a.ts",
            "node --experimental-strip-types --test a.ts",
            "tsx --test a.ts",
            "npx tsx --test",
            "pnpm tsx --test a.ts",
            "NODE_ENV=test node --test",
            "node tests/a.mjs",
            "node src/a.test.js",
            "node --require ./x.js src/a.spec.cjs",
            "c8 node --test",
        ],
    );
}

#[test]
fn what_runs_no_tests() {
    assert_runs_no_tests(&[
        "node --version",
        "node -v",
        "node --test --help",
        "node src/main.js",
        "node -e 'require(\"node:test\")'",
        "node $FILE",
        "node",
        "nodejs --test",
        "deno test",
    ]);
}

#[test]
fn picked_by_name() {
    assert_selects(
        &["node --test --test-name-pattern='^adds$'", "node --test --test-name-pattern '^adds$' a.js"],
        &["node --test", "node --test --test-name-pattern=adds", "node --test a.test.js"],
    );
}

/// Each reporter has a destination: a script with one of its own keeps it.
#[test]
fn a_second_reporter_writes_the_report() {
    let own = "--test-reporter='<reporter>' --test-reporter-destination=/r/report-1.jsonl";
    let stdout = "--test-reporter-destination=stdout";
    let table = [
        ("node --test", format!("node --test {own} --test-reporter=spec {stdout}")),
        ("node --test a | cat", format!("node --test {own} --test-reporter=spec {stdout} a | cat")),
        ("node --test --test-reporter=dot", format!("node --test {own} {stdout} --test-reporter=dot")),
        (
            "node --test --test-reporter=dot --test-reporter-destination=x",
            format!("node --test {own} --test-reporter=dot --test-reporter-destination=x"),
        ),
        ("node a.test.js", format!("node {own} --test-reporter=spec {stdout} a.test.js")),
    ];
    for (script, expected) in &table {
        assert_instrumented(&[(script, expected)]);
    }
    // A file may or may not use node's test runner.
    assert_eq!(instrumented("node --test", "/r").expects[0].need, Need::Required);
    assert_eq!(instrumented("node a.test.js", "/r").expects[0].need, Need::IfPresent);
}

#[test]
fn without_any_sign_it_is_the_runner() {
    assert_commands(
        &[
            ("plain/package.json", "{}"),
            ("tsx/package.json", r#"{"devDependencies":{"tsx":"4"}}"#),
            ("here.test.js", ""),
            ("jest/package.json", r#"{"devDependencies":{"jest":"29"}}"#),
            ("jest/a.test.js", "const test = require(\"node:test\");"),
        ],
        &[
            ("plain/a.test.js", "cd plain && node --test a.test.js"),
            ("plain/a.test.ts", "cd plain && node --experimental-strip-types --test a.test.ts"),
            ("tsx/a.test.tsx", "cd tsx && node --import tsx --test a.test.tsx"),
            ("tsx/a.test.js", "cd tsx && node --test a.test.js"),
            ("here.test.js", "node --test here.test.js"),
            ("jest/a.test.js", "cd jest && node --test a.test.js"),
            ("nowhere.test.js", "none"),
        ],
    );
}
