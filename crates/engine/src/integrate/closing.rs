//! The closing run: everything the completed tasks proved, once more, on one tree.

use std::collections::BTreeSet;
use std::path::Path;

use windlass_core::ids::{AttemptNo, Oid, TaskId};

use crate::context::{Context, Scratch};
use crate::error::EngineError;
use crate::process::{CancellationSignal, Exit};
use crate::tell::Tell;
use crate::tree_view::GitTree;
use crate::verify::setup::{SetupInput, copy_files, set_up};
use crate::verify::{Named, ScriptInput, Services, run_script, task_script};

/// What the closing run showed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Closing {
    /// Every command passed.
    Green {
        /// How many.
        commands: usize,
    },
    /// One did not.
    Red {
        /// The command.
        command: String,
        /// What it printed, shortened.
        excerpt: String,
    },
    /// It was stopped.
    Interrupted,
}

/// Runs the commands of these tasks, and the suite, on the tree.
pub(crate) async fn close(
    ctx: &Context,
    tree: &Oid,
    tasks: &[TaskId],
    cancel: &CancellationSignal,
) -> Result<Closing, EngineError> {
    let view = GitTree::open(&ctx.repo, tree)?;
    let mut scripts: Vec<String> = Vec::new();
    let mut seen = BTreeSet::new();
    let own = tasks.iter().filter_map(|id| task_script(ctx.task(id), &view));
    for script in own.chain(ctx.config.verify.suite.clone()) {
        if seen.insert(script.clone()) {
            scripts.push(script);
        }
    }
    let Some(first) = tasks.first() else { return Ok(Closing::Green { commands: 0 }) };
    let scratch = ctx.scratch("closing")?;
    let laid = ctx.export(tree, &scratch.path().join("tree"))?;
    copy_files(ctx, laid.dir())?;
    // Nobody listens: a closing run belongs to no attempt.
    let (to, _deaf) = tokio::sync::mpsc::unbounded_channel();
    let tell = Tell::new(to, first.clone(), AttemptNo(0), &[]);
    let setup = SetupInput { dir: laid.dir(), tree: &view, scratch: &scratch, cancel, tell: &tell };
    if let Some(failure) = set_up(ctx, &setup).await? {
        return Ok(Closing::Red { command: "set-up".into(), excerpt: failure.details() });
    }
    let services = match Services::start(ctx, laid.dir(), &scratch, &tell).await {
        Ok(services) => services,
        Err(failure) => return Ok(Closing::Red { command: "services".into(), excerpt: failure.details() }),
    };
    let room = Room { ctx, dir: laid.dir(), view: &view, scratch: &scratch, cancel, tell: &tell };
    let closing = room.run_all(&scripts).await;
    services.stop(ctx).await;
    closing
}

/// Where the commands run.
struct Room<'a> {
    ctx: &'a Context,
    dir: &'a Path,
    view: &'a GitTree,
    scratch: &'a Scratch,
    cancel: &'a CancellationSignal,
    tell: &'a Tell,
}

impl Room<'_> {
    async fn run_all(&self, scripts: &[String]) -> Result<Closing, EngineError> {
        for script in scripts {
            let input = ScriptInput {
                script,
                dir: self.dir,
                tree: self.view,
                timeout: self.ctx.config.timeouts.verification,
                scratch: self.scratch,
                cancel: self.cancel,
                tell: self.tell,
                named: Named::No,
            };
            let run = run_script(self.ctx, input).await?;
            match run.exit {
                Exit::Code(0) => {}
                Exit::Cancelled => return Ok(Closing::Interrupted),
                Exit::Code(_) | Exit::Signal(_) | Exit::TimedOut(_) | Exit::NotStarted(_) => {
                    return Ok(Closing::Red { command: script.clone(), excerpt: run.excerpt });
                }
            }
        }
        Ok(Closing::Green { commands: scripts.len() })
    }
}
