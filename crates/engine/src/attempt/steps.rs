//! The steps of an attempt by mode.

use windlass_code::detect::is_test_path;
use windlass_core::event::{RedKind, StepResult};
use windlass_core::failure::Failure;
use windlass_core::ids::Oid;
use windlass_core::plan::{Action, Mode};
use windlass_core::schedule::{Conversation, FrozenTests};

use super::owned_files::{Ownership, line_findings, plan_tests, with_tests};
use super::red::{self, RedRun};
use super::scope::cut_to_scope;
use super::turn::{TurnOutcome, take_turn};
use crate::agent::TurnStep;
use crate::context::Context;
use crate::early_end::EarlyEnd;
use crate::error::EngineError;
use crate::git::ExpectedRef;
use crate::git_tree::GitTree;
use crate::place::{AttemptJob, ScratchDir};
use crate::process::CancellationSignal;
use crate::verify::{GateInput, GatePurpose, missing, run_gates};
use crate::worker_channel::{CandidateCommit, StepChoice, WorkerChannel};

/// An attempt under way.
pub(super) struct Attempt<'a> {
    pub(super) ctx: &'a Context,
    pub(super) job: &'a AttemptJob,
    pub(super) channel: &'a WorkerChannel,
    pub(super) cancel: &'a CancellationSignal,
    pub(super) scratch: ScratchDir,
    pub(super) owner: Ownership,
    /// The agent of the last turn with a session, and that session.
    pub(super) session: Option<(String, String)>,
}

/// Carries out the attempt up to its candidate.
pub(crate) async fn attempt(
    ctx: &Context,
    job: &AttemptJob,
    channel: &WorkerChannel,
    cancel: &CancellationSignal,
) -> Result<CandidateCommit, EarlyEnd> {
    let scratch = ctx.machine.scratch("attempt")?;
    ctx.forget_live(&job.task);
    let owner = Ownership::of(ctx, &job.task, &job.work.granted);
    let mut attempt = Attempt { ctx, job, channel, cancel, scratch, owner, session: None };
    attempt.run().await
}

impl Attempt<'_> {
    /// The conversation that the next turn continues: this attempt's own, or the one it starts with.
    pub(super) fn conversation(&self, agent: &str) -> Conversation {
        match &self.session {
            Some((of, session)) if of == agent => Conversation::Resume(session.clone()),
            None if agent == self.job.agent => self.job.beginning.conversation.clone(),
            // A conversation belongs to one agent, and the first one belongs to the attempt's agent.
            Some(_) | None => Conversation::New,
        }
    }

    async fn run(&mut self) -> Result<CandidateCommit, EarlyEnd> {
        let base = GitTree::open(&self.ctx.repo, &self.ctx.repo.tree_of(&self.job.base)?)?;
        if let Some(message) = missing(&self.ctx.held_out, self.ctx.task(&self.job.task), &base) {
            return Err(EarlyEnd::failed(Failure::Environment { message }));
        }
        let tree = match self.ctx.info(&self.job.task).mode {
            Mode::Gate => {
                return Ok(CandidateCommit { commit: self.job.base.clone(), added: 0, removed: 0 });
            }
            Mode::Tdd => self.tdd().await?,
            Mode::TestsOnly => self.tests_only().await?,
            Mode::Refactor => self.refactor().await?,
            Mode::None => {
                let start = self.start_commit(None);
                let step = self.code_step();
                self.code_turn(&start, step, None).await?
            }
        };
        self.candidate(&tree)
    }

    /// The commit of the workspace: the failed tree for a bug-hunter, else red, else the base.
    fn start_commit(&self, frozen: Option<&FrozenTests>) -> Oid {
        let failed = self.job.rung.continues().then(|| self.job.work.candidate.clone()).flatten();
        failed.or_else(|| frozen.map(|f| f.commit.clone())).unwrap_or_else(|| self.job.base.clone())
    }

    /// A bug-hunter fixes, other agents implement.
    fn code_step(&self) -> TurnStep {
        if self.job.rung.continues() { TurnStep::Fix } else { TurnStep::Implement }
    }

    async fn tdd(&mut self) -> Result<Oid, EarlyEnd> {
        let frozen = match self.job.work.frozen.clone() {
            Some(frozen) => frozen,
            None => self.establish_red().await?,
        };
        let start = self.start_commit(Some(&frozen));
        let step = self.code_step();
        let tree = self.code_turn(&start, step, Some(&frozen)).await?;
        let wants_refactor = self.ctx.task(&self.job.task).steps.iter().any(|s| s.action == Action::Refactor);
        if wants_refactor { self.polish(tree, &frozen).await } else { Ok(tree) }
    }

    /// Makes sure that there are tests and that they are red, then freezes them.
    async fn establish_red(&mut self) -> Result<FrozenTests, EarlyEnd> {
        let base_tree = self.ctx.repo.tree_of(&self.job.base)?;
        let task = self.ctx.task(&self.job.task);
        let step = self.channel.step(Action::WriteTest, StepChoice::First);
        let given = plan_tests(task);
        if !given.is_empty() {
            let tree = with_tests(self.ctx, &base_tree, &given)?;
            let tree = self.format_tests(&tree, &given).await?;
            self.channel.step_over(&step, StepResult::Passed, None);
            return self.freeze(&tree, red::Author::Plan).await;
        }
        let view = GitTree::open(&self.ctx.repo, &base_tree)?;
        let there = task.test_files().iter().any(|f| view.blob(f).is_some())
            || (task.test_files().is_empty() && crate::verify::task_script(task, &view).is_some());
        if there {
            let run = red::look(self, &base_tree).await?;
            if let RedRun::Red { .. } = run {
                self.channel.step_over(&step, StepResult::Skipped, None);
                return self.freeze_seen(&base_tree, run);
            }
            if task.test_files().is_empty() {
                // Only a command, and it is not red: a person must say what it should show.
                return Err(red::not_red(run, red::Author::Plan));
            }
        }
        let outcome = self.test_turn(&base_tree).await;
        let result = if outcome.is_ok() { StepResult::Passed } else { StepResult::Failed };
        self.channel.step_over(&step, result, None);
        let tree = outcome?;
        let tree = self.format_tests(&tree, &[]).await?;
        self.freeze(&tree, red::Author::Agent).await
    }

    /// A turn that may only write tests.
    async fn test_turn(&mut self, base_tree: &Oid) -> Result<Oid, EarlyEnd> {
        let turn = take_turn(self, &self.job.base.clone(), TurnStep::WriteTest, None).await?;
        let TurnOutcome { ingested, .. } = turn;
        if ingested.tree == *base_tree {
            return Err(EarlyEnd::failed(Failure::NoChange));
        }
        let outside = |path: &str| !self.owner.is_test(path);
        let written: Vec<&str> = ingested.changes.iter().map(|c| c.path.as_str()).collect();
        if written.iter().all(|path| outside(path) && self.owner.owns(path)) {
            let paths = written.into_iter().map(str::to_owned).collect();
            return Err(EarlyEnd::failed(Failure::CodeBeforeTests { paths }));
        }
        self.cut(base_tree, &ingested, &|path| self.owner.is_test(path), &[])
    }

    /// The tree with permitted changes only; what was left out is reported as a finding.
    fn cut(
        &self,
        start_tree: &Oid,
        ingested: &crate::git::Ingested,
        may_change: &dyn Fn(&str) -> bool,
        frozen: &[windlass_core::event::FrozenFile],
    ) -> Result<Oid, EarlyEnd> {
        let cut = cut_to_scope(&self.ctx.repo, start_tree, ingested, may_change, frozen)?;
        let scoped = cut.map_err(EarlyEnd::failed)?;
        if let Some(finding) = scoped.finding() {
            self.channel.finding(finding);
        }
        Ok(scoped.tree)
    }

    /// Runs the tests on the base and freezes them if they are red for the right reason.
    async fn freeze(&mut self, tree: &Oid, author: red::Author) -> Result<FrozenTests, EarlyEnd> {
        match red::look(self, tree).await? {
            run @ RedRun::Red { .. } => self.freeze_seen(tree, run),
            run @ RedRun::Not { .. } => Err(red::not_red(run, author)),
        }
    }

    fn freeze_seen(&mut self, tree: &Oid, run: RedRun) -> Result<FrozenTests, EarlyEnd> {
        let frozen = red::freeze(self, tree, run)?;
        Ok(frozen)
    }

    /// A turn that writes code, and the checks on its result.
    async fn code_turn(
        &mut self,
        start: &Oid,
        step: TurnStep,
        frozen: Option<&FrozenTests>,
    ) -> Result<Oid, EarlyEnd> {
        let action = if step == TurnStep::Refactor { Action::Refactor } else { Action::Implement };
        let open = self.channel.step(action, StepChoice::First);
        let done = self.code_turn_inner(start, step, frozen).await;
        let result = if done.is_ok() { StepResult::Passed } else { StepResult::Failed };
        self.channel.step_over(&open, result, None);
        done
    }

    async fn code_turn_inner(
        &mut self,
        start: &Oid,
        step: TurnStep,
        frozen: Option<&FrozenTests>,
    ) -> Result<Oid, EarlyEnd> {
        const GRANTS: usize = 3;
        for _ in 0..GRANTS {
            let turn = take_turn(self, start, step, frozen).await?;
            if !turn.wants.is_empty() {
                self.grant(turn.wants).await?;
                if turn.again {
                    continue;
                }
            }
            return self.accept(start, turn.ingested, frozen).await;
        }
        let message = "the agent kept requesting more files".into();
        Err(EarlyEnd::failed(Failure::AgentError { message }))
    }

    /// Requests files beyond the task's own.
    async fn grant(&mut self, files: Vec<String>) -> Result<(), EarlyEnd> {
        let files: Vec<String> = files.into_iter().filter(|f| !self.owner.owns(f)).collect();
        if files.is_empty() {
            return Ok(());
        }
        match self.channel.ask_for(files.clone()).await {
            Ok(()) => {
                self.owner.grant(files);
                Ok(())
            }
            Err(files) => Err(EarlyEnd::failed(Failure::NeedsFiles { files })),
        }
    }

    /// Accepts the result of a turn if it stays inside the task's files and leaves the frozen tests alone.
    async fn accept(
        &mut self,
        start: &Oid,
        ingested: crate::git::Ingested,
        frozen: Option<&FrozenTests>,
    ) -> Result<Oid, EarlyEnd> {
        let start_tree = self.ctx.repo.tree_of(start)?;
        if !ingested.refused.is_empty() {
            let paths = ingested.refused.iter().map(|r| format!("{}: {:?}", r.path, r.why)).collect();
            return Err(EarlyEnd::failed(Failure::OutOfScope { paths }));
        }
        if ingested.tree == start_tree {
            return Err(EarlyEnd::failed(Failure::NoChange));
        }
        let frozen_files = frozen.map_or(&[][..], |f| &f.files);
        let is_frozen = |path: &str| frozen_files.iter().any(|f| f.path == path);
        let stray: Vec<String> = ingested
            .changes
            .iter()
            .map(|c| c.path.clone())
            .filter(|p| !self.owner.owns(p) && !is_frozen(p))
            .collect();
        // If red is only an exit code, these tests may be what was missing.
        let by_exit = frozen.is_some_and(|f| f.red == RedKind::ExitCode);
        let own_proof = by_exit && stray.iter().any(|path| is_test_path(path));
        if !stray.is_empty() && self.owner.is_open() && !own_proof {
            self.grant(stray).await?;
        }
        self.cut(&start_tree, &ingested, &|path| self.owner.owns(path), frozen_files)
    }

    /// Tests for code that exists: the plan's, or an agent's.
    async fn tests_only(&mut self) -> Result<Oid, EarlyEnd> {
        let given = plan_tests(self.ctx.task(&self.job.task));
        let base_tree = self.ctx.repo.tree_of(&self.job.base)?;
        let step = self.channel.step(Action::WriteTest, StepChoice::First);
        let tree = if given.is_empty() || self.job.rung.continues() {
            let start = self.start_commit(None);
            let turn = take_turn(self, &start, self.test_step(), None).await?;
            self.accept(&start, turn.ingested, None).await
        } else {
            with_tests(self.ctx, &base_tree, &given).map_err(EarlyEnd::from)
        };
        let result = if tree.is_ok() { StepResult::Passed } else { StepResult::Failed };
        self.channel.step_over(&step, result, None);
        tree
    }

    fn test_step(&self) -> TurnStep {
        if self.job.rung.continues() { TurnStep::Fix } else { TurnStep::WriteTest }
    }

    /// Existing tests must be green before; the verification checks them afterwards.
    async fn refactor(&mut self) -> Result<Oid, EarlyEnd> {
        let base_tree = self.ctx.repo.tree_of(&self.job.base)?;
        let step = self.channel.step(Action::VerifyPass, StepChoice::First);
        let before = self.gates(&base_tree).await;
        let result = if before.is_ok() { StepResult::Passed } else { StepResult::Failed };
        self.channel.step_over(&step, result, None);
        before.map_err(|end| match end {
            EarlyEnd::Failed { failure, output } => {
                let message =
                    format!("the tests are not green before the refactoring: {}", failure.summary());
                EarlyEnd::Failed { failure: Failure::Environment { message }, output }
            }
            EarlyEnd::Interrupted | EarlyEnd::Broken(_) => end,
        })?;
        let start = self.start_commit(None);
        let step = if self.job.rung.continues() { TurnStep::Fix } else { TurnStep::Refactor };
        self.code_turn(&start, step, None).await
    }

    /// The refactoring turn of a task that asks for one. If the tests do not stay green, the tree from before is the
    /// candidate.
    async fn polish(&mut self, tree: Oid, frozen: &FrozenTests) -> Result<Oid, EarlyEnd> {
        if !self.is_green(&tree).await? {
            return Ok(tree);
        }
        let start = self.ctx.keep(&tree, &[&self.job.base], "before refactoring")?;
        let polished = match self.code_turn(&start, TurnStep::Refactor, Some(frozen)).await {
            Ok(polished) => polished,
            Err(EarlyEnd::Failed { failure, .. }) => {
                self.channel.finding(format!("refactoring discarded: {}", failure.summary()));
                return Ok(tree);
            }
            Err(end @ (EarlyEnd::Interrupted | EarlyEnd::Broken(_))) => return Err(end),
        };
        if self.is_green(&polished).await? {
            return Ok(polished);
        }
        self.channel.finding("refactoring discarded: the tests did not stay green".into());
        Ok(tree)
    }

    /// Whether every gate passes on the tree. An interruption is left for the next step to notice.
    async fn is_green(&self, tree: &Oid) -> Result<bool, EngineError> {
        match self.gates(tree).await {
            Ok(()) => Ok(true),
            Err(EarlyEnd::Failed { .. } | EarlyEnd::Interrupted) => Ok(false),
            Err(EarlyEnd::Broken(error)) => Err(error),
        }
    }

    async fn gates(&self, tree: &Oid) -> Result<(), EarlyEnd> {
        let input = GateInput {
            tree,
            changed: &[],
            required: &[],
            neighbours: &[],
            doubt: None,
            purpose: GatePurpose::Look,
            scratch: &self.scratch,
            cancel: self.cancel,
            channel: self.channel,
        };
        run_gates(self.ctx, &input).await.map(drop)
    }

    async fn format_tests(
        &mut self,
        tree: &Oid,
        given: &[(String, super::owned_files::TestPiece)],
    ) -> Result<Oid, EarlyEnd> {
        let files: Vec<String> = if given.is_empty() {
            self.ctx.task(&self.job.task).test_files().into_iter().map(str::to_owned).collect()
        } else {
            given.iter().map(|(p, _)| p.clone()).collect()
        };
        let formatted = super::owned_files::format_tests(self, tree, &files).await?;
        Ok(formatted)
    }

    /// Writes the candidate commit and its ref.
    fn candidate(&self, tree: &Oid) -> Result<CandidateCommit, EarlyEnd> {
        let task = self.ctx.task(&self.job.task);
        let subject = format!("{}: {} (candidate {})", task.id, task.title, self.job.attempt);
        let commit = self.ctx.keep(tree, &[&self.job.base], &subject)?;
        let name = self.ctx.ref_of(&self.job.task, self.job.attempt, "candidate");
        self.ctx.repo.update_ref(&name, &commit, ExpectedRef::Anything, "windlass: candidate")?;
        let base_tree = self.ctx.repo.tree_of(&self.job.base)?;
        let counts = self.ctx.repo.line_counts(&base_tree, tree)?;
        for finding in line_findings(task, &counts, self.ctx.config.line_tolerance) {
            self.channel.finding(finding);
        }
        let added = counts.iter().map(|(_, a, _)| a).sum();
        let removed = counts.iter().map(|(_, _, r)| r).sum();
        Ok(CandidateCommit { commit, added, removed })
    }
}
