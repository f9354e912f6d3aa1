//! Examples that the task's criteria state in code, put into a test that an agent wrote: its tests may pass because they expect
//! what its code gives; what a criterion says must hold all the same.

use windlass_code::expectation::{ExampleFile, StatedExample, stated_examples, with_examples};
use windlass_code::repo::Tree as _;
use windlass_code::syntax::same_test;
use windlass_core::criteria::criteria_of;
use windlass_core::event::TestAuthor;
use windlass_core::failure::Gate;
use windlass_core::report::TestOutcome;

use super::gates::{Bench, refused};
use super::script::{ScriptRun, task_script};
use crate::config::GateSwitch;
use crate::early_end::EarlyEnd;

/// The most examples that are tried.
const MOST: usize = 8;

/// An example and the criterion that states it.
struct OwnExample {
    criterion: String,
    example: StatedExample,
}

impl Bench<'_> {
    /// Runs the stated examples. One that does not hold, although it can be reached from the test, refuses the work.
    pub(super) async fn stated_examples(&mut self) -> Result<(), EarlyEnd> {
        let wanted =
            self.input.author == Some(TestAuthor::Agent) && self.ctx.config.verify.mutants != GateSwitch::Off;
        let Some(script) = task_script(self.task, &self.tree).filter(|_| wanted) else { return Ok(()) };
        let of = |criterion: &windlass_core::plan::Criterion| {
            let id = criterion.id.clone();
            let own = move |example| OwnExample { criterion: id.clone(), example };
            stated_examples(&criterion.text).into_iter().map(own).collect::<Vec<_>>()
        };
        let criteria = criteria_of(&self.ctx.plan, self.task);
        let examples: Vec<OwnExample> = criteria.iter().flat_map(of).take(MOST).collect();
        let all: Vec<StatedExample> = examples.iter().map(|own| own.example.clone()).collect();
        let Some((path, file)) = self.example_file(&all).filter(|_| !all.is_empty()) else { return Ok(()) };
        let run = self.run_examples(&script, &path, &file.asserted).await?;
        if !failed(&run, &file.test) {
            return Ok(());
        }
        for OwnExample { criterion, example } in &examples {
            let Some((path, file)) = self.example_file(std::slice::from_ref(example)) else { continue };
            let run = self.run_examples(&script, &path, &file.asserted).await?;
            if failed(&run, &file.test)
                && passed(&self.run_examples(&script, &path, &file.named).await?, &file.test)
            {
                let StatedExample { call, value, raises } = example;
                let name = if criterion.is_empty() { "a criterion" } else { criterion };
                let verb = if *raises { "raises" } else { "gives" };
                let summary = format!("{name} says that `{call}` {verb} `{value}`, and it does not");
                return Err(refused(Gate::Tests, Vec::new(), summary, &run));
            }
        }
        Ok(())
    }

    /// The first test file of the task that can hold the examples.
    fn example_file(&self, examples: &[StatedExample]) -> Option<(String, ExampleFile)> {
        let read = |path: &String| Some((path.clone(), self.tree.read(path)?));
        let code: Vec<(String, Vec<u8>)> = self.input.changed.iter().filter_map(read).collect();
        let ran = |item: &str| self.input.required.iter().any(|name| same_test(name, item));
        self.test_sources().into_iter().find_map(|(path, bytes)| {
            let file = with_examples(&path, &bytes, examples, &code, &ran)?;
            Some((path, file))
        })
    }

    async fn run_examples(&self, script: &str, path: &str, bytes: &[u8]) -> Result<ScriptRun, EarlyEnd> {
        self.run_with(script, &[(path.to_owned(), bytes.to_vec())], self.whole_time()).await
    }
}

fn outcome(run: &ScriptRun, test: &str) -> Option<TestOutcome> {
    let report = run.report.as_ref().ok()?.as_ref()?;
    let own = |name: &str| name == test || same_test(name, test);
    report.tests.iter().find(|(name, _)| own(name)).map(|(_, outcome)| *outcome)
}

fn failed(run: &ScriptRun, test: &str) -> bool {
    outcome(run, test) == Some(TestOutcome::Failed)
}

fn passed(run: &ScriptRun, test: &str) -> bool {
    outcome(run, test) == Some(TestOutcome::Passed)
}
