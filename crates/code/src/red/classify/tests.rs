//! Tests of `classify`.

use windlass_core::report::Runner;

use super::*;

/// A run to be judged, with the defaults that most cases share.
struct Run<'a> {
    exit: i32,
    runner: Option<Runner>,
    report: Option<TestReport>,
    output: &'a str,
    test: (&'a str, &'a str),
    owned: &'a [&'a str],
}

fn judged(run: &Run<'_>) -> String {
    let owned: Vec<String> = run.owned.iter().map(|path| (*path).to_owned()).collect();
    let files = [(run.test.0.to_owned(), run.test.1.as_bytes().to_vec())];
    let red = classify(&RedInput {
        exit: RunExit::Code(run.exit),
        report: run.report.as_ref(),
        runner: run.runner,
        output: run.output.as_bytes(),
        test_files: if run.test.0.is_empty() { &[] } else { &files },
        owned: &owned,
        provides: &[],
    });
    match red {
        Red::NotRed(reason) => format!("not red: {reason}"),
        other => format!("{other:?}"),
    }
}

fn report(runner: Runner, tests: &[(&str, TestOutcome, &str)]) -> TestReport {
    let mut report = TestReport::new(runner);
    for (name, outcome, message) in tests {
        report.record(*name, *outcome);
        if !message.is_empty() {
            report.messages.insert((*name).to_owned(), (*message).to_owned());
        }
    }
    report
}

const PY: (&str, &str) =
    ("tests/test_x.py", "from pkg import add\ndef test_a():\n    assert add(1, 2) == 3\n");

fn pytest<'a>(exit: i32, tests: &[(&str, TestOutcome, &str)], output: &'a str) -> Run<'a> {
    let report = Some(report(Runner::Pytest, tests));
    Run { exit, runner: Some(Runner::Pytest), report, output, test: PY, owned: &["pkg/__init__.py"] }
}

#[test]
fn pytest_runs() {
    use TestOutcome::{Errored, Failed, Passed, Skipped};
    let missing = "tests/test_x.py:1: in <module>\nE   ImportError: cannot import name 'add' from 'pkg' (/w/pkg/__init__.py)";
    let table = [
        (
            pytest(1, &[("t::a", Failed, ""), ("t::b", Passed, "")], ""),
            r#"Assertion { failed: ["t::a"], all: ["t::a", "t::b"] }"#,
        ),
        (
            pytest(2, &[("tests/test_x.py", Errored, missing)], ""),
            r#"MissingCode { names: ["tests/test_x.py::test_a"], missing: ["pkg.add"] }"#,
        ),
        (
            pytest(
                2,
                &[("tests/test_x.py", Errored, "E   ModuleNotFoundError: No module named 'numpy'")],
                "",
            ),
            "not red: the tests fail for the wrong reason: ModuleNotFoundError: No module named 'numpy'",
        ),
        (
            pytest(1, &[("t::a", Failed, "E   ModuleNotFoundError: No module named 'numpy'")], ""),
            "not red: the tests fail for the wrong reason: ModuleNotFoundError: No module named 'numpy'",
        ),
        (
            pytest(1, &[("t::a", Errored, "E       fixture 'db' not found")], ""),
            "not red: the tests fail for the wrong reason: fixture 'db' not found",
        ),
        (
            pytest(1, &[("t::a", Failed, ""), ("tests/test_x.py", Errored, missing)], ""),
            r#"Assertion { failed: ["t::a"], all: ["t::a", "tests/test_x.py::test_a"] }"#,
        ),
        (
            pytest(1, &[("t::a", Failed, ""), ("tests/test_y.py", Errored, "E   RuntimeError: x")], ""),
            "not red: the tests fail for the wrong reason: RuntimeError: x",
        ),
        (pytest(0, &[("t::a", Passed, "")], ""), "not red: the tests pass already"),
        (
            pytest(0, &[("t::a", Failed, "")], "masked by a pipe"),
            r#"Assertion { failed: ["t::a"], all: ["t::a"] }"#,
        ),
        (pytest(1, &[("t::a", Passed, "")], ""), "not red: the command failed but no test did"),
        (pytest(0, &[("t::a", Skipped, "")], ""), "not red: tests were skipped: t::a"),
        (pytest(5, &[], "no tests ran in 0.01s"), "not red: no test ran"),
        (
            pytest(4, &[], "ERROR: file or directory not found: tests/nope.py"),
            "not red: a test file is missing",
        ),
        (
            pytest(127, &[], "bash: pytest: command not found"),
            "not red: the command was not found or cannot be executed (exit code 127)",
        ),
        (pytest(139, &[], ""), "not red: the run was ended by signal 11"),
    ];
    for (run, expected) in table {
        assert_eq!(judged(&run), expected, "{} {:?}", run.exit, run.report);
    }
}

#[test]
fn a_test_file_at_fault_is_not_red() {
    use TestOutcome::Errored;
    let broken = Run {
        test: ("tests/test_x.py", "def test_a(: pass\n"),
        ..pytest(2, &[("tests/test_x.py", Errored, "E   SyntaxError: invalid syntax")], "")
    };
    assert_eq!(judged(&broken), "not red: `tests/test_x.py` does not parse: line 1, column 12");
    let empty = Run {
        test: ("tests/test_x.py", "from pkg import add\n"),
        ..pytest(
            2,
            &[("tests/test_x.py", Errored, "E   ImportError: cannot import name 'add' from 'pkg' (x)")],
            "",
        )
    };
    assert_eq!(judged(&empty), "not red: no test ran");
    let idle = Run {
        test: ("tests/test_x.py", "@pytest.mark.skip\ndef test_a(): pass\n"),
        ..pytest(
            2,
            &[("tests/test_x.py", Errored, "E   ImportError: cannot import name 'add' from 'pkg' (x)")],
            "",
        )
    };
    assert_eq!(judged(&idle), "not red: tests were skipped: tests/test_x.py::test_a");
}

#[test]
fn cargo_runs_without_a_report() {
    let run = |output, owned| Run {
        exit: 101,
        runner: Some(Runner::CargoTest),
        report: None,
        output,
        test: ("tests/it.rs", "#[test]\nfn adds() { assert_eq!(mycrate::sub(2, 1), 1); }\n"),
        owned,
    };
    let missing = "error[E0425]: cannot find function `sub` in crate `mycrate`\n --> tests/it.rs:2:35\n\nerror: could not compile `mycrate` (test \"it\") due to 1 previous error\n";
    let mixed =
        "error[E0425]: cannot find function `sub` in crate `mycrate`\n\nerror[E0308]: mismatched types\n";
    let table: [(&str, &[&str], &str); 5] = [
        (missing, &["src/lib.rs"], r#"MissingCode { names: ["tests/it.rs adds"], missing: ["sub"] }"#),
        (
            mixed,
            &["src/lib.rs"],
            "not red: the tests fail for the wrong reason: error[E0308]: mismatched types",
        ),
        ("error: no test target named `nope`\n", &["src/lib.rs"], "not red: a test file is missing"),
        (
            "\u{1b}[1m\u{1b}[91merror[E0583]\u{1b}[0m: file not found for module `lexer`\n",
            &["src/lexer.rs"],
            r#"MissingCode { names: ["tests/it.rs adds"], missing: ["lexer"] }"#,
        ),
        ("something else\n", &["src/lib.rs"], "not red: the tests fail for the wrong reason: something else"),
    ];
    for (output, owned, expected) in table {
        assert_eq!(judged(&run(output, owned)), expected, "{output}");
    }
}

proptest::proptest! {
    #![proptest_config(proptest::prelude::ProptestConfig {
        failure_persistence: None,
        ..proptest::prelude::ProptestConfig::default()
    })]
    #[test]
    fn what_is_not_understood_is_not_red(noise in "[a-zA-Z0-9 :.'\"\n]{0,200}|\\PC{0,80}", exit in 1i32..120) {
        for runner in [Runner::Pytest, Runner::CargoTest, Runner::Vitest, Runner::GoTest] {
            let run = Run { exit, runner: Some(runner), report: None, output: &noise, test: PY, owned: &[] };
            proptest::prop_assert!(judged(&run).starts_with("not red") || noise.contains("rror") || noise.contains("undefined"));
        }
    }
}

#[test]
fn unknown_runners_are_judged_by_their_exit_code() {
    let run =
        |exit, output, test| Run { exit, runner: None, report: None, output, test, owned: &["greet.sh"] };
    let shell = ("tests/greet.sh", "sh greet.sh\n");
    let table = [
        (run(1, "expected hello\n", shell), "ExitOnly { code: 1 }"),
        (run(0, "", shell), "not red: the tests pass already"),
        (
            run(2, "tests/greet.sh: 3: Syntax error: end of file unexpected\n", shell),
            "not red: `tests/greet.sh` does not parse: line 3, column 1",
        ),
        (
            run(2, "tests/greet.sh: line 7: syntax error near unexpected token `fi'\n", shell),
            "not red: `tests/greet.sh` does not parse: line 7, column 1",
        ),
        (run(2, "sh: 0: cannot open tests/greet.sh\n", shell), "not red: a test file is missing"),
        (
            run(1, "Traceback (most recent call last):\nAssertionError\n", ("check.py", "assert False\n")),
            "ExitOnly { code: 1 }",
        ),
        (
            run(
                1,
                "Traceback (most recent call last):\nModuleNotFoundError: No module named 'numpy'\n",
                ("check.py", "import numpy\n"),
            ),
            "not red: the tests fail for the wrong reason: ModuleNotFoundError: No module named 'numpy'",
        ),
    ];
    for (run, expected) in table {
        assert_eq!(judged(&run), expected, "{}", run.output);
    }
}
