//! tap on the command line.

use super::super::tests::{
    assert_commands, assert_instrumented, assert_runs, assert_runs_no_tests, assert_untouched,
};
use crate::repo::MemoryTree;
use crate::script::instrument_in;

#[test]
fn on_the_command_line() {
    assert_runs("tap", &["tap", "npx tap test/a.js", "pnpm tap"]);
    assert_runs_no_tests(&["tap --version", "tap list", "npm i tap"]);
    assert_untouched(&["tap --reporter=dot", "tap -Rdot", "tap > out.txt"]);
    assert_commands(
        &[("package.json", r#"{"devDependencies":{"tap":"^21"}}"#)],
        &[("test/a.js", "npx --no-install tap test/a.js")],
    );
}

/// Its options changed with version 18.
#[test]
fn coverage_is_no_failure() {
    assert_instrumented(&[(
        "tap a.js",
        "( set -o pipefail; tap a.js --reporter=tap --no-bail --disable-coverage 2>&1 | tee /r/report-1.txt )",
    )]);
    for (version, option) in
        [("^16.3.0", "--no-check-coverage"), ("^18", "--disable-coverage"), ("*", "--disable-coverage")]
    {
        let package = format!(r#"{{"devDependencies":{{"tap":"{version}"}}}}"#);
        let tree = MemoryTree::new([("package.json", package.as_str())]);
        let script = instrument_in(&tree, "tap a.js", "/r").script;
        assert!(script.contains(option), "{version}: {script}");
    }
}
