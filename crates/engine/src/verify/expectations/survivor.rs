//! A test that passed with a changed expectation: is that certain, and what does it mean?

use windlass_code::expectation::{ExpectationKind, ExpectationMutant, denies_parts};
use windlass_code::repo::Tree as _;
use windlass_core::failure::{BlindSign, Failure};
use windlass_core::report::TestOutcome;

use super::super::gates::Bench;
use super::super::proof::{BiteKind, BiteRecord, BiteSeen};
use super::super::script::ScriptRun;
use super::judge::{self, Outcome};
use super::pick::MutatedTest;
use crate::config::GateSwitch;
use crate::early_end::EarlyEnd;

impl Bench<'_> {
    /// Runs the test alone with the same change, then asks whether its assertion and the test itself are reached.
    pub(super) async fn survivor(
        &mut self,
        script: &str,
        test: &MutatedTest,
        named: bool,
    ) -> Result<(), EarlyEnd> {
        let mutant = test.mutant();
        let (mut alone, mut run) = self.alone(script, test, test.mutated(), named).await?;
        if alone != Outcome::Passed {
            // It has passed once: a machine that lacked something for an instant must not decide.
            (alone, run) = self.alone(script, test, test.mutated(), named).await?;
        }
        match alone {
            Outcome::Passed => {}
            Outcome::Failed if mutant.every_case => {
                self.bitten(test);
                return Ok(());
            }
            Outcome::Failed => {
                return self.weak(test, "it passed with a changed expectation, and failed alone");
            }
            Outcome::Unknown => return self.weak(test, "with a changed expectation it did not run alone"),
        }
        let others = || self.tree.read(&test.path).is_some_and(|text| denies_parts(&text));
        if mutant.kind == ExpectationKind::Part && others() {
            return self.weak(
                test,
                "what it asks holds the changed value too, and other tests say what is not held",
            );
        }
        if self.is_elsewhere(script, test, named).await? {
            return self.weak(test, "its table of cases was changed in a file that it does not read");
        }
        let strong = mutant.kind != ExpectationKind::Denial;
        if let (Some(denial), true) = (&mutant.denial, strong)
            && self.alone(script, test, test.changed(denial).into_iter().collect(), named).await?.0
                == Outcome::Failed
        {
            if mutant.is_another_answer() && !self.holds_anything(script, test, named).await? {
                return self.weak(test, "what it asks holds other answers, too");
            }
            // An honest type may leave a field out of its equality.
            if mutant.kind == ExpectationKind::Field {
                return self.weak(test, "the equality of what it expects leaves a value out");
            }
            if let Some(other) = other_spelling(test)
                && self.alone(script, test, test.changed(&other.change).into_iter().collect(), named).await?.0
                    != Outcome::Passed
            {
                return self.weak(test, "it passed with one changed expectation, and failed with another");
            }
            return Err(no_bite(test, BlindSign::AnyValue, &run));
        }
        // Some of its cases failed: they bite. Those that did not may belong to another test of a like name.
        if mutant.every_case && judge::outcome(&test.seen.test, judge::report_of(&run)) == Outcome::Failed {
            self.bitten(test);
            return Ok(());
        }
        let certain = strong && mutant.straight && !test.seen.marked;
        let entered = match &test.seen.entry {
            Some(entry) => {
                self.alone(script, test, test.changed(entry).into_iter().collect(), named).await?.0
            }
            None => Outcome::Unknown,
        };
        let certain =
            certain || (entered == Outcome::Failed && self.ended_early(script, test, named).await?);
        match entered {
            Outcome::Passed if named && !test.seen.marked => Err(no_bite(test, BlindSign::NotRun, &run)),
            Outcome::Failed | Outcome::Unknown if certain => Err(no_bite(test, BlindSign::NotReached, &run)),
            Outcome::Passed | Outcome::Failed | Outcome::Unknown => {
                self.weak(test, "it passed with a changed expectation, and is not known to reach it")
            }
        }
    }

    /// Whether what a test asks holds even what no result contains.
    async fn holds_anything(&self, script: &str, test: &MutatedTest, named: bool) -> Result<bool, EarlyEnd> {
        let mutant = test.mutant();
        let same = |other: &&ExpectationMutant| {
            other.kind == mutant.kind && other.denial == mutant.denial && !other.is_another_answer()
        };
        let Some(strange) = test.seen.mutants.iter().find(same) else { return Ok(false) };
        let files = test.changed(&strange.change).into_iter().collect();
        Ok(self.alone(script, test, files, named).await?.0 == Outcome::Passed)
    }

    /// Whether a test does without the file in which its table of cases was changed.
    async fn is_elsewhere(&self, script: &str, test: &MutatedTest, named: bool) -> Result<bool, EarlyEnd> {
        let path = test.changed_path();
        if path == test.path {
            return Ok(false);
        }
        let emptied = vec![(path.to_owned(), Vec::new())];
        Ok(self.alone(script, test, emptied, named).await?.0 == Outcome::Passed)
    }

    /// Whether a test that nothing in it leaves does not come to its last step.
    async fn ended_early(&self, script: &str, test: &MutatedTest, named: bool) -> Result<bool, EarlyEnd> {
        let last = test.seen.end.as_ref().filter(|_| test.seen.ends && !test.seen.marked);
        let Some(last) = last.and_then(|end| test.changed(std::slice::from_ref(end))) else {
            return Ok(false);
        };
        Ok(self.alone(script, test, vec![last], named).await?.0 == Outcome::Passed)
    }

    /// One test with changed files.
    async fn alone(
        &self,
        script: &str,
        test: &MutatedTest,
        files: Vec<(String, Vec<u8>)>,
        named: bool,
    ) -> Result<(Outcome, ScriptRun), EarlyEnd> {
        let run = self.run_changed(script, &files).await?;
        let outcome = match (files.is_empty(), named) {
            (true, _) => Outcome::Unknown,
            (false, true) => judge::of_test(test, judge::report_of(&run)),
            (false, false) => judge::of_script(&run),
        };
        Ok((outcome, run))
    }

    /// A test that failed with a changed expectation.
    pub(super) fn bitten(&mut self, test: &MutatedTest) {
        self.bitten_as(test, test.seen.test.clone());
    }

    /// The tests that a changed script says have failed.
    pub(super) fn bitten_names(&mut self, test: &MutatedTest, run: &ScriptRun) {
        let report = judge::report_of(run);
        let failed = report.into_iter().flat_map(|report| report.names(TestOutcome::Failed));
        for name in failed.map(str::to_owned).collect::<Vec<_>>() {
            self.bitten_as(test, name);
        }
    }

    fn bitten_as(&mut self, test: &MutatedTest, name: String) {
        let mutant = test.mutant();
        let seen = BiteSeen::Failed {
            kind: BiteKind::Known(mutant.kind),
            path: test.changed_path().to_owned(),
            line: mutant.line,
            was: mutant.was.clone(),
            now: mutant.now.clone(),
        };
        self.seen.bites.push(BiteRecord { test: name, seen });
    }

    /// A test that is not known to depend on the code.
    pub(super) fn weak(&mut self, test: &MutatedTest, why: &str) -> Result<(), EarlyEnd> {
        if self.ctx.config.verify.expectations == GateSwitch::On {
            return Err(EarlyEnd::failed(failure(test, BlindSign::Uncertain, String::new())));
        }
        let why = format!("{why} ({})", test.mutant());
        // Findings are told to agents: they say nothing of a test that agents do not see.
        if !test.hidden {
            self.input.channel.finding(format!("weak test: `{}`: {why}", test.seen.test));
        }
        self.seen.bites.push(BiteRecord { test: test.seen.test.clone(), seen: BiteSeen::Weak { why } });
        Ok(())
    }
}

/// Other values in the same places, of a mutant that has some: `Fraction(3, 6)` is `Fraction(1, 2)`.
fn other_spelling(test: &MutatedTest) -> Option<&ExpectationMutant> {
    let mutant = test.mutant();
    let places =
        |mutant: &ExpectationMutant| mutant.change.iter().map(|edit| edit.range.clone()).collect::<Vec<_>>();
    let mut others = test.seen.mutants.iter().filter(|other| other.kind == mutant.kind && *other != mutant);
    others.find(|other| !mutant.change.is_empty() && places(other) == places(mutant))
}

/// A test in which nothing could be changed, where every test must be seen to bite.
pub(super) fn nothing_to_change(test: &str) -> EarlyEnd {
    EarlyEnd::failed(Failure::NoBite {
        test: test.to_owned(),
        place: String::new(),
        was: String::new(),
        now: String::new(),
        sign: BlindSign::Unchangeable,
        excerpt: String::new(),
    })
}

pub(super) fn no_bite(test: &MutatedTest, sign: BlindSign, run: &ScriptRun) -> EarlyEnd {
    let excerpt = if test.hidden { String::new() } else { run.excerpt.clone() };
    EarlyEnd::Failed { failure: failure(test, sign, excerpt), output: Some(run.output.clone()) }
}

fn failure(test: &MutatedTest, sign: BlindSign, excerpt: String) -> Failure {
    let mutant = test.mutant();
    let shown = |text: String| if test.hidden { String::new() } else { text };
    Failure::NoBite {
        test: shown(test.seen.test.clone()),
        place: shown(format!("{}:{}", test.path, mutant.line)),
        was: shown(mutant.was.clone()),
        now: shown(mutant.now.clone()),
        sign,
        excerpt,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Another spelling may be the same value, so a second one decides, also where one change of a test is looked at alone.
    #[test]
    fn a_value_that_is_changed_as_a_whole_has_a_second_spelling() {
        let of = |side: &str| {
            let text = format!("def test_a():\n    assert f(1) == {side}\n").into_bytes();
            let files = vec![("test_a.py".to_owned(), text)];
            Bench::mutants_in("pytest", files, &[], &|_| true).tests.remove(0)
        };
        let whole = of("Fraction(11, 22)");
        assert_eq!(whole.mutant().change.len(), 2);
        let alone = whole.with_each(vec![whole.mutant().clone()]).remove(0);
        assert!(other_spelling(&alone).is_some_and(|other| other.change != alone.mutant().change));
        assert!(other_spelling(&of("33")).is_none());
    }
}
