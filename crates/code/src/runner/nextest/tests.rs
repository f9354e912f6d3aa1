//! cargo nextest on the command line.

use super::super::tests::{
    assert_commands, assert_instrumented, assert_runs, assert_runs_no_tests, assert_selects, assert_untouched,
};
use crate::script::instrument;

#[test]
fn every_way_to_start_it() {
    assert_runs(
        "cargo nextest",
        &[
            "cargo nextest run",
            "cargo nextest r",
            "cargo +nightly nextest run",
            "cargo --offline nextest run -p a",
            "cargo nextest --config-file x.toml run",
            "cargo nextest --profile ci run",
            "cargo-nextest nextest run",
            "RUST_LOG=debug cargo nextest run",
            "timeout 60 cargo nextest run --profile ci",
        ],
    );
}

#[test]
fn what_runs_no_tests() {
    assert_runs_no_tests(&[
        "cargo nextest",
        "cargo nextest list",
        "cargo nextest run --no-run",
        "cargo nextest run --help",
        "cargo nextest --version",
        "cargo nextest archive --archive-file run",
        "cargo nextest show-config",
        "cargo install cargo-nextest",
    ]);
}

#[test]
fn picked_by_name() {
    assert_selects(
        &[
            "cargo nextest run -E 'test(=adds)'",
            "cargo nextest run --filter-expr=all()",
            "cargo nextest run -- --exact adds",
        ],
        &["cargo nextest run", "cargo nextest run adds", "cargo nextest run -p a --test it"],
    );
}

#[test]
fn events_are_asked_for_once() {
    assert_instrumented(&[
        (
            "cargo nextest run",
            "( set -o pipefail; cargo nextest run --no-fail-fast --retries 0 --message-format libtest-json 2>&1 | tee /r/report-1.txt )",
        ),
        (
            "cargo nextest r -p a | tail",
            "( set -o pipefail; cargo nextest r --no-fail-fast --retries 0 --message-format libtest-json -p a | tee -p /r/report-1.txt ) | tail",
        ),
        (
            "cargo nextest run >/dev/null",
            "cargo nextest run --no-fail-fast --retries 0 --message-format libtest-json >/r/report-1.txt",
        ),
    ]);
    assert_untouched(&["cargo nextest run --message-format=libtest-json", "cargo nextest run > log.txt"]);
    let env = instrument("cargo nextest run", "/r").env;
    assert_eq!(env, [("NEXTEST_EXPERIMENTAL_LIBTEST_JSON".to_owned(), "1".to_owned())]);
}

#[test]
fn its_configuration_makes_it_the_runner() {
    let files = [("Cargo.toml", "[package]\nname = \"a\"\n"), ("src/lib.rs", "")];
    assert_commands(&files, &[("tests/it.rs", "cargo test --test it")]);
    let with = [files[0], files[1], (".config/nextest.toml", "")];
    assert_commands(
        &with,
        &[("tests/it.rs", "cargo nextest run --test it"), ("src/a.rs", "cargo nextest run --lib a::")],
    );
}
