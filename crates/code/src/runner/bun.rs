//! bun test, judged by its exit code

use super::node_test::{SCRIPT_ENDINGS, package_command};
use super::row::{BASE, Detection, RunnerRow};

pub(super) const ROW: RunnerRow = RunnerRow {
    name: "bun test",
    detect: Detection {
        endings: SCRIPT_ENDINGS,
        imports: &["bun:test"],
        command: |tree, file| Some(package_command(tree, file, "bun test")),
        ..BASE.detect
    },
    ..BASE
};

#[cfg(test)]
mod tests;
