//! Tests of `junit`.

use super::*;

impl JunitCase {
    /// A case that passed, for tests of names.
    pub(crate) fn sample(file: Option<&str>, class: &str, name: &str) -> Self {
        Self {
            name: name.to_owned(),
            class: class.to_owned(),
            file: file.map(str::to_owned),
            suite: String::new(),
            outcome: TestOutcome::Passed,
            bad: 0,
            after: false,
            message: String::new(),
            printed: String::new(),
        }
    }
}

const PYTEST: &str = r#"<?xml version="1.0" encoding="utf-8"?><testsuites name="pytest tests"><testsuite name="pytest" errors="2" failures="1" skipped="1" tests="6">
<testcase classname="tests.test_ok" name="test_add" file="tests/test_ok.py" line="3" time="0.001" />
<testcase classname="tests.test_ok" name="test_bad" file="tests/test_ok.py"><failure message="assert 3 == 4&#10; +  where">E   assert</failure></testcase>
<testcase classname="tests.test_ok" name="test_p[x::y]" file="tests/test_ok.py" />
<testcase classname="tests.test_ok" name="test_s" file="tests/test_ok.py"><skipped type="pytest.skip" message="no">why</skipped></testcase>
<testcase classname="tests.test_ok.TestC.TestIn" name="test_n" file="tests/test_ok.py"><error message="failed on setup">x</error></testcase>
<testcase classname="" name="tests.test_gone" file="tests/test_gone.py"><error message="collection failure">E   ModuleNotFoundError</error></testcase>
</testsuite></testsuites>"#;

#[test]
fn pytest_cases_get_their_node_ids() {
    let report = read(Runner::Pytest, PYTEST.as_bytes()).unwrap();
    insta::assert_debug_snapshot!(report.tests, @r#"
        {
            "tests/test_gone.py": Errored,
            "tests/test_ok.py::TestC::TestIn::test_n": Errored,
            "tests/test_ok.py::test_add": Passed,
            "tests/test_ok.py::test_bad": Failed,
            "tests/test_ok.py::test_p[x::y]": Passed,
            "tests/test_ok.py::test_s": Skipped,
        }
        "#);
}

const VITEST: &str = r#"<?xml version="1.0" encoding="UTF-8" ?>
<testsuites name="vitest tests" tests="4" failures="2" errors="0">
    <testsuite name="vt/a.test.ts" tests="3" failures="1" errors="0" skipped="1">
        <testcase classname="vt/a.test.ts" name="suite &gt; deep &gt; z" time="0.0002"></testcase>
        <testcase classname="vt/a.test.ts" name="fails"><failure message="expected 3 to be 4" type="AssertionError">x</failure></testcase>
        <testcase classname="vt/a.test.ts" name="skipped" time="0"><skipped/></testcase>
    </testsuite>
    <testsuite name="vt/m.test.ts" tests="1" failures="1" errors="0">
        <testcase classname="vt/m.test.ts" name="vt/m.test.ts"><failure message="Cannot find module" type="Error">x</failure></testcase>
    </testsuite>
</testsuites>"#;

#[test]
fn vitest_cases_are_named_by_file_and_title() {
    let report = read(Runner::Vitest, VITEST.as_bytes()).unwrap();
    insta::assert_debug_snapshot!(report.tests, @r#"
        {
            "vt/a.test.ts > fails": Failed,
            "vt/a.test.ts > skipped": Skipped,
            "vt/a.test.ts > suite > deep > z": Passed,
            "vt/m.test.ts > vt/m.test.ts": Errored,
        }
        "#);
}

#[test]
fn totals_that_hide_something_are_refused() {
    let hidden =
        r#"<testsuite name="s" tests="3" failures="0"><testcase name="a"/><testcase name="b"/></testsuite>"#;
    assert_eq!(
        read(Runner::Junit, hidden.as_bytes()),
        Err(ReportError::CountMismatch { what: "tests", stated: 3, named: 2 })
    );
    // pytest 9 counts sub-tests that passed and does not name them.
    assert_eq!(read(Runner::Pytest, hidden.as_bytes()).unwrap().tests.len(), 2);
    let failed = r#"<testsuite name="s" tests="1" failures="1"><testcase name="a"/></testsuite>"#;
    assert_eq!(
        read(Runner::Junit, failed.as_bytes()),
        Err(ReportError::CountMismatch { what: "failures", stated: 1, named: 0 })
    );
}

/// As PHPUnit 9.6, Surefire 2.22 and Gradle write them.
#[test]
fn methods_are_named_by_their_class() {
    let phpunit = r#"<testsuites><testsuite name="Shop\Tests\TextTest" tests="5" errors="1" failures="0" skipped="1" warnings="1">
<testcase name="testOk" class="Shop\Tests\TextTest" classname="Shop.Tests.TextTest"><error type="Error">Error: Class "Shop\Text" not found</error></testcase>
<testcase name="testSkip" classname="Shop.Tests.TextTest"><skipped/></testcase>
<testsuite name="Shop\Tests\TextTest::testP" tests="2"><testcase name="testP with data set #0" classname="Shop.Tests.TextTest"/>
<testcase name="testP with data set &quot;two&quot;" classname="Shop.Tests.TextTest"/></testsuite>
<testcase name="Warning"><warning type="PHPUnit\Framework\Warning">No tests found in class</warning></testcase>
</testsuite></testsuites>"#;
    let report = read(Runner::Phpunit, phpunit.as_bytes()).unwrap();
    insta::assert_debug_snapshot!(report.tests, @r#"
        {
            "Shop.Tests.TextTest::testOk": Failed,
            "Shop.Tests.TextTest::testP[#0]": Passed,
            "Shop.Tests.TextTest::testP[two]": Passed,
            "Shop.Tests.TextTest::testSkip": Skipped,
            "Shop\\Tests\\TextTest > Warning": Skipped,
        }
        "#);
    let java = r#"<testsuites>
<testsuite name="shop.CartTest" tests="2"><testcase name="adds" classname="shop.CartTest"/><testcase name="many(int)[2]" classname="shop.CartTest"/></testsuite>

<testsuite name="shop.CartTest$Inner" tests="1"><testcase name="deep()" classname="shop.CartTest$Inner"/></testsuite>
</testsuites>"#;
    let report = read(Runner::Junit, java.as_bytes()).unwrap();
    insta::assert_debug_snapshot!(report.tests, @r#"
        {
            "shop.CartTest::Inner::deep": Passed,
            "shop.CartTest::adds": Passed,
            "shop.CartTest::many[2]": Passed,
        }
        "#);
    let none = read(Runner::Junit, b"<testsuites>\n</testsuites>").unwrap();
    assert!(none.tests.is_empty());
}

#[test]
fn programs_of_ctest_name_their_tests() {
    let one = |printed: &str, mark: &str| {
        let text = format!(
            "<testsuite name=\"(empty)\" tests=\"1\"><testcase name=\"text_test\" classname=\"text_test\">{mark}<system-out>{printed}</system-out></testcase></testsuite>"
        );
        format!("{:?}", read(Runner::Ctest, text.as_bytes()).unwrap().tests)
    };
    let gtest = "[==========] Running 3 tests from 1 test suite.\n[ RUN      ] Text.Slug\nx.cpp:3: Failure\n[  FAILED  ] Text.Slug (0 ms)\n[ RUN      ] Text.Fine\n[       OK ] Text.Fine (0 ms)\n[ RUN      ] Text.Skip\n[  SKIPPED ] Text.Skip (0 ms)\n[  FAILED  ] 1 test, listed below:\n[  FAILED  ] Text.Slug\n";
    let crashed = "[==========] Running 2 tests from 1 test suite.\n[ RUN      ] Text.Fine\n[       OK ] Text.Fine (0 ms)\n[ RUN      ] Text.Slug\n";
    let empty = "[==========] Running 0 tests from 0 test suites.\n[  PASSED  ] 0 tests.\n";
    let all = [
        one(gtest, "<failure message=\"\"/>"),
        one(crashed, "<failure message=\"\"/>"),
        one(empty, ""),
        one("No tests ran\n", ""),
        one("fine\n", ""),
        one("assertion failed\n", "<failure message=\"\"/>"),
    ];
    insta::assert_snapshot!(all.join("\n"), @r#"
        {"Text.Fine": Passed, "Text.Skip": Skipped, "Text.Slug": Failed}
        {"Text.Fine": Passed, "Text.Slug": Failed}
        {}
        {}
        {"text_test": Passed}
        {"text_test": Failed}
        "#);
}

#[test]
fn a_broken_document_is_an_error() {
    for broken in
        ["", "no xml", "<testsuites><testsuite>", "<html></html>", "<testsuite><testcase></testsuite>"]
    {
        assert!(read(Runner::Junit, broken.as_bytes()).is_err(), "{broken}");
    }
}

#[test]
fn the_same_name_twice_is_a_duplicate() {
    let twice =
        r#"<testsuite><testcase classname="c" name="a"/><testcase classname="c" name="a"/></testsuite>"#;
    let report = read(Runner::Junit, twice.as_bytes()).unwrap();
    assert_eq!(report.duplicates, ["c::a"]);
}

/// The only test of a suite with this case in it, as `name Outcome`.
fn only(runner: Runner, case: &str) -> String {
    let report = read(runner, format!("<testsuite name=\"s\">{case}</testsuite>").as_bytes()).unwrap();
    let all: Vec<String> = report.tests.iter().map(|(name, outcome)| format!("{name} {outcome:?}")).collect();
    all.join(", ")
}

#[test]
fn names_and_outcomes_by_runner() {
    let table = [
        (Runner::Pytest, r#"<testcase classname="t.a" name="b" file="t/a.py"/>"#, "t/a.py::b Passed"),
        (
            Runner::Pytest,
            r#"<testcase classname="t.a" name="b[x-1]" file="t/a.py"/>"#,
            "t/a.py::b[x-1] Passed",
        ),
        (Runner::Pytest, r#"<testcase classname="t.a" name="b" file=""/>"#, "t.a::b Passed"),
        (
            Runner::Pytest,
            r#"<testcase classname="t.a" name="b" file="t/a.py"><error/></testcase>"#,
            "t/a.py::b Errored",
        ),
        (
            Runner::Pytest,
            r#"<testcase classname="t.a" name="b" file="t/a.py"><error message="failed on teardown with x">E  no
t/a.py:8: AssertionError</error></testcase>"#,
            "t/a.py::b Failed",
        ),
        (
            Runner::Pytest,
            r#"<testcase classname="t.a" name="b" file="t/a.py"><error message="failed on teardown with x">t/a.py:8: KeyError</error></testcase>"#,
            "t/a.py::b Errored",
        ),
        (
            Runner::Pytest,
            r#"<testcase classname="t.a" name="b" file="t/a.py"><error message="failed on setup with x">t/a.py:8: AssertionError</error></testcase>"#,
            "t/a.py::b Errored",
        ),
        (
            Runner::Pytest,
            r#"<testcase classname="" name="t.a" file="t/a.py"><failure/></testcase>"#,
            "t/a.py Errored",
        ),
        (Runner::Vitest, r#"<testcase classname="a.ts" name="b &gt; c"/>"#, "a.ts > b > c Passed"),
        (
            Runner::Vitest,
            r#"<testcase classname="a.ts" name="a.ts"><failure/></testcase>"#,
            "a.ts > a.ts Errored",
        ),
        (Runner::Vitest, r#"<testcase classname="a.ts" name="a.ts"/>"#, "a.ts > a.ts Passed"),
        (
            Runner::Phpunit,
            r#"<testcase classname="A.B" name="testC"><error/></testcase>"#,
            "A.B::testC Failed",
        ),
        (Runner::Phpunit, r#"<testcase classname="A\B" name="testC"/>"#, "A.B::testC Passed"),
        (
            Runner::Phpunit,
            r#"<testcase classname="A" name="testC with data set &quot;x y&quot;"/>"#,
            "A::testC[x y] Passed",
        ),
        (
            Runner::Phpunit,
            r#"<testcase classname="A" name="testC with data set #1"/>"#,
            "A::testC[#1] Passed",
        ),
        (Runner::Phpunit, r#"<testcase name="Warning"><warning/></testcase>"#, "s > Warning Skipped"),
        (Runner::Junit, r#"<testcase classname="a.B" name="c()"/>"#, "a.B::c Passed"),
        (Runner::Junit, r#"<testcase classname="a.B$C$D" name="e"/>"#, "a.B::C::D::e Passed"),
        (Runner::Junit, r#"<testcase classname="a.B" name="c(int, String)[3]"/>"#, "a.B::c[3] Passed"),
        (Runner::Junit, r#"<testcase classname="a.B" name="c{int}[1]"/>"#, "a.B::c[1] Passed"),
        (Runner::Junit, r#"<testcase classname="a.B" name="[1] x"/>"#, "a.B::[1] x Passed"),
        (Runner::Junit, r#"<testcase name="c"/>"#, "s > c Passed"),
        (Runner::Ctest, r#"<testcase classname="x" name="c_test"/>"#, "c_test Passed"),
        (Runner::Ctest, r#"<testcase name="c_test"><error/></testcase>"#, "c_test Errored"),
        (Runner::Junit, "<testcase/>", "s >  Passed"),
    ];
    for (runner, case, expected) in table {
        assert_eq!(only(runner, case), expected, "{case}");
    }
}

/// Of several marks on a case the worst counts, in any order.
#[test]
fn the_worst_mark_counts() {
    let table = [
        ("", "Passed"),
        ("<skipped/>", "Skipped"),
        ("<failure/>", "Failed"),
        ("<error/>", "Errored"),
        ("<skipped/><failure/>", "Failed"),
        ("<failure/><skipped/>", "Failed"),
        ("<failure/><error/>", "Errored"),
        ("<error/><failure/>", "Errored"),
        ("<error/><skipped/>", "Errored"),
        ("<rerunFailure/>", "Passed"),
        ("<system-out>&lt;failure/&gt;</system-out>", "Passed"),
        ("<properties><property name=\"failure\"/></properties>", "Passed"),
    ];
    for (marks, expected) in table {
        let case = format!(r#"<testcase classname="c" name="a">{marks}</testcase>"#);
        assert_eq!(only(Runner::Pytest, &case), format!("c::a {expected}"), "{marks}");
    }
}

#[test]
fn messages_are_read_with_their_entities() {
    let table = [
        ("<failure>a &lt; b &amp;&amp; c</failure>", Some("a < b && c")),
        ("<failure><![CDATA[a < b]]></failure>", Some("a < b")),
        ("<failure>a&#10;b</failure>", Some("a\nb")),
        ("<failure>&unknown;x</failure>", Some("x")),
        ("<failure message=\"m\"/>", None),
        ("<skipped>why</skipped>", None),
    ];
    for (marks, expected) in table {
        let text = format!(r#"<testsuite><testcase classname="c" name="a">{marks}</testcase></testsuite>"#);
        let report = read(Runner::Pytest, text.as_bytes()).unwrap();
        assert_eq!(report.messages.get("c::a").map(String::as_str), expected, "{marks}");
    }
}

/// Totals of inner suites count for the outer ones; too small a total is honest.
#[test]
fn totals_of_nested_suites() {
    let case = r#"<testcase name="a"/>"#;
    let table = [
        (format!(r#"<testsuite tests="1"><testsuite tests="1">{case}</testsuite></testsuite>"#), true),
        (format!(r#"<testsuite tests="2"><testsuite tests="1">{case}</testsuite></testsuite>"#), false),
        (format!(r#"<testsuite tests="0">{case}</testsuite>"#), true),
        (format!(r#"<testsuite tests="many">{case}</testsuite>"#), true),
        (format!(r#"<testsuite failures="1">{case}</testsuite>"#), false),
        (format!(r#"<testsuite errors="1">{case}</testsuite>"#), false),
        (format!(r#"<testsuites tests="9">{case}</testsuites>"#), true),
        ("<testsuites/>".to_owned(), true),
    ];
    for (text, expected) in table {
        assert_eq!(read(Runner::Junit, text.as_bytes()).is_ok(), expected, "{text}");
    }
}

/// pytest counts every sub-test that failed, and names the test that they stand in.
#[test]
fn failures_of_sub_tests_are_counted_with_their_test() {
    let text = |failures: u32| {
        format!(
            "<testsuite name=\"pytest\" errors=\"0\" failures=\"{failures}\" skipped=\"0\" tests=\"9\">\
             <testcase classname=\"t.a\" name=\"b\"><failure message=\"x\">1</failure><failure message=\"y\">2</failure>\
             </testcase></testsuite>"
        )
    };
    assert_eq!(read(Runner::Pytest, text(2).as_bytes()).unwrap().tests.len(), 1);
    assert!(matches!(
        read(Runner::Pytest, text(3).as_bytes()),
        Err(ReportError::CountMismatch { what: "failures", stated: 3, named: 2 })
    ));
}
