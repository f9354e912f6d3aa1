//! uvu on the command line.

use super::super::tests::{assert_commands, assert_runs, assert_runs_no_tests, assert_untouched};
use crate::report::{Need, ReportFormat};
use crate::script::instrument;

#[test]
fn on_the_command_line() {
    assert_runs("uvu", &["uvu", "npx uvu test", "uvu -r esm test", "c8 uvu test", "pnpm uvu"]);
    assert_runs_no_tests(&["uvu --version", "npm i uvu"]);
}

#[test]
fn a_module_listens_to_it() {
    let changed = instrument("uvu test", "/r");
    assert!(changed.script.starts_with("NODE_OPTIONS='--import=data:text/javascript,"), "{}", changed.script);
    assert!(changed.script.ends_with(" uvu test"), "{}", changed.script);
    assert!(changed.script.contains("/r/report-1.jsonl"));
    assert_eq!(
        (changed.expects[0].format, changed.expects[0].need),
        (ReportFormat::UvuEvents, Need::Required)
    );
    assert_untouched(&["NODE_OPTIONS=--no-warnings uvu test"]);
}

#[test]
fn its_directory_and_pattern() {
    assert_commands(
        &[
            ("package.json", r#"{"scripts":{"test":"uvu -r esm test"},"devDependencies":{"uvu":"0.5.2"}}"#),
            ("b/package.json", r#"{"devDependencies":{"uvu":"0.5.2"}}"#),
        ],
        &[
            ("test/full.js", r"npx --no-install uvu -r esm test '^full\.js$'"),
            ("b/a.test.mjs", r"cd b && npx --no-install uvu . '^a\.test\.mjs$'"),
        ],
    );
}
