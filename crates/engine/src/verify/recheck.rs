//! Repeats the gates of an evidence record on a new export of its tree, using nothing but the record and the commits.

use windlass_code::red::{Green, GreenInput, green};
use windlass_core::failure::Gate;
use windlass_core::report::{TestOutcome, TestReport};

use super::gates::{Bench, GateInput};
use super::proof::{BiteRecord, BiteSeen, CanaryRecord, GateRecord, GateResults, GreenProof};
use super::rules;
use super::script::{NamedResults, exit_of};
use super::services::Services;
use super::setup::copy_files;
use crate::context::Context;
use crate::early_end::EarlyEnd;
use crate::error::EngineError;
use crate::git_tree::GitTree;
use crate::process::ProcessExit;

/// The result of a recheck.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct SeenAgain {
    /// How many tests passed.
    pub tests: usize,
    /// What was checked, in order.
    pub gates: Vec<Gate>,
    /// How many wrong versions of the code the tests noticed again.
    pub wrong_versions: usize,
    /// Parts of the record that this machine cannot check, with reasons.
    pub left_out: Vec<String>,
    /// What differs from the record.
    pub problems: Vec<String>,
}

/// Repeats every check of a proof. `onto` is the tree that the change was merged onto.
pub(crate) async fn see_again(
    ctx: &Context,
    input: &GateInput<'_>,
    proof: &GreenProof,
    onto: &GitTree,
) -> Result<SeenAgain, EngineError> {
    let tree = GitTree::open(&ctx.repo, input.tree)?;
    let mut again = SeenAgain::default();
    again.rules(proof, onto, &tree, input.changed)?;
    let dir = input.scratch.path().join("tree");
    let export = ctx.export(input.tree, &dir)?;
    let task = ctx.task(&input.channel.task);
    let mut bench =
        Bench { ctx, input, task, tree, export, seen: GateResults::default(), hatched: None, mutated: None };
    match bench.again(proof, &mut again).await {
        Ok(()) => Ok(again),
        Err(EarlyEnd::Failed { failure, .. }) => {
            again.problems.push(format!("run again: {}", failure.summary()));
            Ok(again)
        }
        Err(EarlyEnd::Interrupted) => {
            again.problems.push("run again: it was stopped".into());
            Ok(again)
        }
        Err(EarlyEnd::Broken(e)) => Err(e),
    }
}

impl SeenAgain {
    /// Applies the rules with the levels of the record.
    fn rules(
        &mut self,
        proof: &GreenProof,
        onto: &GitTree,
        tree: &GitTree,
        changed: &[String],
    ) -> Result<(), EngineError> {
        let found = rules::look(&proof.levels(), onto, tree, changed)?;
        self.gates.push(Gate::Rules);
        self.problems.extend(found.errors.iter().map(|trick| format!("checked again, `rules`: {trick}")));
        Ok(())
    }

    fn differs(&mut self, gate: Gate, what: &str) {
        self.problems.push(format!("run again, `{}`: {what}", gate.as_str()));
    }
}

impl Bench<'_> {
    async fn again(&mut self, proof: &GreenProof, again: &mut SeenAgain) -> Result<(), EarlyEnd> {
        copy_files(self.ctx, self.export.dir())?;
        self.set_up().await?;
        let (dir, scratch) = (self.export.dir().to_owned(), self.input.scratch);
        let services = Services::start(self.ctx, &dir, scratch, self.input.channel).await;
        let services = services.map_err(EarlyEnd::failed)?;
        let end = self.gates_again(proof, again).await;
        services.stop(self.ctx).await;
        end?;
        self.purity()
    }

    async fn gates_again(&mut self, proof: &GreenProof, again: &mut SeenAgain) -> Result<(), EarlyEnd> {
        for gate in &proof.gates {
            match gate.gate {
                Gate::Tests | Gate::Neighbours | Gate::Suite if gate.exit.is_some() => {
                    self.tests_again(gate, again).await?;
                }
                Gate::TypeCheck | Gate::Lint | Gate::Steps if gate.exit.is_some() => {
                    self.tool_again(gate, again).await?;
                }
                Gate::Contract => {
                    self.contract().await?;
                    again.gates.push(Gate::Contract);
                }
                Gate::Coverage => self.coverage_again(again).await?,
                Gate::Tests
                | Gate::Neighbours
                | Gate::Suite
                | Gate::TypeCheck
                | Gate::Lint
                | Gate::Steps
                | Gate::Setup
                | Gate::Purity
                | Gate::Rules
                | Gate::HeldOut
                | Gate::Canaries
                | Gate::Mutants => {}
            }
        }
        if !again.problems.is_empty() {
            return Ok(());
        }
        self.purity()?;
        again.gates.push(Gate::Purity);
        if !proof.held_out.is_empty() {
            self.held_out().await?;
            again.tests +=
                self.seen.gates.iter().filter(|g| g.gate == Gate::HeldOut).map(passed_in).sum::<usize>();
            again.gates.push(Gate::HeldOut);
        }
        if proof.bites.iter().any(|bite| matches!(bite.seen, BiteSeen::Failed { .. })) {
            self.bites_again(proof, again).await?;
        }
        if let Some(CanaryRecord::Failed { .. }) = &proof.canaries {
            self.canaries(false).await?;
            match &self.seen.canaries {
                Some(CanaryRecord::Failed { .. }) => again.gates.push(Gate::Canaries),
                Some(CanaryRecord::None { why }) => again.left_out.push(format!("canaries: {why}")),
                None => again.left_out.push("canaries: they are off".into()),
            }
        }
        Ok(())
    }

    /// Tests that failed with a changed expectation must fail with another one.
    async fn bites_again(&mut self, proof: &GreenProof, again: &mut SeenAgain) -> Result<(), EarlyEnd> {
        let bites = |all: &[BiteRecord]| -> Vec<String> {
            let failed = all.iter().filter(|bite| matches!(bite.seen, BiteSeen::Failed { .. }));
            failed.map(|bite| bite.test.clone()).collect()
        };
        self.expectations().await?;
        let now = bites(&self.seen.bites);
        let held_out = |name: &String| proof.held_out.iter().any(|held| name.starts_with(&held.path));
        let gone: Vec<String> =
            bites(&proof.bites).into_iter().filter(|name| !now.contains(name) && !held_out(name)).collect();
        if gone.is_empty() {
            again.gates.push(Gate::Mutants);
        } else {
            again.left_out.push(format!("changed expectations: not seen again for {}", gone.join(", ")));
        }
        Ok(())
    }

    /// The same tests must pass as in the record.
    async fn tests_again(&mut self, gate: &GateRecord, again: &mut SeenAgain) -> Result<(), EarlyEnd> {
        let run = self.script(&gate.command, NamedResults::Wanted).await?;
        let Some(exit) = exit_of(&run.exit) else { return Err(EarlyEnd::Interrupted) };
        let report = match &run.report {
            Ok(report) => report.as_ref(),
            Err(e) => {
                again.differs(gate.gate, &e.to_string());
                return Ok(());
            }
        };
        let required: Vec<String> = gate.report.as_ref().map(passed).unwrap_or_default();
        match green(&GreenInput {
            exit,
            report,
            runner: run.runner,
            required: &required,
            failing_before: &gate.failing_before,
            // The record names every case.
            listed_by_code: &[],
        }) {
            Green::Failed(failure) => again.differs(gate.gate, &failure.to_string()),
            Green::Passed { tests, .. } => {
                let more = tests.iter().find(|t| gate.report.is_some() && !required.contains(t));
                if let Some(more) = more {
                    again.differs(gate.gate, &format!("it names tests that the record does not: {more}"));
                } else if !run.left.is_empty() && gate.left.is_empty() {
                    again.differs(gate.gate, &format!("it left processes running: {}", run.left.join(", ")));
                } else {
                    again.tests += tests.len();
                    again.gates.push(gate.gate);
                    self.record(gate.gate, &gate.command, &run, gate.strength.clone());
                }
            }
        }
        Ok(())
    }

    async fn tool_again(&mut self, gate: &GateRecord, again: &mut SeenAgain) -> Result<(), EarlyEnd> {
        match self.script(&gate.command, NamedResults::No).await?.exit {
            ProcessExit::Code(0) if gate.gate != Gate::Steps || gate.exit == Some(0) => {
                again.gates.push(gate.gate);
            }
            // Findings that were on the base as well: the tool fails as it did then.
            ProcessExit::Code(code) if gate.exit == Some(code) => again.gates.push(gate.gate),
            ProcessExit::Code(126 | 127) => {
                again.left_out.push(format!("{}: its tool is not installed here", gate.gate.as_str()));
            }
            ProcessExit::Code(code) => again.differs(gate.gate, &format!("exit code {code}")),
            ProcessExit::Signal(signal) => again.differs(gate.gate, &format!("ended by signal {signal}")),
            ProcessExit::TimedOut(_) => again.differs(gate.gate, "it did not end in time"),
            ProcessExit::NotStarted(why) => again.differs(gate.gate, &why),
            ProcessExit::Cancelled => return Err(EarlyEnd::Interrupted),
        }
        Ok(())
    }

    async fn coverage_again(&mut self, again: &mut SeenAgain) -> Result<(), EarlyEnd> {
        let before = self.seen.gates.len();
        self.coverage().await?;
        if self.seen.gates.len() > before {
            again.gates.push(Gate::Coverage);
        } else {
            again.left_out.push("coverage: it cannot be measured here".into());
        }
        Ok(())
    }
}

fn passed(report: &TestReport) -> Vec<String> {
    report.names(TestOutcome::Passed).map(str::to_owned).collect()
}

fn passed_in(gate: &GateRecord) -> usize {
    gate.report.as_ref().map_or(0, |report| passed(report).len())
}
