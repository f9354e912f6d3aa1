//! ava on the command line.

use super::super::tests::{
    assert_commands, assert_instrumented, assert_runs, assert_runs_no_tests, assert_selects,
};

#[test]
fn on_the_command_line() {
    assert_runs("ava", &["ava", "npx ava test.js", "c8 ava", "pnpm ava", "node node_modules/.bin/ava a.js"]);
    assert_runs_no_tests(&["ava --version", "ava reset-cache", "npm i ava"]);
    assert_selects(&["ava -m adds", "ava --match='*adds'"], &["ava", "ava test.js"]);
}

#[test]
fn tap_is_asked_for_and_every_failure() {
    assert_instrumented(&[
        ("ava a.js", "( set -o pipefail; ava a.js --no-fail-fast --tap 2>&1 | tee /r/report-1.txt )"),
        ("ava --tap", "( set -o pipefail; ava --tap --no-fail-fast 2>&1 | tee /r/report-1.txt )"),
        ("ava >log.txt", "ava >log.txt"),
    ]);
}

#[test]
fn signs_of_it() {
    assert_commands(
        &[("package.json", r#"{"devDependencies":{"ava":"6"}}"#), ("b/a.js", "import test from 'ava';")],
        &[("test.js", "npx --no-install ava test.js"), ("b/a.js", "npx --no-install ava b/a.js")],
    );
}
