//! Is this run red for the right reason?
//!
//! The report is asked first, then what the tools printed. The order of the questions is the order of the functions.

use windlass_core::event::TestAuthor;
use windlass_core::failure::{misses_a_network, misses_a_server};
use windlass_core::path_text::file_name;
use windlass_core::report::{TestOutcome, TestReport};

use super::errors::{Errors, Wrong, languages_of, read_errors};
use super::owned::OwnedFiles;
use super::verdict::{NotRed, Red, RedInput, RunExit};
use crate::runner::{builds_first, undefined_global};
use crate::syntax::{language_of, parses, tests};
use crate::text::plain;

/// Judges a run on base + tests.
pub fn classify(input: &RedInput<'_>) -> Red {
    let code = match input.exit {
        RunExit::Signal(ABORT) | RunExit::Code(ABORTED) if asserted(input) => ABORTED,
        RunExit::Signal(signal) => return Red::NotRed(NotRed::Signal(signal)),
        RunExit::TimedOut => return Red::NotRed(NotRed::TimedOut),
        RunExit::NotStarted => return Red::NotRed(NotRed::NotStarted),
        RunExit::Code(code @ (126 | 127)) => return Red::NotRed(NotRed::CommandNotFound(code)),
        // The shell's way of saying that a signal ended the command.
        RunExit::Code(code @ 129..=159) => return Red::NotRed(NotRed::Signal(code - 128)),
        RunExit::Code(code) => code,
    };
    let case = Case { input, text: plain(input.output), code };
    match input.report {
        Some(report) => case.with_report(report),
        // A runner that leaves no report has not run, whatever its exit code says.
        None if code == 0 && input.runner.is_some() => Red::NotRed(NotRed::NoTests),
        None if code == 0 => Red::NotRed(NotRed::Passed),
        None if input.runner.is_some() => case.by_errors(&case.text, Vec::new()),
        None => case.by_exit(),
    }
}

/// The signal that a program without a runner ends itself by when an assertion fails, and what a shell makes of it.
const ABORT: i32 = 6;
const ABORTED: i32 = 128 + ABORT;

/// Whether a program that is its own runner has said that an assertion failed: `assert` of C.
fn asserted(input: &RedInput<'_>) -> bool {
    input.report.is_none()
        && input.runner.is_none()
        && plain(input.output).lines().any(|line| line.contains("Assertion ") && line.contains("failed"))
}

struct Case<'a> {
    input: &'a RedInput<'a>,
    text: String,
    code: i32,
}

impl Case<'_> {
    fn with_report(&self, report: &TestReport) -> Red {
        let names = |outcome| report.names(outcome).map(str::to_owned).collect::<Vec<_>>();
        let failed = names(TestOutcome::Failed);
        let errored = names(TestOutcome::Errored);
        if failed.is_empty() && errored.is_empty() {
            return self.none_failed(report);
        }
        let (mut files, errored_tests): (Vec<String>, Vec<String>) =
            errored.into_iter().partition(|name| is_whole(name));
        if failed.is_empty() {
            return self
                .by_errors(&self.said_about(report, &files, &errored_tests), names(TestOutcome::Passed));
        }
        if let Some(wrong) = self.foreign_failure(report, &failed) {
            return wrong;
        }
        // A file whose tests ran and failed did load; what its runner says about the whole file afterwards, such as
        // snapshots that no test reached, follows from the failures. At green it still counts as an error.
        files.retain(|file| !failed.iter().any(|name| in_one_of(name, std::slice::from_ref(file))));
        let mut all: Vec<String> = [TestOutcome::Passed, TestOutcome::Failed]
            .into_iter()
            .flat_map(names)
            .chain(errored_tests)
            .collect();
        if !files.is_empty() {
            // Some tests ran and failed, and a file beside them did not even load: that has to be for a good reason too.
            match self.by_errors(&self.said_about(report, &files, &[]), Vec::new()) {
                Red::MissingCode { names, .. } => {
                    all.extend(names.into_iter().filter(|name| in_one_of(name, &files)));
                }
                Red::Assertion { .. } | Red::ExitOnly { .. } => {}
                Red::NotRed(reason) => return Red::NotRed(reason),
            }
        }
        all.sort();
        Red::Assertion { failed, all }
    }

    fn none_failed(&self, report: &TestReport) -> Red {
        let passed: Vec<String> = report.names(TestOutcome::Passed).map(str::to_owned).collect();
        let skipped: Vec<String> = report.names(TestOutcome::Skipped).map(str::to_owned).collect();
        if self.code == 0 && !passed.is_empty() {
            Red::NotRed(NotRed::Passed)
        } else if passed.is_empty() && !skipped.is_empty() {
            Red::NotRed(NotRed::Skipped { names: skipped })
        } else if passed.is_empty() {
            self.by_errors(&self.text, Vec::new())
        } else {
            Red::NotRed(NotRed::NoneFailed { passed })
        }
    }

    /// The runner's messages about these names, or the whole output when one has no message.
    fn said_about(&self, report: &TestReport, files: &[String], tests: &[String]) -> String {
        let messages: Option<Vec<&str>> =
            files.iter().chain(tests).map(|name| report.messages.get(name).map(String::as_str)).collect();
        match messages {
            // A blank block border keeps one file's last words from being another's.
            Some(messages) => messages.join("\n____ ERROR ____\n"),
            None => self.text.clone(),
        }
    }

    fn owned(&self) -> OwnedFiles<'_> {
        OwnedFiles { files: self.input.owned, names: self.input.provides, present: self.input.present }
    }

    fn errors(&self, text: &str) -> Errors {
        let mut all = Errors::default();
        for language in languages_of(self.input.runner, self.input.test_files) {
            let errors = read_errors(language, text, self.owned(), self.input.test_files);
            errors.missing.into_iter().for_each(|name| all.missing(name));
            for wrong in errors.wrong {
                // A test that uses the task's own code in another way waits for that code.
                match wrong.unfit(self.input.declared) {
                    Some(name) => all.missing(format!("another `{name}`")),
                    None => all.wrong(wrong),
                }
            }
        }
        all
    }

    /// Nothing failed by name: is everything that went wrong code that is still to be written?
    fn by_errors(&self, text: &str, passed: Vec<String>) -> Red {
        let errors = self.errors(text);
        if !errors.wrong.is_empty() {
            return Red::NotRed(self.wrong_reason(&errors.wrong));
        }
        if errors.missing.is_empty() {
            return Red::NotRed(self.nothing_said(text, passed));
        }
        let items: Vec<(String, bool)> = self
            .input
            .test_files
            .iter()
            .flat_map(|(path, bytes)| {
                tests(path, bytes).into_iter().map(|item| (item.name_in(path), item.skipped))
            })
            .collect();
        let names: Vec<String> =
            items.iter().filter(|(_, skipped)| !skipped).map(|(name, _)| name.clone()).collect();
        match (items.is_empty(), names.is_empty()) {
            (false, true) => {
                Red::NotRed(NotRed::Skipped { names: items.into_iter().map(|(name, _)| name).collect() })
            }
            // Tests can be generated, or written in a way that only the runner understands; a person's file is believed
            // until green, when at least one test has to pass. An agent that wrote no test is asked again.
            (true, true) if !self.input.test_files.is_empty() && self.input.author == TestAuthor::Agent => {
                Red::NotRed(NotRed::NoTests)
            }
            _ => Red::MissingCode { names, missing: errors.missing },
        }
    }

    fn wrong_reason(&self, wrong: &[Wrong]) -> NotRed {
        let syntax = wrong.iter().any(|wrong| matches!(wrong, Wrong::Syntax(_)));
        if syntax && let Some(error) = self.syntax_error() {
            return error;
        }
        let mut evidence: Vec<String> = wrong.iter().take(5).map(|wrong| wrong.line().to_owned()).collect();
        evidence.extend(wrong.iter().find_map(|wrong| self.undefined_global(wrong.line())));
        let around = |wrong: &Wrong| {
            matches!(wrong, Wrong::Foreign(_))
                || misses_a_server(wrong.line())
                || misses_a_network(wrong.line())
        };
        if self.did_not_begin() || wrong.iter().all(around) {
            NotRed::Environment { evidence }
        } else {
            NotRed::WrongReason { evidence }
        }
    }

    /// What to import, if a test uses a name as if its runner defined it.
    fn undefined_global(&self, error: &str) -> Option<String> {
        let (_, bytes) = self.input.test_files.first()?;
        undefined_global(self.input.runner?, error, &String::from_utf8_lossy(bytes))
    }

    /// The first test file that does not parse.
    fn syntax_error(&self) -> Option<NotRed> {
        self.input.test_files.iter().find_map(|(path, bytes)| {
            let error = parses(language_of(path)?, bytes).err()?;
            Some(NotRed::SyntaxError { file: path.clone(), line: error.line, column: error.column })
        })
    }

    /// The run failed without an error that is understood.
    fn nothing_said(&self, text: &str, passed: Vec<String>) -> NotRed {
        const GONE: [&str; 6] = [
            "Cannot open file \"",
            "file or directory not found",
            "no test target named",
            "Could not find '",
            "directory not found",
            "cannot open ",
        ];
        const NONE: [&str; 12] = [
            "No examples found",
            "No tests executed",
            "No tests were executed",
            "No tests matching",
            "No tests were found",
            "Ran 0 tests",
            "no tests ran",
            "No test files found",
            "No tests found",
            "collected 0 items",
            "no test files",
            "no tests to run",
        ];
        let says = |words: &[&str]| words.iter().any(|words| self.text.contains(words));
        if says(&GONE) {
            NotRed::TestFileMissing
        } else if says(&NONE) || self.input.report.is_some_and(|report| report.tests.is_empty()) {
            if self.input.test_files.is_empty() { NotRed::TestFileMissing } else { NotRed::NoTests }
        } else if !passed.is_empty() {
            NotRed::NoneFailed { passed }
        } else {
            let evidence = last_words(text);
            match evidence.is_empty() {
                true => NotRed::NoTests,
                false if self.did_not_begin() || misses_a_network(text) || misses_a_server(text) => {
                    NotRed::Environment { evidence }
                }
                false => NotRed::WrongReason { evidence },
            }
        }
    }

    /// Whether the runner ended before it came to anything of the task: it left no report, and what it says is about no file of
    /// the task. A plug-in that does not fit, a configuration that it cannot read. What a compiler says is about code.
    fn did_not_begin(&self) -> bool {
        let tests = self.input.test_files.iter().map(|(path, _)| path.as_str());
        let mut files = tests.chain(self.input.owned.iter().map(String::as_str));
        let is_named = |path: &str| {
            let name = file_name(path);
            self.text.contains(name)
        };
        let begins = self.input.runner.is_some_and(|runner| !builds_first(runner));
        self.input.report.is_none() && begins && !files.any(is_named)
    }

    /// A test that fails because a foreign package is missing can never pass, whatever the task writes.
    fn foreign_failure(&self, report: &TestReport, failed: &[String]) -> Option<Red> {
        let evidence: Vec<String> = failed
            .iter()
            .filter_map(|name| report.messages.get(name))
            .flat_map(|message| self.errors(message).wrong)
            .filter(|wrong| matches!(wrong, Wrong::Foreign(_)))
            .map(|wrong| wrong.line().to_owned())
            .take(5)
            .collect();
        (!evidence.is_empty()).then_some(Red::NotRed(NotRed::Environment { evidence }))
    }

    /// The runner is not known: the exit code decides, unless the output shows that the test itself is wrong.
    fn by_exit(&self) -> Red {
        let errors = self.errors(&self.text);
        let at_fault: Vec<Wrong> = errors
            .wrong
            .into_iter()
            .filter(|wrong| matches!(wrong, Wrong::Syntax(_) | Wrong::Foreign(_)))
            .collect();
        let in_test = |wrong: &Wrong| match wrong {
            Wrong::Foreign(_) => true,
            Wrong::Syntax(_) => self.syntax_error().is_some(),
            Wrong::Misfit { .. } | Wrong::Other(_) => false,
        };
        if at_fault.iter().any(in_test) {
            return Red::NotRed(self.wrong_reason(&at_fault));
        }
        if let Some(error) = self.shell_error() {
            return Red::NotRed(error);
        }
        Red::ExitOnly { code: self.code }
    }

    /// `tests/x.sh: line 3: syntax error` (bash) and `tests/x.sh: 3: Syntax error` (dash).
    fn shell_error(&self) -> Option<NotRed> {
        self.input.test_files.iter().find_map(|(path, _)| {
            self.text.lines().find_map(|line| {
                let (_, rest) = line.split_once(path.as_str())?;
                if rest.is_empty() && line.contains("cannot open") || rest.starts_with(": No such file") {
                    return Some(NotRed::TestFileMissing);
                }
                let rest = rest.strip_prefix(": ")?;
                let number = rest.strip_prefix("line ").unwrap_or(rest);
                let digits = number.find(|c: char| !c.is_ascii_digit())?;
                let said = number.get(digits..)?.to_ascii_lowercase();
                let line = number.get(..digits)?.parse().ok()?;
                said.contains("syntax error").then(|| NotRed::SyntaxError {
                    file: path.clone(),
                    line,
                    column: 1,
                })
            })
        })
    }
}

/// What a run says about its failure that is not understood: the lines with an error, each once, or else the last ones.
fn last_words(text: &str) -> Vec<String> {
    const MOST: usize = 3;
    let lines =
        || text.lines().map(|line| line.trim().trim_end_matches(['\'', '"'])).filter(|l| !l.is_empty());
    let mut errors: Vec<&str> = Vec::new();
    for line in lines() {
        let Some((_, said)) = line.split_once("rror: ") else { continue };
        if !errors.iter().any(|known| known.ends_with(said)) {
            errors.push(line);
        }
    }
    if errors.is_empty() {
        errors = lines().rev().take(MOST).collect();
        errors.reverse();
    }
    errors.into_iter().take(MOST).map(str::to_owned).collect()
}

/// Whether a name stands for a whole file or package that did not load.
fn is_whole(name: &str) -> bool {
    let repeated = name.split_once(" > ").is_some_and(|(file, title)| file == title);
    repeated || !(name.contains("::") || name.contains(" > ") || name.contains(' '))
}

fn in_one_of(name: &str, files: &[String]) -> bool {
    files.iter().any(|file| {
        let file = file.split_once(" > ").map_or(file.as_str(), |(file, _)| file);
        name.starts_with(file) || name.contains(&format!("/{file}"))
    })
}

#[cfg(test)]
mod tests;
