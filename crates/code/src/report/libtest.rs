//! The text that `cargo test` prints, by blocks: a header of cargo, `running N tests`, one line per test, a summary.
//!
//! Only lines at the right place count: inside a block before its failure section. The output of a failing
//! test is skipped up to the summary whose counts are those of the block. A test that ends the whole program, by a stack overflow
//! or a panic while it unwinds, leaves no summary: the last thread that was in trouble names it.

use std::collections::BTreeMap;
use windlass_core::path_text::file_name;

use windlass_core::report::{Runner, TestOutcome, TestReport};

use super::source::{ReportError, ReportFormat, check_count, merge};
use crate::text::strip_ansi;

/// Reads every block; `Ok(None)` when there is none.
pub(super) fn read(bytes: &[u8]) -> Result<Option<TestReport>, ReportError> {
    let text = String::from_utf8_lossy(bytes);
    let text = strip_ansi(&text);
    let mut reader = LibtestReader::default();
    for line in text.lines() {
        reader.line(line)?;
    }
    reader.end()
}

#[derive(Default)]
struct LibtestReader {
    /// The name of the next block.
    target: String,
    /// The binaries seen under each label, to tell two crates' `tests/it.rs` apart.
    binaries: BTreeMap<String, Vec<String>>,
    block: Option<TargetBlock>,
    report: Option<TestReport>,
}

struct TargetBlock {
    target: String,
    announced: u64,
    results: Vec<(String, TestOutcome)>,
    in_failures: bool,
    /// A name whose outcome follows on a later line, because the test printed something first.
    open_name: Option<String>,
    /// The thread that a panic or an overflow was reported of, which has the name of its test.
    thread: Option<String>,
    /// Whether the runtime or cargo said that the program was ended by it.
    aborted: bool,
}

impl LibtestReader {
    fn line(&mut self, line: &str) -> Result<(), ReportError> {
        match &mut self.block {
            None => {
                self.outside(line);
                Ok(())
            }
            Some(block) => {
                if let Some(summary) = TestResultLine::parse(line) {
                    if block.in_failures && !summary.fits(block) {
                        return Ok(());
                    }
                    return self.close(&summary);
                }
                block.line(line);
                Ok(())
            }
        }
    }

    fn outside(&mut self, line: &str) {
        let trimmed = line.trim_start();
        if let Some(rest) = trimmed.strip_prefix("Running ") {
            if let Some((source, binary)) = rest.rsplit_once(" (")
                && let Some(binary) = binary.strip_suffix(')')
            {
                self.target = self.label(source, binary);
            }
        } else if let Some(krate) = trimmed.strip_prefix("Doc-tests ") {
            self.target = format!("doc@{}", krate.trim());
        } else if let Some(announced) = announced(line) {
            self.block = Some(TargetBlock {
                target: self.target.clone(),
                announced,
                results: Vec::new(),
                in_failures: false,
                open_name: None,
                thread: None,
                aborted: false,
            });
        }
    }

    /// `tests/it.rs` for an integration test, `src/lib.rs@crate` for unit tests.
    fn label(&mut self, source: &str, binary: &str) -> String {
        let file = file_name(binary);
        let stem = file.rsplit_once('-').map_or(file, |(stem, _)| stem);
        let label = match source.strip_prefix("unittests ") {
            Some(path) => format!("{path}@{stem}"),
            None => source.to_owned(),
        };
        let known = self.binaries.entry(label.clone()).or_default();
        let index = known.iter().position(|b| b == binary).unwrap_or_else(|| {
            known.push(binary.to_owned());
            known.len() - 1
        });
        if index == 0 { label } else { format!("{label}#{}", index + 1) }
    }

    fn close(&mut self, summary: &TestResultLine) -> Result<(), ReportError> {
        let Some(block) = self.block.take() else { return Ok(()) };
        let count = |outcome| block.results.iter().filter(|(_, o)| *o == outcome).count() as u64;
        check_count("passed tests", summary.passed, count(TestOutcome::Passed))?;
        check_count("failed tests", summary.failed, count(TestOutcome::Failed))?;
        check_count("ignored tests", summary.ignored, count(TestOutcome::Skipped))?;
        check_count("tests", block.announced, block.results.len() as u64 + summary.measured)?;
        let mut report = TestReport::new(Runner::CargoTest);
        let mut doc_tests = BTreeMap::new();
        for (name, outcome) in block.results {
            report.record(full_name(&block.target, &name, &mut doc_tests), outcome);
        }
        merge(&mut self.report, report);
        Ok(())
    }

    fn end(mut self) -> Result<Option<TestReport>, ReportError> {
        let Some(block) = self.block else { return Ok(self.report) };
        let Some(name) = block.ended_by() else {
            return Err(ReportError::Incomplete {
                format: ReportFormat::Libtest,
                detail: format!("no `test result` line after `running {} tests`", block.announced),
            });
        };
        let mut report = TestReport::new(Runner::CargoTest);
        let mut doc_tests = BTreeMap::new();
        for (name, outcome) in block.results.into_iter().chain([(name, TestOutcome::Failed)]) {
            report.record(full_name(&block.target, &name, &mut doc_tests), outcome);
        }
        merge(&mut self.report, report);
        Ok(self.report)
    }
}

impl TargetBlock {
    /// The test that ended the program, if one did.
    fn ended_by(&self) -> Option<String> {
        let unfinished = |name: &&String| self.results.iter().all(|(done, _)| done != *name);
        let name = self.open_name.as_ref().or(self.thread.as_ref());
        name.filter(unfinished).filter(|_| self.aborted && !self.in_failures).cloned()
    }

    fn line(&mut self, line: &str) {
        if self.in_failures {
            return;
        }
        if let Some((name, _)) = line.strip_prefix("thread '").and_then(|rest| rest.split_once('\'')) {
            self.thread = Some(name.to_owned());
        }
        // The runtime's last words, and cargo's about a program that a signal ended.
        self.aborted |= line.starts_with("fatal runtime error: ")
            || (line.trim_start().starts_with("process didn't exit successfully: ")
                && line.contains("(signal: "));
        if line == "failures:" || line == "successes:" {
            self.in_failures = true;
            return;
        }
        if let Some((name, rest)) = test_line(line) {
            match outcome(rest) {
                Some(outcome) => self.results.push((name.to_owned(), outcome)),
                None => self.open_name = Some(name.to_owned()),
            }
        } else if let Some(outcome) = outcome(line)
            && let Some(name) = self.open_name.take()
        {
            self.results.push((name, outcome));
        }
    }
}

/// Splits `test NAME ... REST`, also when something without a line end was printed before it.
fn test_line(line: &str) -> Option<(&str, &str)> {
    let (before, rest) = line.split_once(" ... ")?;
    let start = if before.starts_with("test ") { 0 } else { before.rfind("test ")? };
    let name = before[start..].strip_prefix("test ")?;
    let name = name.strip_suffix(" - should panic").unwrap_or(name);
    let known_shape = start == 0 || !name.contains(' ');
    (known_shape && !name.is_empty()).then_some((name, rest))
}

fn outcome(rest: &str) -> Option<TestOutcome> {
    // With `--report-time` a duration follows.
    let word = rest.split(" <").next().unwrap_or(rest).trim_end();
    match word {
        "ok" => Some(TestOutcome::Passed),
        "FAILED" => Some(TestOutcome::Failed),
        "ignored" => Some(TestOutcome::Skipped),
        _ if word.starts_with("FAILED (") => Some(TestOutcome::Failed),
        _ if rest.starts_with("ignored, ") => Some(TestOutcome::Skipped),
        _ => None,
    }
}

/// A documentation test is named by its line, which moves with the code; its place among its namesakes does not.
fn full_name(target: &str, name: &str, doc_tests: &mut BTreeMap<String, u32>) -> String {
    if !target.starts_with("doc@") {
        return if target.is_empty() { name.to_owned() } else { format!("{target} {name}") };
    }
    let (item, rest) = match name.rsplit_once(" (line ") {
        Some((item, line)) => (item, line.split_once(')').map_or("", |(_, rest)| rest)),
        None => (name, ""),
    };
    let stable = format!("{target} {item}{rest}");
    let count = doc_tests.entry(stable.clone()).or_insert(0);
    *count += 1;
    if *count == 1 { stable } else { format!("{stable} #{count}") }
}

fn announced(line: &str) -> Option<u64> {
    let rest = line.strip_prefix("running ")?;
    let number = rest.strip_suffix(" tests").or_else(|| rest.strip_suffix(" test"))?;
    number.parse().ok()
}

struct TestResultLine {
    passed: u64,
    failed: u64,
    ignored: u64,
    measured: u64,
}

impl TestResultLine {
    fn parse(line: &str) -> Option<Self> {
        let rest = line.strip_prefix("test result: ")?;
        let (_, counts) = rest.split_once(". ")?;
        let count = |what: &str| {
            counts.split(';').find_map(|part| part.trim().strip_suffix(what)?.trim().parse::<u64>().ok())
        };
        Some(Self {
            passed: count(" passed")?,
            failed: count(" failed")?,
            ignored: count(" ignored")?,
            measured: count(" measured").unwrap_or(0),
        })
    }

    fn fits(&self, block: &TargetBlock) -> bool {
        let count = |outcome| block.results.iter().filter(|(_, o)| *o == outcome).count() as u64;
        self.passed == count(TestOutcome::Passed)
            && self.failed == count(TestOutcome::Failed)
            && self.ignored == count(TestOutcome::Skipped)
    }
}

#[cfg(test)]
mod tests;
