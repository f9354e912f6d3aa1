//! The listed steps after the verdict. What they change is verified again.

use windlass_core::event::StepResult;
use windlass_core::ids::Oid;
use windlass_core::plan::{Action, Step, StepPlaces};

use super::{CandidateCheck, FormattedTree, FrozenForm, LintedExport};
use crate::early_end::EarlyEnd;
use crate::error::EngineError;
use crate::git::{PathChange, TreeEdit};
use crate::git_tree::GitTree;
use crate::listed_step::{ListedStep, run_listed};
use crate::verify::frozen_changes;

impl CandidateCheck<'_> {
    pub(super) fn places(&self) -> StepPlaces {
        let info = self.ctx.info(&self.job.task);
        StepPlaces::of(&info.steps, info.mode)
    }

    /// The place of the last verification among the steps.
    pub(super) fn last_verification(&self) -> usize {
        let steps = &self.ctx.info(&self.job.task).steps;
        steps.iter().rposition(|s| s.action == Action::VerifyPass).unwrap_or(steps.len())
    }

    /// Carries out the steps after the verdict, and returns the tree they leave.
    pub(super) async fn after_verdict(
        &self,
        tree: &Oid,
        export: Option<LintedExport<'_>>,
        form: FrozenForm,
    ) -> Result<FormattedTree, EarlyEnd> {
        let steps = &self.ctx.info(&self.job.task).steps;
        let mut now = FormattedTree { tree: tree.clone(), reformatted: Vec::new() };
        let mut export = export;
        for (at, step) in steps.iter().enumerate().skip(self.places().verdict + 1) {
            let command = step.command();
            match step.action {
                Action::Commit => {}
                Action::VerifyPass => {
                    // The tree that the last step leaves is verified as a whole.
                    if now.tree == *tree {
                        let open = self.channel.step_at(at, step.action);
                        self.channel.step_over(&open, StepResult::Passed, None);
                    }
                }
                Action::Format => {
                    let open = self.channel.step_at(at, step.action);
                    let done = self.format_step((at, step), &now.tree, export.take(), form).await;
                    let result = match &done {
                        Ok(after) if after.tree == now.tree && command.is_none() => StepResult::Skipped,
                        Ok(_) => StepResult::Passed,
                        Err(_) => StepResult::Failed,
                    };
                    self.channel.step_over(&open, result, None);
                    let done = done?;
                    now.tree = done.tree;
                    now.reformatted.extend(done.reformatted);
                }
                Action::WriteTest | Action::VerifyFail | Action::Implement | Action::Refactor => {
                    let Some(command) = command else { continue };
                    let open = self.channel.step_at(at, step.action);
                    let done = self.listed(at, step, command, &now.tree).await;
                    let result = if done.is_ok() { StepResult::Passed } else { StepResult::Failed };
                    self.channel.step_over(&open, result, None);
                    now.tree = done?;
                    export = None;
                }
            }
        }
        Ok(now)
    }

    /// The command of a format step, then the formatters and hooks that the repository asks for.
    async fn format_step(
        &self,
        (at, step): (usize, &Step),
        tree: &Oid,
        export: Option<LintedExport<'_>>,
        form: FrozenForm,
    ) -> Result<FormattedTree, EarlyEnd> {
        let listed = match step.command() {
            Some(command) => self.listed(at, step, command, tree).await?,
            None => tree.clone(),
        };
        let export = match export.filter(|_| listed == *tree) {
            Some(export) => export,
            None => LintedExport { export: self.export_to_format(&listed).await?, silent: &[] },
        };
        Ok(self.format(&listed, &export, form).await?)
    }

    /// Runs a listed command on a tree. The task's files that are not frozen are kept of what it changed.
    async fn listed(&self, at: usize, step: &Step, command: &str, tree: &Oid) -> Result<Oid, EarlyEnd> {
        let (ctx, job) = (self.ctx, self.job);
        let info = ctx.info(&job.task);
        let owns = |p: &str| info.owned.iter().any(|o| o == p) || job.granted.iter().any(|g| g == p);
        let listed = ListedStep {
            tree,
            at,
            step,
            command,
            owns: &owns,
            scratch: &self.scratch,
            cancel: self.cancel,
            channel: self.channel,
        };
        let ingested = run_listed(ctx, &listed).await?;
        let manifest = job.frozen.as_ref().map_or(&[][..], |f| &f.files);
        let is_whole = |path: &str| manifest.iter().any(|f| f.items.is_empty() && f.path == path);
        let left: Vec<&PathChange> =
            ingested.changes.iter().filter(|c| !owns(&c.path) || is_whole(&c.path)).collect();
        let edits: Vec<TreeEdit> =
            left.iter().map(|c| TreeEdit { path: c.path.clone(), new: c.old.clone() }).collect();
        let kept =
            if edits.is_empty() { ingested.tree } else { ctx.repo.edit_tree(&ingested.tree, &edits)? };
        let name = step.action.as_str();
        if !left.is_empty() {
            let paths: Vec<&str> = left.iter().map(|c| c.path.as_str()).collect();
            self.channel.finding(format!("step {} `{name}`: left out: {}", at + 1, paths.join(", ")));
        }
        if self.changes_frozen(tree, &kept)? {
            self.channel.finding(format!("step {} `{name}`: left out, it would change frozen tests", at + 1));
            return Ok(tree.clone());
        }
        Ok(kept)
    }

    /// Whether a tree has other frozen tests than the one before it.
    fn changes_frozen(&self, before: &Oid, after: &Oid) -> Result<bool, EngineError> {
        let manifest = self.job.frozen.as_ref().map_or(&[][..], |f| &f.files);
        let seen = |tree: &Oid| GitTree::open(&self.ctx.repo, tree).map(|t| frozen_changes(manifest, &t));
        Ok(seen(before)? != seen(after)?)
    }
}
