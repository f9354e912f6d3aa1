//! Merges a candidate onto a commit and verifies the result: refusals, static rules, gates, formatting, proof.

mod elsewhere;
mod later_steps;

use serde::{Deserialize, Serialize};
use windlass_code::detect::SetupPlan;
use windlass_code::repo::Tree as _;
use windlass_code::syntax::is_reformatted;
use windlass_core::event::{FrozenFile, StepResult, TestAuthor};
use windlass_core::failure::{Failure, Gate};
use windlass_core::ids::{AttemptNo, BlobName, Oid};
use windlass_core::plan::{Action, Mode};

use super::checkers::Baseline;
use super::expectations::TestsBefore;
use super::format::{FormatInput, format_files};
use super::gates::{GateInput, GatePurpose, GreenGates, run_gates};
use super::proof::{GateResults, GreenProof, ReformattedTest, SilentLinter, levels_in_words};
use super::setup::{SetupInput, plans, set_up, version_told};
use super::tree_checks::{frozen_changes, frozen_changes_on, in_new_form, outside, twins};
use super::{rules, weak_tests};
use crate::context::Context;
use crate::early_end::EarlyEnd;
use crate::error::EngineError;
use crate::git::{MergeResult, TreeEdit};
use crate::git_tree::GitTree;
use crate::place::{ScratchDir, VerifyJob};
use crate::process::CancellationSignal;
use crate::slot::ExportedTree;
use crate::worker_channel::{Message, VerifiedTree, WorkerChannel};

pub(crate) use elsewhere::{ForeignVerdict, accept};

/// A candidate that was merged, and that nothing refuses before it is run. What is left is to run it, here or at a trusted
/// place.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct MergedCandidate {
    /// The provisional merge.
    pub(crate) merge: Oid,
    /// Its tree.
    pub(crate) tree: Oid,
    /// Why one passing run is not enough, if so.
    pub(crate) doubt: Option<String>,
    /// What the static rules found and let pass.
    pub(crate) findings: Vec<String>,
}

/// One verification under way.
struct CandidateCheck<'a> {
    ctx: &'a Context,
    job: &'a VerifyJob,
    channel: &'a WorkerChannel,
    cancel: &'a CancellationSignal,
    scratch: ScratchDir,
}

/// What is found out about a candidate without running anything.
struct CandidateText<'a> {
    ctx: &'a Context,
    job: &'a VerifyJob,
    channel: &'a WorkerChannel,
}

/// Merges the candidate and verifies the result.
pub(crate) async fn verify(
    ctx: &Context,
    job: &VerifyJob,
    channel: &WorkerChannel,
    cancel: &CancellationSignal,
) -> Result<VerifiedTree, EarlyEnd> {
    let merged = merge_candidate(ctx, job, channel)?;
    judge_merged(ctx, job, &merged, channel, cancel).await
}

/// Merges the candidate, refuses what can be refused without running anything, and reports the provisional merge.
pub(crate) fn merge_candidate(
    ctx: &Context,
    job: &VerifyJob,
    channel: &WorkerChannel,
) -> Result<MergedCandidate, EarlyEnd> {
    let text = CandidateText { ctx, job, channel };
    let tree = text.merge()?;
    text.refuse(&tree, &[])?;
    let found = text.apply_rules(&tree)?;
    if let Some(failure) = rules::refusal(&found) {
        return Err(EarlyEnd::failed(failure));
    }
    let doubt = text.doubt(&found)?;
    let merge = text.announce(&tree)?;
    let findings = found.warnings.iter().map(ToString::to_string).collect();
    Ok(MergedCandidate { merge, tree, doubt, findings })
}

/// Runs the gates and the steps after them on a merged candidate.
pub(crate) async fn judge_merged(
    ctx: &Context,
    job: &VerifyJob,
    merged: &MergedCandidate,
    channel: &WorkerChannel,
    cancel: &CancellationSignal,
) -> Result<VerifiedTree, EarlyEnd> {
    let scratch = ctx.machine.scratch("verify")?;
    CandidateCheck { ctx, job, channel, cancel, scratch }.run(merged).await
}

impl CandidateCheck<'_> {
    async fn run(&self, merged: &MergedCandidate) -> Result<VerifiedTree, EarlyEnd> {
        let MergedCandidate { tree, doubt, findings, .. } = merged;
        let step = self.channel.step_at(self.places().verdict, Action::VerifyPass);
        let verdict = self.gates(tree, doubt.as_deref()).await;
        self.channel.step_over(&step, step_result(&verdict), None);
        let last = match verdict {
            Ok(GreenGates { seen, export }) => {
                let linted = LintedExport { export, silent: &seen.silent_linters };
                let last = self.after_verdict(tree, Some(linted), FrozenForm::Kept).await?;
                if last.tree == *tree {
                    return self.green(last, seen, findings);
                }
                last
            }
            // Formatters fix much of what linters report, in the tests as well: a test that was formatted before its
            // code was there may be out of form with it. The gates decide on the formatted tree.
            Err(EarlyEnd::Failed {
                failure: failure @ Failure::TestsFailed { gate: Gate::Lint, .. },
                output,
            }) => {
                let last = self.after_verdict(tree, None, FrozenForm::May).await?;
                if last.tree == *tree {
                    return Err(EarlyEnd::Failed { failure, output });
                }
                last
            }
            Err(end) => return Err(end),
        };
        // What was verified is not what would be merged: the tree of the last step is verified again.
        let text = CandidateText { ctx: self.ctx, job: self.job, channel: self.channel };
        text.announce(&last.tree)?;
        let step = self.channel.step_at(self.last_verification(), Action::VerifyPass);
        let again = self.gates(&last.tree, doubt.as_deref()).await;
        self.channel.step_over(&step, step_result(&again), None);
        self.green(last, again?.seen, findings)
    }

    /// An export of the tree with its dependencies installed, for the formatters.
    async fn export_to_format(&self, tree: &Oid) -> Result<ExportedTree, EngineError> {
        let ctx = self.ctx;
        let export = ctx.export(tree, &self.scratch.path().join("format"))?;
        let view = GitTree::open(&ctx.repo, tree)?;
        let input = SetupInput {
            dir: export.dir(),
            tree: &view,
            scratch: &self.scratch,
            cancel: self.cancel,
            channel: self.channel,
        };
        // The same set-up succeeded for the gates; if it fails now, the formatter reports it.
        let _ = set_up(ctx, &input).await?;
        Ok(export)
    }

    async fn gates(&self, tree: &Oid, doubt: Option<&str>) -> Result<GreenGates, EarlyEnd> {
        let (ctx, job) = (self.ctx, self.job);
        let onto = ctx.repo.tree_of(&job.onto)?;
        let changed: Vec<String> =
            ctx.repo.diff(&onto, tree)?.into_iter().filter(|c| c.new.is_some()).map(|c| c.path).collect();
        let held = job.held.as_ref().map_or(&[][..], |h| &h.tests);
        let required = job.frozen.as_ref().map_or(held, |f| &f.tests);
        let input = GateInput {
            tree,
            changed: &changed,
            required,
            neighbours: &job.neighbours,
            base: Some(Baseline { tree: &onto, unfinished: &job.unfinished }),
            doubt,
            author: job.frozen.as_ref().map(|f| f.author),
            before: job.frozen.as_ref().map(|f| TestsBefore {
                base: &f.base,
                red: Some(&f.commit).filter(|_| f.author != TestAuthor::Agent),
            }),
            purpose: GatePurpose::Verdict,
            scratch: &self.scratch,
            cancel: self.cancel,
            channel: self.channel,
        };
        let green = run_gates(ctx, &input).await?;
        if ctx.info(&job.task).mode == Mode::TestsOnly {
            weak_tests::look_for_weak_tests(ctx, &input).await?;
        }
        Ok(green)
    }

    fn green(
        &self,
        FormattedTree { tree, reformatted }: FormattedTree,
        seen: GateResults,
        findings: &[String],
    ) -> Result<VerifiedTree, EarlyEnd> {
        let ctx = self.ctx;
        let mut environment: Vec<String> =
            ctx.config.verify_env.iter().map(|(n, _)| n.to_string_lossy().into_owned()).collect();
        environment.sort();
        let containment = ctx.machine.sandbox.rung().as_str().to_owned();
        let GateResults { gates, canaries, bites, held_out, repeated, silent_linters: _ } = seen;
        let findings = findings.to_vec();
        let view = GitTree::open(&ctx.repo, &tree)?;
        let rules = levels_in_words(&ctx.config.verify.rules);
        let proof = GreenProof {
            tree: tree.clone(),
            gates,
            setup: plans(ctx, &view).iter().map(SetupPlan::shown).collect(),
            project_version: version_told(ctx, &view),
            environment,
            containment,
            canaries,
            bites,
            held_out,
            repeated,
            reformatted,
            findings,
            rules,
        };
        let text = serde_json::to_vec(&proof).unwrap_or_else(|e| unreachable!("a proof is plain data: {e}"));
        let proof: BlobName = ctx.outputs.put_bytes(&text)?;
        Ok(VerifiedTree { tree, proof })
    }

    /// Formats the task's files; what is frozen keeps its meaning, and its form unless that may change.
    async fn format(
        &self,
        tree: &Oid,
        linted: &LintedExport<'_>,
        form: FrozenForm,
    ) -> Result<FormattedTree, EngineError> {
        let (ctx, job) = (self.ctx, self.job);
        let view = GitTree::open(&ctx.repo, tree)?;
        let manifest = job.frozen.as_ref().map_or(&[][..], |f| &f.files);
        // A file with inline tests is frozen item by item and formatted as a whole.
        let frozen = |path: &str| manifest.iter().any(|f| f.items.is_empty() && f.path == path);
        // Tests that stood in the repository are a person's, form included.
        let written = job.frozen.as_ref().is_some_and(|f| f.author != TestAuthor::Base);
        let tests = self.ctx.task(&job.task).test_files();
        let may = |path: &str| !frozen(path) || (form == FrozenForm::May && written && tests.contains(&path));
        let info = ctx.info(&job.task);
        let owned = info.owned.iter().chain(&job.granted);
        let files: Vec<String> = owned.filter(|p| view.blob(p).is_some() && may(p)).cloned().collect();
        let input = FormatInput {
            tree,
            base: &job.onto,
            dir: linted.export.dir(),
            files: &files,
            silent: linted.silent,
            scratch: &self.scratch,
            cancel: self.cancel,
            channel: self.channel,
        };
        let formatted = format_files(ctx, &input).await?;
        let whole: Vec<&FrozenFile> = manifest.iter().filter(|f| f.items.is_empty()).collect();
        let mut formatted = self.with_frozen_meaning(&whole, &view, formatted)?;
        let new_manifest = in_new_form(manifest, &formatted.reformatted);
        let after = GitTree::open(&ctx.repo, &formatted.tree)?;
        if frozen_changes(&new_manifest, &after) != frozen_changes(manifest, &view) {
            self.channel.finding("format: skipped, it would change frozen tests".into());
            formatted = FormattedTree { tree: tree.clone(), reformatted: Vec::new() };
        }
        for file in &formatted.reformatted {
            self.channel.finding(format!("format: `{}` has a new form; its meaning is as frozen", file.path));
        }
        Ok(formatted)
    }

    /// The formatted tree with those frozen files put back of which more than the form was changed.
    fn with_frozen_meaning(
        &self,
        frozen: &[&FrozenFile],
        before: &GitTree,
        formatted: Oid,
    ) -> Result<FormattedTree, EngineError> {
        let repo = &self.ctx.repo;
        let after = GitTree::open(repo, &formatted)?;
        let (mut reformatted, mut edits) = (Vec::new(), Vec::new());
        for file in frozen {
            let path = file.path.as_str();
            let (Some(old), Some(new)) = (before.blob(path), after.blob(path)) else { continue };
            if old == new {
                continue;
            }
            let same = is_reformatted(path, &repo.read_blob(old)?, &repo.read_blob(new)?);
            if same && *old == file.blob {
                let (path, from, to) = (path.to_owned(), old.clone(), new.clone());
                reformatted.push(ReformattedTest { path, from, to });
            } else {
                let mode = repo.ls_tree(before.oid())?.iter().find(|e| e.path == path).map(|e| e.mode);
                let new = Some((mode.unwrap_or(0o100_644), old.clone()));
                edits.push(TreeEdit { path: path.to_owned(), new });
            }
        }
        let tree = if edits.is_empty() { formatted } else { repo.edit_tree(&formatted, &edits)? };
        Ok(FormattedTree { tree, reformatted })
    }
}

impl CandidateText<'_> {
    /// The tree of the merge.
    fn merge(&self) -> Result<Oid, EarlyEnd> {
        let (ctx, job) = (self.ctx, self.job);
        match ctx.repo.merge(&job.onto, &job.candidate)? {
            MergeResult::Clean { tree } => Ok(tree),
            MergeResult::Conflict { paths } => Err(EarlyEnd::failed(Failure::Conflict { paths })),
        }
    }

    /// Refuses what can be refused without running anything; frozen tests may have a new form.
    fn refuse(&self, tree: &Oid, reformatted: &[ReformattedTest]) -> Result<(), EarlyEnd> {
        let (ctx, job) = (self.ctx, self.job);
        let onto = ctx.repo.tree_of(&job.onto)?;
        let changes = ctx.repo.diff(&onto, tree)?;
        let info = ctx.info(&job.task);
        let owned = |p: &str| info.owned.iter().any(|o| o == p) || job.granted.iter().any(|g| g == p);
        let stray = outside(&changes, &owned);
        if !stray.is_empty() {
            let paths = stray.into_iter().map(str::to_owned).collect();
            return Err(EarlyEnd::failed(Failure::OutOfScope { paths }));
        }
        let frozen = in_new_form(job.frozen.as_ref().map_or(&[][..], |f| &f.files), reformatted);
        let (after, onto) = (GitTree::open(&ctx.repo, tree)?, GitTree::open(&ctx.repo, &onto)?);
        let paths = twins(&changes, after.paths());
        if !paths.is_empty() {
            return Err(EarlyEnd::failed(Failure::OutOfScope { paths }));
        }
        let paths = frozen_changes_on(&frozen, &after, &onto, &owned);
        if paths.is_empty() { Ok(()) } else { Err(EarlyEnd::failed(Failure::FrozenChanged { paths })) }
    }

    /// Applies the static rules to the change.
    fn apply_rules(&self, tree: &Oid) -> Result<rules::RuleFindings, EngineError> {
        let (ctx, job) = (self.ctx, self.job);
        let onto = ctx.repo.tree_of(&job.onto)?;
        let changed: Vec<String> = ctx.repo.diff(&onto, tree)?.into_iter().map(|c| c.path).collect();
        let (before, after) = (GitTree::open(&ctx.repo, &onto)?, GitTree::open(&ctx.repo, tree)?);
        Ok(rules::look(&ctx.config.verify.rules, &before, &after, &changed)?)
    }

    /// Why one passing run is not enough, if so.
    fn doubt(&self, found: &rules::RuleFindings) -> Result<Option<String>, EngineError> {
        let (ctx, job) = (self.ctx, self.job);
        if ctx.config.verify.repeat {
            return Ok(Some("`verify.repeat` is on".into()));
        }
        if let Some(path) = found.unsteady.first() {
            return Ok(Some(format!("`{path}` depends on chance or the clock")));
        }
        // An earlier attempt with the same tree was not merged, so it failed.
        let tree = ctx.repo.tree_of(&job.candidate)?;
        for earlier in 1..job.attempt.0 {
            let name = ctx.ref_of(&job.task, AttemptNo(earlier), "candidate");
            if let Some(commit) = ctx.repo.resolve(&name)?
                && ctx.repo.tree_of(&commit)? == tree
            {
                return Ok(Some(format!("attempt {earlier} left the same tree and failed")));
            }
        }
        Ok(None)
    }

    /// Writes the provisional merge and reports it, so that the next task in the train can build on it.
    fn announce(&self, tree: &Oid) -> Result<Oid, EngineError> {
        let (ctx, job) = (self.ctx, self.job);
        let message = format!("{}: provisional merge of {}", ctx.name, job.task);
        let merge = ctx.keep(tree, &[&job.onto], &message)?;
        let (task, attempt, round) = (job.task.clone(), job.attempt, job.round);
        let begun = Message::VerifyBegun { task, attempt, round, merge: merge.clone(), tree: tree.clone() };
        self.channel.send(begun);
        Ok(merge)
    }
}

/// Whether formatters may change the form of frozen test files.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum FrozenForm {
    /// No: nothing asks for it.
    Kept,
    /// Yes: a linter refuses the tree.
    May,
}

/// An export of a tree, and the linters that had nothing to say about it.
struct LintedExport<'a> {
    export: ExportedTree,
    silent: &'a [SilentLinter],
}

/// A tree after the formatters.
struct FormattedTree {
    tree: Oid,
    /// The frozen test files that have a new form in it.
    reformatted: Vec<ReformattedTest>,
}

fn step_result(end: &Result<GreenGates, EarlyEnd>) -> StepResult {
    match end {
        Ok(_) => StepResult::Passed,
        Err(EarlyEnd::Failed { .. } | EarlyEnd::Broken(_)) => StepResult::Failed,
        Err(EarlyEnd::Interrupted) => StepResult::Skipped,
    }
}
