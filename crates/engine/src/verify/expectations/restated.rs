//! The same expectations in other words: tests must pass as before.
//!
//! Code that knows the text of its tests could pass them as they are written and fail every changed one, so that they seem to
//! bite. Where the changed code could look at its tests, their values are written in another way, all in one run.
//! A test is refused only if it fails so, or does not end, twice and passes plainly in between.
//!
//! Code that notices a failure (its value is printed, its resources are not freed) could be right from then on, and every test
//! that is changed together with an honest one would seem to bite. So one assertion at the beginning of each file fails in this
//! run. A test that fails only then is changed alone, value by value.

use windlass_code::expectation::{ExpectationMutant, PrimedCopy, SourceEdit, other_titles, with_edits};
use windlass_core::failure::BlindSign;
use windlass_core::report::TestOutcome;

use windlass_code::syntax::same_test;

use super::super::gates::Bench;
use super::super::script::{NamedResults, ScriptRun};
use super::LOOKED_INTO;
use super::further::in_random_order;
use super::judge::{self, Outcome};
use super::pick::{ChangedPart, MutatedTest};
use super::survivor::no_bite;
use crate::early_end::EarlyEnd;
use crate::process::ProcessExit;
use crate::random_token::random_seed;

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
        let files = restated_files(tests, &edits_of(&failures));
        (!files.is_empty()).then_some(Self { files, failures, results, run: None })
    }

    /// The files in which a test has one change and nothing else.
    pub(super) fn changed_paths(&self) -> impl Iterator<Item = &str> {
        self.failures.iter().filter(|one| one.place != FailurePlace::InFront).map(|one| one.path.as_str())
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
        self.changed_beside(script, tests, &failures, &first).await?;
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
        // What fails beside a copy that holds as well is the copy's doing: the code counts its calls.
        let right: Vec<(&str, &SourceEdit)> =
            failures.iter().flat_map(|one| one.right.iter().map(|edit| (one.path.as_str(), edit))).collect();
        let beside_right = match (after_another.as_slice(), right.as_slice()) {
            ([], _) | (_, []) => None,
            _ => Some(self.run_changed(script, &restated_files(tests, &right)).await?),
        };
        let by_failure = |test: &&MutatedTest| {
            beside_right.as_ref().is_none_or(|run| outcome(test, run) != Outcome::Failed)
        };
        let doubted: Vec<&MutatedTest> = after_another.into_iter().filter(by_failure).collect();
        self.each_alone(script, &doubted).await
    }

    /// The tests that have one change and nothing else in the run in other words: they must fail.
    async fn changed_beside(
        &mut self,
        script: &str,
        tests: &[MutatedTest],
        failures: &[FirstFailure],
        run: &ScriptRun,
    ) -> Result<(), EarlyEnd> {
        let known = self.seen.bites.len();
        for failure in failures.iter().filter(|one| one.place == FailurePlace::Test) {
            let own = |test: &&MutatedTest| test.seen.test == failure.test && test.path == failure.path;
            let Some(test) = tests.iter().find(own).and_then(MutatedTest::with_one) else { continue };
            if judge::of_test(&test, judge::report_of(run)) == Outcome::Passed {
                for test in self.divided(script, vec![test], true).await?.blamed {
                    self.survivor(script, &test, true).await?;
                }
            }
        }
        self.seen.bites.truncate(known);
        Ok(())
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

/// Where a failure stands in the run in other words.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum FailurePlace {
    /// In front of the first assertion of a file; the test goes on.
    InFront,
    /// In the first row or the first assertion, by which the test, or a case of it, fails.
    First,
    /// In a test that is drawn, which fails.
    Test,
}

/// A failure in a test file beside tests that must pass.
struct FirstFailure {
    test: String,
    path: String,
    place: FailurePlace,
    edits: Vec<SourceEdit>,
    /// The same place without a failure: shows what a second call of the code does.
    right: Vec<SourceEdit>,
}

impl FirstFailure {
    fn new(test: &MutatedTest, place: FailurePlace, edits: Vec<SourceEdit>) -> Self {
        let (name, path) = (test.seen.test.clone(), test.path.clone());
        Self { test: name, path, place, edits, right: Vec::new() }
    }
}

fn edits_of(failures: &[FirstFailure]) -> Vec<(&str, &SourceEdit)> {
    failures.iter().flat_map(|one| one.edits.iter().map(|edit| (one.path.as_str(), edit))).collect()
}

/// The first test of every file with a failure in it, and another one with a single change.
fn first_failures(tests: &[MutatedTest]) -> Vec<FirstFailure> {
    let begins = |test: &MutatedTest| test.drawn().change.iter().map(|edit| edit.range.start).min();
    let mut out: Vec<FirstFailure> = Vec::new();
    let mut sorted: Vec<&MutatedTest> = tests.iter().filter(|test| test.golden.is_none()).collect();
    sorted.sort_by_key(|test| begins(test));
    for test in &sorted {
        if !out.iter().any(|known| known.path == test.path) {
            out.extend(failure_in_front(test).or_else(|| failure_within(test)));
        }
    }
    for at in in_random_order(sorted.len()) {
        let test = sorted[at];
        let of_path = || out.iter().filter(|known| known.path == test.path);
        // A failure of its own test says that nothing is in front of the others.
        let room =
            of_path().all(|known| known.place == FailurePlace::InFront && known.test != test.seen.test);
        let alone = test.extent == ChangedPart::All && !test.drawn().every_case;
        if room && of_path().count() == 1 && alone && test.drawn().changes_a_value() {
            out.push(FirstFailure::new(test, FailurePlace::Test, test.drawn().change.clone()));
        }
    }
    out
}

/// A wrong copy of the first assertion in front of it.
fn failure_in_front(test: &MutatedTest) -> Option<FirstFailure> {
    let edits = test.seen.primed(&test.right, PrimedCopy::Wrong)?;
    let right = test.seen.primed(&test.right, PrimedCopy::Right).unwrap_or_default();
    Some(FirstFailure { right, ..FirstFailure::new(test, FailurePlace::InFront, edits) })
}

/// The first change of a test. It cannot be changed and be the same in other words: which of both it is, is drawn. Of a table only one
/// row is.
fn failure_within(test: &MutatedTest) -> Option<FirstFailure> {
    let mutant = test.drawn();
    let table = mutant.every_case && mutant.change.len() > 1;
    let drawn = || mutant.change.len() == 1 && random_seed().is_multiple_of(2);
    let first = mutant.change.iter().min_by_key(|edit| edit.range.start).cloned()?;
    (table || drawn()).then(|| FirstFailure::new(test, FailurePlace::First, vec![first]))
}

/// Whether a test fails as it is meant to: it is the changed one, and of its cases only one fails.
fn is_meant(test: &MutatedTest, failures: &[FirstFailure], run: &ScriptRun) -> bool {
    let own = |failure: &&FirstFailure| {
        failure.place != FailurePlace::InFront && failure.test == test.seen.test && failure.path == test.path
    };
    let Some(known) = failures.iter().find(own) else { return false };
    let report = judge::report_of(run);
    let failed = report.into_iter().flat_map(|report| report.names(TestOutcome::Failed));
    let cases = failed.filter(|name| *name != test.seen.test && same_test(name, &test.seen.test)).count();
    cases <= 1 || known.place == FailurePlace::Test
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
fn restated_files(tests: &[MutatedTest], failures: &[(&str, &SourceEdit)]) -> Vec<(String, Vec<u8>)> {
    let mut out: Vec<(String, Vec<u8>)> = Vec::new();
    for test in tests {
        if out.iter().any(|(path, _)| *path == test.path) {
            continue;
        }
        let own = tests.iter().filter(|other| other.path == test.path);
        let titles = other_titles(&test.path, &test.right);
        let mut edits: Vec<&SourceEdit> = Vec::new();
        let failure = failures.iter().filter(|(path, _)| *path == test.path).map(|(_, edit)| *edit);
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
            failures.iter().map(|one| (one.test.as_str(), one.place)).collect::<Vec<_>>(),
            [("test_a.py::test_a", FailurePlace::InFront)]
        );
        let [(_, bytes)] = restated_files(&tests, &edits_of(&failures)).try_into().unwrap();
        let text = String::from_utf8(bytes).unwrap();
        assert!(text.contains("    try:\n     assert (bites_on := f(1)) == "), "{text}");
        assert!(text.contains("    assert bites_on == (3 if "), "{text}");
        assert!(text.contains("assert f(2) == (4 if "), "{text}");
    }

    #[test]
    fn of_a_table_the_first_row_fails_and_each_row_is_changed_alone() {
        let text = "import pytest\n\n\n@pytest.mark.parametrize('a, b', [(1, 22), (2, 33), (3, 44)])\ndef test_a(a, b):\n    assert f(a) == b\n";
        let tests = tests_of(text);
        let [failure] = first_failures(&tests).try_into().ok().unwrap();
        assert_eq!(failure.place, FailurePlace::First);
        assert!(failure.edits[0].range.start < text.find("(2, 33)").unwrap());
        let alone = single_changes(&tests[0].seen.mutants);
        let places: Vec<usize> = alone.iter().map(|one| one.change[0].range.start).collect();
        assert!(alone.len() == 3 && places.is_sorted_by(|a, b| a > b), "{places:?}");
        assert!(alone.iter().all(|one| one.change.len() == 1 && !one.every_case));
    }
}
