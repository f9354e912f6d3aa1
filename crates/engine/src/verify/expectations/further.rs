//! Further changed expectations, for code that could treat one assertion unlike another.
//!
//! One changed value per test is drawn for everyone. Code that reads files, looks at its callers or defines its own equality
//! could be right where that value is and deceive elsewhere: its tests have all of their expectations changed as well, in one run
//! where the language has a form for it, else one by one, as long as there is time.

use std::collections::VecDeque;
use std::time::{Duration, Instant};

use windlass_code::repo::Tree as _;
use windlass_code::script::starts_at_once;
use windlass_code::syntax::tricks::reaches_out;

use super::super::gates::Bench;
use super::RunTime;
use super::judge::{self, Outcome};
use super::pick::{ChangedPart, MutantSet, MutatedTest};
use super::restated::Restatement;
use crate::early_end::EarlyEnd;
use crate::process::ProcessExit;
use crate::random_token::random_seed;

/// The most runs with further changes.
pub(super) const FURTHER: usize = 9;
/// The most tests that are tried with a change that may not compile.
const UNCERTAIN: usize = 3;
/// How many rounds with all changes there are whatever they cost; more only as long as all runs take no longer than the longest before.
/// A value that no frame has room for was never changed alone, and code could deceive in that one place: those go on.
const USUAL: usize = 1;

/// Further changes go on for as long as a whole run takes, and for so long in any case.
const ALWAYS: Duration = Duration::from_secs(30);

/// The further changes of one test: first those that change all of its assertions at once, then others one by one.
pub(super) struct FurtherChanges {
    test: MutatedTest,
    /// What is tried next, and whether it is all at once.
    next: VecDeque<(MutatedTest, ChangedPart)>,
    /// Whether something of it passed.
    suspected: bool,
}

/// The further changes of tests after their first run. `doubted` did not fail in it although all of their expectations were changed.
/// Code could know a test that is changed as a whole by its form, so in every file a test has one change and nothing else: in the
/// run in other words, or here.
pub(super) fn changes_of(
    tests: &[MutatedTest],
    doubted: &[String],
    restatement: Option<&Restatement>,
) -> Vec<FurtherChanges> {
    let mut plain: Vec<&str> = restatement.iter().flat_map(|other| other.changed_paths()).collect();
    let of = |test: &MutatedTest| {
        let mut changes = FurtherChanges::of(test);
        if doubted.contains(&test.seen.test) {
            changes.suspect();
        } else if test.extent == ChangedPart::All {
            changes.next.pop_front();
            // What no frame has room for was not changed yet; the other rounds change what was.
            changes.next.make_contiguous().sort_by_key(|(_, extent)| *extent == ChangedPart::All);
        }
        changes
    };
    let mut all: Vec<FurtherChanges> = tests.iter().map(of).collect();
    for at in in_random_order(all.len()) {
        let changes = &mut all[at];
        let whole = changes.test.extent == ChangedPart::All && !changes.suspected;
        if whole && !plain.contains(&tests[at].path.as_str()) {
            plain.push(&tests[at].path);
            let single = changes.next.front().is_some_and(|(_, extent)| *extent == ChangedPart::One);
            let one = changes.test.with_one().filter(|_| !single);
            if let Some(one) = one {
                changes.next.push_front((one, ChangedPart::One));
            }
        }
    }
    all
}

/// Places in an order that is drawn.
pub(super) fn in_random_order(count: usize) -> Vec<usize> {
    let mut places: Vec<(u64, usize)> = (0..count).map(|at| (random_seed(), at)).collect();
    places.sort_unstable();
    places.into_iter().map(|(_, at)| at).collect()
}

impl FurtherChanges {
    fn of(test: &MutatedTest) -> Self {
        let all = test.with_each(test.seen.together()).into_iter().map(|test| (test, ChangedPart::All));
        let one = test.with_each(test.seen.apart()).into_iter().map(|test| (test, ChangedPart::One));
        Self { test: test.clone(), next: all.chain(one).collect(), suspected: false }
    }

    /// It passed although all of its assertions were changed: which of them it was is looked for one by one.
    fn suspect(&mut self) {
        if !self.suspected {
            self.suspected = true;
            self.take_apart();
        }
    }

    /// Leaves out what was changed before, in another round.
    fn keep_single(&mut self) {
        self.next.retain(|(_, extent)| *extent == ChangedPart::One);
    }

    /// What is tried next are its changes one by one.
    fn take_apart(&mut self) {
        let one = self.test.with_each(self.test.seen.one_by_one());
        self.next = one.into_iter().map(|test| (test, ChangedPart::One)).collect();
    }
}

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
    /// the first changed run took. The tests in other words run beside the first of these runs.
    pub(super) async fn further_changes(
        &mut self,
        script: &str,
        mut all: Vec<FurtherChanges>,
        first: Duration,
        restatement: &mut Option<Restatement>,
    ) -> Result<(), EarlyEnd> {
        let (began, mut longest) = (Instant::now(), first.max(self.plain_run()));
        let budget = longest.max(ALWAYS).min(self.expectation_time());
        let uncertain = all.iter().filter_map(|of| of.test.with_uncertain()).take(UNCERTAIN);
        let uncertain: Vec<MutatedTest> = uncertain.collect();
        for nth in 0..FURTHER {
            if nth >= USUAL && began.elapsed() > longest {
                all.iter_mut().filter(|of| !of.suspected).for_each(FurtherChanges::keep_single);
            }
            if began.elapsed() > budget {
                return Ok(());
            }
            if !self.further_run(script, &mut all, &mut longest, restatement).await? {
                break;
            }
        }
        // What may not compile is tried alone: it would take the others with it.
        for test in uncertain {
            if began.elapsed() > budget {
                break;
            }
            let next = VecDeque::from([(test.clone(), ChangedPart::One)]);
            let mut alone = vec![FurtherChanges { test, next, suspected: false }];
            self.further_run(script, &mut alone, &mut longest, restatement).await?;
        }
        Ok(())
    }

    /// One run with the next change of every test; `longest` is that of the runs before it. Says whether there was one.
    async fn further_run(
        &mut self,
        script: &str,
        all: &mut [FurtherChanges],
        longest: &mut Duration,
        restatement: &mut Option<Restatement>,
    ) -> Result<bool, EarlyEnd> {
        let mut owners = Vec::new();
        let mut next = Vec::new();
        for (at, of) in all.iter_mut().enumerate() {
            if let Some((test, extent)) = of.next.pop_front() {
                owners.push((at, extent));
                next.push(test);
            }
        }
        if next.is_empty() {
            return Ok(false);
        }
        let set = MutantSet { script: script.to_owned(), tests: next, bare: Vec::new(), named: true };
        let time = further_time(*longest);
        let run = self.run_with_restated(script, &set.files(), time, restatement).await?;
        if !matches!(run.exit, ProcessExit::TimedOut(_)) {
            *longest = (*longest).max(Duration::from_millis(run.millis));
        }
        let outcomes = judge::of_run(&set, &run);
        // Frames may not compile, and then no test runs: that is no sign of the code.
        let built = !starts_at_once(&self.tree, script, &self.task.test_files());
        let unbuilt = built && outcomes.iter().all(|outcome| *outcome == Outcome::Unknown);
        let mut passed = Vec::new();
        for ((test, seen), (at, extent)) in set.tests.into_iter().zip(outcomes).zip(owners) {
            match (seen, extent) {
                (Outcome::Unknown, ChangedPart::All) if unbuilt => all[at].take_apart(),
                // What did not run says nothing: it is tried one by one.
                (Outcome::Passed | Outcome::Unknown, ChangedPart::All) => all[at].suspect(),
                (Outcome::Passed, ChangedPart::One) => passed.push(test),
                (Outcome::Failed, ChangedPart::All | ChangedPart::One)
                | (Outcome::Unknown, ChangedPart::One) => {}
            }
        }
        let known = self.seen.bites.len();
        let divided = self.divided(script, passed, true).await?;
        for test in &divided.blamed {
            self.survivor(script, test, true).await?;
        }
        self.seen.bites.truncate(known);
        Ok(true)
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
