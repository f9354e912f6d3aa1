//! Further changed expectations, for code that could treat one assertion unlike another.
//!
//! One changed value per test is drawn for everyone. Code that reads files, looks at its callers or defines its own equality
//! could be right where that value is and deceive elsewhere: its tests have their other expectations changed as well, one
//! by one, as long as there is time.

use std::time::{Duration, Instant};

use windlass_code::repo::Tree as _;
use windlass_code::syntax::tricks::reaches_out;

use super::super::gates::Bench;
use super::RunTime;
use super::judge::{self, Outcome};
use super::pick::{MutantSet, MutatedTest};
use crate::early_end::EarlyEnd;
use crate::process::ProcessExit;

/// The most further changes of one test.
pub(super) const FURTHER: usize = 9;
/// The most tests that are tried with a change that may not compile.
const UNCERTAIN: usize = 3;

/// Further changes go on for as long as a whole run takes, and for so long in any case.
const ALWAYS: Duration = Duration::from_secs(30);

/// The time of a run with further changes, by the longest of those before. A test that waits for a value that never comes now
/// prints nothing more: it says nothing, and should not take long to say it.
fn further_time(longest: Duration) -> RunTime {
    const SLACK: Duration = Duration::from_secs(1);
    RunTime { whole: longest * 3 + SLACK * 10, silent: Some(longest + SLACK) }
}

impl Bench<'_> {
    /// Whether the changed code could deceive a test in one place and not in another.
    pub(super) fn may_deceive(&self) -> bool {
        let read = |path: &String| self.tree.read(path).map(|bytes| (path.clone(), bytes));
        self.input.changed.iter().filter_map(read).any(|(path, bytes)| reaches_out(&path, &bytes))
    }

    /// Changes the other expectations of the tests, one of each in every run. A test that passes is looked into like any
    /// other; what stays uncertain is told and changes nothing, for the test was seen to bite before. `first` is how long
    /// the first changed run took.
    pub(super) async fn further_changes(
        &mut self,
        script: &str,
        tests: &[MutatedTest],
        first: Duration,
    ) -> Result<(), EarlyEnd> {
        let (began, mut longest) = (Instant::now(), first.max(self.plain_run()));
        let budget = longest.max(ALWAYS).min(self.expectation_time());
        for nth in 1..=FURTHER {
            let next: Vec<MutatedTest> = tests.iter().filter_map(|test| test.with_further(nth)).collect();
            if next.is_empty() {
                break;
            }
            if began.elapsed() > budget {
                return Ok(());
            }
            self.further_run(script, next, &mut longest).await?;
        }
        // What may not compile is tried alone: it would take the others with it.
        for test in tests.iter().filter_map(MutatedTest::with_uncertain).take(UNCERTAIN) {
            if began.elapsed() > budget {
                break;
            }
            self.further_run(script, vec![test], &mut longest).await?;
        }
        Ok(())
    }

    /// One run with further changes; `longest` is that of the runs before it.
    async fn further_run(
        &mut self,
        script: &str,
        next: Vec<MutatedTest>,
        longest: &mut Duration,
    ) -> Result<(), EarlyEnd> {
        let set = MutantSet { script: script.to_owned(), tests: next, bare: Vec::new(), named: true };
        let run = self.run_with(script, &set.files(), further_time(*longest)).await?;
        if !matches!(run.exit, ProcessExit::TimedOut(_)) {
            *longest = (*longest).max(Duration::from_millis(run.millis));
        }
        let outcomes = judge::of_run(&set, &run);
        let passed = set.tests.into_iter().zip(outcomes).filter(|(_, seen)| *seen == Outcome::Passed);
        let known = self.seen.bites.len();
        let divided = self.divided(script, passed.map(|(test, _)| test).collect(), true).await?;
        for test in &divided.blamed {
            self.survivor(script, test, true).await?;
        }
        self.seen.bites.truncate(known);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn silence_ends_a_run_soon_after_the_time_of_the_longest_one() {
        let time = further_time(Duration::from_millis(600));
        assert_eq!(time.silent, Some(Duration::from_millis(1600)));
        assert!(time.whole > time.silent.unwrap() * 3);
    }
}
