//! The steps of an attempt by mode.

use windlass_code::detect::is_test_path;
use windlass_core::event::{RedKind, StepResult, TaskEvent, TestAuthor};
use windlass_core::failure::Failure;
use windlass_core::ids::{AttemptNo, Oid};
use windlass_core::plan::{Action, Mode, Step, StepPlaces};
use windlass_core::schedule::{Conversation, FrozenTests};
use windlass_planner::brief::ChangedTask;

use super::criteria::TestAnswer;
use super::grants::{GrantGround, imported_by_tests, texts_of};
use super::held;
use super::listed::{CommandScope, OWNED, changes_files};
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
use crate::survey::SurveyStore;
use crate::verify::{GateInput, GatePurpose, GateResults, missing, run_gates};
use crate::worker_channel::{CandidateCommit, StepChoice, WorkerChannel};

/// The files a task may have, and those that a person has to give, each with the reason.
pub(super) type SortedWishes = (Vec<String>, Vec<(String, String)>);

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
    /// Which tests stand for which criterion, as the test-writer said.
    pub(super) answers: TestAnswer,
    /// The criteria that the test-writer is asked for in its next turn, because they have no test.
    pub(super) untested: Vec<String>,
    /// Wrong versions of the code that the test-writer is asked to tell from the right one in its next turn.
    pub(super) survivors: Vec<String>,
    /// Turns for tests that this attempt has had.
    pub(super) test_turns: u32,
    /// The steps that are carried out.
    pub(super) steps: &'a [Step],
    pub(super) places: StepPlaces,
}

/// What the tests showed before any work.
pub(super) enum TestsAtStart {
    /// They are red, and frozen.
    Red(FrozenTests),
    /// They pass and notice wrong code: this tree satisfies the task.
    Held(Oid),
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
    let info = ctx.info(&job.task);
    let (steps, places) = (&info.steps[..], StepPlaces::of(&info.steps, info.mode));
    let (answers, untested) = (TestAnswer::new(), Vec::new());
    let mut attempt = Attempt {
        ctx,
        job,
        channel,
        cancel,
        scratch,
        owner,
        session: None,
        answers,
        untested,
        survivors: Vec::new(),
        test_turns: 0,
        steps,
        places,
    };
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
                self.commands(self.ctx.repo.tree_of(&self.job.base)?, 0..self.places.verdict, OWNED).await?;
                return Ok(CandidateCommit { commit: self.job.base.clone(), added: 0, removed: 0 });
            }
            Mode::Tdd => self.tdd().await?,
            Mode::TestsOnly => self.tests_only().await?,
            Mode::Refactor => self.refactor().await?,
            Mode::None => {
                let start = self.start_commit(None);
                let step = self.code_step();
                self.work(&start, step, None).await?
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
            None => match self.establish_red().await? {
                TestsAtStart::Red(frozen) => frozen,
                TestsAtStart::Held(tree) => return Ok(tree),
            },
        };
        let start = self.start_commit(Some(&frozen));
        let step = self.code_step();
        let tree = self.work(&start, step, Some(&frozen)).await?;
        let (tree, _) = self.try_tests(tree, frozen).await?;
        Ok(tree)
    }

    /// Makes sure that there are tests and that they are red, then freezes them.
    async fn establish_red(&mut self) -> Result<TestsAtStart, EarlyEnd> {
        red::look_at_base(self).await?;
        let base_tree = self.ctx.repo.tree_of(&self.job.base)?;
        let task = self.ctx.task(&self.job.task);
        let step = self.channel.step(Action::WriteTest, StepChoice::First);
        // What is there passes and was found wrong: a test has to show it first.
        let asks = self.job.changed.as_ref().is_some_and(ChangedTask::asks_for_something);
        let reopened = self.job.work.reopened.is_some() || asks && plan_tests(task).is_empty();
        let reopened = reopened && !task.test_files().is_empty();
        let given = if reopened { Vec::new() } else { plan_tests(task) };
        let before = 0..self.places.red.unwrap_or(0);
        if !given.is_empty() {
            let tree = with_tests(self.ctx, &base_tree, &given)?;
            let tree = self.format_tests(&tree, &given).await?;
            self.tests_written(&step, StepResult::Passed);
            let tree = self.commands(tree, before, CommandScope::Tests).await?;
            return self.plan_ground(&tree).await;
        }
        let view = GitTree::open(&self.ctx.repo, &base_tree)?;
        let there = task.test_files().iter().any(|f| view.blob(f).is_some())
            || (task.test_files().is_empty() && crate::verify::task_script(task, &view).is_some());
        let mut unless_written = None;
        if there && !reopened {
            let tree = self.commands(base_tree.clone(), before.clone(), CommandScope::Tests).await?;
            let run = red::look(self, &tree, TestAuthor::Base).await?;
            let old = red::may_be_old(task, &run);
            if !old.is_empty() {
                self.channel.finding(format!("before any test is written, these fail: {}", old.join(", ")));
                unless_written = Some((tree, run));
            } else if let Some(ground) = self.existing_tests(&tree, run).await? {
                self.tests_written(&step, StepResult::Skipped);
                return Ok(ground);
            }
        } else if !reopened && let Some(tree) = self.tests_by_command(&base_tree).await? {
            return self.plan_ground(&tree).await;
        }
        let outcome = self.test_turn(&base_tree).await;
        if let Some((tree, run)) = unless_written.filter(|_| wrote_no_test(&outcome)) {
            // There is nothing to add to them: the tests that fail are the task's.
            self.tests_written(&step, StepResult::Skipped);
            return self.freeze_seen(&tree, run, TestAuthor::Base).await.map(TestsAtStart::Red);
        }
        let result = if outcome.is_ok() { StepResult::Passed } else { StepResult::Failed };
        self.tests_written(&step, result);
        let tree = outcome?;
        let superseded = self.job.changed.as_ref().map_or(&[][..], |changed| &changed.superseded);
        if reopened && !self.adds_or_supersedes(&base_tree, &tree, superseded)? {
            let paths = self.ctx.task(&self.job.task).test_files().into_iter().map(str::to_owned).collect();
            return Err(EarlyEnd::failed(Failure::FrozenChanged { paths }));
        }
        let tree = self.format_tests(&tree, &[]).await?;
        let tree = self.commands(tree, before, CommandScope::Tests).await?;
        self.agent_tests(&tree).await
    }

    /// What tests that stand in the repository amount to; `None` if further ones must be written.
    async fn existing_tests(&mut self, tree: &Oid, run: RedRun) -> Result<Option<TestsAtStart>, EarlyEnd> {
        let task = self.ctx.task(&self.job.task);
        let RedRun::Not { why, .. } = &run else {
            return self.freeze_seen(tree, run, TestAuthor::Base).await.map(|f| Some(TestsAtStart::Red(f)));
        };
        if !why.lacks_tests() {
            // They cannot run: no test-writer and no code of the task changes that.
            return Err(red::not_red(self, run, TestAuthor::Base));
        }
        if why.all_passed()
            && let Some(held) = held::look(self, tree, &run, TestAuthor::Base).await?
        {
            return Ok(Some(held.announce(self, tree)?));
        }
        if task.test_files().iter().all(|test| task.files.read.iter().any(|read| read == test)) {
            // Only a command, or tests that the task only reads: a person must say what they should show.
            return Err(red::not_red(self, run, TestAuthor::Base));
        }
        Ok(None)
    }

    /// A turn that may only write tests.
    async fn test_turn(&mut self, base_tree: &Oid) -> Result<Oid, EarlyEnd> {
        let start = self.wrong_tests()?.unwrap_or_else(|| self.job.base.clone());
        let turn = take_turn(self, &start, TurnStep::WriteTest, None).await?;
        let TurnOutcome { ingested, .. } = turn;
        let start_tree = self.ctx.repo.tree_of(&start)?;
        if ingested.tree == start_tree || ingested.tree == *base_tree {
            return Err(EarlyEnd::failed(Failure::NoChange));
        }
        let outside = |path: &str| !self.owner.is_test(path);
        let written: Vec<&str> = ingested.changes.iter().map(|c| c.path.as_str()).collect();
        if written.iter().all(|path| outside(path) && self.owner.owns(path)) {
            let paths = written.into_iter().map(str::to_owned).collect();
            return Err(EarlyEnd::failed(Failure::CodeBeforeTests { paths }));
        }
        let data = self.keep_test_data(&ingested).await?;
        self.ask_for_test_files(&start_tree, &ingested, &data).await?;
        let may_change = |path: &str| self.owner.is_test(path) || data.iter().any(|own| own == path);
        self.cut(&start_tree, &ingested, &may_change, &[])
    }

    /// The commit with the tests that were found wrong in the last attempt: the test-writer corrects them there. `None`
    /// if the branch has moved since; then they are written anew.
    fn wrong_tests(&self) -> Result<Option<Oid>, EngineError> {
        let Some((_, Failure::WrongTest { by_agent: true, .. })) = self.job.history.last() else {
            return Ok(None);
        };
        let repo = &self.ctx.repo;
        for earlier in (1..self.job.attempt.0).rev() {
            if let Some(red) = repo.resolve(&self.ctx.ref_of(&self.job.task, AttemptNo(earlier), "red"))? {
                return Ok(repo.commit(&red)?.parents.contains(&self.job.base).then_some(red));
            }
        }
        Ok(None)
    }

    /// The tree with permitted changes only; what was left out is reported as a finding.
    pub(super) fn cut(
        &self,
        start_tree: &Oid,
        ingested: &crate::git::Ingested,
        may_change: &dyn Fn(&str) -> bool,
        frozen: &[windlass_core::event::FrozenFile],
    ) -> Result<Oid, EarlyEnd> {
        let to_delete = &self.ctx.task(&self.job.task).files.delete;
        let cut = cut_to_scope(&self.ctx.repo, start_tree, ingested, may_change, frozen, to_delete)?;
        let scoped = cut.map_err(EarlyEnd::failed)?;
        if !scoped.left_out.is_empty() {
            let (attempt, left_out) = (self.job.attempt, scoped.left_out);
            self.channel.event(TaskEvent::ChangesLeftOut { attempt, left_out }.of(self.job.task.clone()));
        }
        Ok(scoped.tree)
    }

    /// Runs the plan's tests on the base and freezes them if they are red for the right reason.
    async fn plan_ground(&mut self, tree: &Oid) -> Result<TestsAtStart, EarlyEnd> {
        let author = TestAuthor::Plan;
        let run = red::look(self, tree, author).await?;
        let RedRun::Not { why, .. } = &run else {
            return self.freeze_seen(tree, run, author).await.map(TestsAtStart::Red);
        };
        if why.all_passed()
            && let Some(held) = held::look(self, tree, &run, author).await?
        {
            return Ok(held.announce(self, tree)?);
        }
        Err(red::not_red(self, run, author))
    }

    /// Freezes tests that were seen red, once every other listed `verify_fail` has ended as it must, and records which
    /// criteria they stand for.
    pub(super) async fn freeze_seen(
        &mut self,
        tree: &Oid,
        run: RedRun,
        author: TestAuthor,
    ) -> Result<FrozenTests, EarlyEnd> {
        let shown = self.steps.iter().position(Step::shows_red);
        for at in 0..self.places.work {
            if Some(at) != shown && self.steps[at].action == Action::VerifyFail {
                self.commands(tree.clone(), at..at + 1, CommandScope::Tests).await?;
            }
        }
        let frozen = red::freeze(self, tree, run, author)?;
        self.record_links(tree, &frozen.tests)?;
        Ok(frozen)
    }

    /// A turn that writes code, and the checks on its result.
    pub(super) async fn code_turn(
        &mut self,
        start: &Oid,
        step: TurnStep,
        frozen: Option<&FrozenTests>,
        at: usize,
    ) -> Result<Oid, EarlyEnd> {
        let action = self.steps.get(at).map_or(Action::Implement, |s| s.action);
        let open = self.channel.step_at(at, action);
        let done = match self.code_turn_inner(start, step, frozen).await {
            Ok(tree) if at < self.steps.len() => self.command(at, &tree, CommandScope::Owned(frozen)).await,
            done => done,
        };
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
                self.request(start, turn.wants).await?;
                if turn.again {
                    continue;
                }
            }
            let start_tree = self.ctx.repo.tree_of(start)?;
            // The commands of the steps may be all the work there is.
            let by_command = self.steps[self.places.work..].iter().any(changes_files);
            if by_command && turn.ingested.tree == start_tree && turn.ingested.refused.is_empty() {
                return Ok(start_tree);
            }
            return self.accept(start, turn.ingested, frozen).await;
        }
        let message = "the agent kept requesting more files".into();
        Err(EarlyEnd::failed(Failure::AgentError { message }))
    }

    /// Requests the files that an agent asked for. What a person has to give ends the attempt.
    async fn request(&mut self, start: &Oid, files: Vec<String>) -> Result<(), EarlyEnd> {
        let files: Vec<String> = files.into_iter().filter(|f| !self.owner.owns(f)).collect();
        let (files, others) = self.sort_wishes(start, files)?;
        if !others.is_empty() {
            return Err(EarlyEnd::failed(Failure::NeedsFiles { files: others }));
        }
        self.grant(files).await
    }

    /// Splits files into those that the task may have and those that a person has to give, with the reason.
    pub(super) fn sort_wishes(&self, start: &Oid, files: Vec<String>) -> Result<SortedWishes, EngineError> {
        if files.is_empty() {
            return Ok((files, Vec::new()));
        }
        let (ctx, owned) = (self.ctx, self.owner.list());
        let before = GitTree::open(&ctx.repo, &ctx.repo.tree_of(start)?)?;
        let imported = if self.owner.is_open() {
            let survey = SurveyStore::at(&ctx.machine.cache).of_git(&ctx.repo, &before);
            let tests = texts_of(&before, self.owner.tests())?;
            Some(imported_by_tests(&survey, &before.files().paths, &tests))
        } else {
            None
        };
        let (exists, untested) = (|path: &str| before.blob(path).is_some(), self.owner.is_untested());
        let ground = GrantGround { exists: &exists, owned, imported, untested };
        let mut sorted = (Vec::new(), Vec::new());
        for file in files {
            match ground.needs_person(&file) {
                None => sorted.0.push(file),
                Some(why) => sorted.1.push((file, why.to_owned())),
            }
        }
        Ok(sorted)
    }

    /// Has files beyond the task's own granted that no unfinished task owns.
    pub(super) async fn grant(&mut self, files: Vec<String>) -> Result<(), EarlyEnd> {
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
    pub(super) async fn accept(
        &mut self,
        start: &Oid,
        ingested: crate::git::Ingested,
        frozen: Option<&FrozenTests>,
    ) -> Result<Oid, EarlyEnd> {
        let start_tree = self.ctx.repo.tree_of(start)?;
        if !ingested.refused.is_empty() {
            let things = ingested.refused.iter().map(|r| format!("`{}` ({})", r.path, r.why)).collect();
            return Err(EarlyEnd::failed(Failure::NeverTaken { things }));
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
            // What a person would have to give is left out with the other strays; the verdict decides on the rest.
            let (stray, _) = self.sort_wishes(start, stray)?;
            self.grant(stray).await?;
        } else if let Some(frozen) = frozen.filter(|_| !own_proof) {
            self.keep_needed(start, &ingested, frozen, &stray).await?;
            self.ask_for_manifests(&start_tree, &ingested, frozen).await?;
        }
        self.cut(&start_tree, &ingested, &|path| self.owner.owns(path), frozen_files)
    }

    /// Tests for code that exists: the plan's, or an agent's.
    async fn tests_only(&mut self) -> Result<Oid, EarlyEnd> {
        let given = plan_tests(self.ctx.task(&self.job.task));
        let base_tree = self.ctx.repo.tree_of(&self.job.base)?;
        let at = self.places.work;
        let step = self.channel.step_at(at, Action::WriteTest);
        let tree = if given.is_empty() || self.job.rung.continues() {
            let start = self.start_commit(None);
            let turn = take_turn(self, &start, self.test_step(), None).await?;
            self.accept(&start, turn.ingested, None).await
        } else {
            with_tests(self.ctx, &base_tree, &given).map_err(EarlyEnd::from)
        };
        let tree = match tree {
            Ok(tree) if at < self.steps.len() => self.command(at, &tree, OWNED).await,
            tree => tree,
        };
        let result = if tree.is_ok() { StepResult::Passed } else { StepResult::Failed };
        self.channel.step_over(&step, result, None);
        let tree = tree?;
        self.record_links(&tree, &self.tests_in(&tree)?)?;
        if given.is_empty() {
            self.try_written(&tree).await?;
        }
        self.rest(tree, None).await
    }

    fn test_step(&self) -> TurnStep {
        if self.job.rung.continues() { TurnStep::Fix } else { TurnStep::WriteTest }
    }

    /// Existing tests must be green before. They and their names are frozen; the verification checks them afterwards.
    async fn refactor(&mut self) -> Result<Oid, EarlyEnd> {
        let base_tree = self.ctx.repo.tree_of(&self.job.base)?;
        let step = self.channel.step(Action::VerifyPass, StepChoice::First);
        let before = self.gates(&base_tree).await;
        let result = if before.is_ok() { StepResult::Passed } else { StepResult::Failed };
        self.channel.step_over(&step, result, None);
        let before = before.map_err(|end| match end {
            EarlyEnd::Failed { failure, output } => {
                let message =
                    format!("the tests are not green before the refactoring: {}", failure.summary());
                EarlyEnd::Failed { failure: Failure::Environment { message }, output }
            }
            EarlyEnd::Interrupted | EarlyEnd::Broken(_) => end,
        })?;
        let frozen = match self.job.work.frozen.clone() {
            Some(frozen) => frozen,
            None => self.freeze_seen(&base_tree, RedRun::passing(&before), TestAuthor::Base).await?,
        };
        let start = self.start_commit(None);
        let step = if self.job.rung.continues() { TurnStep::Fix } else { TurnStep::Refactor };
        let tree = self.work(&start, step, Some(&frozen)).await?;
        self.tell_gone_names(&base_tree, &tree)?;
        Ok(tree)
    }

    /// Whether every gate passes on the tree. An interruption is left for the next step to notice.
    pub(super) async fn is_green(&self, tree: &Oid) -> Result<bool, EngineError> {
        match self.gates(tree).await {
            Ok(_) => Ok(true),
            Err(EarlyEnd::Failed { .. } | EarlyEnd::Interrupted) => Ok(false),
            Err(EarlyEnd::Broken(error)) => Err(error),
        }
    }

    pub(super) async fn gates(&self, tree: &Oid) -> Result<GateResults, EarlyEnd> {
        let input = GateInput {
            tree,
            changed: &[],
            required: &[],
            neighbours: &[],
            base: None,
            doubt: None,
            author: None,
            before: None,
            purpose: GatePurpose::Look,
            scratch: &self.scratch,
            cancel: self.cancel,
            channel: self.channel,
        };
        run_gates(self.ctx, &input).await.map(|green| green.seen)
    }

    pub(super) async fn format_tests(
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

/// Whether a turn for tests ended without any.
fn wrote_no_test(outcome: &Result<Oid, EarlyEnd>) -> bool {
    matches!(
        outcome,
        Err(EarlyEnd::Failed {
            failure: Failure::NoChange | Failure::OnlyWords { .. } | Failure::CodeBeforeTests { .. },
            ..
        })
    )
}
