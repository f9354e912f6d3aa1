//! Source files that an agent changed besides the task's own, and that the task cannot do without.
//!
//! What is outside a task's files is left out of its candidate. If its tests pass with such a file and fail without it, further
//! attempts would fail for the same reason, whatever the agent does: the task gets the file if it may have it, otherwise
//! a person is asked.

use windlass_code::detect::{is_among_tests, setup};
use windlass_code::survey::Language;
use windlass_core::event::TestAuthor;
use windlass_core::failure::{Failure, Gate};
use windlass_core::ids::Oid;
use windlass_core::path_text::file_name;
use windlass_core::schedule::FrozenTests;

use super::grants::{is_data_of, is_plain_code, texts_of};
use super::red::{self, RedRun};
use super::scope::cut_to_scope;
use super::steps::Attempt;
use crate::early_end::EarlyEnd;
use crate::git::Ingested;
use crate::git_tree::GitTree;
use crate::verify::{BiteInput, TryUntil, WrongVersion, bite, task_script};

/// Why a person is asked for a file.
const WHY: &str = "its tests pass with the change of this file, and fail without it";
/// Why a person is asked for a file among the tests.
const WHY_TESTS: &str =
    "it is among the tests; the new tests are red with the change of this file, and were not without it";
/// Why a person is asked for a file that says what the project needs.
const WHY_MANIFEST: &str =
    "it says what the project needs; its tests pass with the change of this file, and fail without it";

impl Attempt<'_> {
    /// Gives the task the source files among `strays` that its tests need. A first attempt may find another way without
    /// the files that a person has to give; a later one ends here.
    pub(super) async fn keep_needed(
        &mut self,
        start: &Oid,
        ingested: &Ingested,
        frozen: &FrozenTests,
        strays: &[String],
    ) -> Result<(), EarlyEnd> {
        let code: Vec<String> = strays.iter().filter(|path| is_plain_code(path)).cloned().collect();
        if code.is_empty() {
            return Ok(());
        }
        let (free, others) = self.sort_wishes(start, code.clone())?;
        let is_first = self.job.attempt.0 == 1;
        if free.is_empty() && is_first {
            return Ok(());
        }
        if !self.are_needed(start, ingested, frozen, &code).await? {
            return Ok(());
        }
        if !others.is_empty() && !is_first {
            let files = others.into_iter().map(|(file, _)| (file, WHY.to_owned())).collect();
            return Err(EarlyEnd::failed(Failure::NeedsFiles { files }));
        }
        self.grant(free).await
    }

    /// Asks a person for files among the tests that the test-writer changed again after its tests were not red without them, if
    /// they are red with them: a fixture in `conftest.py`, a helper that other tests use.
    pub(super) async fn ask_for_test_files(
        &self,
        start_tree: &Oid,
        ingested: &Ingested,
        data: &[String],
    ) -> Result<(), EarlyEnd> {
        let last = self.job.history.last().map(|(_, failure)| failure);
        let failed = matches!(last, Some(Failure::WrongRed { .. } | Failure::NotRed { .. }));
        let is_own = |path: &str| self.owner.is_test(path) || data.iter().any(|own| own == path);
        let changed = ingested.changes.iter().map(|change| &change.path);
        let strays: Vec<String> = changed.filter(|p| is_among_tests(p) && !is_own(p)).cloned().collect();
        if strays.is_empty() || !failed {
            return Ok(());
        }
        let may_change = |path: &str| is_own(path) || strays.iter().any(|file| file == path);
        let to_delete = &self.ctx.task(&self.job.task).files.delete;
        let cut = cut_to_scope(&self.ctx.repo, start_tree, ingested, &may_change, &[], to_delete)?;
        let Ok(with) = cut else { return Ok(()) };
        match red::look(self, &with.tree, TestAuthor::Agent).await {
            Ok(RedRun::Red { .. }) => {
                let files = strays.into_iter().map(|file| (file, WHY_TESTS.to_owned())).collect();
                Err(EarlyEnd::failed(Failure::NeedsFiles { files }))
            }
            Ok(RedRun::Not { .. }) | Err(EarlyEnd::Failed { .. }) => Ok(()),
            Err(end @ (EarlyEnd::Interrupted | EarlyEnd::Broken(_))) => Err(end),
        }
    }

    /// Asks a person for the manifests that the agent changed again after its tests had failed without that, if they pass with
    /// it: a package that is not declared is in no environment, whatever the code is.
    pub(super) async fn ask_for_manifests(
        &self,
        start_tree: &Oid,
        ingested: &Ingested,
        frozen: &FrozenTests,
    ) -> Result<(), EarlyEnd> {
        if !self.job.history.iter().any(|(_, failure)| is_of_tests(failure)) {
            return Ok(());
        }
        let repo = &self.ctx.repo;
        let before = GitTree::open(repo, start_tree)?;
        let inputs: Vec<String> = setup(&before).into_iter().flat_map(|plan| plan.inputs).collect();
        let changed = ingested.changes.iter().map(|change| &change.path);
        let manifests: Vec<String> =
            changed.filter(|path| is_manifest(path, &inputs) && !self.owner.owns(path)).cloned().collect();
        if manifests.is_empty() {
            return Ok(());
        }
        // A version that was raised, a line that was tidied: this work may do without it, as an earlier one did not.
        if self.passes_with(start_tree, ingested, frozen, &[]).await?
            || !self.passes_with(start_tree, ingested, frozen, &manifests).await?
        {
            return Ok(());
        }
        let files = manifests.into_iter().map(|file| (file, WHY_MANIFEST.to_owned())).collect();
        Err(EarlyEnd::failed(Failure::NeedsFiles { files }))
    }

    /// Whether the tests pass with the agent's work in the task's own files and in these.
    async fn passes_with(
        &self,
        start_tree: &Oid,
        ingested: &Ingested,
        frozen: &FrozenTests,
        more: &[String],
    ) -> Result<bool, EarlyEnd> {
        let may_change = |path: &str| self.owner.owns(path) || more.iter().any(|file| file == path);
        let kept: Vec<_> = frozen.files.iter().filter(|f| !more.contains(&f.path)).cloned().collect();
        let to_delete = &self.ctx.task(&self.job.task).files.delete;
        let cut = cut_to_scope(&self.ctx.repo, start_tree, ingested, &may_change, &kept, to_delete)?;
        let Ok(with) = cut else { return Ok(false) };
        match self.gates(&with.tree).await {
            Ok(_) => Ok(true),
            Err(EarlyEnd::Failed { .. }) => Ok(false),
            Err(end @ (EarlyEnd::Interrupted | EarlyEnd::Broken(_))) => Err(end),
        }
    }

    /// New files beside the tests of the task that these read: cases, expected results. The task gets them; they are frozen with
    /// the tests.
    pub(super) async fn keep_test_data(&mut self, ingested: &Ingested) -> Result<Vec<String>, EarlyEnd> {
        const PLAIN_FILE: u32 = 0o100_644;
        let repo = &self.ctx.repo;
        let base = GitTree::open(repo, &repo.tree_of(&self.job.base)?)?;
        let texts = texts_of(&GitTree::open(repo, &ingested.tree)?, self.owner.tests())?;
        let is_plain = |new: &Option<(u32, Oid)>| new.as_ref().is_some_and(|(mode, _)| *mode == PLAIN_FILE);
        let new = ingested.changes.iter().filter(|c| is_plain(&c.new) && base.blob(&c.path).is_none());
        let paths = new.map(|change| change.path.clone()).filter(|path| !self.owner.is_test(path));
        let data: Vec<String> =
            paths.filter(|path| texts.iter().any(|test| is_data_of(path, test))).collect();
        let wanted = data.iter().filter(|path| !self.owner.owns(path)).cloned().collect();
        self.grant(wanted).await?;
        Ok(data)
    }

    /// Whether the tests pass with these files as the agent left them, and do not pass without their changes.
    async fn are_needed(
        &self,
        start: &Oid,
        ingested: &Ingested,
        frozen: &FrozenTests,
        code: &[String],
    ) -> Result<bool, EarlyEnd> {
        let repo = &self.ctx.repo;
        let task = self.ctx.task(&self.job.task);
        let start_tree = repo.tree_of(start)?;
        let may_change = |path: &str| self.owner.owns(path) || code.iter().any(|file| file == path);
        let cut = cut_to_scope(repo, &start_tree, ingested, &may_change, &frozen.files, &task.files.delete)?;
        let Ok(with) = cut else { return Ok(false) };
        let (before, after) = (GitTree::open(repo, &start_tree)?, GitTree::open(repo, &with.tree)?);
        let Some(without) = WrongVersion::without(&before, &after, code) else { return Ok(false) };
        let Some(script) = task_script(task, &after) else { return Ok(false) };
        let input = BiteInput {
            tree: &with.tree,
            script: &script,
            scratch: &self.scratch,
            cancel: self.cancel,
            channel: self.channel,
        };
        let look = match bite(self.ctx, &input, &[without], TryUntil::Noticed).await {
            Ok(look) => look,
            // With half of what was left out, even a set-up may fail: that says nothing.
            Err(EarlyEnd::Failed { .. }) => None,
            Err(end @ (EarlyEnd::Interrupted | EarlyEnd::Broken(_))) => return Err(end),
        };
        // A run without them in which no test ran, because something cannot be imported, is not among those seen.
        Ok(look.is_some_and(|look| look.seen.iter().all(|seen| !seen.failed.is_empty())))
    }
}

/// Whether the tests of the task failed, or could not run.
fn is_of_tests(failure: &Failure) -> bool {
    matches!(
        failure,
        Failure::TestsFailed { gate: Gate::Tests, .. } | Failure::CannotRun { gate: Gate::Tests, .. }
    )
}

/// Whether a file says what the project needs: an input of its set-up, or a manifest of a project that has none to make.
fn is_manifest(path: &str, inputs: &[String]) -> bool {
    Language::of_manifest(file_name(path)).is_some() || inputs.iter().any(|input| input == path)
}
