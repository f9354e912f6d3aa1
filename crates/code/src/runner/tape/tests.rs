//! tape on the command line.

use super::super::tests::{assert_commands, assert_instrumented, assert_runs, assert_runs_no_tests};

#[test]
fn on_the_command_line() {
    assert_runs("tape", &["tape", "npx tape 'test/*.js'", "nyc tape test", "yarn tape"]);
    assert_runs_no_tests(&["tape --help", "npm i tape"]);
    assert_instrumented(&[
        ("tape test", "( set -o pipefail; tape test 2>&1 | tee /r/report-1.txt )"),
        ("tape test | tap-spec", "( set -o pipefail; tape test | tee -p /r/report-1.txt ) | tap-spec"),
    ]);
    assert_commands(
        &[("package.json", r#"{"devDependencies":{"tape":"5"}}"#)],
        &[("test.js", "npx --no-install tape test.js")],
    );
}
