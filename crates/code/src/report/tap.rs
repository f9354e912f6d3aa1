//! TAP, versions 12 to 14, with sub-tests; several documents in one stream are several calls.
//!
//! Without a plan line there is no report.

use windlass_core::report::{Runner, TestOutcome, TestReport};

use super::source::{ReportError, check_count, merge};
use crate::text::strip_ansi;

/// Reads every document; `Ok(None)` when the output is not TAP.
pub(super) fn read(runner: Runner, bytes: &[u8]) -> Result<Option<TestReport>, ReportError> {
    let text = String::from_utf8_lossy(bytes);
    let text = strip_ansi(&text);
    let mut stream = TapReader {
        runner,
        report: None,
        document: TestReport::new(runner),
        planned: 0,
        plans: 0,
        results: 0,
        last_number: 0,
        levels: Vec::new(),
    };
    for line in text.lines() {
        stream.line(line);
    }
    stream.end()
}

struct TapReader {
    runner: Runner,
    /// The documents that are complete.
    report: Option<TestReport>,
    document: TestReport,
    planned: u64,
    plans: u64,
    results: u64,
    last_number: u64,
    /// Sub-tests that are open, outermost first: their names, and whether something below failed.
    levels: Vec<OpenSubtest>,
}

struct OpenSubtest {
    name: String,
    results: u64,
    failed: bool,
}

impl TapReader {
    fn line(&mut self, line: &str) {
        let indent = line.len() - line.trim_start_matches(' ').len();
        let depth = indent / 4;
        let content = &line[indent..];
        if let Some(name) = content.strip_prefix("# Subtest: ") {
            self.levels.truncate(depth);
            self.levels.push(OpenSubtest { name: name.trim().to_owned(), results: 0, failed: false });
        } else if content.starts_with("Bail out!") {
            self.document.record("Bail out!", TestOutcome::Errored);
        } else if let Some(count) = plan(content) {
            if depth == 0 {
                self.planned = self.planned.saturating_add(count);
                self.plans += 1;
            }
        } else if let Some(result) = TapResult::parse(content) {
            self.result(&result, depth);
        }
    }

    fn result(&mut self, result: &TapResult<'_>, depth: usize) {
        if depth == 0 {
            if result.number == Some(1) && self.last_number > 0 {
                let done = std::mem::replace(&mut self.document, TestReport::new(self.runner));
                merge(&mut self.report, done);
            }
            self.last_number = result.number.unwrap_or(self.last_number + 1);
            self.results += 1;
        }
        // The line that closes a sub-test has its parent's depth and repeats its name.
        let closed = if self.levels.len() > depth { self.levels.drain(depth..).next() } else { None };
        let bad = result.outcome == TestOutcome::Failed;
        if let Some(parent) = self.levels.last_mut() {
            parent.results += 1;
            parent.failed |= bad;
        }
        if let Some(closed) = closed
            && closed.results > 0
            && (closed.failed || !bad)
        {
            return;
        }
        let mut name = String::new();
        for level in self.levels.iter().take(depth) {
            name.push_str(&level.name);
            name.push_str(" > ");
        }
        if result.description.is_empty() {
            name.push('#');
            name.push_str(&self.last_number.to_string());
        } else {
            name.push_str(result.description);
        }
        self.document.record(name, result.outcome);
    }

    fn end(mut self) -> Result<Option<TestReport>, ReportError> {
        // A line that looks like a plan, without any result, is other output.
        if self.plans == 0 || (self.results == 0 && self.planned > 0) {
            return Ok(None);
        }
        check_count("tests in its plan", self.planned, self.results)?;
        merge(&mut self.report, self.document);
        Ok(self.report)
    }
}

fn plan(content: &str) -> Option<u64> {
    let rest = content.strip_prefix("1..")?;
    let digits = rest.split([' ', '#']).next()?;
    digits.parse().ok()
}

struct TapResult<'a> {
    outcome: TestOutcome,
    number: Option<u64>,
    description: &'a str,
}

impl<'a> TapResult<'a> {
    fn parse(content: &'a str) -> Option<Self> {
        let (passed, rest) = match content.strip_prefix("not ok") {
            Some(rest) => (false, rest),
            None => (true, content.strip_prefix("ok")?),
        };
        if !rest.is_empty() && !rest.starts_with(' ') {
            return None;
        }
        let rest = rest.trim_start();
        let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
        let number = rest[..digits].parse().ok();
        let rest = rest[digits..].trim_start();
        let rest = rest.strip_prefix("- ").or_else(|| rest.strip_prefix('-')).unwrap_or(rest);
        let (description, directive) = split_directive(rest);
        Some(Self { outcome: outcome(passed, directive), number, description: description.trim() })
    }
}

/// Splits at the first ` # ` that is not escaped.
fn split_directive(rest: &str) -> (&str, &str) {
    let mut from = 0;
    while let Some(at) = rest[from..].find('#').map(|at| at + from) {
        let free = at == 0 || rest.as_bytes()[at - 1] == b' ';
        if free {
            return (&rest[..at], rest[at + 1..].trim_start());
        }
        from = at + 1;
    }
    (rest, "")
}

fn outcome(passed: bool, directive: &str) -> TestOutcome {
    let word = directive.get(..4).unwrap_or_default();
    if word.eq_ignore_ascii_case("skip") || word.eq_ignore_ascii_case("todo") {
        TestOutcome::Skipped
    } else if passed {
        TestOutcome::Passed
    } else {
        TestOutcome::Failed
    }
}

#[cfg(test)]
mod tests;
