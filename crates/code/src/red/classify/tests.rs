//! Tests of `classify`.

use windlass_core::report::Runner;

use super::*;

mod misfits;

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
        author: TestAuthor::Agent,
        owned: &owned,
        provides: &[],
        declared: &[],
        present: &[],
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

/// The lines with an error say more than the last ones, which often only count.
#[test]
fn what_is_not_understood_is_told_by_its_errors() {
    let counts = "1..5\n# tests 5\n# pass 4\n# fail 7\n";
    let lost = "not ok 6 - Error: getaddrinfo EAI_AGAIN example.com\n  message: 'Error: getaddrinfo EAI_AGAIN example.com'\n\
                not ok 7 - Error: getaddrinfo EAI_AGAIN example.com\nnot ok 8 - a.test.js exited with 1\n";
    let failed = "not ok 1 - a.test.js\n";
    let table = [
        (format!("{lost}{counts}"), "neither the environment nor the task provides"),
        (format!("{failed}TypeError: a.b is no function\n{counts}"), "TypeError: a.b is no function"),
        (format!("{failed}{counts}"), "# tests 5; # pass 4; # fail 7"),
    ];
    for (output, expected) in table {
        let test = ("a.test.js", "test('a', t => t.is(f(), 1));\n");
        let run =
            Run { exit: 1, runner: Some(Runner::Tap), report: None, output: &output, test, owned: &["a.js"] };
        let found = judged(&run);
        assert!(found.contains(expected), "{found}");
        assert_eq!(found.matches("EAI_AGAIN").count(), usize::from(output.contains("EAI_AGAIN")), "{found}");
    }
}

#[test]
fn pytest_runs() {
    use TestOutcome::{Errored, Failed, Passed, Skipped};
    let refused = "E   ConnectionRefusedError: [Errno 111] Connection refused";
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
            pytest(2, &[("tests/test_x.py::a", Errored, refused)], ""),
            "not red: the tests need something that neither the environment nor the task provides: ConnectionRefusedError: [Errno 111] Connection refused",
        ),
        (
            pytest(
                2,
                &[("tests/test_x.py", Errored, "E   ModuleNotFoundError: No module named 'numpy'")],
                "",
            ),
            "not red: the tests need something that neither the environment nor the task provides: ModuleNotFoundError: No module named 'numpy'",
        ),
        (
            pytest(1, &[("t::a", Failed, "E   ModuleNotFoundError: No module named 'numpy'")], ""),
            "not red: the tests need something that neither the environment nor the task provides: ModuleNotFoundError: No module named 'numpy'",
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
        // Messages about a whole file whose tests ran and failed follow from the failures.
        (
            pytest(
                1,
                &[
                    ("a.test.ts > snap", Failed, "Error: not implemented"),
                    ("a.test.ts > a.test.ts", Errored, "Error: Obsolete snapshots found"),
                ],
                "",
            ),
            r#"Assertion { failed: ["a.test.ts > snap"], all: ["a.test.ts > snap"] }"#,
        ),
        (
            pytest(
                1,
                &[("a.test.ts > b", Failed, ""), ("b.test.ts > b.test.ts", Errored, "E   RuntimeError: x")],
                "",
            ),
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

/// A runner that ends before it reads a test says nothing about the task: the environment is at fault.
#[test]
fn a_runner_that_does_not_begin() {
    let run = |output| Run { report: None, ..pytest(1, &[], output) };
    let plugin = "Error while loading plugin \"pytest11\".\npluggy._manager.PluginValidationError: Plugin 'pylama' for hook 'x'\n";
    assert_eq!(
        judged(&run(plugin)),
        "not red: the tests need something that neither the environment nor the task provides: \
         pluggy._manager.PluginValidationError: Plugin 'pylama' for hook 'x'"
    );
    let own = format!("  File \"tests/test_x.py\", line 1\n{plugin}");
    assert!(judged(&run(&own)).starts_with("not red: the tests fail for the wrong reason"), "{own}");
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
            "not red: the tests need something that neither the environment nor the task provides: ModuleNotFoundError: No module named 'numpy'",
        ),
    ];
    for (run, expected) in table {
        assert_eq!(judged(&run), expected, "{}", run.output);
    }
}

/// A run of a language's own runner without a report: what it prints, and the verdict.
struct LanguageRuns<'a> {
    runner: Runner,
    test: (&'a str, &'a str),
    owned: &'a [&'a str],
    /// Code of the task is missing.
    missing: &'a [&'a str],
    /// Something else is.
    wrong: &'a [&'a str],
}

const LANGUAGES: &[LanguageRuns<'static>] = &[
    LanguageRuns {
        runner: Runner::Pytest,
        test: ("tests/test_x.py", "def test_a():\n    assert add(1, 2) == 3\n"),
        owned: &["shop/cart.py"],
        missing: &[
            "E   ModuleNotFoundError: No module named 'shop'",
            "E   ModuleNotFoundError: No module named 'shop.cart'",
            "E   ImportError: cannot import name 'add' from 'shop.cart' (/w/shop/cart.py)",
            "E   AttributeError: module 'shop.cart' has no attribute 'add'",
        ],
        wrong: &[
            "E   ModuleNotFoundError: No module named 'numpy'",
            "E   ImportError: cannot import name 'x' from 'numpy' (/v/numpy/__init__.py)",
            "E   NameError: name 'add' is not defined",
            "E   RuntimeError: no database",
            "pytest: error: unrecognized arguments: --timeout=30",
        ],
    },
    LanguageRuns {
        runner: Runner::CargoTest,
        test: ("tests/it.rs", "#[test]\nfn a() {}\n"),
        owned: &["src/cart.rs"],
        missing: &[
            "error[E0583]: file not found for module `cart`",
            "error[E0425]: cannot find function `add` in crate `shop`",
            "error[E0599]: no method named `add` found for struct `Cart` in the current scope",
            "error[E0432]: unresolved import `shop::cart`",
        ],
        wrong: &[
            "error[E0433]: failed to resolve: use of undeclared crate or module `serde`",
            "error[E0308]: mismatched types",
            "error[E0382]: use of moved value: `x`",
            "error: linker `cc` not found",
        ],
    },
    LanguageRuns {
        runner: Runner::Vitest,
        test: ("src/cart.test.ts", "test('a', () => {});\n"),
        owned: &["src/cart.ts"],
        missing: &[
            "Error: Failed to resolve import \"./cart\" from \"src/cart.test.ts\". Does the file exist?",
            "TypeError: add is not a function",
            "src/cart.test.ts(1,9): error TS2305: Module '\"./cart\"' has no exported member 'add'.",
        ],
        wrong: &[
            "Error: Cannot find package 'lodash' imported from /w/src/cart.test.ts",
            "ReferenceError: add is not defined",
            "src/cart.test.ts(2,5): error TS2322: Type 'string' is not assignable to type 'number'.",
        ],
    },
    LanguageRuns {
        runner: Runner::GoTest,
        test: ("cart/cart_test.go", "package cart\n\nfunc TestA(t *testing.T) {}\n"),
        owned: &["cart/cart.go"],
        missing: &[
            "cart/cart_test.go:5:9: undefined: Add",
            "cart/cart_test.go:3:8: no required module provides package example.com/shop/cart; to add it:",
            "cart/cart_test.go:5:4: c.Add undefined (type Cart has no field or method Add)",
        ],
        wrong: &[
            "cart/cart_test.go:3:8: no required module provides package github.com/x/y; to add it:",
            "cart/cart_test.go:5:9: declared and not used: x",
            "go: go.mod file not found in current directory or any parent directory",
        ],
    },
    LanguageRuns {
        runner: Runner::Rspec,
        test: ("spec/cart_spec.rb", "RSpec.describe Cart do\n  it \"a\" do\n  end\nend\n"),
        owned: &["lib/cart.rb"],
        missing: &[
            "cannot load such file -- /w/lib/cart",
            "uninitialized constant Cart",
            "undefined method `add' for #<Cart>",
        ],
        wrong: &["cannot load such file -- nokogiri", "Could not find gem 'rspec' in any of the sources."],
    },
    LanguageRuns {
        runner: Runner::Phpunit,
        test: (
            "tests/CartTest.php",
            "<?php\nclass CartTest extends TestCase { public function testA(): void {} }\n",
        ),
        owned: &["src/Cart.php"],
        missing: &["Error: Class \"Shop\\Cart\" not found", "Error: Call to undefined method Cart::add()"],
        wrong: &["Error: Class \"Mockery\" not found"],
    },
    LanguageRuns {
        runner: Runner::Ctest,
        test: ("tests/cart_test.cpp", "TEST(Cart, A) { EXPECT_EQ(1, 1); }\n"),
        owned: &["src/cart.hpp"],
        missing: &[
            "tests/cart_test.cpp:1:10: fatal error: ../src/cart.hpp: No such file or directory",
            "tests/cart_test.cpp:5:3: error: 'add' was not declared in this scope",
            "/usr/bin/ld: undefined reference to `add(int)'",
        ],
        wrong: &[
            "tests/cart_test.cpp:1:10: fatal error: gtest/gtest.h: No such file or directory",
            "tests/cart_test.cpp:5:3: error: cannot convert 'int' to 'char*'",
            "  Could NOT find GTest (missing: GTEST_LIBRARY)",
        ],
    },
];

impl LanguageRuns<'_> {
    fn run<'a>(&'a self, output: &'a str) -> Run<'a> {
        Run { exit: 1, runner: Some(self.runner), report: None, output, test: self.test, owned: self.owned }
    }
}

/// Code that the task is to write is missing: the run is red.
#[test]
fn missing_code_of_the_task_in_every_language() {
    for language in LANGUAGES {
        for output in language.missing {
            let found = judged(&language.run(output));
            assert!(found.starts_with("MissingCode { names: [\""), "{:?} {output}: {found}", language.runner);
        }
    }
}

/// What the task cannot provide, and the environment lacks, is no reason; one such line is enough.
#[test]
fn everything_else_is_the_wrong_reason() {
    for language in LANGUAGES {
        for output in language.wrong {
            let found = judged(&language.run(output));
            let said = output.trim().trim_start_matches("E   ");
            let whys = [
                "fail for the wrong reason",
                "need something that neither the environment nor the task provides",
            ];
            let expected = whys.map(|why| format!("not red: the tests {why}: {said}"));
            assert!(expected.contains(&found), "{:?}: {found}", language.runner);
        }
    }
}

/// How a run ends comes before everything that it prints.
#[test]
fn ends_of_a_run() {
    let table = [
        (RunExit::Signal(9), "the run was ended by signal 9"),
        (RunExit::Code(137), "the run was ended by signal 9"),
        (RunExit::Code(143), "the run was ended by signal 15"),
        (RunExit::TimedOut, "the run ran out of time"),
        (RunExit::NotStarted, "the run could not be started"),
        (RunExit::Code(126), "the command was not found or cannot be executed (exit code 126)"),
        (RunExit::Code(127), "the command was not found or cannot be executed (exit code 127)"),
    ];
    let failed = report(Runner::Pytest, &[("t::a", TestOutcome::Failed, "")]);
    for (exit, expected) in table {
        let red = classify(&RedInput {
            exit,
            report: Some(&failed),
            runner: Some(Runner::Pytest),
            output: b"E   ModuleNotFoundError: No module named 'pkg'",
            test_files: &[],
            author: TestAuthor::Agent,
            owned: &["pkg/__init__.py".to_owned()],
            provides: &[],
            declared: &[],
            present: &[],
        });
        assert_eq!(
            red,
            Red::NotRed(match exit {
                RunExit::Signal(signal) => NotRed::Signal(signal),
                RunExit::Code(code @ 129..) => NotRed::Signal(code - 128),
                RunExit::Code(code) => NotRed::CommandNotFound(code),
                RunExit::TimedOut => NotRed::TimedOut,
                RunExit::NotStarted => NotRed::NotStarted,
            })
        );
        assert!(matches!(red, Red::NotRed(reason) if reason.to_string() == expected));
    }
}

/// Every runner's words for a run without tests, and for a file that is not there.
#[test]
fn runs_without_tests() {
    let none = "not red: no test ran";
    let gone = "not red: a test file is missing";
    let table = [
        ("collected 0 items\n", none),
        ("no tests ran in 0.01s\n", none),
        ("Ran 0 tests in 0.000s\n", none),
        ("No test files found, exiting with code 1\n", none),
        ("No tests found, exiting with code 1\n", none),
        ("?   \texample.com/a\t[no test files]\n", none),
        ("testing: warning: no tests to run\n", none),
        ("No examples found.\n", none),
        ("No tests executed!\n", none),
        ("No tests were found!!!\n", none),
        ("", none),
        ("ERROR: file or directory not found: tests/x.py\n", gone),
        ("Could not find 'tests/x.js'\n", gone),
        ("Cannot open file \"tests/XTest.php\".\n", gone),
    ];
    for (output, expected) in table {
        let run = Run {
            exit: 1,
            runner: Some(Runner::Jest),
            report: None,
            output,
            test: ("a.test.js", "test('a', () => {});"),
            owned: &[],
        };
        assert_eq!(judged(&run), expected, "{output}");
    }
    // A runner that exits with 0 and leaves no report has not run.
    let silent = Run {
        exit: 0,
        runner: Some(Runner::Jest),
        report: None,
        output: "fine\n",
        test: ("a.test.js", ""),
        owned: &[],
    };
    assert_eq!(judged(&silent), none);
}

/// A test that does not parse is named with the place, in every language that is parsed.
#[test]
fn tests_that_do_not_parse() {
    let table = [
        (Runner::Pytest, "t/test_a.py", "def test_a(:\n", "E   SyntaxError: invalid syntax"),
        (Runner::CargoTest, "tests/a.rs", "fn a( {\n", "error: expected parameter name, found `{`"),
        (Runner::Jest, "a.test.js", "test('a', () => {\n", "SyntaxError: Unexpected end of input"),
        (
            Runner::GoTest,
            "a_test.go",
            "package a\nfunc TestA( {\n",
            "a_test.go:2:13: syntax error: unexpected {",
        ),
        (
            Runner::Rspec,
            "spec/a_spec.rb",
            "describe do\n",
            "spec/a_spec.rb:2: syntax error, unexpected end-of-input",
        ),
        (
            Runner::Phpunit,
            "tests/ATest.php",
            "<?php\nclass {\n",
            "PHP Parse error:  syntax error, unexpected token",
        ),
    ];
    for (runner, path, text, output) in table {
        let run = Run { exit: 1, runner: Some(runner), report: None, output, test: (path, text), owned: &[] };
        let found = judged(&run);
        assert!(found.starts_with(&format!("not red: `{path}` does not parse: line ")), "{found}");
    }
}

/// Names that stand for a whole file or package.
#[test]
fn whole_files() {
    let table = [
        ("tests/test_a.py", true),
        ("a.test.ts > a.test.ts", true),
        ("example.com/shop", true),
        ("test_a", true),
        ("tests/test_a.py::test_b", false),
        ("a.test.ts > adds", false),
        ("example.com/shop TestA", false),
    ];
    for (name, expected) in table {
        assert_eq!(is_whole(name), expected, "{name}");
    }
}

/// `assert` of C ends the program by a signal; that is its way to fail. Another signal, or one without a word, is not.
#[test]
fn an_assertion_of_a_program_is_red_though_it_ends_by_a_signal() {
    let said = b"t: tests/total.c:6: main: Assertion `total(prices, 3) == 6' failed.\n";
    let of = |exit, output: &[u8], runner| {
        classify(&RedInput {
            exit,
            report: None,
            runner,
            output,
            test_files: &[],
            author: TestAuthor::Agent,
            owned: &["total.c".to_owned()],
            provides: &[],
            declared: &[],
            present: &[],
        })
    };
    for exit in [RunExit::Signal(6), RunExit::Code(134)] {
        assert!(matches!(of(exit, said, None), Red::ExitOnly { .. }), "{exit:?}");
        assert_eq!(of(exit, b"free(): invalid pointer\n", None), Red::NotRed(NotRed::Signal(6)));
        assert_eq!(of(exit, said, Some(Runner::Pytest)), Red::NotRed(NotRed::Signal(6)));
    }
    assert_eq!(of(RunExit::Signal(11), said, None), Red::NotRed(NotRed::Signal(11)));
}
