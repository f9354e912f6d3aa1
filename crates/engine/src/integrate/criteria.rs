//! How the criteria of a task stand on the tree that is merged.

use windlass_code::syntax::same_test;
use windlass_core::criteria::{Bite, CriterionLink, CriterionProof, TestFacts, stand};
use windlass_core::event::{MutantSeen, RedReason};
use windlass_core::failure::Gate;
use windlass_core::report::TestOutcome;

use super::evidence::RedEvidence;
use crate::verify::GreenProof;

/// What was seen of the tests of a task.
pub(super) struct SeenTests<'a> {
    pub(super) proof: &'a GreenProof,
    pub(super) red: Option<&'a RedEvidence>,
    /// Wrong versions of the code that the tests were run on.
    pub(super) mutants: Vec<&'a MutantSeen>,
}

/// Names of the red run and of a report may be spelled differently.
fn is_it(known: &str, name: &str) -> bool {
    known == name || same_test(known, name)
}

impl SeenTests<'_> {
    /// Every criterion with the tests that are linked to it.
    pub(super) fn stand_all(&self, keys: &[String], links: &[CriterionLink]) -> Vec<CriterionProof> {
        let link = |key: &str| links.iter().find(|link| link.criterion == key);
        keys.iter().map(|key| stand(key, link(key), &|name| self.facts(name))).collect()
    }

    fn facts(&self, name: &str) -> Option<TestFacts> {
        let report = self.proof.gates.iter().find(|g| g.gate == Gate::Tests)?.report.as_ref()?;
        let mut outcomes = report.tests.iter().filter(|(n, _)| is_it(n, name)).map(|(_, o)| o).peekable();
        outcomes.peek()?;
        let is_green = outcomes.all(|outcome| *outcome == TestOutcome::Passed);
        let passed_before = |red: &RedEvidence| {
            red.seen.iter().any(|(n, test)| is_it(n, name) && test.reason == RedReason::Passed)
        };
        let was_red = self.red.is_some_and(|r| r.tests.iter().any(|n| is_it(n, name)) && !passed_before(r));
        Some(TestFacts { was_red, is_green, bites: self.bite(name) })
    }

    /// Whether a test was seen to fail when the code was wrong, or when it expected another value. A test that passes on the
    /// skeleton and on everything else notices nothing.
    fn bite(&self, name: &str) -> Bite {
        let noticed = |m: &&&MutantSeen| m.failed.iter().any(|f| is_it(f, name) || is_it(name, f));
        if self.mutants.iter().any(|m| noticed(&m)) {
            Bite::Yes
        } else if self.mutants.iter().any(|m| m.whole) {
            Bite::No
        } else if self.proof.bites.iter().any(|seen| is_it(&seen.test, name) && seen.compares_a_value()) {
            Bite::Yes
        } else {
            Bite::Unknown
        }
    }
}
