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
    /// How many failures and errors it has: one for each sub-test, where there are any.
    bad: u64,
    /// Whether its error came after the test, when pytest took down its fixtures.
    after: bool,
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
                    bad: 0,
                    after: false,
                    message: String::new(),
                    printed: String::new(),
                });
            }
            "system-out" => self.printing = true,
            "failure" => self.worsen(TestOutcome::Failed),
            "error" => {
                let after =
                    attribute(tag, "message").is_some_and(|said| said.starts_with("failed on teardown"));
                self.case.iter_mut().for_each(|case| case.after = after);
                self.worsen(TestOutcome::Errored);
            }
            // PHPUnit writes a class without any test as a test with a warning.
            "skipped" | "warning" => self.worsen(TestOutcome::Skipped),
            _ => {}
        }
    }

    fn worsen(&mut self, outcome: TestOutcome) {
        if let Some(case) = &mut self.case {
            case.bad += u64::from(matches!(outcome, TestOutcome::Failed | TestOutcome::Errored));
            case.outcome = match (case.outcome, outcome) {
                (TestOutcome::Errored, _) => TestOutcome::Errored,
                (TestOutcome::Failed, TestOutcome::Passed | TestOutcome::Skipped) => TestOutcome::Failed,
                (_, worse) => worse,
            };
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
            suite.bad += if self.names.counts_subtests { case.bad } else { case.bad.min(1) };
        }
        if self.names.cases_are_programs
            && googletest::record_inner(&mut self.report, &case.printed, case.outcome)
        {
            return;
        }
        let outcome = match case.outcome {
            TestOutcome::Failed if (self.names.is_whole_file)(&case) => TestOutcome::Errored,
            TestOutcome::Errored if self.names.errors_are_failures => TestOutcome::Failed,
            // An assertion behind the `yield` of a fixture.
            TestOutcome::Errored if case.after && case.message.trim_end().ends_with(": AssertionError") => {
                TestOutcome::Failed
            }
            other => other,
        };
        let name = (self.names.name)(&case);
        keep_message(&mut self.report, &name, &case.message);
        self.report.record(name, outcome);
    }

    /// A total that is larger than what is named hides something. The other way round happens honestly: pytest
    /// writes a test that fails and then fails to clean up as two cases and counts it once. What it counts and does not
    /// name are sub-tests that passed; those that failed are failures of one case.
    fn close_suite(&mut self) -> Result<(), ReportError> {
        let Some(done) = self.suites.pop() else { return Ok(()) };
        for (what, stated, named) in
            [("tests", done.stated_tests, done.tests), ("failures", done.stated_bad, done.bad)]
        {
            let subtests = what == "tests" && self.names.counts_subtests;
            if let Some(stated) = stated
                && stated > named
                && !subtests
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
mod tests;
