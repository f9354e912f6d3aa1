//! The same expectations in other words: tests must pass as before.
//!
//! Code that knows the text of its tests could pass them as they are written and fail every changed one, so that they seem to
//! bite. Where the changed code could look at its tests, their values are written in another way, all in one run.
//! A test is refused only if it fails so, or does not end, twice and passes plainly in between.
//!
//! Code that notices a failure (its value is printed, its resources are not freed) could be right from then on, and every test
//! that is changed together with an honest one would seem to bite. So one assertion at the beginning of each file fails in this
//! run. A test that fails only then is changed alone, value by value.

use windlass_code::expectation::{ExpectationMutant, SourceEdit, other_titles, with_edits};
use windlass_core::failure::BlindSign;
use windlass_core::report::TestOutcome;

use windlass_code::syntax::same_test;

use super::super::gates::Bench;
use super::super::script::{NamedResults, ScriptRun};
use super::LOOKED_INTO;
use super::judge::{self, Outcome};
use super::pick::MutatedTest;
use super::survivor::no_bite;
use crate::early_end::EarlyEnd;
use crate::process::ProcessExit;

/// The most values of a test that are changed alone.
const ALONE: usize = 6;

/// The tests with their values written in another way.
pub(super) struct Restatement {
    pub(super) files: Vec<(String, Vec<u8>)>,
    failures: Vec<FirstFailure>,
    results: NamedResults,
    /// The run with these files, once it was made.
    pub(super) run: Option<ScriptRun>,
}

impl Restatement {
    /// None if no value can be written in another way.
    pub(super) fn of(tests: &[MutatedTest], results: NamedResults) -> Option<Self> {
        let failures = match results {
            NamedResults::Wanted => first_failures(tests),
            NamedResults::No => Vec::new(),
        };
        let files = restated_files(tests, &failures);
        (!files.is_empty()).then_some(Self { files, failures, results, run: None })
    }
}

impl Bench<'_> {
    /// Runs the tests with their values written in another way, unless that was done beside another run, and judges them.
    pub(super) async fn restated(
        &mut self,
        script: &str,
        tests: &[MutatedTest],
        restatement: Option<Restatement>,
    ) -> Result<(), EarlyEnd> {
        let Some(Restatement { files, failures, results, run }) = restatement else { return Ok(()) };
        let first = match run {
            Some(run) => run,
            None => self.run_changed(script, &files).await?,
        };
        let outcome = |test: &MutatedTest, run: &ScriptRun| {
            let by_name = || judge::outcome(&test.seen.test, judge::report_of(run));
            let seen = match results {
                NamedResults::Wanted => by_name(),
                NamedResults::No => judge::of_script(run),
            };
            // The same value gives no reason to go on for longer than before.
            let hangs = seen == Outcome::Unknown && matches!(run.exit, ProcessExit::TimedOut(_));
            if hangs { Outcome::Failed } else { seen }
        };
        let fails = |test: &&MutatedTest| {
            outcome(test, &first) == Outcome::Failed && !is_meant(test, &failures, &first)
        };
        let failed: Vec<&MutatedTest> = tests.iter().filter(fails).collect();
        if failed.is_empty() {
            return Ok(());
        }
        let files = restated_files(tests, &[]);
        let plain = self.run_changed(script, &[]).await?;
        let again = self.run_changed(script, &files).await?;
        let (certain, after_another): (Vec<&MutatedTest>, Vec<&MutatedTest>) = failed
            .into_iter()
            .partition(|test| outcome(test, &again) == Outcome::Failed && !files.is_empty());
        match certain.into_iter().find(|test| outcome(test, &plain) == Outcome::Passed) {
            // What failed first may have been the failure beside it.
            Some(test) if failures.is_empty() => return Err(no_bite(test, BlindSign::OnlyAsWritten, &again)),
            Some(test) if outcome(test, &self.run_changed(script, &files).await?) == Outcome::Failed => {
                return Err(no_bite(test, BlindSign::OnlyAsWritten, &again));
            }
            Some(_) | None => {}
        }
        self.each_alone(script, &after_another).await
    }

    /// Tests that fail after another one has failed, and not without it: each of their values is changed alone.
    async fn each_alone(&mut self, script: &str, tests: &[&MutatedTest]) -> Result<(), EarlyEnd> {
        let known = self.seen.bites.len();
        for test in tests.iter().take(LOOKED_INTO) {
            for alone in test.with_each(single_changes(&test.seen.mutants)) {
                let run = self.run_changed(script, &alone.mutated()).await?;
                if judge::of_test(&alone, judge::report_of(&run)) == Outcome::Passed {
                    self.survivor(script, &alone, true).await?;
                }
            }
        }
        // What stays uncertain is no news: the test was seen to bite.
        self.seen.bites.truncate(known);
        Ok(())
    }
}

/// A failure at the beginning of a test file.
struct FirstFailure {
    test: String,
    path: String,
    edit: SourceEdit,
    /// Whether a test, or one of its cases, fails by it; else the test goes on.
    fails: bool,
}

/// The first test of every file with a failure in it.
fn first_failures(tests: &[MutatedTest]) -> Vec<FirstFailure> {
    let begins = |test: &MutatedTest| test.mutant().change.iter().map(|edit| edit.range.start).min();
    let mut out: Vec<FirstFailure> = Vec::new();
    let mut sorted: Vec<&MutatedTest> = tests.iter().filter(|test| test.golden.is_none()).collect();
    sorted.sort_by_key(|test| begins(test));
    for test in sorted {
        if out.iter().any(|known| known.path == test.path) {
            continue;
        }
        let (name, path) = (test.seen.test.clone(), test.path.clone());
        let framed = test.seen.primed(&test.right).map(|edit| (edit, false));
        let first = || test.mutant().change.iter().min_by_key(|edit| edit.range.start).cloned();
        // The first test cannot be changed and be the same in other words: which of both it is, is drawn.
        // Of a table only one row is.
        let table = test.mutant().every_case && test.mutant().change.len() > 1;
        let drawn =
            || test.mutant().change.len() == 1 && crate::random_token::random_seed().is_multiple_of(2);
        let changed = || first().filter(|_| table || drawn()).map(|edit| (edit, true));
        let Some((edit, fails)) = framed.or_else(changed) else { continue };
        out.push(FirstFailure { test: name, path, edit, fails });
    }
    out
}

/// Whether a test fails as it is meant to: it is the changed one, and of its cases only one fails.
fn is_meant(test: &MutatedTest, failures: &[FirstFailure], run: &ScriptRun) -> bool {
    let own = |failure: &&FirstFailure| {
        failure.fails && failure.test == test.seen.test && failure.path == test.path
    };
    let Some(_) = failures.iter().find(own) else { return false };
    let report = judge::report_of(run);
    let failed = report.into_iter().flat_map(|report| report.names(TestOutcome::Failed));
    let cases = failed.filter(|name| *name != test.seen.test && same_test(name, &test.seen.test)).count();
    cases <= 1
}

/// The changes of a test one by one, the last one first: those behind another failure are in doubt.
fn single_changes(mutants: &[ExpectationMutant]) -> Vec<ExpectationMutant> {
    let mut out: Vec<ExpectationMutant> = Vec::new();
    for mutant in mutants.iter().filter(|mutant| mutant.changes_a_value()) {
        let edits =
            if mutant.every_case { mutant.change.chunks(1) } else { mutant.change.chunks(usize::MAX) };
        let of = |change: &[SourceEdit]| ExpectationMutant {
            change: change.to_vec(),
            every_case: false,
            ..mutant.clone()
        };
        out.extend(edits.map(of));
    }
    out.sort_by_key(|mutant| std::cmp::Reverse(mutant.change.first().map(|edit| edit.range.start)));
    out.truncate(ALONE);
    out
}

/// The test files with every value that can be written in another way, and with failures at their beginning.
fn restated_files(tests: &[MutatedTest], failures: &[FirstFailure]) -> Vec<(String, Vec<u8>)> {
    let mut out: Vec<(String, Vec<u8>)> = Vec::new();
    for test in tests {
        if out.iter().any(|(path, _)| *path == test.path) {
            continue;
        }
        let own = tests.iter().filter(|other| other.path == test.path);
        let titles = other_titles(&test.path, &test.right);
        let mut edits: Vec<&SourceEdit> = Vec::new();
        let failure =
            failures.iter().filter(|failure| failure.path == test.path).map(|failure| &failure.edit);
        let same = own.flat_map(|other| &other.seen.mutants).flat_map(|mutant| &mutant.same);
        for edit in failure.chain(same).chain(&titles) {
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

#[cfg(test)]
mod tests {
    use super::*;

    fn tests_of(text: &str) -> Vec<MutatedTest> {
        let files = vec![("test_a.py".to_owned(), text.as_bytes().to_vec())];
        Bench::mutants_in("pytest", files, &[], &|_| true).tests
    }

    #[test]
    fn the_first_assertion_of_a_file_fails_once_and_the_test_goes_on() {
        let tests =
            tests_of("def test_a():\n    assert f(1) == 3\n\n\ndef test_b():\n    assert f(2) == 4\n");
        let failures = first_failures(&tests);
        assert_eq!(
            failures.iter().map(|one| (one.test.as_str(), one.fails)).collect::<Vec<_>>(),
            [("test_a.py::test_a", false)]
        );
        let [(_, bytes)] = restated_files(&tests, &failures).try_into().unwrap();
        let text = String::from_utf8(bytes).unwrap();
        assert_eq!((text.matches("try:").count(), text.matches("assert f(1)").count()), (1, 2), "{text}");
        assert!(text.contains("assert f(2) == (4 if "), "{text}");
    }

    #[test]
    fn of_a_table_the_first_row_fails_and_each_row_is_changed_alone() {
        let text = "import pytest\n\n\n@pytest.mark.parametrize('a, b', [(1, 22), (2, 33), (3, 44)])\ndef test_a(a, b):\n    assert f(a) == b\n";
        let tests = tests_of(text);
        let [failure] = first_failures(&tests).try_into().ok().unwrap();
        assert!(failure.fails && failure.edit.range.start < text.find("(2, 33)").unwrap());
        let alone = single_changes(&tests[0].seen.mutants);
        let places: Vec<usize> = alone.iter().map(|one| one.change[0].range.start).collect();
        assert!(alone.len() == 3 && places.is_sorted_by(|a, b| a > b), "{places:?}");
        assert!(alone.iter().all(|one| one.change.len() == 1 && !one.every_case));
    }
}
