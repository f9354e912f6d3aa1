//! The listed steps of an attempt, in their order: their commands, and what those changed.
//!
//! An agent's turn covers every step of its kind; the commands of these steps follow it. What a command changes is taken
//! in like an agent's change: the task's own files, never a frozen one.

use std::ops::Range;

use windlass_core::event::StepResult;
use windlass_core::failure::{Failure, Gate};
use windlass_core::ids::Oid;
use windlass_core::plan::{Action, Mode, Step};
use windlass_core::schedule::FrozenTests;

use super::held;
use super::steps::Attempt;
use crate::agent::TurnStep;
use crate::early_end::EarlyEnd;
use crate::error::EngineError;
use crate::git_tree::GitTree;
use crate::listed_step::{ListedStep, judge_step, run_listed};
use crate::verify::setup::{SetupInput, copy_files, set_up};
use crate::verify::{NamedResults, ScriptInput, run_script, time_limit};
use crate::worker_channel::OpenStep;

/// What the commands of a range of steps may change.
#[derive(Clone, Copy)]
pub(super) enum CommandScope<'a> {
    /// Tests, before they are seen red.
    Tests,
    /// The task's files, but not the frozen ones.
    Owned(Option<&'a FrozenTests>),
}

/// The scope of commands where nothing is frozen.
pub(super) const OWNED: CommandScope<'static> = CommandScope::Owned(None);

/// Whether a step has a command that may change files.
pub(super) fn changes_files(step: &Step) -> bool {
    let writes = match step.action {
        Action::WriteTest | Action::Implement | Action::Refactor | Action::Format => true,
        Action::VerifyFail | Action::VerifyPass | Action::Commit => false,
    };
    writes && step.command().is_some()
}

/// Whether the command of a listed step failed, rather than an agent.
fn is_of_step(failure: &Failure) -> bool {
    matches!(
        failure,
        Failure::TestsFailed { gate: Gate::Steps, .. } | Failure::CannotRun { gate: Gate::Steps, .. }
    )
}

impl Attempt<'_> {
    /// The steps from the end of red up to the verdict.
    pub(super) async fn work(
        &mut self,
        start: &Oid,
        step: TurnStep,
        frozen: Option<&FrozenTests>,
    ) -> Result<Oid, EarlyEnd> {
        let start_tree = self.ctx.repo.tree_of(start)?;
        if frozen.is_none() && self.is_there(&start_tree)? {
            return Ok(start_tree);
        }
        let scope = CommandScope::Owned(frozen);
        let before = self.places.red.map_or(0, |at| at + 1).min(self.places.work)..self.places.work;
        let is_first = !self.job.rung.continues() && self.steps[before.clone()].iter().any(changes_files);
        let begun = if is_first {
            self.commands(start_tree.clone(), before, scope).await?
        } else {
            start_tree.clone()
        };
        let start =
            if begun == start_tree { start.clone() } else { self.ctx.keep(&begun, &[start], "begun")? };
        let tree = self.code_turn(&start, step, frozen, self.places.work).await?;
        let tree = self.rest(tree, frozen).await?;
        if tree == start_tree { Err(EarlyEnd::failed(Failure::NoChange)) } else { Ok(tree) }
    }

    /// Whether a task without tests is done: a commit of it landed before this run, and what it was to make is there.
    fn is_there(&self, tree: &Oid) -> Result<bool, EngineError> {
        let task = self.ctx.task(&self.job.task);
        let view = GitTree::open(&self.ctx.repo, tree)?;
        let there = !task.files.create.is_empty()
            && task.files.create.iter().all(|path| view.blob(path).is_some())
            && task.files.delete.iter().all(|path| view.blob(path).is_none());
        if !there || held::landed(self)?.is_none() {
            return Ok(false);
        }
        self.channel.finding("its work is in the branch already, by a commit of this task".into());
        Ok(true)
    }

    /// The tests are there, or could not be had: every step that writes them is over.
    pub(super) fn tests_written(&self, first: &OpenStep, result: StepResult) {
        self.channel.step_over(first, result, None);
        let first = self.steps.iter().position(|s| s.action == Action::WriteTest).map_or(0, |at| at + 1);
        self.covered(Action::WriteTest, first..self.places.work.max(first), result);
    }

    /// The tree with tests that commands of the plan wrote; `None` if an agent has to write them.
    pub(super) async fn tests_by_command(&mut self, base: &Oid) -> Result<Option<Oid>, EarlyEnd> {
        let before = 0..self.places.red.unwrap_or(0);
        if !self.steps[before.clone()].iter().any(changes_files) {
            return Ok(None);
        }
        let tree = match self.commands(base.clone(), before, CommandScope::Tests).await {
            Ok(tree) => tree,
            // The command may need the test that is still to be written.
            Err(EarlyEnd::Failed { .. }) => return Ok(None),
            Err(end @ (EarlyEnd::Interrupted | EarlyEnd::Broken(_))) => return Err(end),
        };
        let view = GitTree::open(&self.ctx.repo, &tree)?;
        let files = self.ctx.task(&self.job.task).test_files();
        let written = tree != *base && files.iter().all(|file| view.blob(file).is_some());
        Ok(written.then_some(tree))
    }

    /// Carries out the commands of a range of steps. Steps without one are left to the turn they belong to.
    pub(super) async fn commands(
        &mut self,
        mut tree: Oid,
        range: Range<usize>,
        scope: CommandScope<'_>,
    ) -> Result<Oid, EarlyEnd> {
        for at in range {
            let step = self.steps[at].clone();
            if step.command().is_none() {
                continue;
            }
            match step.action {
                Action::Commit | Action::VerifyPass => {}
                Action::VerifyFail => self.must_end_as_said(at, &step, &tree).await?,
                Action::WriteTest | Action::Implement | Action::Refactor | Action::Format => {
                    let open = self.channel.step_at(at, step.action);
                    let done = self.command(at, &tree, scope).await;
                    let result = if done.is_ok() { StepResult::Passed } else { StepResult::Failed };
                    self.channel.step_over(&open, result, None);
                    tree = done?;
                }
            }
        }
        Ok(tree)
    }

    /// Runs the command of a step, if it has one, and takes in what it changed.
    pub(super) async fn command(
        &mut self,
        at: usize,
        tree: &Oid,
        scope: CommandScope<'_>,
    ) -> Result<Oid, EarlyEnd> {
        let step = self.steps[at].clone();
        let Some(command) = step.command() else { return Ok(tree.clone()) };
        let listed = ListedStep {
            tree,
            at,
            step: &step,
            command,
            owns: &|path| self.owner.owns(path),
            scratch: &self.scratch,
            cancel: self.cancel,
            channel: self.channel,
        };
        let ingested = run_listed(self.ctx, &listed).await?;
        if ingested.tree == *tree {
            return Ok(ingested.tree);
        }
        let taken = match scope {
            CommandScope::Tests => self.cut(tree, &ingested, &|path| self.owner.is_test(path), &[]),
            CommandScope::Owned(frozen) => {
                let start = self.ctx.keep(tree, &[&self.job.base], "before a listed step")?;
                self.accept(&start, ingested, frozen).await
            }
        };
        match taken {
            // The step did what it must: that nothing of its change may be kept is no failure of it.
            Err(EarlyEnd::Failed {
                failure:
                    failure @ (Failure::OutOfScope { .. }
                    | Failure::MovedOut { .. }
                    | Failure::NeverTaken { .. }
                    | Failure::FrozenChanged { .. }),
                ..
            }) => {
                let name = step.action.as_str();
                self.channel.finding(format!("step {} `{name}`: {}; left out", at + 1, failure.summary()));
                Ok(tree.clone())
            }
            taken => taken,
        }
    }

    /// Runs a listed `verify_fail` besides the red run: its exit code must be the stated one.
    async fn must_end_as_said(&self, at: usize, step: &Step, tree: &Oid) -> Result<(), EarlyEnd> {
        let open = self.channel.step_at(at, step.action);
        let ended = self.look_at(at, step, tree).await;
        let result = if ended.is_ok() { StepResult::Passed } else { StepResult::Failed };
        self.channel.step_over(&open, result, None);
        ended
    }

    async fn look_at(&self, at: usize, step: &Step, tree: &Oid) -> Result<(), EarlyEnd> {
        let ctx = self.ctx;
        let Some(script) = step.command() else { return Ok(()) };
        let view = GitTree::open(&ctx.repo, tree)?;
        let dir = self.scratch.path().join(format!("step-{at}-{}", tree.short()));
        let laid = ctx.export(tree, &dir)?;
        copy_files(ctx, laid.dir())?;
        let (scratch, cancel, channel) = (&self.scratch, self.cancel, self.channel);
        let setup = SetupInput { dir: laid.dir(), tree: &view, scratch, cancel, channel };
        if let Some(failure) = set_up(ctx, &setup).await? {
            return Err(EarlyEnd::failed(failure));
        }
        let timeout = time_limit(ctx, ctx.task(&self.job.task));
        let (dir, named) = (laid.dir(), NamedResults::No);
        let input =
            ScriptInput { script, dir, tree: &view, timeout, scratch, cancel, channel, named, idle: None };
        judge_step(at, step, &run_script(ctx, input).await?, timeout)
    }

    /// The steps that a turn covers besides the one it was taken for.
    pub(super) fn covered(&self, action: Action, range: Range<usize>, result: StepResult) {
        for at in range {
            let step = &self.steps[at];
            if step.action == action && step.command().is_none() {
                let open = self.channel.step_at(at, action);
                self.channel.step_over(&open, result, None);
            }
        }
    }

    /// Carries out the steps between the first turn and the verdict.
    pub(super) async fn rest(&mut self, tree: Oid, frozen: Option<&FrozenTests>) -> Result<Oid, EarlyEnd> {
        let (mut tree, mut green) = (tree, None);
        let mode = self.ctx.info(&self.job.task).mode;
        for at in self.places.work + 1..self.places.verdict {
            let step = self.steps[at].clone();
            match step.action {
                Action::Commit => {}
                Action::VerifyFail => self.must_end_as_said(at, &step, &tree).await?,
                Action::VerifyPass => {
                    let open = self.channel.step_at(at, step.action);
                    let passed = self.is_green(&tree).await?;
                    let result = if passed { StepResult::Passed } else { StepResult::Failed };
                    self.channel.step_over(&open, result, None);
                    if !passed {
                        // The verifier says what is wrong, and keeps the tree for the next attempt.
                        return Ok(tree);
                    }
                    green = Some(tree.clone());
                }
                Action::Refactor if mode == Mode::Tdd => {
                    let known = green.as_ref() == Some(&tree);
                    if let Some(frozen) = frozen
                        && (known || self.is_green(&tree).await?)
                    {
                        tree = self.polish(at, tree, frozen).await?;
                    }
                }
                Action::WriteTest | Action::Implement | Action::Refactor => {
                    self.covered(step.action, at..at + 1, StepResult::Passed);
                    tree = self.commands(tree, at..at + 1, CommandScope::Owned(frozen)).await?;
                }
                Action::Format => {
                    self.covered(step.action, at..at + 1, StepResult::Skipped);
                    tree = self.commands(tree, at..at + 1, CommandScope::Owned(frozen)).await?;
                }
            }
        }
        Ok(tree)
    }

    /// The refactoring turn of a task that asks for one. If the tests do not stay green, the green tree from before is the
    /// candidate.
    pub(super) async fn polish(
        &mut self,
        at: usize,
        tree: Oid,
        frozen: &FrozenTests,
    ) -> Result<Oid, EarlyEnd> {
        let start = self.ctx.keep(&tree, &[&self.job.base], "before refactoring")?;
        let polished = match self.code_turn(&start, TurnStep::Refactor, Some(frozen), at).await {
            Ok(polished) => polished,
            Err(EarlyEnd::Failed { failure, .. }) if !is_of_step(&failure) => {
                self.channel.finding(format!("refactoring discarded: {}", failure.summary()));
                return Ok(tree);
            }
            Err(end) => return Err(end),
        };
        if self.is_green(&polished).await? {
            return Ok(polished);
        }
        self.channel.finding("refactoring discarded: the tests did not stay green".into());
        Ok(tree)
    }
}
