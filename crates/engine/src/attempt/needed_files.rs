//! Source files that an agent changed besides the task's own, and that the task cannot do without.
//!
//! What is outside a task's files is left out of its candidate. If its tests pass with such a file and fail without it, further
//! attempts would fail for the same reason, whatever the agent does: the task gets the file if it may have it, otherwise
//! a person is asked.

use windlass_core::failure::Failure;
use windlass_core::ids::Oid;
use windlass_core::schedule::FrozenTests;

use super::grants::is_plain_code;
use super::scope::cut_to_scope;
use super::steps::Attempt;
use crate::early_end::EarlyEnd;
use crate::git::Ingested;
use crate::git_tree::GitTree;
use crate::verify::{BiteInput, TryUntil, WrongVersion, bite, task_script};

/// Why a person is asked for a file.
const WHY: &str = "its tests pass with the change of this file, and fail without it";

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
