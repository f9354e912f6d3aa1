//! Canaries: a second run of the task's tests with added tests that must fail.
//!
//! They exist only in the verifier's copy, for one run. Code that forges a runner's report does not know their names,
//! or reports that they passed.

use std::time::Instant;

use tokio::sync::oneshot;
use windlass_code::repo::Tree;
use windlass_code::runner::builds_first;
use windlass_code::script::{instrument_in, selects_by_name};
use windlass_code::syntax::{CanaryFile, same_test, with_canaries};
use windlass_core::failure::Gate;
use windlass_core::report::{Runner, TestOutcome};

use super::expectations::lay_file;
use super::expectations::{MutantRun, MutantsBeside};
use super::gates::{Bench, GatePurpose, JudgedRun, refused};
use super::proof::CanaryRecord;
use super::script::{NamedResults, ScriptInput, ScriptRun, run_script_beside, task_script};
use super::setup::copy_files;
use crate::config::GateSwitch;
use crate::early_end::EarlyEnd;
use crate::error::EngineError;
use crate::process::{CancelLevel, CancellationSignal, ProcessExit};
use crate::random_token::{export_name, random_token};
use crate::sandbox::Network;
use crate::slot::{ExportedTree, FileAge};

/// The canaries and the command that must find them.
struct CanarySet {
    script: String,
    laid: Vec<(String, CanaryFile)>,
}

impl CanarySet {
    fn names(&self) -> Vec<String> {
        self.laid.iter().flat_map(|(_, laid)| laid.names.clone()).collect()
    }
}

/// A finished run with canaries.
pub(super) struct CanaryRun {
    names: Vec<String>,
    run: ScriptRun,
}

impl Bench<'_> {
    /// Runs the task's tests. Where a second run costs as much as the first, the run with canaries goes beside it, in
    /// its own export and sandbox.
    pub(super) async fn tests_with_canaries(
        &mut self,
        script: &str,
        required: &[String],
    ) -> Result<(), EarlyEnd> {
        if let Some(beside) = self.mutants_beside(script).await? {
            return self.tests_with_mutants(script, required, beside).await;
        }
        let Some((clutch, twin)) = self.clutch_beside(script).await? else {
            return self.named(Gate::Tests, script, required).await;
        };
        let stop = self.input.cancel.child();
        let beside = ScriptInput { cancel: &stop, ..self.script_input(&clutch.script, twin.dir()) };
        let tests = self.tests_or_stop(script, required, &stop);
        let (tests, canaries) = tokio::join!(tests, run_script_beside(self.ctx, beside, "canaries"));
        let (run, judged) = tests?;
        self.record_judged(Gate::Tests, script, &run, judged);
        self.hatched = Some(CanaryRun { names: clutch.names(), run: canaries? });
        Ok(())
    }

    /// Runs and judges the task's tests; if they fail, the run beside them is stopped.
    async fn tests_or_stop(
        &self,
        script: &str,
        required: &[String],
        stop: &CancellationSignal,
    ) -> Result<(ScriptRun, JudgedRun), EarlyEnd> {
        let judged = match self.script(script, NamedResults::Wanted).await {
            Ok(run) => {
                self.judge_by_base(Gate::Tests, script, &run, required).await.map(|judged| (run, judged))
            }
            Err(end) => Err(end),
        };
        if judged.is_err() {
            stop.raise(CancelLevel::Now);
        }
        judged
    }

    /// Runs the task's tests with changed expectations beside them.
    async fn tests_with_mutants(
        &mut self,
        script: &str,
        required: &[String],
        beside: MutantsBeside,
    ) -> Result<(), EarlyEnd> {
        let MutantsBeside { set, rest, place } = beside;
        let stop = self.input.cancel.child();
        let (over, known) = oneshot::channel();
        let tests = async {
            let began = Instant::now();
            let end = self.tests_or_stop(script, required, &stop).await;
            // The receiver is gone if the other run ended first.
            let _ = over.send(began.elapsed());
            end
        };
        let (tests, mutated) = tokio::join!(tests, self.run_no_longer(&set, &place, &stop, known));
        let (run, judged) = tests?;
        self.record_judged(Gate::Tests, script, &run, judged);
        self.mutated = Some(MutantRun { set, run: mutated?, rest });
        Ok(())
    }

    /// Canaries in a second export, where running beside the tests is useful and safe.
    async fn clutch_beside(&self, script: &str) -> Result<Option<(CanarySet, ExportedTree)>, EarlyEnd> {
        let runner = instrument_in(&self.tree, script, "/").runner();
        let Some(runner) = runner.filter(|runner| !builds_first(*runner)) else { return Ok(None) };
        let alone = self.ctx.config.sandbox.verify_network == Network::Loopback;
        let wanted =
            self.input.purpose == GatePurpose::Verdict && self.ctx.config.verify.canaries != GateSwitch::Off;
        if !alone || !wanted || self.has_mutants(script) {
            return Ok(None);
        }
        let was_red = |item: &str| self.input.required.iter().any(|name| same_test(name, item));
        let Ok(clutch) = self.clutch(script.to_owned(), runner, &was_red) else { return Ok(None) };
        let Some(twin) = self.export.twin(&self.input.scratch.path().join(export_name())) else {
            return Ok(None);
        };
        let twin = twin?;
        self.ctx.machine.setups.stand_on(twin.dir(), twin.base());
        copy_files(self.ctx, twin.dir())?;
        self.set_up_in(twin.dir()).await?;
        Self::lay(&twin, &clutch)?;
        Ok(Some((clutch, twin)))
    }

    /// Runs the tests with canaries, unless that was done already, or changed expectations have said more.
    pub(super) async fn canaries(&mut self, replaced: bool) -> Result<(), EarlyEnd> {
        let switch = self.ctx.config.verify.canaries;
        if switch == GateSwitch::Off || (replaced && switch == GateSwitch::Auto) {
            return Ok(());
        }
        let hatched = match self.hatched.take() {
            Some(hatched) => hatched,
            None => match self.clutch_after() {
                Ok(clutch) => self.hatch(clutch).await?,
                Err(why) if switch == GateSwitch::On => {
                    let failure = windlass_core::failure::Failure::Environment {
                        message: format!("canaries are required, but there are none: {why}"),
                    };
                    return Err(EarlyEnd::failed(failure));
                }
                Err(why) => {
                    self.seen.canaries = Some(CanaryRecord::None { why });
                    return Ok(());
                }
            },
        };
        self.judge_canaries(&hatched.run, &hatched.names)?;
        self.seen.canaries = Some(CanaryRecord::Failed { names: hatched.names });
        Ok(())
    }

    /// Runs the tests with canaries in the first export.
    async fn hatch(&self, clutch: CanarySet) -> Result<CanaryRun, EarlyEnd> {
        Self::lay(&self.export, &clutch)?;
        let run = self.script(&clutch.script, NamedResults::Wanted).await;
        self.restore(&clutch)?;
        Ok(CanaryRun { names: clutch.names(), run: run? })
    }

    /// Canaries modelled on tests that ran, or why there are none.
    fn clutch_after(&self) -> Result<CanarySet, String> {
        let script = task_script(self.task, &self.tree).ok_or("the task has no tests of its own")?;
        let tests = self.seen.gates.iter().find(|g| g.gate == Gate::Tests);
        let report = tests.and_then(|g| g.report.as_ref()).ok_or("the test report names no test")?;
        let ran = |item: &str| report.tests.keys().any(|name| same_test(name, item));
        self.clutch(script, report.runner, &ran)
    }

    /// The test files with canaries in them.
    fn clutch(
        &self,
        script: String,
        runner: Runner,
        ran: &dyn Fn(&str) -> bool,
    ) -> Result<CanarySet, String> {
        if selects_by_name(&script) {
            return Err("the command selects single tests".into());
        }
        let word = random_token();
        let mut laid = Vec::new();
        for path in self.task.test_files() {
            let Some(bytes) = self.tree.read(path) else { continue };
            let canaries = with_canaries(path, &bytes, runner, &word, ran);
            laid.extend(canaries.map(|canaries| (path.to_owned(), canaries)));
        }
        if laid.is_empty() {
            return Err("canaries are not supported here".into());
        }
        Ok(CanarySet { script, laid })
    }

    fn lay(export: &ExportedTree, clutch: &CanarySet) -> Result<(), EngineError> {
        clutch.laid.iter().try_for_each(|(name, laid)| lay_file(export, name, &laid.bytes, FileAge::New))
    }

    /// Restores the test files.
    fn restore(&self, clutch: &CanarySet) -> Result<(), EngineError> {
        let own = |name: &str| self.tree.read(name).unwrap_or_default();
        clutch.laid.iter().try_for_each(|(name, _)| lay_file(&self.export, name, &own(name), FileAge::New))
    }

    /// Every canary that ran must fail, at least one must run, and the exit code must agree.
    fn judge_canaries(&self, run: &ScriptRun, names: &[String]) -> Result<(), EarlyEnd> {
        let no = |summary: String| Err(refused(Gate::Canaries, Vec::new(), summary, run));
        match run.exit {
            ProcessExit::Cancelled => return Err(EarlyEnd::Interrupted),
            ProcessExit::Code(0) => {
                return no(
                    "tests that must fail were added to the tests, and the command reported success".into()
                );
            }
            ProcessExit::Code(_) if run.over.is_none() => {}
            ProcessExit::Code(_)
            | ProcessExit::Signal(_)
            | ProcessExit::TimedOut(_)
            | ProcessExit::NotStarted(_) => {
                return no("with added tests that must fail, the tests did not end".into());
            }
        }
        let Ok(Some(report)) = &run.report else {
            return no("with added tests that must fail, the tests left no report".into());
        };
        let mut failed = 0;
        for (name, outcome) in &report.tests {
            if names.iter().any(|canary| same_test(name, canary)) {
                match outcome {
                    TestOutcome::Failed => failed += 1,
                    TestOutcome::Errored | TestOutcome::Passed | TestOutcome::Skipped => {
                        return no("a test that must fail was added to the tests, and it did not fail".into());
                    }
                }
            }
        }
        if failed == 0 {
            return no(
                "tests that must fail were added to the tests, and the report does not contain them".into()
            );
        }
        let required = |name: &str| self.input.required.iter().any(|wanted| same_test(name, wanted));
        let unsteady: Vec<String> =
            report.names(TestOutcome::Failed).filter(|name| required(name)).map(str::to_owned).collect();
        if unsteady.is_empty() {
            return Ok(());
        }
        Err(refused(
            Gate::Tests,
            unsteady,
            "flaky: a test passed at first and failed when run again".into(),
            run,
        ))
    }
}
