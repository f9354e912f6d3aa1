//! The closing run: the commands of all completed tasks, once more, on one tree.

use std::collections::BTreeSet;
use std::path::Path;

use windlass_core::failure::{Failure, Gate};
use windlass_core::ids::AttemptNo;

use super::script::{NamedResults, ScriptInput, run_script, task_script};
use super::services::Services;
use super::setup::{SetupInput, copy_files, set_up};
use crate::context::Context;
use crate::early_end::EarlyEnd;
use crate::git_tree::GitTree;
use crate::place::{ClosingJob, ScratchDir};
use crate::process::{CancellationSignal, ProcessExit};
use crate::worker_channel::WorkerChannel;

/// Runs the commands of these tasks, and the suite, on the tree. Returns how many commands passed.
pub(crate) async fn close(
    ctx: &Context,
    job: &ClosingJob,
    cancel: &CancellationSignal,
) -> Result<usize, EarlyEnd> {
    let ClosingJob { tree, tasks } = job;
    let view = GitTree::open(&ctx.repo, tree)?;
    let mut scripts: Vec<String> = Vec::new();
    let mut seen = BTreeSet::new();
    let own = tasks.iter().filter_map(|id| task_script(ctx.task(id), &view));
    for script in own.chain(ctx.config.verify.suite.clone()) {
        if seen.insert(script.clone()) {
            scripts.push(script);
        }
    }
    let Some(first) = tasks.first() else { return Ok(0) };
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
    let room = ClosingRun { ctx, dir: laid.dir(), view: &view, scratch: &scratch, cancel, channel: &channel };
    let closing = room.run_all(&scripts).await;
    services.stop(ctx).await;
    closing
}

/// A closing run under way.
struct ClosingRun<'a> {
    ctx: &'a Context,
    dir: &'a Path,
    view: &'a GitTree,
    scratch: &'a ScratchDir,
    cancel: &'a CancellationSignal,
    channel: &'a WorkerChannel,
}

impl ClosingRun<'_> {
    async fn run_all(&self, scripts: &[String]) -> Result<usize, EarlyEnd> {
        for script in scripts {
            let input = ScriptInput {
                script,
                dir: self.dir,
                tree: self.view,
                timeout: self.ctx.config.timeouts.verification,
                scratch: self.scratch,
                cancel: self.cancel,
                channel: self.channel,
                named: NamedResults::No,
            };
            let run = run_script(self.ctx, input).await?;
            match run.exit {
                ProcessExit::Code(0) => {}
                ProcessExit::Cancelled => return Err(EarlyEnd::Interrupted),
                ProcessExit::Code(_)
                | ProcessExit::Signal(_)
                | ProcessExit::TimedOut(_)
                | ProcessExit::NotStarted(_) => {
                    return Err(EarlyEnd::failed(Failure::TestsFailed {
                        gate: Gate::Suite,
                        failed: Vec::new(),
                        summary: format!("`{script}` fails"),
                        excerpt: run.excerpt,
                    }));
                }
            }
        }
        Ok(scripts.len())
    }
}
