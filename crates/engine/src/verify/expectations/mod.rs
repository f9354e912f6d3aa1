//! Changed expectations: the task's tests run again with one expected value changed in each, and each must fail.
//!
//! The mutated files exist only in the verifier's copy and for one run, under the same names and at the same path. A test
//! that passes anyway is run alone with the same change, and then with a failure in place of the assertion and at its
//! beginning: only what is certain is refused, everything else is `weak`. What counts as what is in `judge`.

mod before;
mod by_heart;
mod debug_switch;
mod further;
mod judge;
mod lay;
mod pick;
mod restated;
mod survivor;

use std::time::Duration;

use tokio::sync::oneshot;
use windlass_code::report::TestOutcome;
use windlass_code::script::starts_at_once;
use windlass_code::syntax::{is_named_in, same_test};
use windlass_core::failure::Gate;
use windlass_core::plan::HeldOut;

use super::gates::{Bench, GatePurpose, refused};
use super::proof::{BiteRecord, BiteSeen};
use super::script::{NamedResults, ScriptInput, ScriptRun, run_script, run_script_beside, task_script};
use crate::config::GateSwitch;
use crate::early_end::EarlyEnd;
use crate::process::{CancelLevel, CancellationSignal, ProcessExit, TimeLimit};
use crate::sandbox::Network;
use before::Divided;
pub(crate) use before::TestsBefore;
use judge::Outcome;
use lay::MutantPlace;
pub(super) use lay::lay_file;
use pick::{ChangedPart, MutantSet, MutatedTest};
use restated::Restatement;

/// The most tests whose survival is looked into; one that is refused ends it.
const LOOKED_INTO: usize = 4;
/// How much longer than twice the tests a run may take: a first start, a busy machine.
const SLACK: Duration = Duration::from_secs(30);

/// The same where another run follows if it does not end.
const QUICK_SLACK: Duration = Duration::from_secs(5);

/// Tests that took no longer, with what they build, are built again from the beginning for a run with changed files.
const QUICK_BUILD: Duration = Duration::from_secs(20);
/// The same for code that could look at the age of files, and at what an earlier run left.
const PATIENT_BUILD: Duration = Duration::from_secs(90);

/// How long a run may take.
#[derive(Debug, Clone, Copy)]
pub(super) struct RunTime {
    pub(super) whole: Duration,
    /// How long it may print nothing.
    pub(super) silent: Option<Duration>,
}

/// Whether a run goes beside another one, with an output of its own.
#[derive(Debug, Clone, Copy)]
enum RunLane {
    Own,
    Beside,
}

/// A finished run with changed expectations.
pub(super) struct MutantRun {
    pub(super) set: MutantSet,
    pub(super) run: ScriptRun,
    /// The changes that need runs of their own.
    pub(super) rest: Vec<MutantSet>,
}

/// Changes that run beside the tests, and where.
pub(super) struct MutantsBeside {
    pub(super) set: MutantSet,
    pub(super) rest: Vec<MutantSet>,
    pub(super) place: MutantPlace,
}

impl Bench<'_> {
    /// Whether expectations are changed at all.
    fn changes_expectations(&self) -> bool {
        self.input.purpose == GatePurpose::Verdict && self.ctx.config.verify.expectations != GateSwitch::Off
    }

    /// Whether the task's tests have expectations that will be changed.
    pub(super) fn has_mutants(&self, script: &str) -> bool {
        self.changes_expectations() && !self.mutants_of_tests(script).tests.is_empty()
    }

    /// How long the tests took as they are; nothing if that is not known.
    fn plain_run(&self) -> Duration {
        let plain = self.seen.gates.iter().find(|g| g.gate == Gate::Tests);
        plain.map_or(Duration::ZERO, |plain| Duration::from_millis(plain.millis))
    }

    /// How long a run with changed expectations may take.
    fn expectation_time(&self) -> Duration {
        let plain = self.plain_run();
        let usual = if plain.is_zero() { self.timeout() } else { plain * 2 + SLACK };
        self.ctx.config.verify.expectation_time.unwrap_or(usual).min(self.timeout())
    }

    /// As long as a test command may run.
    pub(super) fn whole_time(&self) -> RunTime {
        RunTime { whole: self.timeout(), silent: None }
    }

    /// Whether runs may go beside each other: each has a network of its own.
    fn runs_stand_apart(&self) -> bool {
        self.ctx.config.sandbox.verify_network == Network::Loopback
    }

    /// The mutants that can run beside the tests, and where.
    pub(super) async fn mutants_beside(&self, script: &str) -> Result<Option<MutantsBeside>, EarlyEnd> {
        let at_once = starts_at_once(&self.tree, script, &self.task.test_files());
        if !at_once || !self.runs_stand_apart() || !self.changes_expectations() {
            return Ok(None);
        }
        let named = self.first_mutants(script);
        let is_verification = || task_script(self.task, &self.tree).as_deref() == Some(script);
        let mut sets = if !named.tests.is_empty() {
            vec![named]
        } else if is_verification() {
            self.mutants_of_files(script)
        } else {
            Vec::new()
        };
        if sets.is_empty() {
            return Ok(None);
        }
        let set = sets.remove(0);
        Ok(self.second_place().await?.map(|place| MutantsBeside { set, rest: sets, place }))
    }

    /// Runs a set in a place beside the tests.
    pub(super) async fn run_beside(
        &self,
        set: &MutantSet,
        place: &MutantPlace,
        cancel: &CancellationSignal,
    ) -> Result<ScriptRun, EarlyEnd> {
        place.lay(self, &set.files())?;
        let timeout = self.expectation_time();
        let input = ScriptInput { timeout, cancel, ..self.script_input(&set.script, place.dir(self)) };
        Ok(run_script_beside(self.ctx, input, "second").await?)
    }

    /// The same, ended some time after the tests are over: a test that waits for what it expects may wait for ever now.
    pub(super) async fn run_no_longer(
        &self,
        set: &MutantSet,
        place: &MutantPlace,
        stop: &CancellationSignal,
        tests_over: oneshot::Receiver<Duration>,
    ) -> Result<ScriptRun, EarlyEnd> {
        let run = self.run_beside(set, place, stop);
        tokio::pin!(run);
        let took = tokio::select! {
            run = &mut run => return run,
            took = tests_over => took.unwrap_or_default(),
        };
        // A limit that was set is that of the run itself.
        if self.ctx.config.verify.expectation_time.is_some() {
            return run.await;
        }
        // Changed all at once, tests may wait for each other; what did not end then gets one change of each.
        let slack = if set.has_all_at_once() { took + QUICK_SLACK } else { SLACK };
        let rest = took + slack;
        tokio::select! {
            run = &mut run => return run,
            () = tokio::time::sleep(rest) => stop.raise(CancelLevel::Now),
        }
        let ended = run.await?;
        Ok(ScriptRun { exit: ProcessExit::TimedOut(TimeLimit::Wall(took + rest)), ..ended })
    }

    /// Runs the tests with changed expectations, unless that was done already, and judges them. Says whether there were
    /// any.
    pub(super) async fn expectations(&mut self) -> Result<bool, EarlyEnd> {
        let Some(script) = task_script(self.task, &self.tree).filter(|_| self.changes_expectations()) else {
            return Ok(false);
        };
        let named = self.seen.gates.iter().any(|g| g.gate == Gate::Tests && g.report.is_some());
        let (set, run) = match self.mutated.take() {
            Some(MutantRun { set, run, .. }) if set.named => (set, run),
            beside if named => {
                let set = self.first_mutants(&script);
                // A script that prints names does not spell them out as tests: what its file expects is changed.
                if set.tests.is_empty() {
                    let any = self.expectations_by_exit(&script, beside).await?;
                    self.unchanged(&set)?;
                    return Ok(any);
                }
                let run = self.run_changed(&script, &set.files()).await?;
                (set, run)
            }
            beside => return self.expectations_by_exit(&script, beside).await,
        };
        self.note_others(&set, &run).await?;
        self.tell_answers_by_heart(&set.tests)?;
        self.without_debug(&script, &set.tests).await?;
        self.unchanged(&set)?;
        let golden = self.golden_mutants(&set);
        let outside = self.outside_mutants(&set);
        let took = Duration::from_millis(run.millis);
        let further = if self.may_deceive() { set.tests.clone() } else { Vec::new() };
        let doubted = self.settle(set, &run).await?;
        let mut restatement = Restatement::of(&further, NamedResults::Wanted);
        let changes = further::changes_of(&further, &doubted, restatement.as_ref());
        self.further_changes(&script, changes, took, &mut restatement).await?;
        self.restated(&script, &further, restatement).await?;
        for set in std::iter::once(golden).filter(|golden| !golden.tests.is_empty()).chain(outside) {
            let run = self.run_changed(&script, &set.files()).await?;
            self.settle(set, &run).await?;
        }
        Ok(true)
    }

    /// The same for a held-out test, which lies in the first export. Code that reads its caller gives itself away here.
    pub(super) async fn held_out_bites(
        &mut self,
        script: &str,
        held: &HeldOut,
        bytes: &[u8],
    ) -> Result<(), EarlyEnd> {
        if !self.changes_expectations() {
            return Ok(());
        }
        let sources = vec![(held.path.clone(), bytes.to_vec())];
        let beside = self.helper_sources(&sources);
        let mut set = Self::mutants_in(script, sources, &beside, &|_| true);
        set.tests.iter_mut().for_each(|test| test.hidden = true);
        if set.tests.is_empty() {
            return Ok(());
        }
        let run = self.run_changed(script, &set.files()).await?;
        self.settle(set, &run).await?;
        Ok(())
    }

    /// A script whose exit code is the result: one change at a time must turn it. `beside` is what ran beside the tests.
    async fn expectations_by_exit(
        &mut self,
        script: &str,
        beside: Option<MutantRun>,
    ) -> Result<bool, EarlyEnd> {
        let (first, rest) = match beside {
            Some(MutantRun { set, run, rest }) => (Some((set, run)), rest),
            None => (None, self.mutants_of_files(script)),
        };
        let sets = || first.iter().map(|(set, _)| set).chain(&rest);
        let any = sets().next().is_some();
        let tests: Vec<MutatedTest> = sets().flat_map(|set| set.tests.clone()).collect();
        let further = if self.may_deceive() { tests } else { Vec::new() };
        if let Some((set, run)) = first {
            self.settle(set, &run).await?;
        }
        let mut restatement = Restatement::of(&further, NamedResults::No);
        for set in rest {
            let time = RunTime { whole: self.expectation_time(), silent: None };
            let run = self.run_with_restated(script, &set.files(), time, &mut restatement).await?;
            self.settle(set, &run).await?;
        }
        self.restated(script, &further, restatement).await?;
        Ok(any)
    }

    /// Looks into every test that did not fail, and writes down what was seen. Gives the names of the tests that did not fail
    /// although all of their expectations were changed at once: they have one changed instead.
    async fn settle(&mut self, set: MutantSet, run: &ScriptRun) -> Result<Vec<String>, EarlyEnd> {
        // A busy machine must not decide: what took too long gets three times as long, once.
        let longer = match run.exit {
            ProcessExit::TimedOut(_) if !set.has_all_at_once() => Some(self.run_longer(&set).await?),
            ProcessExit::TimedOut(_)
            | ProcessExit::Code(_)
            | ProcessExit::Signal(_)
            | ProcessExit::NotStarted(_)
            | ProcessExit::Cancelled => None,
        };
        let run = longer.as_ref().unwrap_or(run);
        let timed_out = matches!(run.exit, ProcessExit::TimedOut(_));
        let outcomes = judge::of_run(&set, run);
        let all_at_once = set.has_all_at_once();
        let (script, named) = (set.script, set.named);
        let (mut unknown, mut passed) = (Vec::new(), Vec::new());
        let (mut again, mut doubted) = (Vec::new(), Vec::new());
        for (mut test, outcome) in set.tests.into_iter().zip(outcomes) {
            match outcome {
                Outcome::Failed => {
                    self.bitten(&test);
                    if !named {
                        self.bitten_names(&test, run);
                    }
                }
                Outcome::Passed | Outcome::Unknown if test.extent == ChangedPart::All => {
                    doubted.push(test.seen.test.clone());
                    test.advance();
                    again.push(test);
                }
                Outcome::Passed => passed.push(test),
                // What hung may have been another test.
                Outcome::Unknown if timed_out && all_at_once => again.push(test),
                Outcome::Unknown if timed_out => {
                    self.weak(&test, "the run with changed expectations did not end in time")?;
                }
                Outcome::Unknown => unknown.push(test),
            }
        }
        self.survivors(&script, passed, named).await?;
        self.with_other_mutants(&script, unknown, named).await?;
        if !again.is_empty() {
            let set = MutantSet { script, tests: again, bare: Vec::new(), named };
            let run = self.run_changed(&set.script, &set.files()).await?;
            Box::pin(self.settle(set, &run)).await?;
        }
        Ok(doubted)
    }

    /// Writes down the tests in which nothing could be changed, those that no file spells out among them: a macro or a loop makes them.
    fn unchanged(&mut self, set: &MutantSet) -> Result<(), EarlyEnd> {
        let required = match self.input.required {
            [] => self.passed_tests(),
            names => names.to_vec(),
        };
        let is_changed = |name: &&String| {
            let seen = self.seen.bites.iter().map(|bite| &bite.test);
            let known = set.tests.iter().map(|test| &test.seen.test).chain(&set.bare).chain(seen);
            known.into_iter().any(|other| other == *name || same_test(name, other))
        };
        let unspelled: Vec<String> = required.iter().filter(|name| !is_changed(name)).cloned().collect();
        for test in set.bare.iter().cloned().chain(unspelled) {
            if self.ctx.config.verify.expectations == GateSwitch::On {
                return Err(survivor::nothing_to_change(&test));
            }
            self.seen.bites.push(BiteRecord { test, seen: BiteSeen::None });
        }
        Ok(())
    }

    /// The tests of the task's own files that passed, by the names of the report: its command may run others, too.
    fn passed_tests(&self) -> Vec<String> {
        let files = self.task.test_files();
        let is_own = |name: &&String| files.iter().any(|path| is_named_in(name, path));
        let report = self.seen.gates.iter().find(|g| g.gate == Gate::Tests).and_then(|g| g.report.as_ref());
        let passed = report.into_iter().flat_map(|report| &report.tests);
        let passed = passed.filter(|(_, outcome)| **outcome == TestOutcome::Passed).map(|(name, _)| name);
        passed.filter(is_own).cloned().collect()
    }

    /// Looks into tests that passed. Those that did the same before the work have their other expectations changed.
    async fn survivors(
        &mut self,
        script: &str,
        passed: Vec<MutatedTest>,
        named: bool,
    ) -> Result<(), EarlyEnd> {
        let Divided { blamed, old } = self.divided(script, passed, named).await?;
        for (nth, test) in blamed.iter().enumerate() {
            if nth < LOOKED_INTO {
                self.survivor(script, test, named).await?;
            } else {
                self.weak(test, "it passed with a changed expectation")?;
            }
        }
        for test in &old {
            self.idle_before(test);
        }
        if named && !self.may_deceive() {
            let changes = further::changes_of(&old, &[], None);
            self.further_changes(script, changes, Duration::ZERO, &mut None).await
        } else {
            Ok(())
        }
    }

    /// Tests that did not run with their mutants get others, once. A mutant that does not compile says nothing.
    async fn with_other_mutants(
        &mut self,
        script: &str,
        tests: Vec<MutatedTest>,
        named: bool,
    ) -> Result<(), EarlyEnd> {
        const WHY: &str = "with a changed expectation it did not run";
        let mut next = Vec::new();
        for mut test in tests {
            if test.advance() {
                next.push(test);
            } else {
                self.weak(&test, WHY)?;
            }
        }
        if next.is_empty() {
            return Ok(());
        }
        let set = MutantSet { script: script.to_owned(), tests: next, bare: Vec::new(), named };
        let run = self.run_changed(script, &set.files()).await?;
        let outcomes = judge::of_run(&set, &run);
        let mut passed = Vec::new();
        for (test, outcome) in set.tests.into_iter().zip(outcomes) {
            match outcome {
                Outcome::Failed => self.bitten(&test),
                Outcome::Passed => passed.push(test),
                Outcome::Unknown => self.weak(&test, WHY)?,
            }
        }
        self.survivors(script, passed, named).await
    }

    /// The same changes with more time.
    async fn run_longer(&self, set: &MutantSet) -> Result<ScriptRun, EarlyEnd> {
        let time = (self.expectation_time() * 3).min(self.timeout());
        self.run_with(&set.script, &set.files(), RunTime { whole: time, silent: None }).await
    }

    /// Runs a script with other test files, for as long as a run with changed expectations may take.
    async fn run_changed(&self, script: &str, files: &[(String, Vec<u8>)]) -> Result<ScriptRun, EarlyEnd> {
        self.run_with(script, files, RunTime { whole: self.expectation_time(), silent: None }).await
    }

    /// Runs a script with other test files, which are there for this run only.
    pub(super) async fn run_with(
        &self,
        script: &str,
        files: &[(String, Vec<u8>)],
        time: RunTime,
    ) -> Result<ScriptRun, EarlyEnd> {
        let place = self.place_of_run(script).await?;
        self.run_at(&place, script, files, time, RunLane::Own).await
    }

    /// The same; the tests in other words run beside it, if they have not run and each run has a place of its own.
    async fn run_with_restated(
        &self,
        script: &str,
        files: &[(String, Vec<u8>)],
        time: RunTime,
        restatement: &mut Option<Restatement>,
    ) -> Result<ScriptRun, EarlyEnd> {
        let place = self.place_of_run(script).await?;
        let waits = restatement.as_mut().filter(|other| other.run.is_none() && self.runs_stand_apart());
        let second = match (&place, &waits) {
            (MutantPlace::Second(_), Some(_)) => self.second_place().await?,
            (MutantPlace::Second(_) | MutantPlace::First, _) => None,
        };
        let (Some(second), Some(other)) = (second, waits) else {
            return self.run_at(&place, script, files, time, RunLane::Own).await;
        };
        let usual = RunTime { whole: self.expectation_time(), silent: None };
        let (run, restated) = tokio::join!(
            self.run_at(&place, script, files, time, RunLane::Own),
            self.run_at(&second, script, &other.files, usual, RunLane::Beside),
        );
        other.run = Some(restated?);
        run
    }

    /// Where changed files are laid for a run: in a second export, where the code finds nothing that an earlier run left, or
    /// in the first one if the build takes long.
    async fn place_of_run(&self, script: &str) -> Result<MutantPlace, EarlyEnd> {
        let fresh = starts_at_once(&self.tree, script, &self.task.test_files()) || self.builds_quickly();
        let place = if fresh { self.second_place().await? } else { None };
        Ok(place.unwrap_or(MutantPlace::First))
    }

    /// Runs a script with other test files in a place.
    async fn run_at(
        &self,
        place: &MutantPlace,
        script: &str,
        files: &[(String, Vec<u8>)],
        time: RunTime,
        lane: RunLane,
    ) -> Result<ScriptRun, EarlyEnd> {
        let files = self.with_other_held_out(files);
        place.lay(self, &files)?;
        let RunTime { whole: timeout, silent: idle } = time;
        let input = ScriptInput { timeout, idle, ..self.script_input(script, place.dir(self)) };
        let run = match lane {
            RunLane::Own => run_script(self.ctx, input).await,
            RunLane::Beside => run_script_beside(self.ctx, input, "restated").await,
        };
        place.restore(self, &files)?;
        let run = run?;
        if run.exit == ProcessExit::Cancelled { Err(EarlyEnd::Interrupted) } else { Ok(run) }
    }

    /// Whether the tests can be built again from the beginning without much loss of time.
    fn builds_quickly(&self) -> bool {
        let plain = self.seen.gates.iter().find(|g| g.gate == Gate::Tests);
        let longest = if self.may_deceive() { PATIENT_BUILD } else { QUICK_BUILD };
        plain.is_some_and(|plain| Duration::from_millis(plain.millis) <= longest)
    }

    /// A test that was not changed and fails beside changed ones: a note, unless it fails in a plain run as well.
    async fn note_others(&mut self, set: &MutantSet, run: &ScriptRun) -> Result<(), EarlyEnd> {
        let failed = judge::others(&set.tests, self.input.required, judge::report_of(run));
        if failed.is_empty() {
            return Ok(());
        }
        let run = self.script(&set.script, NamedResults::Wanted).await?;
        let again = judge::report_of(&run);
        let both: Vec<String> =
            failed.iter().filter(|name| judge::outcome(name, again) == Outcome::Failed).cloned().collect();
        if both.is_empty() {
            let list = failed.join(", ");
            self.input
                .channel
                .finding(format!("depends on another test: {list} failed when another test did"));
            return Ok(());
        }
        let summary = "flaky: a test passed at first and failed when run again".into();
        Err(refused(Gate::Tests, both, summary, &run))
    }
}
