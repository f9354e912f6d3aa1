//! Playwright's test runner.

use super::super::tests::{assert_commands, assert_runs_no_tests, assert_untouched};

#[test]
fn it_is_judged_by_its_exit_code() {
    assert_runs_no_tests(&["npx playwright test", "npx playwright install"]);
    assert_untouched(&["npx playwright test e2e"]);
}

/// Only the import of its module speaks for it.
#[test]
fn one_file() {
    assert_commands(
        &[
            ("web/package.json", r#"{"devDependencies":{"jest":"29","@playwright/test":"1"}}"#),
            ("web/e2e/a.spec.ts", "import { test } from '@playwright/test';"),
        ],
        &[
            ("web/e2e/a.spec.ts", "cd web && npx --no-install playwright test e2e/a.spec.ts"),
            ("web/e2e/new.spec.ts", "cd web && npx --no-install jest e2e/new.spec.ts"),
        ],
    );
}
