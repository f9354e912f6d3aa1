//! The same expectations in other words: tests must pass as before.
//!
//! Code that knows the text of its tests could pass them as they are written and fail every changed one, so that they seem to
//! bite. Where the changed code could look at its tests, their values are written in another way, all in one run.
//! A test is refused only if it fails so, or does not end, twice and passes plainly in between.

use windlass_code::expectation::{SourceEdit, other_titles, with_edits};
use windlass_core::failure::BlindSign;

use super::super::gates::Bench;
use super::super::script::ScriptRun;
use super::judge::{self, Outcome};
use super::pick::MutatedTest;
use super::survivor::no_bite;
use crate::early_end::EarlyEnd;
use crate::process::ProcessExit;

impl Bench<'_> {
    /// Runs the tests with their values written in another way.
    pub(super) async fn restated(
        &mut self,
        script: &str,
        tests: &[MutatedTest],
        named: bool,
    ) -> Result<(), EarlyEnd> {
        let files = restated_files(tests);
        if files.is_empty() {
            return Ok(());
        }
        let first = self.run_changed(script, &files).await?;
        let outcome = |test: &MutatedTest, run: &ScriptRun| {
            let by_name = || judge::outcome(&test.seen.test, judge::report_of(run));
            let seen = if named { by_name() } else { judge::of_script(run) };
            // The same value gives no reason to go on for longer than before.
            let hangs = seen == Outcome::Unknown && matches!(run.exit, ProcessExit::TimedOut(_));
            if hangs { Outcome::Failed } else { seen }
        };
        let failed: Vec<&MutatedTest> =
            tests.iter().filter(|test| outcome(test, &first) == Outcome::Failed).collect();
        if failed.is_empty() {
            return Ok(());
        }
        let plain = self.run_changed(script, &[]).await?;
        let again = self.run_changed(script, &files).await?;
        let certain = failed.into_iter().find(|test| {
            outcome(test, &plain) == Outcome::Passed && outcome(test, &again) == Outcome::Failed
        });
        match certain {
            Some(test) => Err(no_bite(test, BlindSign::OnlyAsWritten, &again)),
            None => Ok(()),
        }
    }
}

/// The test files with every value that can be written in another way.
fn restated_files(tests: &[MutatedTest]) -> Vec<(String, Vec<u8>)> {
    let mut out: Vec<(String, Vec<u8>)> = Vec::new();
    for test in tests {
        if out.iter().any(|(path, _)| *path == test.path) {
            continue;
        }
        let own = tests.iter().filter(|other| other.path == test.path);
        let titles = other_titles(&test.path, &test.right);
        let mut edits: Vec<&SourceEdit> = Vec::new();
        let same = own.flat_map(|other| &other.seen.mutants).flat_map(|mutant| &mutant.same);
        for edit in same.chain(&titles) {
            let apart = |other: &&SourceEdit| {
                other.range.end < edit.range.start || edit.range.end < other.range.start
            };
            if edits.iter().all(apart) {
                edits.push(edit);
            }
        }
        if !edits.is_empty() {
            out.extend(with_edits(&test.right, &edits).map(|bytes| (test.path.clone(), bytes)));
        }
    }
    out
}
