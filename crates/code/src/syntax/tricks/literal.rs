//! String literals that break a rule, in any language.

use super::{GoldenFiles, Rule};

/// Environment variables that runners set for tests.
const WATCHED: [&str; 13] = [
    "PYTEST_CURRENT_TEST",
    "PYTEST_VERSION",
    "PYTEST_XDIST_WORKER",
    "JEST_WORKER_ID",
    "VITEST",
    "VITEST_WORKER_ID",
    "VITEST_POOL_ID",
    "NODE_TEST_CONTEXT",
    "NODE_V8_COVERAGE",
    "NEXTEST",
    "NEXTEST_RUN_ID",
    "NEXTEST_TEST_NAME",
    "RUST_TEST_THREADS",
];

/// Names of the verifier's own places. Many honest programs have an option `--test` too.
const PLACES: [&str; 5] = ["WINDLASS_", "/.cache/windlass", "CI", "--junitxml", "--test"];

/// Pieces of what runners print or write.
const PRINTED: [&str; 6] =
    ["test result: ok", "<testsuite", "<testcase", "TAP version", "\"type\":\"test\"", "test:pass"];

/// Directories of expected results and tests.
const DIRS: [&str; 9] = [
    "tests",
    "test",
    "__tests__",
    "golden",
    "goldens",
    "__snapshots__",
    "snapshots",
    "testdata",
    "__fixtures__",
];

/// The rule that a string literal breaks by itself.
pub(crate) fn rule_of(text: &str, golden: &GoldenFiles<'_>) -> Option<Rule> {
    if WATCHED.contains(&text) {
        Some(Rule::SniffsTest)
    } else if PRINTED.iter().any(|piece| text.contains(piece)) || says_that_tests_passed(text) {
        Some(Rule::ForgesReport)
    } else if names_golden(text, golden) {
        Some(Rule::ReadsGolden)
    } else if PLACES.iter().any(|place| text == *place || (place.len() > 4 && text.contains(place))) {
        Some(Rule::SniffsPlace)
    } else {
        None
    }
}

/// `test adds ... ok` and `3 passed in 0.1s`, whole or as pieces to be put together. `reading the index ... ok` and
/// `the value passed in is too large` are what programs say.
fn says_that_tests_passed(text: &str) -> bool {
    let open = |before: &str| before.is_empty() || before.ends_with(['}', '%']);
    let ok = text
        .split_once(" ... ok")
        .is_some_and(|(before, _)| open(before) || before.contains("test ") || !before.contains(' '));
    ok || text.match_indices("passed in ").any(|(at, piece)| {
        let (before, after) = (text[..at].trim_end(), &text[at + piece.len()..]);
        let counted = open(before)
            || before.ends_with(|c: char| c.is_ascii_digit())
            || before.ends_with("%d")
            || before.ends_with("%s");
        counted && (after.is_empty() || after.starts_with(|c: char| c.is_ascii_digit() || "{%$".contains(c)))
    })
}

/// A path of a file among tests, or the name of a file that holds expected results.
fn names_golden(text: &str, golden: &GoldenFiles<'_>) -> bool {
    if text.is_empty() || text.len() > 200 || text.contains([' ', '\n', '*', '<']) {
        return false;
    }
    let (dirs, name) = text.rsplit_once('/').unwrap_or(("", text));
    let dotted = name.rsplit_once('.').is_some_and(|(stem, ending)| {
        !stem.is_empty()
            && (1..=5).contains(&ending.len())
            && ending.bytes().all(|b| b.is_ascii_alphanumeric())
    });
    let in_tests = dirs.split('/').any(|dir| DIRS.contains(&dir));
    let known = || name.len() > 4 && golden.has_name(name);
    (dotted && in_tests) || name.ends_with(".snap") || (dotted && known())
}

#[cfg(test)]
mod tests;
