//! The gates, in order, on a new export of one tree. The first failure ends the run.

use std::path::Path;
use std::time::Duration;

use windlass_code::detect;
use windlass_code::red;
use windlass_code::red::{Green, GreenFailure, GreenInput, Strength, green};
use windlass_code::repo::Tree;
use windlass_code::script::instrument_in;
use windlass_code::syntax::contract_check;
use windlass_core::failure::{Budget, Failure, Gate};
use windlass_core::ids::Oid;
use windlass_core::plan::{Mode, Proof as ProofKind, Task};

use super::canary::CanaryRun;
use super::coverage::{self, Measured};
use super::proof::{GateRecord, GateResults};
use super::script::{NamedResults, ScriptInput, ScriptRun, exit_of, run_script, task_script};
use super::services::Services;
use super::setup::{SetupInput, command_line, copy_files, in_dir, quote, set_up};
use super::without_tests;
use crate::config::{GateSwitch, Leftovers};
use crate::context::Context;
use crate::early_end::EarlyEnd;
use crate::git_tree::GitTree;
use crate::place::{Neighbour, ScratchDir};
use crate::process::{CancellationSignal, ProcessExit};
use crate::slot::ExportedTree;
use crate::worker_channel::WorkerChannel;

/// What is to be verified.
pub(crate) struct GateInput<'a> {
    pub(crate) tree: &'a Oid,
    pub(crate) changed: &'a [String],
    pub(crate) required: &'a [String],
    pub(crate) neighbours: &'a [Neighbour],
    /// Why one passing run is not enough, if so.
    pub(crate) doubt: Option<&'a str>,
    /// What the verification is for.
    pub(crate) purpose: GatePurpose,
    pub(crate) scratch: &'a ScratchDir,
    pub(crate) cancel: &'a CancellationSignal,
    pub(crate) channel: &'a WorkerChannel,
}

/// What a verification is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum GatePurpose {
    /// A verdict that becomes evidence.
    Verdict,
    /// A check during an attempt; nothing of it is kept.
    Look,
}

/// What the gates saw when every one of them passed, and the export they ran in.
pub(crate) struct GreenGates {
    pub(crate) seen: GateResults,
    pub(crate) export: ExportedTree,
}

/// The gates of one export.
pub(super) struct Bench<'a> {
    pub(super) ctx: &'a Context,
    pub(super) input: &'a GateInput<'a>,
    pub(super) task: &'a Task,
    pub(super) tree: GitTree,
    pub(super) export: ExportedTree,
    pub(super) seen: GateResults,
    /// The canary run, if it went beside the tests.
    pub(super) hatched: Option<CanaryRun>,
}

/// Runs every gate of the task on a fresh export of the tree.
pub(crate) async fn run_gates(ctx: &Context, input: &GateInput<'_>) -> Result<GreenGates, EarlyEnd> {
    let tree = GitTree::open(&ctx.repo, input.tree)?;
    let dir = input.scratch.path().join(format!("export-{}", input.tree.short()));
    let export = ctx.export(input.tree, &dir)?;
    let task = ctx.task(&input.channel.task);
    let mut bench = Bench { ctx, input, task, tree, export, seen: GateResults::default(), hatched: None };
    bench.run().await?;
    Ok(GreenGates { seen: bench.seen, export: bench.export })
}

impl Bench<'_> {
    async fn run(&mut self) -> Result<(), EarlyEnd> {
        copy_files(self.ctx, self.export.dir())?;
        self.set_up().await?;
        let services =
            Services::start(self.ctx, self.export.dir(), self.input.scratch, self.input.channel).await;
        let services = services.map_err(EarlyEnd::failed)?;
        let gates = self.gates().await;
        let gates = match (gates, self.input.purpose) {
            (Ok(()), GatePurpose::Verdict) => self.doubts().await,
            (end, _) => end,
        };
        services.stop(self.ctx).await;
        gates?;
        self.purity()
    }

    /// Further checks before a pass counts.
    async fn doubts(&mut self) -> Result<(), EarlyEnd> {
        self.repeat().await?;
        // The next checks write into the export: it must be unmodified.
        self.purity()?;
        self.held_out().await?;
        self.canaries().await
    }

    pub(super) async fn set_up(&self) -> Result<(), EarlyEnd> {
        self.set_up_in(self.export.dir()).await
    }

    /// Installs dependencies in a directory with the tree.
    pub(super) async fn set_up_in(&self, dir: &Path) -> Result<(), EarlyEnd> {
        let input = SetupInput {
            dir,
            tree: &self.tree,
            scratch: self.input.scratch,
            cancel: self.input.cancel,
            channel: self.input.channel,
        };
        match set_up(self.ctx, &input).await? {
            Some(failure) => Err(EarlyEnd::failed(failure)),
            None => Ok(()),
        }
    }

    async fn gates(&mut self) -> Result<(), EarlyEnd> {
        self.type_check().await?;
        self.tests().await?;
        self.lint().await?;
        self.contract()?;
        self.coverage().await?;
        self.neighbours().await?;
        self.suite().await
    }

    async fn type_check(&mut self) -> Result<(), EarlyEnd> {
        let mut plans = detect::type_check(&self.tree, self.input.changed);
        // Code that the test run compiles is not type-checked separately.
        let script = task_script(self.task, &self.tree).unwrap_or_default();
        let runner = instrument_in(&self.tree, &script, "/").runner();
        plans.retain(|p| !runner.is_some_and(|r| p.covered_by.contains(&r)));
        if plans.is_empty() && runner.is_some() {
            return Ok(());
        }
        self.tools(Gate::TypeCheck, self.ctx.config.verify.type_check, &plans).await
    }

    async fn lint(&mut self) -> Result<(), EarlyEnd> {
        let plans = detect::lint(&self.tree, self.input.changed);
        self.tools(Gate::Lint, self.ctx.config.verify.lint, &plans).await
    }

    async fn tools(
        &mut self,
        gate: Gate,
        switch: GateSwitch,
        plans: &[detect::GatePlan],
    ) -> Result<(), EarlyEnd> {
        match switch {
            GateSwitch::Off => return Ok(()),
            GateSwitch::On if plans.is_empty() && !self.input.changed.is_empty() => {
                let message =
                    format!("{} is required, but the repository has no tool configured", gate.as_str());
                return Err(EarlyEnd::failed(Failure::Environment { message }));
            }
            GateSwitch::Auto | GateSwitch::On => {}
        }
        for plan in plans {
            self.tool(gate, switch, plan).await?;
        }
        Ok(())
    }

    /// Runs a tool that the repository is configured for. A missing tool is no verdict on the work: it is reported and
    /// skipped, unless it is required.
    async fn tool(
        &mut self,
        gate: Gate,
        switch: GateSwitch,
        plan: &detect::GatePlan,
    ) -> Result<(), EarlyEnd> {
        let script = in_dir(&plan.dir, &command_line(&plan.argv));
        let run = self.script(&script, NamedResults::No).await?;
        match run.exit {
            ProcessExit::Code(0) => self.record(gate, &script, &run, "exit-code"),
            ProcessExit::Code(126 | 127) if switch != GateSwitch::On => {
                let what = gate.as_str();
                self.input.channel.finding(format!("{what}: `{}` is not installed; skipped", plan.name));
            }
            ProcessExit::Code(code) => {
                let summary = format!("`{}` exited with code {code}", plan.name);
                return Err(refused(gate, Vec::new(), summary, &run));
            }
            ProcessExit::Signal(_)
            | ProcessExit::TimedOut(_)
            | ProcessExit::NotStarted(_)
            | ProcessExit::Cancelled => {
                return Err(ended_badly(gate, &run, self.timeout()));
            }
        }
        Ok(())
    }

    async fn tests(&mut self) -> Result<(), EarlyEnd> {
        let script = task_script(self.task, &self.tree);
        let (required, mode) = (self.input.required, self.ctx.info(&self.input.channel.task).mode);
        match (script, self.task.proof()) {
            (Some(script), _) => self.tests_with_canaries(&script, required).await,
            (None, ProofKind::Reason(reason)) => {
                let found = without_tests::check(
                    reason,
                    &self.tree,
                    self.input.changed,
                    self.ctx.config.verify.suite.is_some(),
                );
                match found {
                    Ok(note) => {
                        self.seen.gates.push(without_tests::note(Gate::Tests, &note));
                        Ok(())
                    }
                    Err(summary) => {
                        let failure = Failure::TestsFailed {
                            gate: Gate::Tests,
                            failed: Vec::new(),
                            summary,
                            excerpt: String::new(),
                        };
                        Err(EarlyEnd::failed(failure))
                    }
                }
            }
            (None, ProofKind::Script | ProofKind::Command | ProofKind::TestFile | ProofKind::Nothing) => {
                let message = format!("no test command is known for this {} task", mode_word(mode));
                Err(EarlyEnd::failed(Failure::Environment { message }))
            }
        }
    }

    /// Compares exported names and signatures with the task's contract.
    pub(super) fn contract(&mut self) -> Result<(), EarlyEnd> {
        if self.ctx.config.verify.contract == GateSwitch::Off || self.task.contract.is_empty() {
            return Ok(());
        }
        let owned = &self.ctx.info(&self.input.channel.task).owned;
        let files: Vec<(String, Vec<u8>)> = owned
            .iter()
            .filter(|p| !detect::is_test_path(p))
            .filter_map(|p| Some((p.clone(), self.tree.read(p)?)))
            .collect();
        let findings: Vec<String> = self
            .task
            .contract
            .iter()
            .flat_map(|block| contract_check(&block.code, block.language.as_deref(), &files))
            .map(|f| f.to_string())
            .collect();
        if findings.is_empty() {
            self.seen.gates.push(without_tests::note(Gate::Contract, "as promised"));
            return Ok(());
        }
        let failure = Failure::TestsFailed {
            gate: Gate::Contract,
            failed: Vec::new(),
            summary: findings[0].clone(),
            excerpt: findings.join("\n"),
        };
        Err(EarlyEnd::failed(failure))
    }

    /// Measures the promised coverage on the task's own code.
    pub(super) async fn coverage(&mut self) -> Result<(), EarlyEnd> {
        let switch = self.ctx.config.verify.coverage;
        let Some(target) = self.task.test.coverage.filter(|_| switch != GateSwitch::Off) else {
            return Ok(());
        };
        let dir = self.input.scratch.sub("coverage")?;
        let measured = match coverage::plan(self.task, &self.tree, &dir) {
            Err(why) => Measured::Unknown(why),
            Ok(plan) => {
                let script = with_env(&plan.env, &plan.script);
                self.script(&script, NamedResults::No).await?;
                let owned = &self.ctx.info(&self.input.channel.task).owned;
                coverage::judge(target, &plan, owned, &self.seen_root())
            }
        };
        let refuse = |summary: String| {
            let (gate, failed, excerpt) = (Gate::Coverage, Vec::new(), String::new());
            let failure = Failure::TestsFailed { gate, failed, summary, excerpt };
            Err(EarlyEnd::failed(failure))
        };
        match measured {
            Measured::Kept(words) => {
                self.seen.gates.push(without_tests::note(Gate::Coverage, &words));
                Ok(())
            }
            Measured::Missed(words) => refuse(words),
            Measured::Unknown(why) if switch == GateSwitch::On => {
                refuse(format!("cannot be measured: {why}"))
            }
            Measured::Unknown(why) => {
                self.input.channel.finding(format!("coverage was not measured: {why}"));
                Ok(())
            }
        }
    }

    /// Tests of completed tasks with common files must still pass.
    async fn neighbours(&mut self) -> Result<(), EarlyEnd> {
        let own = task_script(self.task, &self.tree);
        let mut done: Vec<String> = own.into_iter().collect();
        for (id, required) in self.input.neighbours {
            let Some(script) = task_script(self.ctx.task(id), &self.tree) else { continue };
            if done.contains(&script) && required.is_empty() {
                continue;
            }
            self.named(Gate::Neighbours, &script, required).await?;
            done.push(script);
        }
        Ok(())
    }

    async fn suite(&mut self) -> Result<(), EarlyEnd> {
        let Some(suite) = self.ctx.config.verify.suite.clone() else { return Ok(()) };
        self.named(Gate::Suite, &suite, &[]).await
    }

    /// Runs a script whose tests must pass, by name where names are known.
    pub(super) async fn named(
        &mut self,
        gate: Gate,
        script: &str,
        required: &[String],
    ) -> Result<(), EarlyEnd> {
        let run = self.script(script, NamedResults::Wanted).await?;
        let strength = self.judge(gate, &run, required)?;
        self.record(gate, script, &run, strength);
        Ok(())
    }

    /// Judges a test run and returns the strength of the result. A run that left processes behind has not ended, and
    /// its report may be incomplete.
    pub(super) fn judge(
        &self,
        gate: Gate,
        run: &ScriptRun,
        required: &[String],
    ) -> Result<&'static str, EarlyEnd> {
        let strength = judge(gate, run, required, self.timeout())?;
        match (run.left.as_slice(), self.ctx.config.verify.leftovers) {
            ([], _) | (_, Leftovers::Recorded) => Ok(strength),
            (left, Leftovers::Refused) => {
                let summary = format!("the tests left processes running: {}", left.join(", "));
                Err(refused(gate, Vec::new(), summary, run))
            }
        }
    }

    /// No command of the verification may change a tracked file.
    pub(super) fn purity(&mut self) -> Result<(), EarlyEnd> {
        let changed = self.export.changed(&self.ctx.repo)?;
        if changed.is_empty() {
            return Ok(());
        }
        let failure = Failure::TestsFailed {
            gate: Gate::Purity,
            failed: Vec::new(),
            summary: format!("the verification changed tracked files: {}", changed.join(", ")),
            excerpt: String::new(),
        };
        Err(EarlyEnd::failed(failure))
    }

    /// The path of the tree as the commands see it.
    fn seen_root(&self) -> std::path::PathBuf {
        let dir = self.export.dir();
        self.ctx
            .machine
            .fence(crate::sandbox::FenceRole::Verifier, dir, self.input.scratch.path())
            .inside(dir)
    }

    pub(super) fn timeout(&self) -> Duration {
        let own = self.task.verification.as_ref().and_then(|v| v.timeout_seconds);
        own.map_or(self.ctx.config.timeouts.verification, Duration::from_secs)
    }

    /// The input for a script of this task with named results.
    pub(super) fn script_input<'a>(&'a self, script: &'a str, dir: &'a Path) -> ScriptInput<'a> {
        ScriptInput {
            script,
            dir,
            tree: &self.tree,
            timeout: self.timeout(),
            scratch: self.input.scratch,
            cancel: self.input.cancel,
            channel: self.input.channel,
            named: NamedResults::Wanted,
        }
    }

    pub(super) async fn script(&self, script: &str, named: NamedResults) -> Result<ScriptRun, EarlyEnd> {
        let input = ScriptInput { named, ..self.script_input(script, self.export.dir()) };
        let run = run_script(self.ctx, input).await?;
        if run.exit == ProcessExit::Cancelled { Err(EarlyEnd::Interrupted) } else { Ok(run) }
    }

    pub(super) fn record(&mut self, gate: Gate, script: &str, run: &ScriptRun, strength: &str) {
        self.seen.gates.push(GateRecord {
            gate,
            command: script.to_owned(),
            exit: match run.exit {
                ProcessExit::Code(code) => Some(code),
                ProcessExit::Signal(_)
                | ProcessExit::TimedOut(_)
                | ProcessExit::NotStarted(_)
                | ProcessExit::Cancelled => None,
            },
            millis: run.millis,
            output: Some(run.output.clone()),
            report: run.report.as_ref().ok().cloned().flatten(),
            strength: strength.to_owned(),
            left: run.left.clone(),
        });
    }
}

fn judge(
    gate: Gate,
    run: &ScriptRun,
    required: &[String],
    timeout: Duration,
) -> Result<&'static str, EarlyEnd> {
    let Some(exit) = exit_of(&run.exit) else { return Err(EarlyEnd::Interrupted) };
    if run.over.is_some() {
        return Err(ended_badly(gate, run, timeout));
    }
    let report = match &run.report {
        Ok(report) => report.as_ref(),
        // A report cut off by a timeout says nothing.
        Err(_) if matches!(run.exit, ProcessExit::TimedOut(_)) => {
            return Err(ended_badly(gate, run, timeout));
        }
        Err(e) => return Err(refused(gate, Vec::new(), e.to_string(), run)),
    };
    match green(&GreenInput { exit, report, runner: run.runner, required }) {
        Green::Passed { strength: Strength::Named, .. } => Ok("named"),
        Green::Passed { strength: Strength::ExitOnly, .. } => Ok("exit-code"),
        Green::Failed(GreenFailure::TimedOut) => Err(ended_badly(gate, run, timeout)),
        Green::Failed(failure) => Err(refused(gate, failing(&failure), failure.to_string(), run)),
    }
}

/// A script with exported variables; their values are quoted.
fn with_env(env: &[(String, String)], script: &str) -> String {
    let exports = env.iter().map(|(name, value)| format!("export {name}={}", quote(value)));
    exports.chain([script.to_owned()]).collect::<Vec<_>>().join("\n")
}

fn mode_word(mode: Mode) -> &'static str {
    mode.as_str()
}

pub(super) fn refused(gate: Gate, failed: Vec<String>, summary: String, run: &ScriptRun) -> EarlyEnd {
    let failure = Failure::TestsFailed { gate, failed, summary, excerpt: run.excerpt.clone() };
    EarlyEnd::Failed { failure, output: Some(run.output.clone()) }
}

fn ended_badly(gate: Gate, run: &ScriptRun, timeout: Duration) -> EarlyEnd {
    if let Some(over) = run.over {
        return refused(gate, Vec::new(), over.words().to_owned(), run);
    }
    match &run.exit {
        ProcessExit::Cancelled => EarlyEnd::Interrupted,
        ProcessExit::TimedOut(_) => {
            let failure = Failure::Timeout { budget: Budget::Verification, seconds: timeout.as_secs() };
            EarlyEnd::Failed { failure, output: Some(run.output.clone()) }
        }
        ProcessExit::Code(code) => refused(gate, Vec::new(), format!("exit code {code}"), run),
        ProcessExit::Signal(signal) => refused(gate, Vec::new(), format!("ended by signal {signal}"), run),
        ProcessExit::NotStarted(why) => {
            refused(gate, Vec::new(), format!("could not be started: {why}"), run)
        }
    }
}

/// The tests named by a failed run.
fn failing(failure: &red::GreenFailure) -> Vec<String> {
    match failure {
        GreenFailure::Tests { failed } => failed.clone(),
        GreenFailure::Missing { names }
        | GreenFailure::Skipped { names }
        | GreenFailure::Duplicates { names } => names.clone(),
        GreenFailure::Exit(_)
        | GreenFailure::Signal(_)
        | GreenFailure::TimedOut
        | GreenFailure::NotStarted
        | GreenFailure::NoReport
        | GreenFailure::NoTests
        | GreenFailure::CommandNotFound(_) => Vec::new(),
    }
}

#[cfg(test)]
mod tests;
