//! cargo test on the command line.

use super::super::tests::{
    assert_commands, assert_instrumented, assert_runs, assert_runs_no_tests, assert_selects, assert_untouched,
};
use super::*;
use crate::script::instrument as instrumented;

#[test]
fn every_way_to_start_it() {
    assert_runs(
        "cargo test",
        &[
            "cargo test",
            "cargo t",
            "cargo +nightly test",
            "cargo +1.80.0 t --lib",
            "cargo --locked --offline test",
            "cargo --config net.offline=true test",
            "cargo -C crates/a -Z unstable-options test",
            "cargo --color never test",
            "cargo --manifest-path a/Cargo.toml test",
            "cargo test -- --test-threads=1",
            "RUSTFLAGS=-Dwarnings cargo test",
            "env RUST_BACKTRACE=1 cargo test",
            "timeout 300 cargo test",
            "/usr/local/bin/cargo test",
            "mise x -- cargo test",
        ],
    );
}

#[test]
fn what_runs_no_tests() {
    assert_runs_no_tests(&[
        "cargo test --no-run",
        "cargo test --help",
        "cargo test -h",
        "cargo test -- --list",
        "cargo test --build-plan",
        "cargo",
        "cargo +nightly",
        "cargo build",
        "cargo bench",
        "cargo check --tests",
        "cargo clippy --all-targets",
        "cargo run -- test",
        "cargo-test",
    ]);
}

#[test]
fn picked_by_name() {
    assert_selects(
        &["cargo test -- --exact a::b", "cargo test --test it -- adds --exact"],
        &["cargo test", "cargo test adds", "cargo test --test it", "cargo test -p a --lib"],
    );
}

/// Quiet output has no names and uncaptured output breaks the lines: both options are left out.
#[test]
fn the_output_is_copied_with_names_in_it() {
    assert_instrumented(&[
        ("cargo test", "( set -o pipefail; cargo test --no-fail-fast 2>&1 | tee /r/report-1.txt )"),
        ("cargo test --quiet", "( set -o pipefail; cargo test --no-fail-fast  2>&1 | tee /r/report-1.txt )"),
        ("cargo -q test", "( set -o pipefail; cargo  test --no-fail-fast 2>&1 | tee /r/report-1.txt )"),
        (
            "cargo test -- --nocapture",
            "( set -o pipefail; cargo test --no-fail-fast --  2>&1 | tee /r/report-1.txt )",
        ),
        (
            "cargo test -- --format=json",
            "( set -o pipefail; cargo test --no-fail-fast --  2>&1 | tee /r/report-1.txt )",
        ),
        (
            "cargo test -- --format terse a",
            "( set -o pipefail; cargo test --no-fail-fast --   a 2>&1 | tee /r/report-1.txt )",
        ),
        (
            "cargo test | tail",
            "( set -o pipefail; cargo test --no-fail-fast | tee -p /r/report-1.txt ) | tail",
        ),
        (
            "cargo test 2>/dev/null",
            "( set -o pipefail; cargo test --no-fail-fast 2>/dev/null | tee /r/report-1.txt )",
        ),
        ("cargo test >/dev/null 2>&1", "cargo test --no-fail-fast >/r/report-1.txt 2>&1"),
        ("A=1 cargo test", "( set -o pipefail; A=1 cargo test --no-fail-fast 2>&1 | tee /r/report-1.txt )"),
        (
            "cargo test -p a && cargo test -p b",
            "( set -o pipefail; cargo test --no-fail-fast -p a 2>&1 | tee /r/report-1.txt ) && ( set -o pipefail; cargo test --no-fail-fast -p b 2>&1 | tee /r/report-2.txt )",
        ),
    ]);
    assert_untouched(&[
        "cargo test > log.txt",
        "cargo test &> log.txt",
        "cargo test >>log.txt",
        "cargo test --no-run",
    ]);
    let env = instrumented("cargo test && cargo test", "/r").env;
    let expected = [("CARGO_TERM_QUIET", "false"), ("CARGO_TERM_COLOR", "never")];
    assert_eq!(env, expected.map(|(name, value)| (name.to_owned(), value.to_owned())));
}

/// The manifest of a new crate is the task's to write: its tests are seen red without it.
#[test]
fn a_crate_that_is_still_to_come_is_named_like_its_directory() {
    const MEMBERS: &str = "[workspace]\nmembers = [\"crates/*\"]\n";
    const BOTH: &str = "[workspace]\n\n[package]\nname = \"top\"\n";
    const BASE: &str = "[package]\nname = \"base\"\n";
    type Files = &'static [(&'static str, &'static str)];
    let table: [(Files, &str, Option<&str>); 6] = [
        (&[("Cargo.toml", MEMBERS)], "crates/sums/tests/total.rs", Some("cargo test -p sums --test total")),
        (&[("Cargo.toml", MEMBERS)], "crates/sums/src/cart.rs", Some("cargo test -p sums --lib cart::")),
        (&[("Cargo.toml", BOTH)], "crates/sums/tests/total.rs", Some("cargo test -p sums --test total")),
        (&[("Cargo.toml", BOTH)], "tests/total.rs", Some("cargo test -p top --test total")),
        (
            &[("Cargo.toml", MEMBERS), ("crates/a/Cargo.toml", BASE)],
            "crates/a/tests/total.rs",
            Some("cargo test -p base --test total"),
        ),
        (&[("Cargo.toml", BASE)], "tests/total.rs", Some("cargo test --test total")),
    ];
    for (files, file, wanted) in table {
        let tree = crate::repo::MemoryTree::new(files.iter().copied());
        let found = cargo_command_for(&tree, file, "cargo test").map(|(command, _)| command);
        assert_eq!(found.as_deref(), wanted, "{file} in {files:?}");
    }
}

/// A newer compiler warns of more: that says nothing about the work.
#[test]
fn warnings_that_a_crate_denies_do_not_keep_its_tests_from_being_built() {
    let table = [
        ("src/lib.rs", "#![deny(warnings)]\n", true),
        ("a/src/main.rs", "#![cfg_attr(test, deny(warnings))]\n", true),
        ("src/lib.rs", "#![forbid(unsafe_code)]\n#![warn(missing_docs)]\n", false),
        ("tests/it.rs", "#![deny(warnings)]\n", false),
    ];
    for (path, text, caps) in table {
        let tree = crate::repo::MemoryTree::new([(path, text)]);
        for script in ["cargo test", "cargo nextest run"] {
            let env = crate::script::instrument_in(&tree, script, "/r").env;
            let cap = ("CARGO_BUILD_RUSTFLAGS".to_owned(), "--cap-lints=warn".to_owned());
            assert_eq!(env.contains(&cap), caps, "{script} with {path}: {text}");
        }
    }
}

#[test]
fn one_file_is_a_target_and_a_module() {
    assert_commands(
        &[
            ("lib/Cargo.toml", "[package]\nname = \"lib\"\n"),
            ("lib/src/lib.rs", ""),
            ("lib/src/main.rs", ""),
            ("lib/tests/it/main.rs", ""),
            ("bin/Cargo.toml", "[package]\nname = \"my-bin\"\n"),
            ("bin/src/main.rs", ""),
            ("ws/Cargo.toml", "[package]\nname = \"root\"\n[workspace]\nmembers = [\"a\"]\n"),
            ("ws/a/Cargo.toml", "[package]\nname = \"a\"\n"),
            ("broken/Cargo.toml", "[package\n"),
        ],
        &[
            ("lib/src/lib.rs", "cd lib && cargo test --lib"),
            ("lib/src/main.rs", "cd lib && cargo test --bin lib"),
            ("lib/src/a/b.rs", "cd lib && cargo test --lib a::b::"),
            ("lib/src/a/mod.rs", "cd lib && cargo test --lib a::"),
            ("lib/src/bin/x.rs", "cd lib && cargo test --bin x"),
            ("lib/src/bin/x/main.rs", "cd lib && cargo test --bin x"),
            ("lib/tests/new.rs", "cd lib && cargo test --test new"),
            ("lib/tests/it/main.rs", "cd lib && cargo test --test it"),
            ("lib/tests/it/deep.rs", "cd lib && cargo test --test it"),
            ("lib/tests/shared/deep.rs", "cd lib && cargo test --tests"),
            ("lib/examples/x.rs", "cd lib && cargo test"),
            ("bin/src/args.rs", "cd bin && cargo test --bin my-bin args::"),
            ("ws/src/lib.rs", "cd ws && cargo test -p root --lib"),
            ("ws/a/src/lib.rs", "cd ws && cargo test -p a --lib"),
            ("broken/src/lib.rs", "none"),
            ("loose.rs", "none"),
        ],
    );
}

#[test]
fn module_paths() {
    let table =
        [("a", " a::"), ("a/b", " a::b::"), ("a/mod", " a::"), ("mod", " mod::"), ("a b", " 'a b::'")];
    for (module, expected) in table {
        assert_eq!(module_filter(module), expected);
    }
}

/// Only a script that names the command can be measured.
#[test]
fn measured_by_llvm_cov() {
    let measured =
        |script| llvm_cov(script, ("cargo test", "cargo llvm-cov test"), "/r/x").map(|found| found.0);
    let expected = "cd a && cargo llvm-cov test --lcov --output-path /r/x -p b; cargo test";
    assert_eq!(measured("cd a && cargo test -p b; cargo test").as_deref(), Some(expected));
    assert_eq!(measured("make test"), None);
}

/// Cargo leaves a test out if its features are off.
#[test]
fn required_features_are_asked_for() {
    let manifest = "[package]\nname = \"a\"\n[features]\nx = []\ny = []\n\
        [[test]]\nname = \"up\"\nrequired-features = [\"x\", \"y\"]\n\
        [[test]]\nname = \"odd\"\npath = \"tests/odd_name.rs\"\nrequired-features = [\"x\"]\n\
        [[test]]\nname = \"dir\"\n";
    assert_commands(
        &[("Cargo.toml", manifest)],
        &[
            ("tests/up.rs", "cargo test --test up --features x,y"),
            ("tests/odd_name.rs", "cargo test --test odd --features x"),
            ("tests/dir/main.rs", "cargo test --test dir"),
            ("tests/roman.rs", "cargo test --test roman"),
        ],
    );
}

#[test]
fn a_module_of_a_named_test_is_run_by_it() {
    let tree = crate::repo::MemoryTree::new([
        (
            "Cargo.toml",
            "[package]\nname = \"a\"\nautotests = false\n[[test]]\nname = \"all\"\nharness = false\n",
        ),
        ("src/lib.rs", ""),
        ("tests/all.rs", "mod parts;\nfn main() {}\n"),
        ("tests/parts.rs", ""),
        ("tests/alone.rs", ""),
    ]);
    let script = |file: &str| cargo_command_for(&tree, file, "cargo test").map(|(script, _)| script);
    assert_eq!(script("tests/all.rs").as_deref(), Some("cargo test --test all"));
    assert_eq!(script("tests/parts.rs").as_deref(), Some("cargo test --test all"));
    assert_eq!(script("tests/alone.rs").as_deref(), Some("cargo test --tests"));
}

/// Tests for a feature that is off run where the repository runs them, and nowhere else.
#[test]
fn tests_of_a_feature_are_run_with_it() {
    let manifest = "[package]\nname = \"a\"\n[features]\ndefault = [\"x\"]\nx = []\ny = []\n";
    let script = |ci: &str, test: &str| {
        let files = [("Cargo.toml", manifest), (".github/workflows/ci.yml", ci), ("tests/up.rs", test)];
        let tree = crate::repo::MemoryTree::new(files);
        cargo_command_for(&tree, "tests/up.rs", "cargo test").unwrap().0
    };
    let (all, plain) = ("- run: cargo test --all-features\n", "- run: cargo test\n");
    let of = |feature: &str| format!("#[cfg(feature = \"{feature}\")]\n#[test]\nfn a() {{}}\n");
    assert_eq!(script(all, &of("y")), "cargo test --test up --all-features");
    for (ci, test) in [(all, of("x")), (all, String::new()), (plain, of("y"))] {
        assert_eq!(script(ci, &test), "cargo test --test up", "{ci} {test}");
    }
}
