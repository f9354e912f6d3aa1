//! Playwright's test runner, judged by its exit code

use super::node_test::{SCRIPT_ENDINGS, package_command};
use super::row::{BASE, Detection, RunnerRow};

pub(super) const ROW: RunnerRow = RunnerRow {
    name: "playwright",
    detect: Detection {
        endings: SCRIPT_ENDINGS,
        imports: &["@playwright/test"],
        command: |tree, file| Some(package_command(tree, file, "npx --no-install playwright test")),
        ..BASE.detect
    },
    ..BASE
};

#[cfg(test)]
mod tests;
