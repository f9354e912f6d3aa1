//! CTest on the command line.

use super::super::tests::{assert_commands, assert_instrumented, assert_runs, assert_runs_no_tests};
use super::*;

#[test]
fn every_way_to_start_it() {
    assert_runs(
        "ctest",
        &[
            "ctest",
            "ctest --test-dir build",
            "cd build && ctest -R a",
            "CTEST_PARALLEL_LEVEL=4 ctest",
            "xvfb-run ctest",
        ],
    );
}

#[test]
fn what_runs_no_tests() {
    assert_runs_no_tests(&[
        "ctest -N",
        "ctest --show-only",
        "ctest --show-only=json-v1",
        "ctest --print-labels",
        "ctest --version",
        "ctest --help",
        "cmake --build build",
        "make test",
    ]);
}

#[test]
fn the_whole_output_is_kept() {
    let options =
        "--output-junit /r/report-1.xml --test-output-size-passed 4194304 --test-output-size-failed 4194304";
    assert_instrumented(&[
        ("ctest", &format!("ctest {options}")),
        ("cd build && ctest -j4 | tail", &format!("cd build && ctest -j4 {options} | tail")),
        ("ctest -N", "ctest -N"),
    ]);
}

/// The option that picks the tests of `tests/http_client_test.cpp`, by the ways in which tests are registered.
#[test]
fn filters() {
    let table = [
        ("", " -R '^http_client_test$'"),
        ("add_test(NAME unit.page COMMAND x)", " -R '^unit.http_client_test$'"),
        ("add_test(NAME ${name} COMMAND x)", " -R '^http_client_test$'"),
        ("gtest_discover_tests(all)", " -R '(^|[./])HttpClient(Tests?)?[./]'"),
        ("catch_discover_tests(all)", ""),
        ("doctest_discover_tests(all)\ngtest_discover_tests(all)", ""),
    ];
    for (lists, expected) in table {
        let tree = crate::repo::MemoryTree::new([("CMakeLists.txt", lists), ("tests/page.cpp", "")]);
        assert_eq!(filter(&tree, "", "tests/http_client_test.cpp"), expected, "{lists}");
    }
}

#[test]
fn from_the_outermost_project() {
    let build = "cmake -S . -B build && cmake --build build && ctest --test-dir build";
    assert_commands(
        &[("a/CMakeLists.txt", ""), ("a/b/CMakeLists.txt", ""), ("a/b/t.c", "")],
        &[
            ("a/b/t.c", &format!("cd a && {build} -R '^t$' --no-tests=error --output-on-failure")),
            ("c/t.c", "none"),
        ],
    );
}

#[test]
fn capitals() {
    for (word, expected) in [("", ""), ("http", "Http"), ("élan", "Élan"), ("X", "X")] {
        assert_eq!(capital(word), expected);
    }
}
