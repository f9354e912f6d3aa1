//! A report of every runner, read by name.

use super::super::*;
use crate::report::{ReportError, ReportPlace, TestOutcome, TestReport, read_all};
use crate::script::{ShellScript, instrument};

/// A command, a report as its runner writes it, and the names of the tests that passed and failed.
struct ReportSample {
    command: &'static str,
    report: &'static str,
    passed: &'static [&'static str],
    failed: &'static [&'static str],
}

const SAMPLES: &[ReportSample] = &[
    ReportSample {
        command: "uvu test",
        report: "{\"file\":\"\",\"path\":[\"json\",\"adds\"],\"suite\":false,\"whole\":false,\"outcome\":\"pass\"}\n\
            {\"file\":\"\",\"path\":[\"fails\"],\"suite\":false,\"whole\":false,\"outcome\":\"fail\"}\n{\"total\":2}\n",
        passed: &["json > adds"],
        failed: &["fails"],
    },
    ReportSample {
        command: "ava test.js",
        report: "TAP version 13\nok 1 - adds\nnot ok 2 - fails\n  ---\n    name: AssertionError\n  ...\n1..2\n",
        passed: &["adds"],
        failed: &["fails"],
    },
    ReportSample {
        command: "tap test.js",
        report: "TAP version 14\n1..1\n# Subtest: test.js\n    # Subtest: adds\n        ok 1 - is\n        1..1\n    \
            ok 1 - adds\n    # Subtest: fails\n        not ok 1 - is\n        1..1\n    not ok 2 - fails\n    1..2\n\
            not ok 1 - test.js\n",
        passed: &["test.js > adds"],
        failed: &["test.js > fails"],
    },
    ReportSample {
        command: "tape test.js",
        report: "TAP version 13\n# adds\nok 1 is\n# fails\nok 2 is\nnot ok 3 is\n1..3\n# tests 3\n",
        passed: &["adds"],
        failed: &["fails"],
    },
    ReportSample {
        command: "pytest tests",
        report: r#"<testsuite name="pytest" tests="2" failures="1" errors="0">
<testcase classname="tests.test_a" name="test_b" file="tests/test_a.py"/>
<testcase classname="tests.test_a.TestC" name="test_d" file="tests/test_a.py"><failure>x</failure></testcase>
</testsuite>"#,
        passed: &["tests/test_a.py::test_b"],
        failed: &["tests/test_a.py::TestC::test_d"],
    },
    ReportSample {
        command: "python -m unittest",
        report: "test_a (m.T.test_a) ... ok\ntest_b (m.T.test_b) ... FAIL\nRan 2 tests in 0.1s\n",
        passed: &["m.T::test_a"],
        failed: &["m.T::test_b"],
    },
    ReportSample {
        command: "cargo test",
        report: "     Running tests/a.rs (target/debug/deps/a-1)

running 2 tests
test adds ... ok
test fails ... FAILED

failures:

test result: FAILED. 1 passed; 1 failed; 0 ignored; 0 measured; 0 filtered out
",
        passed: &["tests/a.rs adds"],
        failed: &["tests/a.rs fails"],
    },
    ReportSample {
        command: "cargo nextest run",
        report: r#"{"type":"suite","event":"started"}
{"type":"test","event":"ok","name":"a::t$adds"}
{"type":"test","event":"failed","name":"a::t$fails"}
{"type":"suite","event":"failed","passed":1,"failed":1}
"#,
        passed: &["a::t adds"],
        failed: &["a::t fails"],
    },
    ReportSample {
        command: "npx vitest run",
        report: r#"<testsuites><testsuite name="a.test.ts" tests="2" failures="1">
<testcase classname="a.test.ts" name="s &gt; adds"/>
<testcase classname="a.test.ts" name="fails"><failure>x</failure></testcase>
</testsuite></testsuites>"#,
        passed: &["a.test.ts > s > adds"],
        failed: &["a.test.ts > fails"],
    },
    ReportSample {
        command: "npx jest",
        report: r#"{"numFailedTests":1,"numPassedTests":1,"numTotalTests":2,"testResults":[{"name":"a.test.js","status":"failed",
"assertionResults":[{"ancestorTitles":["s"],"title":"adds","status":"passed"},
{"ancestorTitles":[],"title":"fails","status":"failed"}]}]}"#,
        passed: &["a.test.js > s > adds"],
        failed: &["a.test.js > fails"],
    },
    ReportSample {
        command: "npx mocha",
        report: "1..2\nok 1 s adds\nnot ok 2 s fails\n",
        passed: &["s adds"],
        failed: &["s fails"],
    },
    ReportSample {
        command: "node --test",
        report: r#"{"file":"a.test.js","path":["adds"],"suite":false,"whole":false,"outcome":"pass"}
{"file":"a.test.js","path":["fails"],"suite":false,"whole":false,"outcome":"fail"}
{"total":2}
"#,
        passed: &["a.test.js > adds"],
        failed: &["a.test.js > fails"],
    },
    ReportSample {
        command: "go test ./...",
        report: r#"{"Action":"run","Package":"p","Test":"TestA"}
{"Action":"pass","Package":"p","Test":"TestA"}
{"Action":"fail","Package":"p","Test":"TestB"}
"#,
        passed: &["p TestA"],
        failed: &["p TestB"],
    },
    ReportSample {
        command: "rspec",
        report: r#"{"examples":[
{"file_path":"./spec/a_spec.rb","full_description":"A adds","status":"passed"},
{"file_path":"./spec/a_spec.rb","full_description":"A fails","status":"failed"}],
"messages":[],"summary":{"example_count":2,"failure_count":1}}"#,
        passed: &["spec/a_spec.rb::A adds"],
        failed: &["spec/a_spec.rb::A fails"],
    },
    ReportSample {
        command: "ruby test/a_test.rb",
        report: "ATest#test_adds = 0.00 s = .
ATest#test_fails = 0.00 s = F
2 runs, 2 assertions, 1 failures, 0 errors, 0 skips
",
        passed: &["ATest::test_adds"],
        failed: &["ATest::test_fails"],
    },
    ReportSample {
        command: "phpunit tests",
        report: r#"<testsuites><testsuite name="ATest" tests="2" failures="0" errors="1">
<testcase name="testAdds" classname="Shop.ATest"/>
<testcase name="testFails" classname="Shop.ATest"><error>x</error></testcase>
</testsuite></testsuites>"#,
        passed: &["Shop.ATest::testAdds"],
        failed: &["Shop.ATest::testFails"],
    },
    ReportSample {
        command: "mvn test",
        report: r#"<testsuites><testsuite name="shop.ATest" tests="2" failures="1">
<testcase name="adds" classname="shop.ATest"/>
<testcase name="fails(int)[2]" classname="shop.ATest$Inner"><failure>x</failure></testcase>
</testsuite></testsuites>"#,
        passed: &["shop.ATest::adds"],
        failed: &["shop.ATest::Inner::fails[2]"],
    },
    ReportSample {
        command: "gradle test",
        report: r#"<testsuites><testsuite name="shop.ATest" tests="1"><testcase name="adds()" classname="shop.ATest"/>
</testsuite></testsuites>"#,
        passed: &["shop.ATest::adds"],
        failed: &[],
    },
    ReportSample {
        command: "ctest --test-dir build",
        report: r#"<testsuite name="x" tests="2" failures="1">
<testcase name="a_test" classname="a_test"><system-out>[ RUN      ] A.B
[       OK ] A.B (0 ms)
</system-out></testcase>
<testcase name="c_test" classname="c_test"><failure/></testcase>
</testsuite>"#,
        passed: &["A.B"],
        failed: &["c_test"],
    },
];

fn read_sample(sample: &ReportSample, text: &str) -> Result<Option<TestReport>, ReportError> {
    let run = instrument(sample.command, "/r");
    assert_eq!(run.expects.len(), 1, "{}", sample.command);
    let ReportPlace::File(file) = &run.expects[0].place else { panic!("{}", sample.command) };
    let files = |path: &str| (path == file).then(|| text.as_bytes().to_vec());
    read_all(&run.expects, &files, b"")
}

#[test]
fn reports_are_read_by_name() {
    for sample in SAMPLES {
        let report =
            read_sample(sample, sample.report).unwrap().unwrap_or_else(|| panic!("{}", sample.command));
        let names = |outcome| report.names(outcome).map(str::to_owned).collect::<Vec<_>>();
        assert_eq!(names(TestOutcome::Passed), sample.passed, "{}", sample.command);
        assert_eq!(names(TestOutcome::Failed), sample.failed, "{}", sample.command);
        assert_eq!(report.tests.len(), sample.passed.len() + sample.failed.len(), "{}", sample.command);
    }
}

/// A report of which the second half is missing is not taken for the whole.
#[test]
fn half_a_report_is_not_a_report() {
    for sample in SAMPLES {
        let whole = read_sample(sample, sample.report).unwrap();
        let half = read_sample(sample, &sample.report[..sample.report.len() / 2]);
        assert!(half.as_ref().ok() != Some(&whole), "{}: {half:?}", sample.command);
    }
}

/// A runner of which the report can be read has a sample above.
#[test]
fn every_report_has_a_sample() {
    for row in RUNNERS.iter().filter(|row| row.report.is_some() && row.name != "bats") {
        let calls = |sample: &ReportSample| {
            let script = ShellScript::parse(sample.command);
            runner_call(&script.commands[0]).is_some_and(|call| call.row.name == row.name)
        };
        assert!(SAMPLES.iter().any(calls), "{}", row.name);
    }
}
