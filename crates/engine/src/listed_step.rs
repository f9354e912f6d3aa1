//! The commands of listed steps: where they run, and what their exit codes mean.
//!
//! A command of the plan is run like one of the verification: sandboxed, without an agent's secrets. Deciding what is
//! kept of what it changed is left to the caller.

use std::time::Duration;

use windlass_core::failure::{Budget, Failure, Gate};
use windlass_core::ids::Oid;
use windlass_core::plan::{Expect, Step};

use crate::context::Context;
use crate::early_end::EarlyEnd;
use crate::error::EngineError;
use crate::git::{Ingest, Ingested, TreeEdit};
use crate::git_tree::GitTree;
use crate::place::ScratchDir;
use crate::process::{CancellationSignal, ProcessExit};
use crate::verify::setup::{SetupInput, set_up, setup_outputs};
use crate::verify::{NamedResults, ScriptInput, ScriptRun, run_script};
use crate::worker_channel::WorkerChannel;

/// A listed step and the tree on which its command runs.
pub(crate) struct ListedStep<'a> {
    pub(crate) tree: &'a Oid,
    /// Its place among the task's steps, from 0.
    pub(crate) at: usize,
    pub(crate) step: &'a Step,
    pub(crate) command: &'a str,
    /// Whether the task owns a path.
    pub(crate) owns: &'a (dyn Fn(&str) -> bool + Sync),
    pub(crate) scratch: &'a ScratchDir,
    pub(crate) cancel: &'a CancellationSignal,
    pub(crate) channel: &'a WorkerChannel,
}

/// Runs the command of a step in a workspace with the tree, and reads back what it changed.
pub(crate) async fn run_listed(ctx: &Context, listed: &ListedStep<'_>) -> Result<Ingested, EarlyEnd> {
    let commit = ctx.keep(listed.tree, &[], "before a listed step")?;
    let workspace = ctx.workspace(&commit)?;
    let view = GitTree::open(&ctx.repo, listed.tree)?;
    let setup = SetupInput {
        dir: workspace.dir(),
        tree: &view,
        scratch: listed.scratch,
        cancel: listed.cancel,
        channel: listed.channel,
    };
    if let Some(failure) = set_up(ctx, &setup).await? {
        listed.channel.finding(format!("before step {}: {}", listed.at + 1, failure.summary()));
    }
    let timeout = ctx.config.timeouts.step;
    let input = ScriptInput {
        script: listed.command,
        dir: workspace.dir(),
        tree: &view,
        timeout,
        scratch: listed.scratch,
        cancel: listed.cancel,
        channel: listed.channel,
        named: NamedResults::No,
        idle: None,
    };
    let run = run_script(ctx, input).await?;
    judge_step(listed.at, listed.step, &run, timeout)?;
    let mut ingested = ctx.repo.ingest(&Ingest {
        dir: workspace.dir(),
        index: workspace.index(),
        base: listed.tree,
        owned: listed.owns,
        max_file_bytes: ctx.config.sizes.file_bytes,
        max_total_bytes: ctx.config.sizes.total_bytes,
    })?;
    leave_out_setup(ctx, listed.owns, listed.tree, &mut ingested)?;
    workspace.keep()?;
    Ok(ingested)
}

/// Whether the command of a step did what the step demands.
pub(crate) fn judge_step(at: usize, step: &Step, run: &ScriptRun, limit: Duration) -> Result<(), EarlyEnd> {
    let name = format!("step {} `{}`", at + 1, step.action.as_str());
    let failed = |failure| Err(EarlyEnd::Failed { failure, output: Some(run.output.clone()) });
    let refused = |summary: String| {
        let excerpt = run.excerpt.clone();
        failed(Failure::TestsFailed { gate: Gate::Steps, failed: Vec::new(), summary, excerpt })
    };
    if run.exit == ProcessExit::Cancelled {
        return Err(EarlyEnd::Interrupted);
    }
    if step.verify == Expect::None {
        return Ok(());
    }
    if let Some(over) = run.over {
        return refused(format!("{name}: {}", over.words()));
    }
    match (&run.exit, step.verify) {
        (ProcessExit::Code(0), Expect::ExitCodeNonzero) => {
            refused(format!("{name}: expected failure but got success: the command exited with 0"))
        }
        (ProcessExit::Code(code @ (126 | 127)), _) => {
            let summary = format!("{name}: the command cannot be run (exit code {code})");
            let excerpt = run.excerpt.clone();
            failed(Failure::CannotRun { gate: Gate::Steps, summary, excerpt })
        }
        (ProcessExit::Code(0), Expect::ExitCode) | (ProcessExit::Code(_), Expect::ExitCodeNonzero) => Ok(()),
        (ProcessExit::Code(code), _) => refused(format!("{name}: exit code {code}, and 0 was expected")),
        (ProcessExit::Signal(signal), _) => refused(format!("{name}: ended by signal {signal}")),
        (ProcessExit::TimedOut(_), _) => {
            failed(Failure::Timeout { budget: Budget::Step, seconds: limit.as_secs() })
        }
        (ProcessExit::NotStarted(why), _) => refused(format!("{name}: could not be started: {why}")),
        (ProcessExit::Cancelled, _) => Err(EarlyEnd::Interrupted),
    }
}

/// Outputs of the set-up are not part of anyone's work.
pub(crate) fn leave_out_setup(
    ctx: &Context,
    owns: &dyn Fn(&str) -> bool,
    base: &Oid,
    ingested: &mut Ingested,
) -> Result<(), EngineError> {
    let outputs = setup_outputs(ctx, &GitTree::open(&ctx.repo, base)?);
    let made = |path: &str| {
        outputs.iter().any(|o| path == o || path.strip_prefix(o.as_str()).is_some_and(|r| r.starts_with('/')))
    };
    let edits: Vec<TreeEdit> = ingested
        .changes
        .iter()
        .filter(|c| made(&c.path) && !owns(&c.path))
        .map(|c| TreeEdit { path: c.path.clone(), new: c.old.clone() })
        .collect();
    if !edits.is_empty() {
        ingested.tree = ctx.repo.edit_tree(&ingested.tree, &edits)?;
        ingested.changes = ctx.repo.diff(base, &ingested.tree)?;
    }
    Ok(())
}

#[cfg(test)]
mod tests;
