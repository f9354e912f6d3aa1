//! Fixers, formatters and the repository's hooks, on the task's owned and unfrozen files only.

use std::path::Path;

use windlass_code::detect::{self, FormatWork};
use windlass_code::repo::Tree as _;
use windlass_core::ids::Oid;

use super::proof::SilentLinter;
use super::script::{NamedResults, ScriptInput, run_script};
use super::setup::{command_line, in_dir};
use crate::config::GateSwitch;
use crate::context::Context;
use crate::error::EngineError;
use crate::git::TreeEdit;
use crate::git_tree::GitTree;
use crate::place::ScratchDir;
use crate::process::{CancellationSignal, ProcessExit};
use crate::sandbox::{Network, is_straight};
use crate::worker_channel::WorkerChannel;

/// A laid-out tree and the files that may be formatted in it.
pub(crate) struct FormatInput<'a> {
    pub(crate) tree: &'a Oid,
    /// The commit that the work began at.
    pub(crate) base: &'a Oid,
    pub(crate) dir: &'a Path,
    pub(crate) files: &'a [String],
    /// Linters that had nothing to say about this tree.
    pub(crate) silent: &'a [SilentLinter],
    pub(crate) scratch: &'a ScratchDir,
    pub(crate) cancel: &'a CancellationSignal,
    pub(crate) channel: &'a WorkerChannel,
}

/// Formats files and returns the resulting tree, which is unchanged if there was nothing to do.
pub(crate) async fn format_files(ctx: &Context, input: &FormatInput<'_>) -> Result<Oid, EngineError> {
    let view = GitTree::open(&ctx.repo, input.tree)?;
    let commands = commands(ctx, &view, input.files, input.silent);
    for hook in detect::hooks(&view).iter().filter(|hook| lacks_network(ctx, hook)) {
        let from = &hook.from;
        let note = format!("format: `{from}` has hooks of other repositories, which need a network; not run");
        input.channel.finding(note);
    }
    if commands.is_empty() {
        return Ok(input.tree.clone());
    }
    let mut missing: Vec<String> = Vec::new();
    for FormatCommand { name, line, formed } in commands {
        if missing.contains(&name) {
            continue;
        }
        let before = contents(input, &view, &formed);
        let run = run_script(ctx, script_of(ctx, input, &view, &line)).await?;
        // A missing or failing formatter is no verdict on the work.
        match run.exit {
            ProcessExit::Code(0) | ProcessExit::Cancelled => {}
            ProcessExit::Code(NOT_FOUND) => {
                input.channel.finding(format!("format: `{name}` is not installed; skipped"));
                missing.push(name);
            }
            ProcessExit::Code(_)
            | ProcessExit::Signal(_)
            | ProcessExit::TimedOut(_)
            | ProcessExit::NotStarted(_) => {
                let last = line.lines().last().unwrap_or_default();
                input.channel.finding(format!("format: `{last}` failed; files unchanged"));
            }
        }
        keep_other_form(ctx, input, &view, (&line, before)).await?;
    }
    reread(ctx, input, &view)
}

fn script_of<'a>(
    ctx: &Context,
    input: &'a FormatInput<'_>,
    view: &'a GitTree,
    script: &'a str,
) -> ScriptInput<'a> {
    ScriptInput {
        script,
        dir: input.dir,
        tree: view,
        timeout: ctx.config.timeouts.step,
        scratch: input.scratch,
        cancel: input.cancel,
        channel: input.channel,
        named: NamedResults::No,
        idle: None,
    }
}

/// Files and what is in them.
type Contents = Vec<(String, Vec<u8>)>;

/// What is in these files now. A directory may have only those that differ from the tree.
fn contents(input: &FormatInput<'_>, view: &GitTree, files: &[String]) -> Contents {
    let straight = files.iter().filter(|path| is_straight(input.dir, Path::new(path)));
    let read = |path: &String| std::fs::read(input.dir.join(path)).ok().or_else(|| view.read(path));
    straight.filter_map(|path| Some((path.clone(), read(path)?))).collect()
}

/// Puts files back as they were before a formatter, if the project does not keep them in its form: if it changes them on the base as
/// well. A changed line would otherwise be a change of the whole file. That is looked at only for files which the formatter
/// changed. `formed` is its command line, and the files before it.
async fn keep_other_form(
    ctx: &Context,
    input: &FormatInput<'_>,
    view: &GitTree,
    formed: (&str, Contents),
) -> Result<(), EngineError> {
    let (line, before) = formed;
    let base = GitTree::open(&ctx.repo, &ctx.repo.tree_of(input.base)?)?;
    let write = |path: &str, bytes: &[u8]| {
        let full = input.dir.join(path);
        std::fs::write(&full, bytes).map_err(|source| EngineError::Io { what: "write", path: full, source })
    };
    let mut changed = Vec::new();
    for (path, work) in before {
        let now = contents(input, view, std::slice::from_ref(&path)).pop();
        let Some((_, formatted)) = now.filter(|(_, now)| *now != work) else { continue };
        if let Some(old) = base.bytes(&path)? {
            write(&path, &old)?;
            changed.push((path, work, formatted, old));
        }
    }
    if changed.is_empty() {
        return Ok(());
    }
    run_script(ctx, script_of(ctx, input, view, line)).await?;
    for (path, work, formatted, old) in changed {
        let is_other = std::fs::read(input.dir.join(&path)).is_ok_and(|now| now != old);
        write(&path, if is_other { &work } else { &formatted })?;
        if is_other {
            let note =
                format!("format: the formatter would change `{path}` on the base as well; left as it is");
            input.channel.finding(note);
        }
    }
    Ok(())
}

/// Whether any formatter applies to these files; otherwise no export is needed.
pub(crate) fn has_formatter(ctx: &Context, tree: &Oid, files: &[String]) -> Result<bool, EngineError> {
    Ok(!commands(ctx, &GitTree::open(&ctx.repo, tree)?, files, &[]).is_empty())
}

/// The shell's exit code for an unknown command.
const NOT_FOUND: i32 = 127;

/// A command line and the name of its tool.
struct FormatCommand {
    name: String,
    line: String,
    /// The files, if the command changes only their formatting and comes from the repository's configuration alone.
    formed: Vec<String>,
}

/// The commands for these files: the user's, then detected formatters, then hooks.
fn commands(ctx: &Context, view: &GitTree, files: &[String], silent: &[SilentLinter]) -> Vec<FormatCommand> {
    if ctx.config.format.switch == GateSwitch::Off || files.is_empty() {
        return Vec::new();
    }
    let mut commands = Vec::new();
    for plan in detect::formatters_with(view, files, &ctx.config.format.own) {
        // What another command has changed may have something to fix again.
        let is_fixed = commands.is_empty() && silent.iter().any(|linter| linter.covers(&plan));
        let fix = plan.fix.iter().map(|fix| (fix, true));
        let all = fix.chain([(&plan.format, plan.work != FormatWork::Form)]);
        for (argv, fixes) in all.filter(|(_, fixes)| !(is_fixed && *fixes)) {
            let name = argv.first().cloned().unwrap_or_default();
            let formed = if fixes { Vec::new() } else { plan.files.clone() };
            commands.push(FormatCommand { name, line: in_dir(&plan.dir, &command_line(argv)), formed });
        }
    }
    if ctx.config.format.hooks != GateSwitch::Off {
        let hooks = detect::hooks(view);
        commands.extend(hooks.iter().filter(|hook| !lacks_network(ctx, hook)).map(|hook| {
            let name = hook.argv.first().cloned().unwrap_or_default();
            FormatCommand { name, line: in_dir(&hook.dir, &hook_line(hook, files)), formed: Vec::new() }
        }));
    }
    commands
}

/// Whether a hook would only fail: what it fetches is out of reach, and the configuration does not ask for it.
fn lacks_network(ctx: &Context, hook: &detect::HookPlan) -> bool {
    let alone = ctx.config.sandbox.verify_network == Network::Loopback;
    hook.fetches && alone && ctx.config.format.hooks == GateSwitch::Auto
}

/// The command of a hook. Hooks need a repository: they get a temporary one with just these files staged.
fn hook_line(hook: &detect::HookPlan, files: &[String]) -> String {
    let listed = command_line(files);
    let command = match hook.files {
        detect::HookFiles::AsArguments => format!("{} {listed}", command_line(&hook.argv)),
        detect::HookFiles::FromIndex => command_line(&hook.argv),
    };
    format!(
        "git init -q . && git add -A && git rm -q --cached -- {listed} \
         && git -c user.name=w -c user.email=w@localhost commit -qm base --no-verify --allow-empty \
         && git add -- {listed} && {command}; status=$?; rm -rf .git; exit $status"
    )
}

/// Imports the given files, and only them.
fn reread(ctx: &Context, input: &FormatInput<'_>, view: &GitTree) -> Result<Oid, EngineError> {
    let mut edits = Vec::new();
    for path in input.files {
        let full = input.dir.join(path);
        let Some(before) = view.blob(path) else { continue };
        let Ok(meta) = std::fs::symlink_metadata(&full) else { continue };
        // A hook may have replaced a directory by a link.
        let is_it = meta.is_file() && is_straight(input.dir, Path::new(path));
        if !is_it || meta.len() > ctx.config.sizes.file_bytes {
            continue;
        }
        let bytes = std::fs::read(&full).map_err(|source| EngineError::Io {
            what: "read",
            path: full.clone(),
            source,
        })?;
        let after = ctx.repo.write_blob(&bytes)?;
        if after != *before {
            let mode =
                ctx.repo.ls_tree(input.tree)?.iter().find(|e| e.path == *path).map_or(0o100_644, |e| e.mode);
            edits.push(TreeEdit { path: path.clone(), new: Some((mode, after)) });
        }
    }
    if edits.is_empty() { Ok(input.tree.clone()) } else { Ok(ctx.repo.edit_tree(input.tree, &edits)?) }
}
