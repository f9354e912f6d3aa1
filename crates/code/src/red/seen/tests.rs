//! Tests of `seen`.

use windlass_core::event::TestAuthor;
use windlass_core::report::TestReport;

use super::super::verdict::RunExit;
use super::*;

fn seen(runner: Runner, output: &str, tests: &[(&str, TestOutcome, &str)]) -> String {
    let mut report = TestReport::new(runner);
    for (name, outcome, message) in tests {
        report.record(*name, *outcome);
        if !message.is_empty() {
            report.messages.insert((*name).to_owned(), (*message).to_owned());
        }
    }
    let owned = ["pkg/__init__.py".to_owned(), "slug.js".to_owned()];
    let input = RedInput {
        exit: RunExit::Code(1),
        report: Some(&report),
        runner: Some(runner),
        output: output.as_bytes(),
        test_files: &[],
        author: TestAuthor::Agent,
        owned: &owned,
        provides: &["add".to_owned(), "slug".to_owned()],
        declared: &[],
        present: &[],
    };
    let all = tests.iter().map(|t| t.0.to_owned()).collect();
    let verdict = Red::Assertion { failed: Vec::new(), all };
    red_tests(&input, &verdict)
        .into_iter()
        .map(|(name, t)| format!("{name} | {} | {}\n", t.reason.as_str(), t.said))
        .collect()
}

#[test]
fn each_test_has_its_own_reason() {
    use TestOutcome::{Failed, Passed};
    let python = seen(
        Runner::Pytest,
        "",
        &[
            ("t.py::a", Failed, "    def a():\n>       assert f() == 3\nE       assert 2 == 3\n"),
            ("t.py::b", Failed, "E   ImportError: cannot import name 'add' from 'pkg' (/w/pkg/__init__.py)"),
            ("t.py::c", Failed, "E   ZeroDivisionError: division by zero"),
            ("t.py::d", Passed, ""),
        ],
    );
    insta::assert_snapshot!(python, @r"
        t.py::a | an assertion failed | assert 2 == 3
        t.py::b | code is missing | ImportError: cannot import name 'add' from 'pkg' (/w/pkg/__init__.py)
        t.py::c | it ended with an error | ZeroDivisionError: division by zero
        t.py::d | it passed already |
        ");
    let rust = "failures:\n\n---- adds stdout ----\n\nthread 'adds' panicked at tests/a.rs:3:5:\nassertion `left == \
                    right` failed\n  left: 1\n\n---- parts stdout ----\n\nthread 'parts' panicked at src/lib.rs:1:1:\nnot yet \
                    implemented\n\nfailures:\n    adds\n";
    insta::assert_snapshot!(seen(Runner::CargoTest, rust, &[("tests/a.rs adds", Failed, ""), ("tests/a.rs parts", Failed, "")]), @r"
        tests/a.rs adds | an assertion failed | assertion `left == right` failed
        tests/a.rs parts | it ended with an error | not yet implemented
        ");
}
