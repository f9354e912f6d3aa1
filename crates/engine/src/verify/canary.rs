//! Canaries: the task's test files once more, with tests among them that must fail.
//!
//! They exist in the verifier's copy alone and for one run. Code that forges what a runner says does not know their names,
//! or says that they passed.

use windlass_code::repo::Tree;
use windlass_code::script::selects_by_name;
use windlass_code::syntax::{Laid, same_test, with_canaries};
use windlass_core::failure::Gate;
use windlass_core::report::TestOutcome;

use super::gates::{Bench, Stop, refused};
use super::proof::CanaryRecord;
use super::script::{Named, ScriptRun, task_script};
use crate::chance::random_word;
use crate::config::Switch;
use crate::error::EngineError;
use crate::process::Exit;

impl Bench<'_> {
    /// Runs the task's tests with canaries among them.
    pub(super) async fn canaries(&mut self) -> Result<(), Stop> {
        let switch = self.ctx.config.verify.canaries;
        if switch == Switch::Off {
            return Ok(());
        }
        let (script, laid) = match self.hatch() {
            Ok(found) => found,
            Err(why) if switch == Switch::On => {
                let failure = windlass_core::failure::Failure::Environment {
                    message: format!("canaries are on, but there are none: {why}"),
                };
                return Err(Stop::Refused { failure, output: None });
            }
            Err(why) => {
                self.seen.canaries = Some(CanaryRecord::None { why });
                return Ok(());
            }
        };
        self.lay(&laid)?;
        let run = self.script(&script, Named::Wanted).await;
        self.restore(&laid)?;
        let names: Vec<String> = laid.into_iter().flat_map(|(_, laid)| laid.names).collect();
        let run = run?;
        self.judge_canaries(&run, &names)?;
        self.seen.canaries = Some(CanaryRecord::Failed { names });
        Ok(())
    }

    /// The command, and the test files with canaries in them; or why there are none.
    fn hatch(&self) -> Result<(String, Vec<(String, Laid)>), String> {
        let script = task_script(self.task, &self.tree).ok_or("the task has no tests of its own")?;
        let tests = self.seen.gates.iter().find(|g| g.gate == Gate::Tests);
        let report = tests.and_then(|g| g.report.as_ref()).ok_or("the tests are not known by name")?;
        if selects_by_name(&script) {
            return Err("the command picks single tests".into());
        }
        let word = random_word();
        let mut laid = Vec::new();
        for path in self.task.test_files() {
            let Some(bytes) = self.tree.read(path) else { continue };
            let ran = |item: &str| report.tests.keys().any(|name| same_test(name, item));
            let canaries = with_canaries(path, &bytes, report.runner, &word, &ran);
            laid.extend(canaries.map(|canaries| (path.to_owned(), canaries)));
        }
        if laid.is_empty() {
            return Err("it is not known how to write one here".into());
        }
        Ok((script, laid))
    }

    fn lay(&self, laid: &[(String, Laid)]) -> Result<(), EngineError> {
        laid.iter().try_for_each(|(name, laid)| self.put(name, &laid.bytes))
    }

    /// Puts back what belongs there.
    fn restore(&self, laid: &[(String, Laid)]) -> Result<(), EngineError> {
        laid.iter().try_for_each(|(name, _)| self.put(name, &self.tree.read(name).unwrap_or_default()))
    }

    fn put(&self, name: &str, bytes: &[u8]) -> Result<(), EngineError> {
        let io = |source| EngineError::Io { what: "write", path: self.export.dir().join(name), source };
        self.export.replace(name, bytes).map_err(io)
    }

    /// Every canary that ran failed, one at least ran, and the command says so too.
    fn judge_canaries(&self, run: &ScriptRun, names: &[String]) -> Result<(), Stop> {
        let no = |summary: String| Err(refused(Gate::Canaries, Vec::new(), summary, run));
        match run.exit {
            Exit::Cancelled => return Err(Stop::Interrupted),
            Exit::Code(0) => {
                return no(
                    "tests that must fail were laid among the tests, and the command said that all is well"
                        .into(),
                );
            }
            Exit::Code(_) if run.over.is_none() => {}
            Exit::Code(_) | Exit::Signal(_) | Exit::TimedOut(_) | Exit::NotStarted(_) => {
                return no("with tests that must fail among them, the tests did not end".into());
            }
        }
        let Ok(Some(report)) = &run.report else {
            return no("with tests that must fail among them, the tests left no report".into());
        };
        let mut failed = 0;
        for (name, outcome) in &report.tests {
            if names.iter().any(|canary| same_test(name, canary)) {
                match outcome {
                    TestOutcome::Failed => failed += 1,
                    TestOutcome::Errored | TestOutcome::Passed | TestOutcome::Skipped => {
                        return no(
                            "a test that must fail was laid among the tests, and it did not fail".into()
                        );
                    }
                }
            }
        }
        if failed == 0 {
            return no(
                "tests that must fail were laid among the tests, and the report does not know them".into()
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
