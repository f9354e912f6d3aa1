//! jest on the command line.

use super::super::tests::{
    assert_commands, assert_instrumented, assert_runs, assert_runs_no_tests, assert_selects,
};

#[test]
fn every_way_to_start_it() {
    assert_runs(
        "jest",
        &[
            "jest",
            "npx jest",
            "npx --yes jest a",
            "yarn jest --ci",
            "pnpm jest",
            "npm exec jest",
            "pnpm dlx jest",
            "NODE_ENV=test jest --runInBand",
            "cross-env NODE_ENV=test jest",
            "./node_modules/.bin/jest",
        ],
    );
}

#[test]
fn what_runs_no_tests() {
    assert_runs_no_tests(&[
        "jest --listTests",
        "jest --showConfig",
        "npx jest --init",
        "jest --clearCache",
        "jest --version",
        "jest --help",
        "npm i -D jest",
        "npx ts-jest config:init",
    ]);
}

#[test]
fn picked_by_name() {
    assert_selects(
        &["jest -t adds", "npx jest --testNamePattern 'adds up'"],
        &["jest", "jest src/a.test.js", "jest --testPathPattern=a", "jest -b"],
    );
}

#[test]
fn a_note_says_where_it_was_started() {
    assert_instrumented(&[
        (
            "jest",
            "jest --coverage=false --bail=0 --json --outputFile=/r/report-1.json$(pwd -P >/r/report-1.json.root)",
        ),
        (
            "cd web && npx jest a >log.txt",
            "cd web && npx jest a --coverage=false --bail=0 --json --outputFile=/r/report-1.json$(pwd -P >/r/report-1.json.root) >log.txt",
        ),
        (
            "jest -- a",
            "jest --coverage=false --bail=0 --json --outputFile=/r/report-1.json$(pwd -P >/r/report-1.json.root) -- a",
        ),
        ("jest --listTests", "jest --listTests"),
    ]);
}

#[test]
fn signs_of_it() {
    assert_commands(
        &[
            ("glob/a.test.js", "import { test } from \"@jest/globals\";"),
            ("ts/package.json", r#"{"devDependencies":{"ts-jest":"29"}}"#),
            ("conf/jest.config.cjs", ""),
            ("broken/package.json", "{"),
            ("broken/jest.config.js", ""),
        ],
        &[
            ("glob/a.test.js", "npx --no-install jest glob/a.test.js"),
            ("ts/a.test.ts", "cd ts && npx --no-install jest a.test.ts"),
            ("conf/deep/a.test.jsx", "npx --no-install jest conf/deep/a.test.jsx"),
            ("broken/a.test.js", "cd broken && npx --no-install jest a.test.js"),
        ],
    );
}
