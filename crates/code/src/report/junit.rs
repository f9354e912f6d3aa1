//! JUnit XML, as pytest, vitest and many others write it.
//!
//! The runner's row says how its cases are named. Entities are not resolved and references not followed.

use quick_xml::Reader;
use quick_xml::events::{BytesStart, Event};
use windlass_core::report::{Runner, TestOutcome, TestReport};

use super::googletest;
use super::source::{ReportError, ReportFormat, keep_message};
use crate::runner::{JunitNames, row};

/// Reads a whole document.
pub(super) fn read(runner: Runner, bytes: &[u8]) -> Result<TestReport, ReportError> {
    let text = String::from_utf8_lossy(bytes);
    let mut reader = Reader::from_str(&text);
    reader.config_mut().check_end_names = true;
    let names = row(runner).report.as_ref().map_or(&JunitNames::PLAIN, |report| &report.junit);
    let mut state = JunitReader {
        report: TestReport::new(runner),
        names,
        suites: Vec::new(),
        case: None,
        seen_root: false,
        printing: false,
    };
    let mut depth = 0usize;
    loop {
        match reader.read_event() {
            Err(error) => return Err(malformed(error.to_string())),
            Ok(Event::Start(tag)) => {
                depth += 1;
                state.open(&tag);
            }
            Ok(Event::Empty(tag)) => {
                state.open(&tag);
                state.close(tag.local_name().as_ref())?;
            }
            Ok(Event::End(tag)) => {
                depth = depth.saturating_sub(1);
                state.close(tag.local_name().as_ref())?;
            }
            Ok(Event::Text(text)) => state.text(&text.into_inner()),
            Ok(Event::CData(text)) => state.text(&text.into_inner()),
            Ok(Event::GeneralRef(reference)) => state.text(entity(&reference.into_inner())),
            Ok(Event::Eof) => break,
            Ok(_) => {}
        }
    }
    if depth > 0 {
        return Err(ReportError::Incomplete {
            format: ReportFormat::Junit,
            detail: "an element is not closed".into(),
        });
    }
    if !state.seen_root {
        return Err(malformed("there is no `testsuites` or `testsuite` element".into()));
    }
    Ok(state.report)
}

fn malformed(detail: String) -> ReportError {
    ReportError::Malformed { format: ReportFormat::Junit, detail }
}

/// The stated totals of an open `testsuite` and the counted ones.
#[derive(Default)]
struct OpenSuite {
    name: String,
    stated_tests: Option<u64>,
    stated_bad: Option<u64>,
    tests: u64,
    bad: u64,
}

/// One `testcase`.
pub(crate) struct JunitCase {
    pub(crate) name: String,
    pub(crate) class: String,
    pub(crate) file: Option<String>,
    /// The name of the suite it stands in.
    suite: String,
    outcome: TestOutcome,
    /// The text inside its failures and errors.
    message: String,
    /// What it printed.
    printed: String,
}

struct JunitReader {
    report: TestReport,
    names: &'static JunitNames,
    suites: Vec<OpenSuite>,
    case: Option<JunitCase>,
    seen_root: bool,
    /// Inside what a test printed.
    printing: bool,
}

impl JunitReader {
    fn open(&mut self, tag: &BytesStart<'_>) {
        match tag.local_name().as_ref() {
            "testsuites" => self.seen_root = true,
            "testsuite" => {
                self.seen_root = true;
                self.suites.push(suite(tag));
            }
            "testcase" => {
                self.case = Some(JunitCase {
                    suite: self.suites.last().map(|suite| suite.name.clone()).unwrap_or_default(),
                    name: attribute(tag, "name").unwrap_or_default(),
                    class: attribute(tag, "classname").unwrap_or_default(),
                    file: attribute(tag, "file").filter(|file| !file.is_empty()),
                    outcome: TestOutcome::Passed,
                    message: String::new(),
                    printed: String::new(),
                });
            }
            "system-out" => self.printing = true,
            "failure" => self.worsen(TestOutcome::Failed),
            "error" => self.worsen(TestOutcome::Errored),
            // PHPUnit writes a class without any test as a test with a warning.
            "skipped" | "warning" => self.worsen(TestOutcome::Skipped),
            _ => {}
        }
    }

    fn worsen(&mut self, outcome: TestOutcome) {
        if let Some(case) = &mut self.case
            && case.outcome != TestOutcome::Errored
        {
            case.outcome = outcome;
        }
    }

    fn text(&mut self, text: &str) {
        if let Some(case) = &mut self.case
            && self.printing
        {
            case.printed.push_str(text);
        }
        if let Some(case) = &mut self.case
            && matches!(case.outcome, TestOutcome::Failed | TestOutcome::Errored)
        {
            case.message.push_str(text);
        }
    }

    fn close(&mut self, name: &str) -> Result<(), ReportError> {
        match name {
            "system-out" => self.printing = false,
            "testcase" => self.close_case(),
            "testsuite" => return self.close_suite(),
            _ => {}
        }
        Ok(())
    }

    fn close_case(&mut self) {
        let Some(case) = self.case.take() else { return };
        if let Some(suite) = self.suites.last_mut() {
            suite.tests += 1;
            suite.bad += u64::from(matches!(case.outcome, TestOutcome::Failed | TestOutcome::Errored));
        }
        if self.names.cases_are_programs
            && googletest::record_inner(&mut self.report, &case.printed, case.outcome)
        {
            return;
        }
        let outcome = match case.outcome {
            TestOutcome::Failed if (self.names.is_whole_file)(&case) => TestOutcome::Errored,
            TestOutcome::Errored if self.names.errors_are_failures => TestOutcome::Failed,
            other => other,
        };
        let name = (self.names.name)(&case);
        keep_message(&mut self.report, &name, &case.message);
        self.report.record(name, outcome);
    }

    /// A total that is larger than what is named hides something. The other way round happens honestly: pytest
    /// writes a test that fails and then fails to clean up as two cases and counts it once.
    fn close_suite(&mut self) -> Result<(), ReportError> {
        let Some(done) = self.suites.pop() else { return Ok(()) };
        for (what, stated, named) in
            [("tests", done.stated_tests, done.tests), ("failures", done.stated_bad, done.bad)]
        {
            if let Some(stated) = stated
                && stated > named
            {
                return Err(ReportError::CountMismatch { what, stated, named });
            }
        }
        if let Some(outer) = self.suites.last_mut() {
            outer.tests += done.tests;
            outer.bad += done.bad;
        }
        Ok(())
    }
}

impl JunitCase {
    /// Class, or else suite, and name.
    pub(crate) fn plain_name(&self) -> String {
        match (self.class.as_str(), self.suite.as_str()) {
            ("", "") => self.name.clone(),
            ("", outer) | (outer, _) => format!("{outer} > {}", self.name),
        }
    }

    /// `shop.CartTest::Inner::adds[1]`, however the build tool writes methods with several cases.
    pub(crate) fn method_name(&self) -> String {
        let class = self.class.replace('\\', ".").replace('$', "::");
        let (method, of_case) = match self.name.split_once(" with data set ") {
            Some((method, set)) => (method, format!("[{}]", set.trim_matches('"'))),
            None => match self.name.find(['(', '{', '[']) {
                Some(at) if at > 0 => (&self.name[..at], parameters(&self.name[at..])),
                _ => (self.name.as_str(), String::new()),
            },
        };
        if class.is_empty() { self.plain_name() } else { format!("{class}::{method}{of_case}") }
    }
}

/// `[2]` out of `(int)[2]`, and nothing out of `()`.
fn parameters(text: &str) -> String {
    text.find('[').map(|at| text[at..].to_owned()).unwrap_or_default()
}

fn suite(tag: &BytesStart<'_>) -> OpenSuite {
    let number = |key| attribute(tag, key).and_then(|text| text.parse::<u64>().ok());
    let bad = match (number("failures"), number("errors")) {
        (None, None) => None,
        (failures, errors) => Some(failures.unwrap_or(0).saturating_add(errors.unwrap_or(0))),
    };
    OpenSuite {
        name: attribute(tag, "name").unwrap_or_default(),
        stated_tests: number("tests"),
        stated_bad: bad,
        ..OpenSuite::default()
    }
}

/// The character of an entity reference.
fn entity(name: &str) -> &'static str {
    match name {
        "lt" => "<",
        "gt" => ">",
        "amp" => "&",
        "quot" => "\"",
        "apos" => "'",
        "#10" => "\n",
        _ => " ",
    }
}

fn attribute(tag: &BytesStart<'_>, key: &str) -> Option<String> {
    let attribute =
        tag.attributes().with_checks(false).flatten().find(|a| a.key.local_name().as_ref() == key)?;
    let raw = attribute.value.clone();
    Some(quick_xml::escape::unescape(&raw).map_or_else(|_| raw.to_string(), std::borrow::Cow::into_owned))
}

#[cfg(test)]
mod tests {
    use super::*;

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
        let hidden = r#"<testsuite name="s" tests="3" failures="0"><testcase name="a"/><testcase name="b"/></testsuite>"#;
        assert_eq!(
            read(Runner::Junit, hidden.as_bytes()),
            Err(ReportError::CountMismatch { what: "tests", stated: 3, named: 2 })
        );
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
}
