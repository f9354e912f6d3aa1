//! Prepares a directory for commands: untracked files from the checkout, and dependencies.

use std::path::Path;

use windlass_code::detect::{self, SetupPlan};
use windlass_core::failure::{Failure, Gate};

use super::layer::{self, LayerMounts};
use super::script::{NamedResults, ScriptInput, ScriptRun, run_script_as};
use crate::config::SetupCommand;
use crate::context::Context;
use crate::error::EngineError;
use crate::git_tree::GitTree;
use crate::place::ScratchDir;
use crate::process::{CancellationSignal, ProcessExit};
use crate::sandbox::FenceRole;
use crate::worker_channel::WorkerChannel;

/// What set-up works on.
pub(crate) struct SetupInput<'a> {
    pub(crate) dir: &'a Path,
    pub(crate) tree: &'a GitTree,
    pub(crate) scratch: &'a ScratchDir,
    pub(crate) cancel: &'a CancellationSignal,
    pub(crate) channel: &'a WorkerChannel,
}

/// Copies the configured untracked files of the user's checkout.
pub(crate) fn copy_files(ctx: &Context, dir: &Path) -> Result<(), EngineError> {
    let Some(checkout) = ctx.repo.worktree() else { return Ok(()) };
    for name in &ctx.config.copy {
        let (from, to) = (checkout.join(name), dir.join(name));
        let in_the_way =
            ctx.machine.setups.has(dir, name) || !ctx.machine.setups.is_straight(dir, Path::new(name));
        if in_the_way || !from.is_file() {
            continue;
        }
        if let Some(parent) = to.parent() {
            let made = std::fs::create_dir_all(parent);
            made.map_err(|source| EngineError::Io { what: "create", path: parent.to_owned(), source })?;
        }
        std::fs::copy(&from, &to).map_err(|source| EngineError::Io { what: "copy", path: from, source })?;
    }
    Ok(())
}

/// Runs the set-up. `Ok(Some(failure))` if it fails; `Ok(None)` if the directory is ready or the run was cancelled.
pub(crate) async fn set_up(ctx: &Context, input: &SetupInput<'_>) -> Result<Option<Failure>, EngineError> {
    if !ctx.machine.sandbox.rung().has_own_root() {
        return in_place(ctx, input).await;
    }
    let mut laid = LayerMounts::default();
    for plan in plans(ctx, input.tree) {
        match layer::of(ctx, input, &plan).await? {
            Ok(Some(ready)) => ready.lay_into(ctx, input.dir, &mut laid)?,
            Ok(None) => return Ok(None),
            Err(failure) => return Ok(Some(failure)),
        }
    }
    ctx.machine.setups.lay(input.dir, laid.layers, laid.env);
    Ok(None)
}

/// Runs the set-up in the directory itself: without a constant path its output cannot be shared.
async fn in_place(ctx: &Context, input: &SetupInput<'_>) -> Result<Option<Failure>, EngineError> {
    for command in commands(ctx, input.tree) {
        let script = ScriptInput {
            script: &command,
            dir: input.dir,
            tree: input.tree,
            timeout: ctx.config.timeouts.verification,
            scratch: input.scratch,
            cancel: input.cancel,
            channel: input.channel,
            named: NamedResults::No,
        };
        let run = run_script_as(ctx, FenceRole::Setup, script).await?;
        match run.exit {
            ProcessExit::Code(0) | ProcessExit::Cancelled => {}
            ProcessExit::Code(_)
            | ProcessExit::Signal(_)
            | ProcessExit::TimedOut(_)
            | ProcessExit::NotStarted(_) => {
                return Ok(Some(setup_failed(&command, &run)));
            }
        }
    }
    Ok(None)
}

/// The failure that a failed set-up amounts to.
pub(super) fn setup_failed(command: &str, run: &ScriptRun) -> Failure {
    Failure::TestsFailed {
        gate: Gate::Setup,
        failed: Vec::new(),
        summary: format!("the set-up command `{command}` failed"),
        excerpt: run.excerpt.clone(),
    }
}

/// The set-ups of this tree.
fn plans(ctx: &Context, tree: &GitTree) -> Vec<SetupPlan> {
    match &ctx.config.setup {
        SetupCommand::Off => Vec::new(),
        SetupCommand::Detect => detect::setup(tree),
        SetupCommand::Command(command) => {
            let stated = &ctx.config.setup_inputs;
            // Without stated inputs, those of a detected set-up are used.
            let inputs = if stated.is_empty() {
                detect::setup(tree).into_iter().flat_map(|plan| plan.inputs).collect()
            } else {
                stated.clone()
            };
            let outputs = ctx.config.setup_outputs.clone();
            vec![SetupPlan {
                dir: String::new(),
                command: command.clone(),
                inputs,
                outputs,
                bins: Vec::new(),
            }]
        }
    }
}

/// The set-up commands of this tree. Cargo and Go fetch dependencies when they run.
fn commands(ctx: &Context, tree: &GitTree) -> Vec<String> {
    match &ctx.config.setup {
        SetupCommand::Off => Vec::new(),
        SetupCommand::Command(command) => vec![command.clone()],
        SetupCommand::Detect => detect::setup(tree)
            .into_iter()
            .filter(|plan| !plan.command.starts_with("cargo ") && !plan.command.starts_with("go "))
            .map(|plan| if plan.dir.is_empty() { plan.command } else { in_dir(&plan.dir, &plan.command) })
            .collect(),
    }
}

/// Where a detected set-up puts programs, relative to the root.
pub(super) fn setup_bins(ctx: &Context, tree: &GitTree) -> Vec<String> {
    match ctx.config.setup {
        SetupCommand::Detect => detect::setup(tree).into_iter().flat_map(|plan| plan.bins).collect(),
        SetupCommand::Off | SetupCommand::Command(_) => Vec::new(),
    }
}

/// A command in a directory; the directory's name is quoted.
pub(crate) fn in_dir(dir: &str, command: &str) -> String {
    if dir.is_empty() { command.to_owned() } else { format!("cd {}\n{command}", quote(dir)) }
}

/// Quotes a word for the shell.
pub(super) fn quote(word: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "-_./=:@%+,".contains(c);
    if !word.is_empty() && word.chars().all(plain) {
        return word.to_owned();
    }
    format!("'{}'", word.replace('\'', r"'\''"))
}

/// An argument list as a command line.
pub(crate) fn command_line(argv: &[String]) -> String {
    argv.iter().map(|a| quote(a)).collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests;
