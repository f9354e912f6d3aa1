//! bun test.

use super::super::tests::{assert_commands, assert_runs_no_tests, assert_untouched};

#[test]
fn it_is_judged_by_its_exit_code() {
    assert_runs_no_tests(&["bun test", "bun test src/a.test.ts"]);
    assert_untouched(&["bun test"]);
}

/// Only the import of its module speaks for it.
#[test]
fn one_file() {
    assert_commands(
        &[
            ("package.json", r#"{"devDependencies":{"vitest":"1"}}"#),
            ("a.test.ts", "import { test } from \"bun:test\";"),
            ("b.test.ts", "// bun:test is not imported"),
        ],
        &[("a.test.ts", "bun test a.test.ts"), ("b.test.ts", "npx --no-install vitest run b.test.ts")],
    );
}
