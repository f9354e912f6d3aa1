//! Code that asks whether debug assertions are on, as they are where tests run: what it gives must be the same without them.

use windlass_code::expectation::ExpectationKind;
use windlass_code::repo::Tree as _;
use windlass_code::syntax::tricks::debug_switch;
use windlass_core::failure::BlindSign;

use super::super::gates::Bench;
use super::super::script::ScriptRun;
use super::judge::{self, Outcome};
use super::pick::MutatedTest;
use super::survivor::no_bite;
use crate::early_end::EarlyEnd;

impl Bench<'_> {
    /// Runs the tests once as a release is built, if the changed code asks for it. A test that compares values, and fails so twice but not
    /// plainly in between, is refused. One that expects a failure may expect that of an assertion.
    pub(super) async fn without_debug(&self, script: &str, tests: &[MutatedTest]) -> Result<(), EarlyEnd> {
        let switch = |path: &String| debug_switch(path, &self.tree.read(path)?);
        let Some(off) = self.input.changed.iter().find_map(switch) else { return Ok(()) };
        let off = format!("export {off}\n{script}");
        let outcome =
            |test: &MutatedTest, run: &ScriptRun| judge::outcome(&test.seen.test, judge::report_of(run));
        let run = self.run_changed(&off, &[]).await?;
        let fails = |test: &&MutatedTest| only_compares(test) && outcome(test, &run) == Outcome::Failed;
        let failed: Vec<&MutatedTest> = tests.iter().filter(fails).collect();
        if failed.is_empty() {
            return Ok(());
        }
        let plain = self.run_changed(script, &[]).await?;
        let again = self.run_changed(&off, &[]).await?;
        let certain = |test: &&&MutatedTest| {
            outcome(test, &plain) == Outcome::Passed && outcome(test, &again) == Outcome::Failed
        };
        match failed.iter().find(certain) {
            Some(test) => Err(no_bite(test, BlindSign::OnlyInDebug, &again)),
            None => Ok(()),
        }
    }
}

/// Whether all that a test says is that values are equal.
fn only_compares(test: &MutatedTest) -> bool {
    let equal = |kind: ExpectationKind| matches!(kind, ExpectationKind::Equality | ExpectationKind::Denial);
    test.seen.mutants.iter().all(|mutant| equal(mutant.kind)) && !test.seen.marked
}
