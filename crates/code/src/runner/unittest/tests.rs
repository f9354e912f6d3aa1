//! Python's unittest on the command line.

use super::super::tests::{
    assert_commands, assert_instrumented, assert_runs, assert_runs_no_tests, assert_selects, assert_untouched,
};
use crate::repo::MemoryTree;
use crate::script::instrument_in;

#[test]
fn every_way_to_start_it() {
    assert_runs(
        "unittest",
        &[
            "python -m unittest",
            "python3 -m unittest discover -s tests",
            "python3.11 -W error -m unittest tests.test_a",
            "uv run python -m unittest -v",
            "poetry run python -m unittest tests/test_a.py",
            "PYTHONPATH=src python3 -m unittest",
            "python -m coverage run -m unittest",
        ],
    );
}

#[test]
fn what_runs_no_tests() {
    assert_runs_no_tests(&[
        "python -m unittest --help",
        "python -m unittest -h",
        "python -c 'import unittest'",
        "python -m unittest2",
        "python unittest.py",
        "unittest",
    ]);
}

#[test]
fn picked_by_name() {
    assert_selects(
        &["python -m unittest -k adds", "python -m unittest discover -k adds"],
        &["python -m unittest", "python -m unittest tests.test_a", "python -m unittest -v"],
    );
}

/// Verbose and buffered, once each, behind the subcommand; the output is copied.
#[test]
fn the_output_is_copied() {
    assert_instrumented(&[
        ("python -m unittest", "( set -o pipefail; python -m unittest -v -b 2>&1 | tee /r/report-1.txt )"),
        (
            "python -m unittest discover",
            "( set -o pipefail; python -m unittest discover -v -b 2>&1 | tee /r/report-1.txt )",
        ),
        (
            "python -m unittest --verbose --buffer a",
            "( set -o pipefail; python -m unittest --verbose --buffer a 2>&1 | tee /r/report-1.txt )",
        ),
        (
            "python -m unittest -q --failfast a",
            "( set -o pipefail; python -m unittest -v -b   a 2>&1 | tee /r/report-1.txt )",
        ),
        (
            "python -m unittest a | tail -1",
            "( set -o pipefail; python -m unittest -v -b a | tee -p /r/report-1.txt ) | tail -1",
        ),
        (
            "python -m unittest a 2>err.txt",
            "( set -o pipefail; python -m unittest -v -b a 2>err.txt | tee /r/report-1.txt )",
        ),
        ("python -m unittest a >/dev/null", "python -m unittest -v -b a >/r/report-1.txt"),
    ]);
    assert_untouched(&["python -m unittest > mine.txt", "python -m unittest --help"]);
}

#[test]
fn only_where_no_file_mentions_pytest() {
    const CASE: &str = "import unittest\n\n\nclass T(unittest.TestCase):\n    def test_a(self): ...\n";
    let pytest = "python3 -m pytest tests/test_a.py";
    let unittest = "python3 -m unittest -v tests/test_a.py";
    let table: [(&[(&str, &str)], &str); 8] = [
        (&[("tests/test_a.py", CASE)], unittest),
        // A file that does not exist yet follows those beside it.
        (&[("tests/test_b.py", CASE)], unittest),
        (&[("lib/test_b.py", CASE)], pytest),
        (&[("tests/test_a.py", "def test_a(): ...\n")], pytest),
        (&[("tests/test_a.py", CASE), ("conftest.py", "")], pytest),
        (&[("tests/test_a.py", CASE), ("requirements/dev.txt", "x\nrequirements: pytest\n")], pytest),
        (&[("tests/test_a.py", CASE), ("setup.cfg", "[tool:pytest]\n")], pytest),
        (&[("tests/test_a.py", CASE), ("setup.cfg", "[metadata]\n")], unittest),
    ];
    for (files, expected) in table {
        assert_commands(files, &[("tests/test_a.py", expected)]);
    }
}

#[test]
fn files_that_replace_the_standard_streams_are_not_buffered() {
    let tree = MemoryTree::new([("tests/test_a.py", "sys.stdout = kept\n"), ("tests/test_b.py", "")]);
    let script = |file: &str| instrument_in(&tree, &format!("python3 -m unittest {file}"), "/r").script;
    assert!(!script("tests/test_a.py").contains(" -b"));
    assert!(script("tests/test_b.py").contains(" -b"));
}
