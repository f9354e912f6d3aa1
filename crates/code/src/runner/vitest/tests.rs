//! vitest on the command line.

use super::super::tests::{
    assert_commands, assert_instrumented, assert_runs, assert_runs_no_tests, assert_selects,
};
use crate::detect::test_command;
use crate::repo::MemoryTree;

#[test]
fn every_way_to_start_it() {
    assert_runs(
        "vitest",
        &[
            "vitest",
            "vitest run",
            "npx vitest",
            "npx --no-install vitest run",
            "npx -p vitest vitest",
            "pnpm vitest run",
            "yarn vitest",
            "bun vitest",
            "bunx vitest",
            "pnpm exec vitest run",
            "npm exec -- vitest run",
            "yarn dlx vitest",
            "node_modules/.bin/vitest",
            "cross-env CI=1 vitest run",
            "c8 vitest run",
        ],
    );
}

#[test]
fn what_runs_no_tests() {
    assert_runs_no_tests(&[
        "vitest list",
        "npx vitest init browser",
        "vitest bench",
        "vitest --help",
        "vitest --version",
        "npx vitest -v",
        "npm install vitest",
        "npx vite build",
        "pnpm add -D vitest",
    ]);
}

#[test]
fn picked_by_name() {
    assert_selects(
        &["vitest run -t adds", "npx vitest --testNamePattern=adds"],
        &["vitest run", "vitest run src/a.test.ts", "vitest --typecheck", "vitest run -u"],
    );
}

/// The usual reporter stays beside the one for the report.
#[test]
fn a_second_reporter_writes_the_report() {
    assert_instrumented(&[
        (
            "vitest run",
            "vitest run --no-coverage --bail=0 --reporter=default --reporter=junit --outputFile.junit=/r/report-1.xml",
        ),
        (
            "npx vitest --reporter verbose | cat",
            "npx vitest --reporter verbose --no-coverage --bail=0 --reporter=junit --outputFile.junit=/r/report-1.xml | cat",
        ),
        (
            "cd web; vitest run -- a",
            "cd web; vitest run --no-coverage --bail=0 --reporter=default --reporter=junit --outputFile.junit=/r/report-1.xml -- a",
        ),
        ("vitest list", "vitest list"),
    ]);
}

#[test]
fn imports_count_more_than_dependencies_and_those_more_than_configuration() {
    assert_commands(
        &[
            ("jest/package.json", r#"{"devDependencies":{"jest":"29"}}"#),
            ("jest/a.test.ts", "import { test } from 'vitest';"),
            ("jest/c.test.ts", "// not vitest"),
            ("dep/package.json", r#"{"dependencies":{"vitest":"1"}}"#),
            ("dep/jest.config.js", ""),
            ("conf/package.json", "{}"),
            ("conf/vitest.config.mts", ""),
            ("bare/vitest.config.ts", ""),
            ("up/package.json", r#"{"peerDependencies":{"vitest":"1"}}"#),
            ("up/pkg/package.json", "{}"),
        ],
        &[
            ("jest/a.test.ts", "cd jest && npx --no-install vitest run a.test.ts"),
            ("jest/b.test.ts", "cd jest && npx --no-install jest b.test.ts"),
            ("jest/c.test.ts", "cd jest && npx --no-install jest c.test.ts"),
            ("dep/src/a.spec.tsx", "cd dep && npx --no-install vitest run src/a.spec.tsx"),
            ("conf/a.test.mjs", "cd conf && npx --no-install vitest run a.test.mjs"),
            ("bare/a.test.ts", "npx --no-install vitest run bare/a.test.ts"),
            ("up/pkg/a.test.ts", "cd up && npx --no-install vitest run pkg/a.test.ts"),
        ],
    );
}

/// Projects are named from the directory of the configuration that names them.
#[test]
fn a_package_that_takes_its_configuration_from_above_starts_there() {
    let root = r#"{"workspaces":["packages/*"],"devDependencies":{"vitest":"3"}}"#;
    let package = r#"{"scripts":{"test":"pnpm vitest run"}}"#;
    let merged = "import root from '../../vitest.config.js';\nexport default mergeConfig(root, {});\n";
    let projects = "export default { test: { projects: ['packages/*'] } };\n";
    let run = |config: &str, above: &str| {
        let tree = MemoryTree::new([
            ("package.json", root),
            ("vitest.config.ts", above),
            ("packages/a/package.json", package),
            ("packages/a/vitest.config.ts", config),
        ]);
        test_command(&tree, "packages/a/src/x.test.ts").unwrap().script
    };
    let in_package = "cd packages/a && npx --no-install vitest run src/x.test.ts";
    assert_eq!(run(merged, projects), "npx --no-install vitest run packages/a/src/x.test.ts");
    assert_eq!(run(merged, "export default { test: { globals: true } };\n"), in_package);
    assert_eq!(run("export default {};\n", projects), in_package);
    assert_eq!(run("import x from '../x.js';\n", projects), in_package);
}
