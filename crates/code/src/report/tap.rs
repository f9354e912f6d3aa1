//! TAP, versions 12 to 14, with sub-tests; several documents in one stream are several calls.
//!
//! Without a plan line there is no report. What a test is differs: usually every result is one, node-tap counts
//! assertions and names tests by their sub-tests, tape puts a comment with the title in front of its assertions. tape does
//! not catch what a test throws: the program ends there, without a plan, and the exception follows the title.

use windlass_core::report::{Runner, TestOutcome, TestReport};

use super::source::{ReportError, check_count, keep_message, merge};
use crate::text::strip_ansi;

/// What counts as a test.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum TapUnit {
    /// Every result that is not made of others.
    Result,
    /// The innermost sub-test: the results inside it are assertions.
    Subtest,
    /// The comment in front of assertions.
    Title,
}

/// Reads every document; `Ok(None)` when the output is not TAP.
pub(super) fn read(runner: Runner, bytes: &[u8], unit: TapUnit) -> Result<Option<TestReport>, ReportError> {
    let text = String::from_utf8_lossy(bytes);
    let text = strip_ansi(&text);
    let mut stream = TapReader {
        runner,
        unit,
        title: None,
        said: Vec::new(),
        begun: false,
        summing_up: false,
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
    unit: TapUnit,
    /// The last title, and the worst result below it.
    title: Option<(String, Option<TestOutcome>)>,
    /// What the program printed since the last title or result.
    said: Vec<String>,
    /// Whether the line that TAP begins with was read: a comment before it is no title.
    begun: bool,
    /// Whether the plan at the end of a document was read.
    summing_up: bool,
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
    /// Whether it has sub-tests of its own.
    nested: bool,
}

impl TapReader {
    fn line(&mut self, line: &str) {
        let indent = line.len() - line.trim_start_matches(' ').len();
        let depth = indent / 4;
        let content = &line[indent..];
        if let Some(name) = content.strip_prefix("# Subtest: ") {
            self.levels.truncate(depth);
            if let Some(parent) = self.levels.last_mut() {
                parent.nested = true;
            }
            let name = name.trim().to_owned();
            self.levels.push(OpenSubtest { name, results: 0, failed: false, nested: false });
        } else if let Some(title) = content.strip_prefix("# ").filter(|_| self.unit == TapUnit::Title) {
            self.end_title();
            self.said.clear();
            // What follows the plan is a summary.
            if !self.summing_up {
                self.title = Some((title.trim().to_owned(), None));
            }
        } else if content.starts_with("TAP version") {
            self.summing_up = false;
            self.begun = true;
        } else if content.starts_with("Bail out!") {
            self.document.record("Bail out!", TestOutcome::Errored);
        } else if let Some(count) = plan(content) {
            if depth == 0 {
                self.end_title();
                self.summing_up = true;
                self.planned = self.planned.saturating_add(count);
                self.plans += 1;
            }
        } else if let Some(result) = TapResult::parse(content) {
            self.said.clear();
            self.result(&result, depth);
        } else if !content.is_empty() {
            self.said.push(line.to_owned());
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
        if self.unit == TapUnit::Title {
            let (_, worst) = self.title.get_or_insert_with(|| (result.description.to_owned(), None));
            if *worst != Some(TestOutcome::Failed) {
                *worst = Some(result.outcome);
            }
            return;
        }
        // The line that closes a sub-test has its parent's depth and repeats its name.
        let bad = result.outcome == TestOutcome::Failed;
        self.end_unfinished(bad, depth);
        let closed = if self.levels.len() > depth { self.levels.drain(depth..).next() } else { None };
        if let Some(parent) = self.levels.last_mut() {
            parent.results += 1;
            parent.failed |= bad;
        }
        let made_of_others = |closed: &OpenSubtest| match self.unit {
            TapUnit::Subtest => closed.nested,
            TapUnit::Result | TapUnit::Title => closed.results > 0 && (closed.failed || !bad),
        };
        // An assertion is not a test of its own where sub-tests are.
        let assertion = self.unit == TapUnit::Subtest && closed.is_none() && !self.levels.is_empty();
        // node-tap's outermost sub-tests are files: one that failed without any result did not load.
        let unloaded = |closed: &OpenSubtest| closed.results == 0 && !closed.nested;
        let whole =
            self.unit == TapUnit::Subtest && depth == 0 && bad && closed.as_ref().is_some_and(unloaded);
        let outcome = if whole { TestOutcome::Errored } else { result.outcome };
        let skipped = result.outcome == TestOutcome::Skipped;
        if (assertion && !skipped) || closed.as_ref().is_some_and(made_of_others) {
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
        self.document.record(name, outcome);
    }

    /// node-tap ends a file that takes too long or crashes with one result for all of it: the sub-test that was open has failed.
    fn end_unfinished(&mut self, bad: bool, depth: usize) {
        if bad && self.unit == TapUnit::Subtest && self.levels.len() > depth + 1 {
            let names: Vec<&str> = self.levels.iter().map(|level| level.name.as_str()).collect();
            self.document.record(names.join(" > "), TestOutcome::Failed);
        }
    }

    /// The next title, and the plan at the end, come when the test has ended: one without assertions has passed.
    fn end_title(&mut self) {
        if let Some((title, outcome)) = self.title.take() {
            self.document.record(title, outcome.unwrap_or(TestOutcome::Passed));
        }
    }

    fn end(mut self) -> Result<Option<TestReport>, ReportError> {
        if self.plans == 0 {
            return Ok(self.broken_off());
        }
        // Without a plan behind it the last test did not end.
        if let Some((title, Some(outcome))) = self.title.take() {
            self.document.record(title, outcome);
        }
        // A line that looks like a plan, without any result, is other output.
        if self.results == 0 && self.planned > 0 {
            return Ok(None);
        }
        check_count("tests in its plan", self.planned, self.results)?;
        merge(&mut self.report, self.document);
        Ok(self.report)
    }

    /// The report of a stream that ended with an exception in the test of the last title. One that ends without a word was
    /// cut off, and is none.
    fn broken_off(mut self) -> Option<TestReport> {
        let (title, _) = self.title.take()?;
        if self.said.is_empty() || !self.begun {
            return None;
        }
        keep_message(&mut self.document, &title, &self.said.join("\n"));
        self.document.record(title, TestOutcome::Failed);
        Some(self.document)
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
