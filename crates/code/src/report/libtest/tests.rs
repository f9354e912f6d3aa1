//! Tests of `libtest`.

use super::*;

const RUN: &str = "   Compiling mycrate v0.1.0
    Finished `test` profile [unoptimized + debuginfo] target(s) in 0.37s
     Running unittests src/lib.rs (target/debug/deps/mycrate-ed14db4065d8fa35)

running 6 tests
test parser::tests::p ... ok
test tests::adds ... hello
ok
test tests::ign ... ignored
test tests::ign2 ... ignored, why
test tests::fails ... FAILED
test tests::sp - should panic ... ok

failures:

---- tests::fails stdout ----
running 1 test
test nested ... ok
test result: ok. 1 passed; 0 failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.00s
thread 'tests::fails' panicked at src/lib.rs:12:26:

failures:
    tests::fails

test result: FAILED. 3 passed; 1 failed; 2 ignored; 0 measured; 0 filtered out; finished in 0.11s

error: test failed, to rerun pass `--lib`
     Running tests/it.rs (target/debug/deps/it-4ca6508a6c1701e4)

running 1 test
test it_works ... ok

test result: ok. 1 passed; 0 failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.00s

     Running tests/it.rs (target/debug/deps/it-5555508a6c1701e4)

running 1 test
printed without a line endtest it_works ... ok

test result: ok. 1 passed; 0 failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.00s

   Doc-tests mycrate

running 2 tests
test src/lib.rs - add (line 3) ... ok
test src/lib.rs - add (line 13) - compile ... ok

test result: ok. 2 passed; 0 failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.00s
";

#[test]
fn names_are_unique_per_binary() {
    let report = read(RUN.as_bytes()).unwrap().unwrap();
    insta::assert_debug_snapshot!(report.tests, @r#"
        {
            "doc@mycrate src/lib.rs - add": Passed,
            "doc@mycrate src/lib.rs - add - compile": Passed,
            "src/lib.rs@mycrate parser::tests::p": Passed,
            "src/lib.rs@mycrate tests::adds": Passed,
            "src/lib.rs@mycrate tests::fails": Failed,
            "src/lib.rs@mycrate tests::ign": Skipped,
            "src/lib.rs@mycrate tests::ign2": Skipped,
            "src/lib.rs@mycrate tests::sp": Passed,
            "tests/it.rs it_works": Passed,
            "tests/it.rs#2 it_works": Passed,
        }
        "#);
    assert!(report.duplicates.is_empty());
}

#[test]
fn a_summary_that_disagrees_is_an_error() {
    let text = "running 3 tests\ntest a ... ok\ntest b ... ok\n\ntest result: ok. 3 passed; 0 failed; 0 ignored; 0 measured; 0 filtered out\n";
    assert_eq!(
        read(text.as_bytes()),
        Err(ReportError::CountMismatch { what: "passed tests", stated: 3, named: 2 })
    );
    let text = "running 3 tests\ntest a ... ok\ntest b ... ok\n\ntest result: ok. 2 passed; 0 failed; 0 ignored; 0 measured; 0 filtered out\n";
    assert_eq!(read(text.as_bytes()), Err(ReportError::CountMismatch { what: "tests", stated: 3, named: 2 }));
}

#[test]
fn a_run_that_exits_in_the_middle_is_an_error() {
    assert!(matches!(
        read(b"running 3 tests\ntest a ... ok\n"),
        Err(ReportError::Incomplete { format: ReportFormat::Libtest, .. })
    ));
}

/// A stack overflow ends the program with its test, whose thread is named.
#[test]
fn a_test_that_ends_the_program_has_failed() {
    let overflow = "\nthread 'tests::deep' (23149) has overflowed its stack\nfatal runtime error: stack overflow, aborting\n";
    let killed = "  process didn't exit successfully: `target/debug/deps/x-1` (signal: 11, SIGSEGV: invalid memory reference)\n";
    let panicked = "thread 'tests::b' panicked at src/lib.rs:3:5:\nb\n";
    let table = [
        (
            format!("running 2 tests\ntest tests::a ... ok\n{overflow}"),
            Some("tests::a Passed, tests::deep Failed"),
        ),
        (format!("running 1 test\ntest tests::deep ... {overflow}"), Some("tests::deep Failed")),
        (format!("running 2 tests\n{panicked}{killed}"), Some("tests::b Failed")),
        // Which test it was is not known, or it had ended.
        (format!("running 2 tests\n{killed}"), None),
        (format!("running 2 tests\ntest tests::b ... ok\n{panicked}{killed}"), None),
        (format!("running 2 tests\n{panicked}"), None),
    ];
    for (text, expected) in table {
        let all = read(text.as_bytes()).ok().flatten().map(|report| {
            let one = |(name, outcome): (&String, &TestOutcome)| format!("{name} {outcome:?}");
            report.tests.iter().map(one).collect::<Vec<_>>().join(", ")
        });
        assert_eq!(all.as_deref(), expected, "{text}");
    }
}

#[test]
fn no_block_is_no_report() {
    assert_eq!(read(b"error: could not compile\n"), Ok(None));
}

/// The tests of one block with these lines and this summary, or the error.
fn block(count: &str, lines: &str, summary: &str) -> String {
    let text = format!("running {count}\n{lines}\ntest result: x. {summary}; 0 filtered out\n");
    match read(text.as_bytes()) {
        Ok(Some(report)) => {
            let all: Vec<String> =
                report.tests.iter().map(|(name, outcome)| format!("{name} {outcome:?}")).collect();
            all.join(", ")
        }
        Ok(None) => "none".to_owned(),
        Err(error) => error.to_string(),
    }
}

#[test]
fn lines_of_a_block() {
    let passed = "1 passed; 0 failed; 0 ignored; 0 measured";
    let failed = "0 passed; 1 failed; 0 ignored; 0 measured";
    let ignored = "0 passed; 0 failed; 1 ignored; 0 measured";
    let none = "0 passed; 0 failed; 0 ignored; 0 measured";
    let table = [
        ("1 test", "test a ... ok", passed, "a Passed"),
        ("1 test", "test a ... FAILED", failed, "a Failed"),
        ("1 test", "test a ... ignored", ignored, "a Skipped"),
        ("1 test", "test a ... ignored, too slow", ignored, "a Skipped"),
        ("1 test", "test a ... ok <0.001s>", passed, "a Passed"),
        ("1 test", "test a ... FAILED (time limit exceeded)", failed, "a Failed"),
        ("1 test", "test a - should panic ... ok", passed, "a Passed"),
        ("1 test", "test a::b::c ... ok\r", passed, "a::b::c Passed"),
        ("1 test", "\u{1b}[32mtest a ... ok\u{1b}[0m", passed, "a Passed"),
        ("1 test", "test a ... printed\nmore\nok", passed, "a Passed"),
        ("1 test", "outtest a ... ok", passed, "a Passed"),
        ("1 test", "test a has been running for over 60 seconds\ntest a ... ok", passed, "a Passed"),
        ("0 tests", "", none, ""),
        ("1 test", "test b ... bench:  10 ns/iter (+/- 1)", "0 passed; 0 failed; 0 ignored; 1 measured", ""),
        // What a failed test printed is no result.
        (
            "1 test",
            "test a ... FAILED\n\nfailures:\n\n---- a stdout ----\ntest b ... ok\n",
            failed,
            "a Failed",
        ),
        ("1 test", "test a ... what\n", passed, "the report says 1 passed tests but names 0"),
        ("1 test", "test a ... ok\ntest b ... ok", passed, "the report says 1 passed tests but names 2"),
        ("1 test", "", failed, "the report says 1 failed tests but names 0"),
        ("1 test", "", ignored, "the report says 1 ignored tests but names 0"),
        ("2 tests", "test a ... ok", passed, "the report says 2 tests but names 1"),
        // A summary that a test prints itself ends the block, and does not fit.
        (
            "2 tests",
            "test a ... ok\ntest result: ok. 2 passed; 0 failed; 0 ignored; 0 measured",
            passed,
            "the report says 2 passed tests but names 1",
        ),
    ];
    for (count, lines, summary, expected) in table {
        assert_eq!(block(count, lines, summary), expected, "{lines}");
    }
}

#[test]
fn targets_are_told_apart() {
    let run = |header: &str| {
        format!(
            "{header}\nrunning 1 test\ntest a ... ok\ntest result: ok. 1 passed; 0 failed; 0 ignored; 0 measured\n"
        )
    };
    let names = |headers: &[&str]| {
        let text: String = headers.iter().map(|header| run(header)).collect();
        let report = read(text.as_bytes()).unwrap().unwrap();
        (report.tests.into_keys().collect::<Vec<_>>(), report.duplicates.len())
    };
    let it = "     Running tests/it.rs (target/debug/deps/it-1)";
    let other = "     Running tests/it.rs (target/debug/deps/it-2)";
    assert_eq!(names(&[it]), (vec!["tests/it.rs a".to_owned()], 0));
    // The same program in a second call is no duplicate; another one of the same path is another target.
    assert_eq!(names(&[it, it]), (vec!["tests/it.rs a".to_owned()], 0));
    assert_eq!(names(&[it, other]).0, ["tests/it.rs a", "tests/it.rs#2 a"]);
    assert_eq!(names(&["     Running unittests src/lib.rs (t/my_lib-9f)"]).0, ["src/lib.rs@my_lib a"]);
    assert_eq!(names(&["   Doc-tests my_lib"]).0, ["doc@my_lib a"]);
    assert_eq!(names(&[""]).0, ["a"]);
}

#[test]
fn documentation_tests_are_counted_among_their_namesakes() {
    let mut seen = BTreeMap::new();
    let mut name = |text: &str| full_name("doc@c", text, &mut seen);
    assert_eq!(name("src/a.rs - f (line 3)"), "doc@c src/a.rs - f");
    assert_eq!(name("src/a.rs - f (line 9)"), "doc@c src/a.rs - f #2");
    assert_eq!(name("src/a.rs - f (line 12) - compile"), "doc@c src/a.rs - f - compile");
    assert_eq!(name("src/a.rs - g"), "doc@c src/a.rs - g");
}
