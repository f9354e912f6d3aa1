//! mocha on the command line.

use super::super::tests::{
    assert_commands, assert_instrumented, assert_runs, assert_runs_no_tests, assert_selects, assert_untouched,
};

#[test]
fn every_way_to_start_it() {
    assert_runs(
        "mocha",
        &[
            "mocha",
            "npx mocha test",
            "nyc mocha",
            "c8 mocha 'test/**/*.js'",
            "yarn mocha",
            "pnpm exec mocha",
            "NODE_ENV=test node_modules/.bin/mocha",
        ],
    );
}

#[test]
fn what_runs_no_tests() {
    assert_runs_no_tests(&[
        "mocha --dry-run",
        "mocha --list-files",
        "mocha --version",
        "mocha -V",
        "npx mocha --help",
        "npm install mocha",
        "_mocha",
    ]);
}

#[test]
fn picked_by_name() {
    assert_selects(&["mocha -g adds", "mocha --grep=adds"], &["mocha", "mocha test/a.js", "mocha --watch"]);
}

/// Mocha has one reporter: one that the script names stays, and then there is no report.
#[test]
fn tap_is_asked_for_where_no_reporter_is_named() {
    assert_instrumented(&[
        ("mocha", "( set -o pipefail; mocha --no-bail --reporter tap 2>&1 | tee /r/report-1.txt )"),
        (
            "npx mocha a | tail",
            "( set -o pipefail; npx mocha a --no-bail --reporter tap | tee -p /r/report-1.txt ) | tail",
        ),
        ("mocha >/dev/null", "mocha --no-bail --reporter tap >/r/report-1.txt"),
    ]);
    assert_untouched(&["mocha --reporter spec", "mocha --reporter=dot", "mocha -R dot", "mocha > out.txt"]);
}

#[test]
fn a_dependency_asks_for_it() {
    assert_commands(
        &[("package.json", r#"{"devDependencies":{"mocha":"10","chai":"5"}}"#)],
        &[
            ("test/a.js", "npx --no-install mocha test/a.js"),
            ("test/a b.cjs", "npx --no-install mocha 'test/a b.cjs'"),
        ],
    );
}
