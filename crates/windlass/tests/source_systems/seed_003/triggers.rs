//! The report after a run: the document's goals, and its triggers with their thresholds.

use serde_json::json;
use windlass_testkit::TestRepo;

use super::verified::{GOOD, buffer, editor, hopeless, module, nested, task};
use crate::frame::{empty, state};

/// The row of the report with this name, behind it.
fn row(repo: &TestRepo, name: &str) -> String {
    let report = repo.windlass(&["report"]).ends(0).stdout;
    let found = report.lines().find(|line| line.contains(name)).unwrap_or_else(|| panic!("{name}: {report}"));
    found.split_once(name).unwrap().1.trim_matches([' ', '|']).to_owned()
}

/// A run in which the tests of one task fail once, and are repaired.
fn repaired() -> TestRepo {
    let script = format!(
        "[* fix]\n{}[*]\n{}",
        module("buffer", GOOD),
        module("buffer", "def put(text, at, what):\n    return text\n")
    );
    let repo = editor(&[buffer(&[])], &["buffer"], &script);
    repo.run(&["docs/vi.json", "--yes"]).ends(0);
    repo
}

pub(super) fn repairs_that_fail() {
    assert_eq!(row(&hopeless(), "failures that a bug-hunter fixed"), "0 % | below 50 % | **yes**");
    assert_eq!(row(&repaired(), "failures that a bug-hunter fixed"), "100 % | below 50 %");
}

pub(super) fn time_in_tests() {
    let slow = [buffer(&[("test_command", json!("sleep 6; python3 -m unittest tests/test_buffer.py"))])];
    let repo = editor(&slow, &["buffer"], &format!("[*]\n{}", module("buffer", GOOD)));
    repo.run(&["docs/vi.json", "--yes"]).ends(0);
    let found = row(&repo, "time in verification");
    assert!(found.contains("above 30 %") && found.ends_with("**yes**"), "{found}");
}

pub(super) fn people_override() {
    let repo = hopeless();
    assert_eq!(row(&repo, "tasks a person let pass or skipped after a failure"), "0 % | above 10 %");
    repo.windlass(&["skip", "buffer"]).ends(0);
    repo.run(&["docs/vi.json", "--yes"]);
    assert_eq!(state(&repo, "buffer"), "skipped");
    assert_eq!(
        row(&repo, "tasks a person let pass or skipped after a failure"),
        "33 % | above 10 % | **yes**"
    );
}

pub(super) fn tests_without_names() {
    let nameless = [task(
        "note",
        &[],
        &[
            ("test_command", json!("test -s note.txt")),
            ("windlass", json!({ "files": { "create": ["note.txt"] } })),
        ],
    )];
    let repo = editor(&nameless, &[], "[*]\nwrite note.txt x\n");
    repo.run(&["docs/vi.json", "--yes"]).ends(0);
    assert_eq!(
        row(&repo, "tasks whose tests were not found, or have no names"),
        "100 % | above 20 % | **yes**"
    );
    assert_eq!(row(&repaired(), "tasks whose tests were not found, or have no names"), "0 % | above 20 %");
}

pub(super) fn levels_of_parents() {
    let run = |depth: usize| {
        let mut repo = empty().file("windlass.toml", "[planning]\ndepth = 9\n");
        for (path, text) in nested(depth) {
            repo = repo.file(&path, &text);
        }
        let repo = repo.agent("[*]\nwrite leaf.txt x\n").committed();
        repo.run(&["projects/p0.json", "--yes"]).ends(0);
        row(&repo, "levels of parents")
    };
    assert_eq!(run(2), "2 | above 3");
    assert_eq!(run(4), "4 | above 3 | **yes**");
}

pub(super) fn context_limits() {
    let repo = editor(
        &[buffer(&[])],
        &["buffer"],
        "[*]\nshell echo 'error: prompt is too long: 250000 tokens' >&2\nexit 1\n",
    );
    repo.run(&["docs/vi.json", "--yes"]).ends(1);
    assert_eq!(row(&repo, "tasks that did not fit into a model's context"), "1 | above 0 | **yes**");
    assert_eq!(row(&repaired(), "tasks that did not fit into a model's context"), "0 | above 0");
}

pub(super) fn goals() {
    let (good, bad) = (repaired(), hopeless());
    assert_eq!(row(&good, "tasks whose tests pass at the end"), "100 % | 100 % | reached");
    assert_eq!(row(&bad, "tasks whose tests pass at the end"), "33 % | 100 % | **not reached**");
    assert_eq!(row(&good, "test failures fixed without a person"), "100 % | above 80 % | reached");
    assert_eq!(row(&bad, "test failures fixed without a person"), "0 % | above 80 % | **not reached**");
    assert_eq!(row(&bad, "tasks completed with failing tests"), "0 | 0 | reached");
}
