//! What each test showed before the work: an assertion that failed, code that is missing, another error, or a pass.
//!
//! For people and for evidence; [`super::classify`] decides whether the run is red.

use windlass_core::event::{RedReason, RedTest, RedTests};
use windlass_core::report::{Runner, TestOutcome};

use super::errors::{languages_of, read_errors};
use super::owned::OwnedFiles;
use super::verdict::{Red, RedInput};
use crate::runner::row;
use crate::text::plain;

/// How many characters of a message are kept.
const SAID: usize = 160;

/// The tests of a red run, by name.
pub fn red_tests(input: &RedInput<'_>, verdict: &Red) -> RedTests {
    match verdict {
        Red::Assertion { all, .. } => {
            let text = plain(input.output);
            all.iter().map(|name| (name.clone(), one(input, &text, name))).collect()
        }
        Red::MissingCode { names, missing } => {
            let said: String = format!("missing: {}", missing.join(", ")).chars().take(SAID).collect();
            let test = RedTest { reason: RedReason::MissingCode, said };
            names.iter().map(|name| (name.clone(), test.clone())).collect()
        }
        Red::ExitOnly { .. } | Red::NotRed(_) => RedTests::new(),
    }
}

fn one(input: &RedInput<'_>, text: &str, name: &str) -> RedTest {
    let report = input.report;
    match report.and_then(|r| r.tests.get(name)) {
        Some(TestOutcome::Passed) => return RedTest { reason: RedReason::Passed, said: String::new() },
        Some(TestOutcome::Failed | TestOutcome::Errored | TestOutcome::Skipped) => {}
        // Its file did not even load.
        None => return RedTest { reason: RedReason::MissingCode, said: String::new() },
    }
    let message = report.and_then(|r| r.messages.get(name)).cloned();
    let message = message.or_else(|| section(text, name)).unwrap_or_default();
    let owned = OwnedFiles { files: input.owned, names: input.provides, present: input.present };
    let missing = languages_of(input.runner, input.test_files)
        .into_iter()
        .any(|language| !read_errors(language, &message, owned, input.test_files).missing.is_empty());
    let reason = if missing {
        RedReason::MissingCode
    } else if is_assertion(input.runner, &message) {
        RedReason::Assertion
    } else {
        RedReason::Error
    };
    RedTest { reason, said: telling(&message) }
}

/// What cargo's harness printed about one test.
fn section(text: &str, name: &str) -> Option<String> {
    let short = name.split_once(' ').map_or(name, |(_, short)| short);
    let (_, rest) = text.split_once(&format!("---- {short} stdout ----\n"))?;
    let end = rest.find("\n---- ").or_else(|| rest.find("\nfailures:\n")).unwrap_or(rest.len());
    Some(rest[..end].to_owned())
}

fn is_assertion(runner: Option<Runner>, message: &str) -> bool {
    const SIGNS: [&str; 9] = [
        "AssertionError",
        "ERR_ASSERTION",
        "assertion",
        "DID NOT RAISE",
        "E       assert ",
        "expect(",
        "Expected:",
        "Expected values to be",
        "expected ",
    ];
    let silent = message.trim().is_empty();
    let by_runner = runner.is_some_and(|runner| (row(runner).is_assertion)(message));
    by_runner || silent || SIGNS.iter().any(|sign| message.contains(sign))
}

/// The most telling line of a message.
fn telling(message: &str) -> String {
    let lines = || message.lines().map(str::trim).filter(|line| !line.is_empty());
    let marked =
        lines().find_map(|line| line.strip_prefix("E   ").or_else(|| line.strip_prefix("E "))).map(str::trim);
    let panicked = lines().skip_while(|line| !line.contains("panicked at")).nth(1);
    let error = lines().find(|line| line.contains("Error") || line.contains("assertion"));
    let line = marked.or(panicked).or(error).or_else(|| lines().next()).unwrap_or_default();
    line.chars().take(SAID).collect()
}

#[cfg(test)]
mod tests;
