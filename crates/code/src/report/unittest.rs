//! The text lines of `python -m unittest -v`.
//!
//! A line per test, blocks about those that did not pass, and a total that must agree with the lines.

use windlass_core::report::{Runner, TestOutcome, TestReport};

use super::source::{ReportError, check_count, keep_message};
use crate::text::strip_ansi;

/// Reads every run in the output; `Ok(None)` when there is none.
pub(super) fn read(bytes: &[u8]) -> Result<Option<TestReport>, ReportError> {
    let text = String::from_utf8_lossy(bytes);
    let text = strip_ansi(&text);
    let mut reader = UnittestReader::default();
    for line in text.lines() {
        reader.line(line);
    }
    if reader.totals == 0 {
        return Ok(None);
    }
    check_count("tests", reader.stated, reader.named)?;
    let mut report = TestReport::new(Runner::Unittest);
    for (name, outcome) in reader.results {
        report.record(name, outcome);
    }
    for (name, said) in reader.said {
        keep_message(&mut report, &name, &said);
    }
    Ok(Some(report))
}

#[derive(Default)]
struct UnittestReader {
    results: Vec<(String, TestOutcome)>,
    /// Messages about tests, by name.
    said: Vec<(String, String)>,
    /// A test whose outcome is still to come.
    waiting: Option<String>,
    /// Inside a block about a test.
    block: bool,
    stated: u64,
    named: u64,
    totals: u64,
}

impl UnittestReader {
    fn line(&mut self, line: &str) {
        if let Some(count) = total(line) {
            self.stated = self.stated.saturating_add(count);
            self.totals += 1;
            self.block = false;
        } else if let Some(title) = line.strip_prefix("ERROR: ").or_else(|| line.strip_prefix("FAIL: ")) {
            self.block = true;
            self.said.push((name_of(title).unwrap_or_else(|| title.to_owned()), String::new()));
        } else if self.block {
            if let Some((_, said)) = self.said.last_mut().filter(|_| !line.starts_with("-----")) {
                said.push_str(line);
                said.push('\n');
            }
        } else if let Some((title, rest)) = line.split_once(" ... ") {
            self.result(title, rest);
        } else if let Some(name) = name_of(line) {
            // A docstring follows on the next line, with the outcome at its end.
            self.waiting = Some(name);
        }
    }

    fn result(&mut self, title: &str, rest: &str) {
        let part = title.starts_with("  ");
        let Some(name) = name_of(title.trim()).or_else(|| self.waiting.take()) else { return };
        let known = outcome(rest.trim());
        if part {
            // A sub-test that did not pass; the test itself has been counted.
            let bad = known.unwrap_or(TestOutcome::Failed);
            if let Some(last) = self.results.iter_mut().rev().find(|(known, _)| *known == name) {
                last.1 = bad;
            }
            return;
        }
        self.named += 1;
        let whole = !name.contains("::");
        let outcome = match known {
            Some(TestOutcome::Failed) if whole => TestOutcome::Errored,
            Some(outcome) => outcome,
            // Sub-tests follow, one of which did not pass.
            None => TestOutcome::Failed,
        };
        self.results.push((name, outcome));
    }
}

/// An exception that comes out of a test is a failure of that test.
fn outcome(rest: &str) -> Option<TestOutcome> {
    match rest {
        "ok" | "expected failure" => Some(TestOutcome::Passed),
        "FAIL" | "ERROR" | "unexpected success" => Some(TestOutcome::Failed),
        _ if rest.starts_with("skipped ") => Some(TestOutcome::Skipped),
        _ => None,
    }
}

/// `module.Class::test` out of `test (module.Class.test)` and, before Python 3.11, `test (module.Class)`; the bare name of
/// a module that could not be imported.
fn name_of(title: &str) -> Option<String> {
    let (test, rest) = title.split_once(" (")?;
    let inside = rest.split(')').next()?;
    if test.is_empty() || test.contains(' ') || !inside.contains('.') {
        return None;
    }
    if inside.starts_with("unittest.loader.") {
        return Some(test.to_owned());
    }
    let class = inside.strip_suffix(test).and_then(|class| class.strip_suffix('.')).unwrap_or(inside);
    Some(format!("{class}::{test}"))
}

/// `Ran 3 tests in 0.001s`
fn total(line: &str) -> Option<u64> {
    let rest = line.strip_prefix("Ran ")?;
    let (count, rest) = rest.split_once(" test")?;
    (rest.starts_with(" in ") || rest.starts_with("s in ")).then(|| count.parse().ok())?
}

#[cfg(test)]
mod tests;
