//! The closing run: the commands of all completed tasks on one tree.
//!
//! What passed on exactly this tree when it was verified is not repeated. Commands that build something run one after another in one
//! directory, so that each finds what was built before; others run beside each other, as many as the run may have jobs.
//! Commands that call one runner for different test files are one call; where that fails, each runs by itself, and its own
//! end counts.

use std::collections::BTreeSet;
use std::path::Path;
use std::pin::Pin;

use windlass_code::script::{JoinedScript, join_runs, quote};
use windlass_core::failure::{Failure, Gate};
use windlass_core::ids::{AttemptNo, TaskId};

use super::base_tests::{BaseRun, failing_on, failures_of, is_own_test, stood_before};
use super::script::{NamedResults, ScriptInput, run_script, task_script};
use super::services::Services;
use super::setup::{SetupInput, copy_files, set_up};
use crate::context::Context;
use crate::early_end::EarlyEnd;
use crate::error::EngineError;
use crate::git_tree::GitTree;
use crate::place::{ClosingJob, ScratchDir};
use crate::process::{CancellationSignal, ProcessExit};
use crate::sandbox::{Network, disk_usage};
use crate::slot::ExportedTree;
use crate::worker_channel::WorkerChannel;

/// Runs the commands of these tasks, and the suite, on the tree. Returns how many commands have passed on it.
pub(crate) async fn close(
    ctx: &Context,
    job: &ClosingJob,
    cancel: &CancellationSignal,
) -> Result<usize, EarlyEnd> {
    let (passed, scripts) = closing_scripts(ctx, job)?;
    run_closing(ctx, job, &scripts, cancel).await?;
    Ok(passed + scripts.len())
}

/// How many commands passed on the tree when it was verified, and the commands that are left to run, each once.
pub(crate) fn closing_scripts(ctx: &Context, job: &ClosingJob) -> Result<(usize, Vec<String>), EngineError> {
    let ClosingJob { tree, tasks, verified, passed } = job;
    let view = GitTree::open(&ctx.repo, tree)?;
    let commands = |ids: &[TaskId]| -> Vec<String> {
        ids.iter().filter_map(|id| task_script(ctx.task(id), &view)).collect()
    };
    Ok(sorted_out(commands(tasks), commands(verified), passed, ctx.config.verify.suite.clone()))
}

/// Runs these commands on the tree of a closing run.
pub(crate) async fn run_closing(
    ctx: &Context,
    job: &ClosingJob,
    scripts: &[String],
    cancel: &CancellationSignal,
) -> Result<(), EarlyEnd> {
    let ClosingJob { tree, tasks, .. } = job;
    let Some(first) = tasks.first().filter(|_| !scripts.is_empty()) else { return Ok(()) };
    let view = GitTree::open(&ctx.repo, tree)?;
    let scratch = ctx.machine.scratch("closing")?;
    let laid = ctx.export(tree, &scratch.path().join("tree"))?;
    copy_files(ctx, laid.dir())?;
    // A closing run belongs to no attempt, so its events are dropped.
    let (to, _deaf) = tokio::sync::mpsc::unbounded_channel();
    let channel = WorkerChannel::new(to, first.clone(), AttemptNo(0), &[]);
    let setup = SetupInput { dir: laid.dir(), tree: &view, scratch: &scratch, cancel, channel: &channel };
    if let Some(failure) = set_up(ctx, &setup).await? {
        return Err(EarlyEnd::failed(failure));
    }
    let services = Services::start(ctx, laid.dir(), &scratch, &channel).await.map_err(EarlyEnd::failed)?;
    let room =
        ClosingRun { ctx, dir: laid.dir(), view: &view, scratch: &scratch, cancel, channel: &channel, tasks };
    let closing = room.run_everything(&laid, scripts).await;
    services.stop(ctx).await;
    closing
}

/// Fewer commands run one after another: to lay the files out again takes longer.
const WORTH_SHARING: usize = 8;
/// Commands that leave more than so many bytes behind have built something that the next one needs.
const BUILT: u64 = 4 << 20;

/// How many directories besides the first commands run in.
fn lanes(ctx: &Context, laid: &ExportedTree, commands: usize) -> usize {
    // A service uses one directory; without an overlay every directory is a checkout; with one network, ports are shared.
    let config = &ctx.config;
    let alone = config.verify.services.is_empty() && config.sandbox.verify_network == Network::Loopback;
    if !alone || laid.base().is_none() || disk_usage(laid.dir()) > BUILT {
        return 0;
    }
    usize::try_from(ctx.config.settings.jobs).unwrap_or(1).min(commands / 2).saturating_sub(1)
}

/// How many commands passed on this tree before, and the commands that are left to run, each once.
fn sorted_out(
    tasks: Vec<String>,
    verified: Vec<String>,
    passed: &[String],
    suite: Option<String>,
) -> (usize, Vec<String>) {
    // Every verification ends with the suite.
    let with_them = suite.clone().filter(|_| !verified.is_empty());
    let passed: BTreeSet<String> =
        verified.into_iter().chain(with_them).chain(passed.iter().cloned()).collect();
    let mut seen = BTreeSet::new();
    let all = tasks.into_iter().chain(suite).filter(|script| seen.insert(script.clone()));
    let (done, left): (Vec<String>, Vec<String>) = all.partition(|script| passed.contains(script));
    (done.len(), left)
}

/// A closing run under way.
#[derive(Clone, Copy)]
struct ClosingRun<'a> {
    ctx: &'a Context,
    dir: &'a Path,
    view: &'a GitTree,
    scratch: &'a ScratchDir,
    cancel: &'a CancellationSignal,
    channel: &'a WorkerChannel,
    tasks: &'a [TaskId],
}

impl<'a> ClosingRun<'a> {
    /// Runs the first script, and then the others: one after another, or beside each other.
    async fn run_everything(&self, laid: &ExportedTree, scripts: &[String]) -> Result<(), EarlyEnd> {
        let scripts = &join_runs(scripts, self.view);
        if scripts.len() <= WORTH_SHARING {
            return self.run_all(scripts).await;
        }
        // Shows whether something is built.
        let (first, rest) = scripts.split_at(1);
        self.run_all(first).await?;
        let twins = self.lay_beside(laid, lanes(self.ctx, laid, rest.len())).await?;
        self.run_beside(&twins, rest).await
    }

    /// Lays the tree out in more directories.
    async fn lay_beside(&self, laid: &ExportedTree, count: usize) -> Result<Vec<ExportedTree>, EarlyEnd> {
        let Self { ctx, view, scratch, cancel, channel, .. } = *self;
        let mut twins = Vec::new();
        for n in 0..count {
            let Some(twin) = laid.twin(&scratch.path().join(format!("tree-{n}"))) else { break };
            let twin = twin?;
            ctx.machine.setups.stand_on(twin.dir(), twin.base());
            copy_files(ctx, twin.dir())?;
            let setup = SetupInput { dir: twin.dir(), tree: view, scratch, cancel, channel };
            if let Some(failure) = set_up(ctx, &setup).await? {
                return Err(EarlyEnd::failed(failure));
            }
            twins.push(twin);
        }
        Ok(twins)
    }

    /// Runs the scripts here and in other directories with the same files, in turn.
    async fn run_beside(&self, twins: &[ExportedTree], scripts: &[JoinedScript]) -> Result<(), EarlyEnd> {
        let rooms: Vec<ClosingRun<'_>> = std::iter::once(self.dir)
            .chain(twins.iter().map(ExportedTree::dir))
            .map(|dir| self.at(dir))
            .collect();
        let share = |n: usize| scripts.iter().skip(n).step_by(rooms.len()).cloned().collect();
        let shares: Vec<Vec<JoinedScript>> = (0..rooms.len()).map(share).collect();
        at_once(&rooms, &shares).await
    }

    fn at<'b>(&self, dir: &'b Path) -> ClosingRun<'b>
    where
        'a: 'b,
    {
        ClosingRun { dir, ..*self }
    }

    /// Runs the scripts, many in one command: what one of them builds the next one finds.
    async fn run_all(&self, scripts: &[JoinedScript]) -> Result<(), EarlyEnd> {
        for some in scripts.chunks(AT_ONCE) {
            self.run_some(some).await?;
        }
        Ok(())
    }

    /// Whether a script fails only by tests that failed before the plan was begun and that no task of the plan is about.
    async fn fails_as_before(&self, script: &str) -> Result<bool, EarlyEnd> {
        let ctx = self.ctx;
        let input = ScriptInput {
            script,
            dir: self.dir,
            tree: self.view,
            timeout: ctx.config.timeouts.verification,
            scratch: self.scratch,
            cancel: self.cancel,
            channel: self.channel,
            named: NamedResults::Wanted,
            idle: None,
        };
        let run = run_script(ctx, input).await?;
        let failed = run.report.ok().flatten().map(|report| failures_of(&report)).unwrap_or_default();
        if failed.is_empty() {
            return Ok(false);
        }
        let tip = |name: &str| ctx.repo.resolve(name).ok().flatten();
        let (Some(branch), Some(head)) = (tip(&format!("refs/heads/{}", ctx.branch)), tip("HEAD")) else {
            return Ok(false);
        };
        let Some(base) = ctx.repo.merge_base(&branch, &head)? else { return Ok(false) };
        let tree = ctx.repo.tree_of(&base)?;
        let begun = GitTree::open(&ctx.repo, &tree)?;
        let of_a_task = |name: &String| {
            let own =
                |task| is_own_test(task, self.view, name) && !stood_before(task, &begun, self.view, name);
            self.tasks.iter().any(|id| own(ctx.task(id)))
        };
        if failed.iter().any(of_a_task) {
            return Ok(false);
        }
        let (scratch, cancel, channel) = (self.scratch, self.cancel, self.channel);
        let before =
            failing_on(ctx, &BaseRun { tree: &tree, script, scratch, cancel, channel }).await?.names();
        Ok(failed.iter().all(|name| before.contains(name)))
    }

    async fn run_some(&self, scripts: &[JoinedScript]) -> Result<(), EarlyEnd> {
        if scripts.is_empty() {
            return Ok(());
        }
        let all = one_after_another(scripts.iter().map(|joined| joined.script.as_str()));
        let each = self.ctx.config.timeouts.verification;
        let members: usize = scripts.iter().map(|joined| joined.members.len()).sum();
        let input = ScriptInput {
            script: &all,
            dir: self.dir,
            tree: self.view,
            timeout: each.saturating_mul(u32::try_from(members).unwrap_or(u32::MAX)),
            scratch: self.scratch,
            cancel: self.cancel,
            channel: self.channel,
            named: NamedResults::No,
            idle: None,
        };
        let run = run_script(self.ctx, input).await?;
        let failed = match run.exit {
            ProcessExit::Code(0) => return Ok(()),
            ProcessExit::Cancelled => return Err(EarlyEnd::Interrupted),
            ProcessExit::Code(code) => usize::try_from(code - 1).ok().filter(|at| *at < scripts.len()),
            ProcessExit::Signal(_) | ProcessExit::TimedOut(_) | ProcessExit::NotStarted(_) => None,
        };
        if let Some(at) = failed {
            let (script, members) = (&scripts[at].script, &scripts[at].members);
            if members.len() > 1 {
                Box::pin(self.run_all(&each_alone(members))).await?;
                return Box::pin(self.run_some(&scripts[at + 1..])).await;
            }
            if self.fails_as_before(script).await? {
                return Box::pin(self.run_some(&scripts[at + 1..])).await;
            }
        }
        let failed = failed.map(|at| &scripts[at]);
        let summary = match (failed, scripts) {
            (Some(JoinedScript { script, .. }), _) | (None, [JoinedScript { script, .. }]) => {
                format!("`{script}` fails")
            }
            (None, _) => format!("one of {} commands did not end", scripts.len()),
        };
        Err(EarlyEnd::failed(Failure::TestsFailed {
            gate: Gate::Suite,
            failed: Vec::new(),
            summary,
            excerpt: run.excerpt,
        }))
    }
}

/// Runs each share in its room, all at the same time.
fn at_once<'a>(
    rooms: &'a [ClosingRun<'a>],
    shares: &'a [Vec<JoinedScript>],
) -> Pin<Box<dyn Future<Output = Result<(), EarlyEnd>> + Send + 'a>> {
    Box::pin(async move {
        let ([room, rooms @ ..], [share, shares @ ..]) = (rooms, shares) else { return Ok(()) };
        let (one, others) = tokio::join!(room.run_all(share), at_once(rooms, shares));
        one.and(others)
    })
}

/// The scripts, none of them joined.
fn each_alone(scripts: &[String]) -> Vec<JoinedScript> {
    let alone = |script: &String| JoinedScript { script: script.clone(), members: vec![script.clone()] };
    scripts.iter().map(alone).collect()
}

/// How many scripts one command runs: its exit code says which one failed.
const AT_ONCE: usize = 100;

/// One script that runs these in order, each in a shell of its own, and ends with the number of the first that fails.
fn one_after_another<'a>(scripts: impl Iterator<Item = &'a str>) -> String {
    let lines = scripts.zip(1..).map(|(script, n)| format!("bash -e -c {} || exit {n}\n", quote(script)));
    lines.collect()
}

#[cfg(test)]
mod tests;
