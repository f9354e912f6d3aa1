//! The gates, in order, on a new export of one tree. The first failure ends the run.

use std::path::Path;
use std::time::Duration;

use windlass_code::detect;
use windlass_code::red;
use windlass_code::red::{Green, GreenFailure, GreenInput, cases_of_the_code, green};
use windlass_code::repo::Tree as _;
use windlass_code::script::quote;
use windlass_code::syntax::{promised_names, same_test};
use windlass_core::event::TestAuthor;
use windlass_core::failure::{Failure, Gate, misses_a_server};
use windlass_core::ids::{Oid, TaskId};
use windlass_core::plan::{Action, CodeBlock, Expect, Mode, NoTestReason, Proof as ProofKind, Task};
use windlass_core::report::{TestOutcome, TestReport};

use super::base_tests::{BaseRun, failing_on_again, failures_of, is_own_test, stood_before};
use super::canary::CanaryRun;
use super::checkers::Baseline;
use super::coverage::{self, Measured};
use super::expectations::{MutantRun, TestsBefore};
use super::proof::{GateRecord, GateResults, ProofStrength};
use super::script::{
    NamedResults, ScriptInput, ScriptRun, exit_of, red_script, run_script, task_script, time_limit,
};
use super::services::Services;
use super::setup::{SetupInput, copy_files, set_up};
use super::{without_tests, wrong_tests};
use crate::config::{GateSwitch, Leftovers};
use crate::context::Context;
use crate::early_end::EarlyEnd;
use crate::git_tree::GitTree;
use crate::listed_step::judge_step;
use crate::place::{Neighbour, ScratchDir};
use crate::process::{CancellationSignal, ProcessExit};
use crate::random_token::export_name;
use crate::slot::ExportedTree;
use crate::worker_channel::WorkerChannel;

/// What is to be verified.
pub(crate) struct GateInput<'a> {
    pub(crate) tree: &'a Oid,
    pub(crate) changed: &'a [String],
    pub(crate) required: &'a [String],
    pub(crate) neighbours: &'a [Neighbour],
    /// What type checkers and linters are compared with; without it their exit code decides.
    pub(crate) base: Option<Baseline<'a>>,
    /// Why one passing run is not enough, if so.
    pub(crate) doubt: Option<&'a str>,
    /// The author of the frozen tests, if any are.
    pub(crate) author: Option<TestAuthor>,
    /// The tests as they were before the work, if they are known.
    pub(crate) before: Option<TestsBefore<'a>>,
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

/// A test run that counts as passed.
pub(super) struct JudgedRun {
    pub(super) strength: ProofStrength,
    /// The tests that failed here and on the base.
    pub(super) failing_before: Vec<String>,
}

/// What the names in a report are compared with.
#[derive(Clone, Copy, Default)]
struct HeldAgainst<'a> {
    required: &'a [String],
    failing_before: &'a [String],
    listed_by_code: &'a [String],
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
    /// The run with changed expectations, if it went beside the tests.
    pub(super) mutated: Option<MutantRun>,
}

/// Runs every gate of the task on a fresh export of the tree.
pub(crate) async fn run_gates(ctx: &Context, input: &GateInput<'_>) -> Result<GreenGates, EarlyEnd> {
    let tree = GitTree::open(&ctx.repo, input.tree)?;
    let dir = input.scratch.path().join(export_name());
    let export = ctx.export(input.tree, &dir)?;
    let task = ctx.task(&input.channel.task);
    let mut bench =
        Bench { ctx, input, task, tree, export, seen: GateResults::default(), hatched: None, mutated: None };
    bench.run().await?;
    Ok(GreenGates { seen: bench.seen, export: bench.export })
}

impl Bench<'_> {
    async fn run(&mut self) -> Result<(), EarlyEnd> {
        copy_files(self.ctx, self.export.dir())?;
        self.set_up().await?;
        self.lay_tests()?;
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
        let changed = self.expectations().await?;
        self.canaries(changed).await?;
        self.stated_examples().await
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
        self.contract().await?;
        self.coverage().await?;
        self.neighbours().await?;
        self.suite().await
    }

    async fn tests(&mut self) -> Result<(), EarlyEnd> {
        let script = task_script(self.task, &self.tree);
        let (required, mode) = (self.input.required, self.ctx.info(&self.input.channel.task).mode);
        match (script, self.task.proof()) {
            (Some(script), _) => {
                let named = self.named_script(&script);
                self.tests_with_canaries(&named, required).await?;
                if named.trim() != script.trim() {
                    self.named(Gate::Tests, &script, &[]).await?;
                }
                self.listed_verifications(&[&named, &script]).await
            }
            (None, ProofKind::Waived) => {
                self.seen.gates.push(without_tests::waived());
                Ok(())
            }
            (None, ProofKind::Reason(reason)) => {
                let has_suite = self.ctx.config.verify.suite.is_some() || self.existing_tests(reason).await?;
                let found = without_tests::check(reason, &self.tree, self.input.changed, has_suite);
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
                Err(EarlyEnd::failed(Failure::NoTestCommand { message }))
            }
        }
    }

    /// The script whose report must name the tests that were seen red: the one that showed them.
    pub(super) fn named_script(&self, script: &str) -> String {
        if self.input.required.is_empty() {
            return script.to_owned();
        }
        red_script(self.task, &self.tree).unwrap_or_else(|| script.to_owned())
    }

    /// Runs the listed `verify_pass` commands that have not been run as the task's tests. Each must end as it says.
    async fn listed_verifications(&mut self, run: &[&str]) -> Result<(), EarlyEnd> {
        let mut seen: Vec<String> = run.iter().map(|script| script.trim().to_owned()).collect();
        for (at, step) in self.task.steps.iter().enumerate().filter(|(_, s)| s.action == Action::VerifyPass) {
            let Some(command) = step.command() else { continue };
            if step.verify == Expect::ExitCode && seen.iter().any(|script| script == command) {
                continue;
            }
            let done = self.script(command, NamedResults::No).await?;
            judge_step(at, step, &done, self.timeout())?;
            self.record(Gate::Steps, command, &done, ProofStrength::ExitCode);
            seen.push(command.to_owned());
        }
        Ok(())
    }

    /// Measures the promised coverage on the task's own code.
    pub(super) async fn coverage(&mut self) -> Result<(), EarlyEnd> {
        let switch = self.ctx.config.verify.coverage;
        let Some(target) = self.task.coverage_target().filter(|_| switch != GateSwitch::Off) else {
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

    /// Runs the tests of the repository for a task that rests on them, where no suite is set. Whether there are any.
    async fn existing_tests(&mut self, reason: NoTestReason) -> Result<bool, EarlyEnd> {
        if !matches!(reason, NoTestReason::DependencyUpdate | NoTestReason::DeleteDeadCode) {
            return Ok(false);
        }
        let Some(script) = detect::existing_tests(&self.tree) else { return Ok(false) };
        self.named(Gate::Suite, &script, &[]).await?;
        Ok(true)
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
        let judged = self.judge_by_base(gate, script, &run, required).await?;
        self.record_judged(gate, script, &run, judged);
        Ok(())
    }

    /// Judges a test run; tests that fail on the base as well and are not the task's own may fail.
    pub(super) async fn judge_by_base(
        &self,
        gate: Gate,
        script: &str,
        run: &ScriptRun,
        required: &[String],
    ) -> Result<JudgedRun, EarlyEnd> {
        let plainly = self.judge(gate, run, required, &[]);
        let (Err(EarlyEnd::Failed { .. }), Some(base), Ok(Some(report))) =
            (&plainly, self.input.base, &run.report)
        else {
            return plainly.map(|strength| JudgedRun { strength, failing_before: Vec::new() });
        };
        let onto = GitTree::open(&self.ctx.repo, base.tree)?;
        let red = self.input.required;
        let was_red = |name: &str| red.is_empty() || red.iter().any(|test| same_test(name, test));
        let own = |name: &str| {
            is_own_test(self.task, &self.tree, name)
                && (was_red(name) || !stood_before(self.task, &onto, &self.tree, name))
        };
        let failed = failures_of(report);
        // Whether the base fails as well is worth a run only if it could make a difference.
        if failed.is_empty() || failed.iter().any(|name| own(name)) {
            return plainly.map(|strength| JudgedRun { strength, failing_before: Vec::new() });
        }
        let GateInput { scratch, cancel, channel, .. } = *self.input;
        let base = BaseRun { tree: base.tree, script, scratch, cancel, channel };
        let before = failing_on_again(self.ctx, &base, &failed).await?.without(&own).names();
        let strength = self.judge(gate, run, required, &before)?;
        let failing_before = failed.into_iter().filter(|name| before.contains(name)).collect();
        Ok(JudgedRun { strength, failing_before })
    }

    /// Judges a test run and returns the strength of the result. A run that left processes behind has not ended, and
    /// its report may be incomplete.
    pub(super) fn judge(
        &self,
        gate: Gate,
        run: &ScriptRun,
        required: &[String],
        failing_before: &[String],
    ) -> Result<ProofStrength, EarlyEnd> {
        let listed = self.listed_by_code(run);
        let held = HeldAgainst { required, failing_before, listed_by_code: &listed };
        let strength = judge(gate, run, held, self.timeout())
            .map_err(|end| if gate == Gate::Tests { wrong_tests::named(self, run, end) } else { end })?;
        match (run.left.as_slice(), self.ctx.config.verify.leftovers) {
            ([], _) | (_, Leftovers::Recorded) => Ok(strength),
            (left, Leftovers::Refused) => {
                let summary = format!("the tests left processes running: {}", left.join(", "));
                Err(refused(gate, Vec::new(), summary, run))
            }
        }
    }

    /// The tests of this task and of those before it whose cases their own code lists, if a run skipped any. Tests of an
    /// agent are held to every case.
    fn listed_by_code(&self, run: &ScriptRun) -> Vec<String> {
        let skips = |report: &TestReport| report.names(TestOutcome::Skipped).next().is_some();
        if !run.report.as_ref().is_ok_and(|report| report.as_ref().is_some_and(skips)) {
            return Vec::new();
        }
        let own = (self.input.author != Some(TestAuthor::Agent)).then_some(&self.input.channel.task);
        let tasks = own.into_iter().chain(self.input.neighbours.iter().map(|(id, _)| id));
        let of_task = |id: &TaskId| {
            let text = |path: &str| Some((path.to_owned(), self.tree.read(path)?));
            let files: Vec<_> = self.ctx.task(id).test_files().into_iter().filter_map(text).collect();
            cases_of_the_code(&files, &self.ctx.info(id).owned)
        };
        tasks.flat_map(of_task).collect()
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
    pub(super) fn seen_root(&self) -> std::path::PathBuf {
        self.root_of(self.export.dir())
    }

    /// The path of a directory as commands in it see it.
    pub(super) fn root_of(&self, dir: &Path) -> std::path::PathBuf {
        self.ctx
            .machine
            .fence(crate::sandbox::FenceRole::Verifier, dir, self.input.scratch.path())
            .inside(dir)
    }

    pub(super) fn timeout(&self) -> Duration {
        time_limit(self.ctx, self.task)
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
            idle: None,
        }
    }

    pub(super) async fn script(&self, script: &str, named: NamedResults) -> Result<ScriptRun, EarlyEnd> {
        let input = ScriptInput { named, ..self.script_input(script, self.export.dir()) };
        let run = run_script(self.ctx, input).await?;
        if run.exit == ProcessExit::Cancelled { Err(EarlyEnd::Interrupted) } else { Ok(run) }
    }

    pub(super) fn record_judged(&mut self, gate: Gate, script: &str, run: &ScriptRun, judged: JudgedRun) {
        self.record(gate, script, run, judged.strength);
        if let Some(record) = self.seen.gates.last_mut() {
            record.failing_before = judged.failing_before;
        }
    }

    pub(super) fn record(&mut self, gate: Gate, script: &str, run: &ScriptRun, strength: ProofStrength) {
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
            build_millis: run.build_millis,
            output: Some(run.output.clone()),
            report: run.report.as_ref().ok().cloned().flatten(),
            strength,
            left: run.left.clone(),
            failing_before: Vec::new(),
        });
    }
}

/// The names in the task's contract.
pub(crate) fn contract_names(task: &Task) -> Vec<String> {
    let names = |block: &CodeBlock| {
        let files = block.path.as_deref().into_iter().chain(task.files.owned());
        promised_names(&block.code, block.language.as_deref(), files)
    };
    task.contract.iter().flat_map(names).collect()
}

fn judge(
    gate: Gate,
    run: &ScriptRun,
    held: HeldAgainst<'_>,
    timeout: Duration,
) -> Result<ProofStrength, EarlyEnd> {
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
    let HeldAgainst { required, failing_before, listed_by_code } = held;
    match green(&GreenInput { exit, report, runner: run.runner, required, failing_before, listed_by_code }) {
        Green::Passed { strength, .. } => Ok(strength.into()),
        Green::Failed(GreenFailure::TimedOut) => Err(ended_badly(gate, run, timeout)),
        Green::Failed(failure @ (GreenFailure::CommandNotFound(_) | GreenFailure::NotStarted)) => {
            let failure =
                Failure::CannotRun { gate, summary: failure.to_string(), excerpt: run.excerpt.clone() };
            Err(EarlyEnd::Failed { failure, output: Some(run.output.clone()) })
        }
        Green::Failed(_) if report.is_some_and(lacks_a_server) => {
            let summary = "the tests have no server to connect to".to_owned();
            let failure = Failure::CannotRun { gate, summary, excerpt: with_server_line(report, run) };
            Err(EarlyEnd::Failed { failure, output: Some(run.output.clone()) })
        }
        Green::Failed(failure) => {
            let excerpt = with_server_line(report, run);
            let (failed, summary) = (failing(&failure), failure.to_string());
            let failure = Failure::TestsFailed { gate, failed, summary, excerpt };
            Err(EarlyEnd::Failed { failure, output: Some(run.output.clone()) })
        }
    }
}

/// The excerpt of an output, with what a failed test says about a connection that no server accepted: the excerpt of a long
/// output may lack it.
fn with_server_line(report: Option<&TestReport>, run: &ScriptRun) -> String {
    let mut lines = report.into_iter().flat_map(not_passed).flat_map(str::lines).map(str::trim);
    let line = lines.find(|line| misses_a_server(line));
    let line = line.filter(|_| !misses_a_server(&run.excerpt));
    line.map_or_else(|| run.excerpt.clone(), |line| format!("{}\n{line}", run.excerpt))
}

/// What the tests that did not pass say.
fn not_passed(report: &TestReport) -> impl Iterator<Item = &str> {
    let names = report.names(TestOutcome::Failed).chain(report.names(TestOutcome::Errored));
    names.map(|name| report.messages.get(name).map_or("", String::as_str))
}

/// Whether every test that did not pass says that a connection was refused.
fn lacks_a_server(report: &TestReport) -> bool {
    let mut said = not_passed(report).peekable();
    said.peek().is_some() && said.all(misses_a_server)
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

pub(super) fn ended_badly(gate: Gate, run: &ScriptRun, timeout: Duration) -> EarlyEnd {
    if let Some(over) = run.over {
        return refused(gate, Vec::new(), over.words().to_owned(), run);
    }
    match &run.exit {
        ProcessExit::Cancelled => EarlyEnd::Interrupted,
        ProcessExit::TimedOut(_) => {
            EarlyEnd::Failed { failure: run.took_too_long(timeout), output: Some(run.output.clone()) }
        }
        ProcessExit::Code(code) => refused(gate, Vec::new(), format!("exit code {code}"), run),
        ProcessExit::Signal(signal) => refused(gate, Vec::new(), format!("ended by signal {signal}"), run),
        ProcessExit::NotStarted(why) => {
            refused(gate, Vec::new(), format!("could not be started: {why}"), run)
        }
    }
}

/// The tests that failed. Tests that were skipped or did not run are named in the words of the failure.
fn failing(failure: &red::GreenFailure) -> Vec<String> {
    match failure {
        GreenFailure::Tests { failed } => failed.clone(),
        GreenFailure::Missing { .. }
        | GreenFailure::Skipped { .. }
        | GreenFailure::Exit(_)
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
