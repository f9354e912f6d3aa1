//! go test on the command line.

use super::super::tests::{
    assert_commands, assert_instrumented, assert_runs, assert_runs_no_tests, assert_selects, assert_untouched,
};
use windlass_core::report::Runner;

use crate::coverage::ask;

#[test]
fn every_way_to_start_it() {
    assert_runs(
        "go test",
        &[
            "go test",
            "go test ./...",
            "GOFLAGS=-mod=mod go test",
            "CGO_ENABLED=0 go test -race ./...",
            "/usr/local/go/bin/go test",
            "env GOOS=linux go test",
            "timeout 5m go test ./...",
            "cd api && go test -v .",
        ],
    );
}

#[test]
fn what_runs_no_tests() {
    assert_runs_no_tests(&[
        "go test -list .",
        "go test -c",
        "go test -h",
        "go test -help",
        "go test -n ./...",
        "go vet ./...",
        "go build ./...",
        "go run ./cmd/test",
        "go",
        "gotest",
    ]);
}

#[test]
fn picked_by_name() {
    assert_selects(
        &["go test -run '^TestA$' .", "go test -run=^TestA$ .", "go test --run '^(TestA|TestB)$' ./..."],
        &["go test ./...", "go test -run TestA .", "go test -v -count=1 .", "go test -bench '.$' ."],
    );
}

#[test]
fn events_are_asked_for_and_copied() {
    assert_instrumented(&[
        ("go test", "( set -o pipefail; go test -json -vet=off 2>&1 | tee /r/report-1.txt )"),
        (
            "go test -v ./...",
            "( set -o pipefail; go test -json -vet=off -v ./... 2>&1 | tee /r/report-1.txt )",
        ),
        ("go test -json .", "( set -o pipefail; go test -vet=off -json . 2>&1 | tee /r/report-1.txt )"),
        ("go test . >/dev/null", "go test -json -vet=off . >/r/report-1.txt"),
    ]);
    // A filter behind a pipe expects go's own text.
    assert_untouched(&["go test ./... | grep FAIL", "go test . > out.txt"]);
}

#[test]
fn one_file_is_its_package() {
    assert_commands(
        &[("go.mod", "module a\n"), ("sub/go.mod", "module b\n")],
        &[
            ("a_test.go", "go test ."),
            ("pkg/a_test.go", "go test ./pkg"),
            ("pkg/deep/a_test.go", "go test ./pkg/deep"),
            ("sub/a_test.go", "cd sub && go test ."),
            ("sub/x y/a_test.go", "cd sub && go test './x y'"),
        ],
    );
    assert_commands(&[], &[("a_test.go", "none")]);
}

/// Go splits `GOFLAGS` at white space and knows no quotes in it: such a path goes into the script, in quotes.
#[test]
fn the_path_of_the_profile_is_one_word() {
    let plan = |script, dir| ask(Runner::GoTest, script, dir).map(|plan| (plan.script, plan.env));
    let flags = vec![("GOFLAGS".to_owned(), "-coverprofile=/r/cover.out".to_owned())];
    assert_eq!(plan("make test", "/r"), Some(("make test".to_owned(), flags)));
    let table = [
        ("go test ./...", "/a b", "go test '-coverprofile=/a b/cover.out' ./..."),
        ("cd x && go test", "/it's a", r"cd x && go test '-coverprofile=/it'\''s a/cover.out'"),
        ("go test .", "/a\tb", "go test '-coverprofile=/a\tb/cover.out' ."),
    ];
    for (script, dir, expected) in table {
        assert_eq!(plan(script, dir), Some((expected.to_owned(), Vec::new())), "{dir}");
    }
    assert_eq!(plan("make test", "/a b"), None);
}
