//! The closing run: everything the completed tasks proved, once more, on one tree.

use std::collections::BTreeSet;
use std::path::Path;

use windlass_core::failure::{Failure, Gate};
use windlass_core::ids::{AttemptNo, Oid, TaskId};

use crate::context::{Context, ScratchDir};
use crate::early_end::EarlyEnd;
use crate::git_tree::GitTree;
use crate::process::{CancellationSignal, ProcessExit};
use crate::verify::setup::{SetupInput, copy_files, set_up};
use crate::verify::{NamedResults, ScriptInput, Services, run_script, task_script};
use crate::worker_channel::WorkerChannel;

/// Runs the commands of these tasks, and the suite, on the tree. Returns how many commands passed.
pub(crate) async fn close(
    ctx: &Context,
    tree: &Oid,
    tasks: &[TaskId],
    cancel: &CancellationSignal,
) -> Result<usize, EarlyEnd> {
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
    let scratch = ctx.scratch("closing")?;
    let laid = ctx.export(tree, &scratch.path().join("tree"))?;
    copy_files(ctx, laid.dir())?;
    // Nobody listens: a closing run belongs to no attempt.
    let (to, _deaf) = tokio::sync::mpsc::unbounded_channel();
    let tell = WorkerChannel::new(to, first.clone(), AttemptNo(0), &[]);
    let setup = SetupInput { dir: laid.dir(), tree: &view, scratch: &scratch, cancel, tell: &tell };
    if let Some(failure) = set_up(ctx, &setup).await? {
        return Err(EarlyEnd::failed(failure));
    }
    let services = Services::start(ctx, laid.dir(), &scratch, &tell).await.map_err(EarlyEnd::failed)?;
    let room = ClosingRun { ctx, dir: laid.dir(), view: &view, scratch: &scratch, cancel, tell: &tell };
    let closing = room.run_all(&scripts).await;
    services.stop(ctx).await;
    closing
}

/// Where the commands run.
struct ClosingRun<'a> {
    ctx: &'a Context,
    dir: &'a Path,
    view: &'a GitTree,
    scratch: &'a ScratchDir,
    cancel: &'a CancellationSignal,
    tell: &'a WorkerChannel,
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
                tell: self.tell,
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
