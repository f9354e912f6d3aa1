//! Merges a candidate onto a commit and verifies the result: refusals, static rules, gates, formatting, proof.

use windlass_code::repo::Tree as _;
use windlass_core::event::StepResult;
use windlass_core::failure::{Failure, Gate};
use windlass_core::ids::{AttemptNo, BlobName, Oid};
use windlass_core::plan::{Action, Mode};

use super::format::{FormatInput, format_files};
use super::gates::{GateInput, GatePurpose, GreenGates, run_gates};
use super::proof::{GateResults, GreenProof, levels_in_words};
use super::setup::{SetupInput, set_up};
use super::tree_checks::{frozen_changes, frozen_changes_on, outside, twins};
use super::{rules, weak_tests};
use crate::context::Context;
use crate::early_end::EarlyEnd;
use crate::error::EngineError;
use crate::git::MergeResult;
use crate::git_tree::GitTree;
use crate::place::{ScratchDir, VerifyJob};
use crate::process::CancellationSignal;
use crate::slot::ExportedTree;
use crate::worker_channel::{Message, StepChoice, VerifiedTree, WorkerChannel};

/// One verification under way.
struct CandidateCheck<'a> {
    ctx: &'a Context,
    job: &'a VerifyJob,
    channel: &'a WorkerChannel,
    cancel: &'a CancellationSignal,
    scratch: ScratchDir,
}

/// Merges the candidate and verifies the result.
pub(crate) async fn verify(
    ctx: &Context,
    job: &VerifyJob,
    channel: &WorkerChannel,
    cancel: &CancellationSignal,
) -> Result<VerifiedTree, EarlyEnd> {
    let scratch = ctx.machine.scratch("verify")?;
    CandidateCheck { ctx, job, channel, cancel, scratch }.run().await
}

impl CandidateCheck<'_> {
    async fn run(&self) -> Result<VerifiedTree, EarlyEnd> {
        let tree = self.merge()?;
        self.refuse(&tree)?;
        let found = self.apply_rules(&tree)?;
        if let Some(failure) = rules::refusal(&found) {
            return Err(EarlyEnd::failed(failure));
        }
        let doubt = self.doubt(&found)?;
        self.announce(&tree)?;
        let step = self.channel.step(Action::VerifyPass, StepChoice::Last);
        let verdict = self.gates(&tree, doubt.as_deref()).await;
        self.channel.step_over(&step, step_result(&verdict), None);
        let formatted = match verdict {
            Ok(GreenGates { seen, export }) => {
                let formatted = self.format(&tree, &export).await?;
                drop(export);
                if formatted == tree {
                    return self.green(tree, seen, &found);
                }
                formatted
            }
            // Formatters fix much of what linters report: the gates decide on the formatted tree.
            Err(EarlyEnd::Failed {
                failure: failure @ Failure::TestsFailed { gate: Gate::Lint, .. },
                output,
            }) => {
                let export = self.export_to_format(&tree).await?;
                let formatted = self.format(&tree, &export).await?;
                if formatted == tree {
                    return Err(EarlyEnd::Failed { failure, output });
                }
                formatted
            }
            Err(end) => return Err(end),
        };
        // What was verified is not what would be merged: the formatted tree is verified again.
        self.announce(&formatted)?;
        let GreenGates { seen, .. } = self.gates(&formatted, doubt.as_deref()).await?;
        self.green(formatted, seen, &found)
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

    /// The tree of the merge.
    fn merge(&self) -> Result<Oid, EarlyEnd> {
        let (ctx, job) = (self.ctx, self.job);
        match ctx.repo.merge(&job.onto, &job.candidate)? {
            MergeResult::Clean { tree } => Ok(tree),
            MergeResult::Conflict { paths } => Err(EarlyEnd::failed(Failure::Conflict { paths })),
        }
    }

    /// Refuses what can be refused without running anything.
    fn refuse(&self, tree: &Oid) -> Result<(), EarlyEnd> {
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
        let frozen = job.frozen.as_ref().map_or(&[][..], |f| &f.files);
        let (after, onto) = (GitTree::open(&ctx.repo, tree)?, GitTree::open(&ctx.repo, &onto)?);
        let paths = twins(&changes, after.paths());
        if !paths.is_empty() {
            return Err(EarlyEnd::failed(Failure::OutOfScope { paths }));
        }
        let paths = frozen_changes_on(frozen, &after, &onto, &owned);
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
    fn announce(&self, tree: &Oid) -> Result<(), EngineError> {
        let (ctx, job) = (self.ctx, self.job);
        let message = format!("{}: provisional merge of {}", ctx.name, job.task);
        let merge = ctx.keep(tree, &[&job.onto], &message)?;
        let (task, attempt, round) = (job.task.clone(), job.attempt, job.round);
        self.channel.send(Message::VerifyBegun { task, attempt, round, merge, tree: tree.clone() });
        Ok(())
    }

    async fn gates(&self, tree: &Oid, doubt: Option<&str>) -> Result<GreenGates, EarlyEnd> {
        let (ctx, job) = (self.ctx, self.job);
        let onto = ctx.repo.tree_of(&job.onto)?;
        let changed: Vec<String> =
            ctx.repo.diff(&onto, tree)?.into_iter().filter(|c| c.new.is_some()).map(|c| c.path).collect();
        let required = job.frozen.as_ref().map_or(&[][..], |f| &f.tests);
        let input = GateInput {
            tree,
            changed: &changed,
            required,
            neighbours: &job.neighbours,
            doubt,
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
        tree: Oid,
        seen: GateResults,
        found: &rules::RuleFindings,
    ) -> Result<VerifiedTree, EarlyEnd> {
        let ctx = self.ctx;
        let mut environment: Vec<String> =
            ctx.config.verify_env.iter().map(|(n, _)| n.to_string_lossy().into_owned()).collect();
        environment.sort();
        let containment = ctx.machine.sandbox.rung().as_str().to_owned();
        let GateResults { gates, canaries, held_out, repeated } = seen;
        let findings = found.warnings.iter().map(ToString::to_string).collect();
        let rules = levels_in_words(&ctx.config.verify.rules);
        let proof = GreenProof {
            tree: tree.clone(),
            gates,
            environment,
            containment,
            canaries,
            held_out,
            repeated,
            findings,
            rules,
        };
        let text = serde_json::to_vec(&proof).unwrap_or_else(|e| unreachable!("a proof is plain data: {e}"));
        let proof: BlobName = ctx.outputs.put_bytes(&text)?;
        Ok(VerifiedTree { tree, proof })
    }

    async fn format(&self, tree: &Oid, export: &ExportedTree) -> Result<Oid, EngineError> {
        let (ctx, job) = (self.ctx, self.job);
        let view = GitTree::open(&ctx.repo, tree)?;
        // A file with inline tests is frozen item by item and formatted as a whole.
        let frozen: Vec<&str> = job
            .frozen
            .iter()
            .flat_map(|f| &f.files)
            .filter(|f| f.items.is_empty())
            .map(|f| f.path.as_str())
            .collect();
        let info = ctx.info(&job.task);
        let files: Vec<String> = info
            .owned
            .iter()
            .chain(&job.granted)
            .filter(|p| view.blob(p).is_some() && !frozen.contains(&p.as_str()))
            .cloned()
            .collect();
        let step = self.channel.step(Action::Format, StepChoice::Last);
        let input = FormatInput {
            tree,
            dir: export.dir(),
            files: &files,
            scratch: &self.scratch,
            cancel: self.cancel,
            channel: self.channel,
        };
        let mut formatted = format_files(ctx, &input).await?;
        let manifest = job.frozen.as_ref().map_or(&[][..], |f| &f.files);
        let before = frozen_changes(manifest, &view);
        if frozen_changes(manifest, &GitTree::open(&ctx.repo, &formatted)?) != before {
            self.channel.finding("format: skipped, it would change frozen tests".into());
            formatted = tree.clone();
        }
        let result = if formatted == *tree { StepResult::Skipped } else { StepResult::Passed };
        self.channel.step_over(&step, result, None);
        Ok(formatted)
    }
}

fn step_result(end: &Result<GreenGates, EarlyEnd>) -> StepResult {
    match end {
        Ok(_) => StepResult::Passed,
        Err(EarlyEnd::Failed { .. } | EarlyEnd::Broken(_)) => StepResult::Failed,
        Err(EarlyEnd::Interrupted) => StepResult::Skipped,
    }
}
