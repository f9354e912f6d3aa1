//! Tests that an agent wrote, run on wrong versions of the finished code.
//!
//! Versions that no test notices go back to the test-writer once, which may only add tests; tests that notice nothing at
//! all are refused. The plan's and a person's tests are tried only where they assert through a file that the change writes.

use windlass_code::detect::is_test_path;
use windlass_code::repo::Tree as _;
use windlass_code::syntax::{TestItem, is_around_tests, language_of, same_test, tests};
use windlass_core::event::{MutantSeen, StepResult, TaskEvent, TestAuthor};
use windlass_core::failure::{Failure, Gate};
use windlass_core::ids::Oid;
use windlass_core::path_text::name_stem;
use windlass_core::plan::Action;
use windlass_core::schedule::FrozenTests;

use super::red::{self, RedRun};
use super::steps::Attempt;
use super::turn::take_turn;
use crate::agent::TurnStep;
use crate::config::GateSwitch;
use crate::early_end::EarlyEnd;
use crate::error::EngineError;
use crate::git::TreeEdit;
use crate::git_tree::GitTree;
use crate::verify::{
    BiteInput, BiteLook, TryUntil, WrongVersion, bite, changed_versions, frozen_parts, loaded_files,
    task_script, under_test,
};
use crate::worker_channel::StepChoice;

/// Runs on wrong versions may take this many times as long as the plain run.
const TIMES: u32 = 3;
/// Versions that a brief lists.
const TOLD: usize = 6;

impl Attempt<'_> {
    fn wants_mutants(&self) -> bool {
        self.ctx.config.verify.mutants != GateSwitch::Off
    }

    /// Tries the tests of an agent on wrong versions of the finished code. Gives the tree and the frozen tests, with the
    /// tests that the test-writer added.
    pub(super) async fn try_tests(
        &mut self,
        tree: Oid,
        frozen: FrozenTests,
    ) -> Result<(Oid, FrozenTests), EarlyEnd> {
        if frozen.tests.is_empty() || !self.wants_mutants() {
            return Ok((tree, frozen));
        }
        let before = GitTree::open(&self.ctx.repo, &self.ctx.repo.tree_of(&self.job.base)?)?;
        let after = GitTree::open(&self.ctx.repo, &tree)?;
        let helpers = self.written_helpers(&before, &after);
        if frozen.author != TestAuthor::Agent && helpers.is_empty() {
            return Ok((tree, frozen));
        }
        let code: Vec<String> = self
            .owner
            .list()
            .iter()
            .filter(|path| !is_test_path(path) && before.blob(path) != after.blob(path))
            .cloned()
            .collect();
        let versions = changed_versions(&before, &after, &code, &self.ctx.task(&self.job.task).test_files());
        // Code that does not pass yet is for the verification to judge.
        let Some(mut look) = self.look(&tree, &versions).await? else { return Ok((tree, frozen)) };
        self.leave_out_unloaded(&tree, &code, &mut look).await?;
        if frozen.author != TestAuthor::Agent {
            return self.settle_helped(&look.seen, &helpers).map(|()| (tree, frozen));
        }
        let survivors = survivors(&versions, &look.seen);
        let asked = !self.job.work.mutants.is_empty();
        if survivors.is_empty() || asked {
            self.settle(&look.seen)?;
            return Ok((tree, frozen));
        }
        if let Some((more, frozen, seen)) = self.ask_for_more(&tree, &frozen, &survivors, &look).await? {
            self.settle(&joined(&look.seen, &seen))?;
            Ok((more, frozen))
        } else {
            self.settle(&look.seen)?;
            Ok((tree, frozen))
        }
    }

    /// The files among the tests that the change writes and that the task's tests name: what these assert may stand there.
    fn written_helpers(&self, before: &GitTree, after: &GitTree) -> Vec<String> {
        let files = self.ctx.task(&self.job.task).test_files();
        let tests: Vec<Vec<u8>> = files.iter().filter_map(|path| after.read(path)).collect();
        let is_written = |path: &&String| {
            is_test_path(path)
                && !files.contains(&path.as_str())
                && language_of(path).is_some()
                && before.blob(path) != after.blob(path)
        };
        let named = |path: &&String| {
            tests.iter().any(|text| names_file(&String::from_utf8_lossy(text), name_stem(path)))
        };
        self.owner.list().iter().filter(is_written).filter(named).cloned().collect()
    }

    /// Records what the plan's or a person's tests notice that assert through files which the change writes.
    fn settle_helped(&self, seen: &[MutantSeen], helpers: &[String]) -> Result<(), EarlyEnd> {
        let (attempt, mutants) = (self.job.attempt, seen.to_vec());
        self.channel.event(TaskEvent::TestsTried { attempt, mutants }.of(self.job.task.clone()));
        if seen.len() < 2 || seen.iter().any(|mutant| !mutant.failed.is_empty()) {
            return Ok(());
        }
        let lines: Vec<String> = seen.iter().map(|m| format!("{}: {}", m.path, m.change)).collect();
        Err(EarlyEnd::failed(Failure::TestsFailed {
            gate: Gate::Tests,
            failed: Vec::new(),
            summary: format!(
                "the tests pass on every one of {} wrong versions of the code; they assert through `{}`, which this change writes",
                seen.len(),
                helpers.join("`, `")
            ),
            excerpt: format!("they pass as well on\n{}", lines.join("\n")),
        }))
    }

    /// Tries tests that an agent wrote for code that exists.
    pub(super) async fn try_written(&mut self, tree: &Oid) -> Result<(), EarlyEnd> {
        if !self.wants_mutants() {
            return Ok(());
        }
        let view = GitTree::open(&self.ctx.repo, tree)?;
        let nothing = GitTree::open(&self.ctx.repo, &self.ctx.repo.empty_tree()?)?;
        let code = under_test(self.ctx.task(&self.job.task), &view);
        let versions = changed_versions(&nothing, &view, &code, &self.ctx.task(&self.job.task).test_files());
        match self.look(tree, &versions).await? {
            Some(look) => self.settle(&look.seen),
            None => Ok(()),
        }
    }

    async fn look(&self, tree: &Oid, versions: &[WrongVersion]) -> Result<Option<BiteLook>, EarlyEnd> {
        let Some(script) = self.script_on(tree)? else { return Ok(None) };
        bite(self.ctx, &self.bite_input(tree, &script), versions, TryUntil::Spent(TIMES)).await
    }

    /// Leaves out what the runs showed of files that the tests do not load, if no wrong version was noticed and the tests do load other
    /// code of the change. Tests that load none of it notice nothing.
    async fn leave_out_unloaded(
        &self,
        tree: &Oid,
        code: &[String],
        look: &mut BiteLook,
    ) -> Result<(), EarlyEnd> {
        if code.len() < 2 || look.seen.is_empty() || look.seen.iter().any(|m| !m.failed.is_empty()) {
            return Ok(());
        }
        let Some(script) = self.script_on(tree)? else { return Ok(()) };
        let loaded = loaded_files(self.ctx, &self.bite_input(tree, &script), code).await?;
        if !loaded.is_empty() {
            look.seen.retain(|mutant| loaded.contains(&mutant.path));
            let unloaded: Vec<&str> =
                code.iter().filter(|path| !loaded.contains(path)).map(String::as_str).collect();
            if !unloaded.is_empty() {
                self.channel.finding(format!("the tests do not load {}", unloaded.join(", ")));
            }
        }
        Ok(())
    }

    fn script_on(&self, tree: &Oid) -> Result<Option<String>, EngineError> {
        let view = GitTree::open(&self.ctx.repo, tree)?;
        Ok(task_script(self.ctx.task(&self.job.task), &view))
    }

    fn bite_input<'a>(&'a self, tree: &'a Oid, script: &'a str) -> BiteInput<'a> {
        BiteInput { tree, script, scratch: &self.scratch, cancel: self.cancel, channel: self.channel }
    }

    /// Records what the runs showed. Tests that notice no wrong version are wrong in themselves.
    fn settle(&self, seen: &[MutantSeen]) -> Result<(), EarlyEnd> {
        if seen.is_empty() {
            self.channel.finding(
                "no wrong version of the code could be run: whether the tests bite is unknown".into(),
            );
            return Ok(());
        }
        let (attempt, mutants) = (self.job.attempt, seen.to_vec());
        self.channel.event(TaskEvent::TestsTried { attempt, mutants }.of(self.job.task.clone()));
        // A single version may differ from the code in nothing that counts.
        if seen.len() == 1 || seen.iter().any(|mutant| !mutant.failed.is_empty()) {
            for mutant in seen.iter().filter(|mutant| mutant.failed.is_empty()) {
                self.channel.finding(format!("no test notices a wrong `{}`: {}", mutant.path, mutant.change));
            }
            return Ok(());
        }
        let lines: Vec<String> = seen.iter().map(|m| format!("{}: {}", m.path, m.change)).collect();
        Err(EarlyEnd::failed(Failure::WrongTest {
            reason: format!("the tests pass on every one of {} wrong versions of the code", seen.len()),
            excerpt: format!("they pass as well on\n{}", lines.join("\n")),
            by_agent: true,
        }))
    }

    /// One turn of the test-writer for versions that no test notices. What it adds is taken if the earlier tests are as they
    /// were, everything passes on the code, and each new test fails on one of the versions.
    async fn ask_for_more(
        &mut self,
        tree: &Oid,
        frozen: &FrozenTests,
        survivors: &[WrongVersion],
        look: &BiteLook,
    ) -> Result<Option<(Oid, FrozenTests, Vec<MutantSeen>)>, EarlyEnd> {
        let Some(more) = self.more_tests(tree, survivors).await? else { return Ok(None) };
        let not_taken = |why: &str| self.channel.finding(format!("further tests are not taken: {why}"));
        if !self.only_adds(tree, &more)? {
            not_taken("they change tests that are frozen");
            return Ok(None);
        }
        let Some(again) = self.look(&more, survivors).await? else {
            not_taken("they do not pass on the code");
            return Ok(None);
        };
        let known = |name: &String| look.passed.contains(name);
        let kills = |name: &String| {
            again.seen.iter().any(|m| m.failed.iter().any(|f| f == name || same_test(f, name)))
        };
        let added: Vec<&String> = again.passed.iter().filter(|name| !known(name)).collect();
        if added.is_empty() || !added.iter().all(|name| kills(name)) {
            not_taken("they notice none of the wrong versions either");
            return Ok(None);
        }
        match self.red_with(frozen, &more).await? {
            Some(frozen) => Ok(Some((more, frozen, again.seen))),
            None => Ok(None),
        }
    }

    async fn more_tests(&mut self, tree: &Oid, survivors: &[WrongVersion]) -> Result<Option<Oid>, EarlyEnd> {
        let subject = format!("{}: code to be tested further", self.job.task);
        let start = self.ctx.keep(tree, &[&self.job.base], &subject)?;
        let step = self.channel.step(Action::WriteTest, StepChoice::First);
        self.survivors = survivors.iter().take(TOLD).map(WrongVersion::words).collect();
        let turn = take_turn(self, &start, TurnStep::WriteTest, None).await;
        self.survivors.clear();
        let result = if turn.is_ok() { StepResult::Passed } else { StepResult::Failed };
        self.channel.step_over(&step, result, None);
        self.tests_of(turn, tree).await
    }

    /// Whether every test that was in the test files is in them unchanged.
    pub(super) fn only_adds(&self, before: &Oid, after: &Oid) -> Result<bool, EngineError> {
        self.adds_or_supersedes(before, after, &[])
    }

    /// The same, except for tests that stand for sentences that changed: those may be changed or removed.
    pub(super) fn adds_or_supersedes(
        &self,
        before: &Oid,
        after: &Oid,
        superseded: &[String],
    ) -> Result<bool, EngineError> {
        let (before, after) = (GitTree::open(&self.ctx.repo, before)?, GitTree::open(&self.ctx.repo, after)?);
        let parts =
            |view: &GitTree, path: &str| view.read(path).map(|b| frozen_parts(path, &b)).unwrap_or_default();
        let files = self.ctx.task(&self.job.task).test_files();
        Ok(files.into_iter().all(|path| {
            let now = parts(&after, path);
            let bytes = before.read(path).unwrap_or_default();
            let freed = freed(path, &bytes, superseded);
            parts(&before, path)
                .iter()
                .all(|(name, hash)| now.get(name) == Some(hash) || freed.contains(name))
        }))
    }

    /// Sees the tests of a tree red on the base and freezes them.
    async fn red_with(&mut self, frozen: &FrozenTests, tree: &Oid) -> Result<Option<FrozenTests>, EarlyEnd> {
        let view = GitTree::open(&self.ctx.repo, tree)?;
        let red = self.ctx.repo.tree_of(&frozen.commit)?;
        let changes = self.ctx.repo.diff(&red, tree)?.into_iter();
        let tests = changes.filter(|c| self.owner.is_test(&c.path) && view.blob(&c.path).is_some());
        let edits: Vec<TreeEdit> = tests.map(|c| TreeEdit { path: c.path, new: c.new }).collect();
        let red = self.ctx.repo.edit_tree(&red, &edits)?;
        let run = red::look(self, &red, TestAuthor::Agent).await?;
        match &run {
            RedRun::Red { .. } => self.freeze_seen(&red, run, TestAuthor::Agent).await.map(Some),
            RedRun::Not { why, .. } => {
                self.channel.finding(format!("further tests are not taken: without the code, {why}"));
                Ok(None)
            }
        }
    }
}

/// Whether a text contains the name of a file as a word.
fn names_file(text: &str, stem: &str) -> bool {
    text.split(|c: char| !(c.is_alphanumeric() || matches!(c, '_' | '-'))).any(|word| word == stem)
}

/// The versions that were tried and that no test noticed.
fn survivors(versions: &[WrongVersion], seen: &[MutantSeen]) -> Vec<WrongVersion> {
    let survived = |version: &&WrongVersion| seen.iter().any(|m| version.is(m) && m.failed.is_empty());
    versions.iter().filter(survived).cloned().collect()
}

/// The first run's records, with what the second run showed of the versions that it repeated.
fn joined(first: &[MutantSeen], second: &[MutantSeen]) -> Vec<MutantSeen> {
    let again = |m: &MutantSeen| second.iter().find(|s| s.path == m.path && s.change == m.change);
    first.iter().map(|m| again(m).unwrap_or(m).clone()).collect()
}

/// The parts of a test file that may change: superseded tests, and what stands around tests where one is superseded.
fn freed(path: &str, bytes: &[u8], superseded: &[String]) -> Vec<String> {
    if superseded.is_empty() {
        return Vec::new();
    }
    let is_superseded = |item: &TestItem| {
        let name = item.name_in(path);
        superseded.iter().any(|test| *test == name || same_test(test, &name))
    };
    let items = tests(path, bytes).into_iter().filter(is_superseded).map(|item| item.name);
    let around = frozen_parts(path, bytes).into_keys().filter(|key| is_around_tests(key));
    items.chain(around).collect()
}
