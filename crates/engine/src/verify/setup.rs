//! Prepares a directory for commands: untracked files from the checkout, and dependencies.

use std::collections::{HashMap, HashSet};
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};

use windlass_code::detect::{self, PathPlace, ProgramDir, SetupKind, SetupPlan};
use windlass_code::script::quote;
use windlass_core::failure::{Failure, Gate, without_label};
use windlass_core::ids::{Oid, TaskId};
use windlass_core::path_text::file_name;

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
    let plans = plans(ctx, input.tree);
    let bins = plans.iter().flat_map(|plan| &plan.bins).map(|bin| (input.dir.join(&bin.path), bin.place));
    ctx.machine.setups.lead(input.dir, bins.collect());
    if !ctx.machine.sandbox.rung().has_own_root() {
        let env = plans.iter().flat_map(|plan| variables(plan, input.dir)).collect();
        ctx.machine.setups.lay(input.dir, Vec::new(), env);
        return in_place(ctx, input).await;
    }
    let mut laid = LayerMounts::default();
    for plan in plans.iter() {
        match layer::of(ctx, input, plan).await? {
            Ok(Some(ready)) => {
                ready.lay_into(ctx, input.dir, &mut laid)?;
                laid.env.extend(variables(plan, input.dir));
            }
            Ok(None) => return Ok(None),
            Err(failure) if concerns(ctx, plan, &input.channel.task) => return Ok(Some(failure)),
            Err(_) => tell_unneeded(ctx, plan, input.channel),
        }
    }
    ctx.machine.setups.lay(input.dir, laid.layers, laid.env);
    Ok(None)
}

/// Makes the layer of one set-up, if it is not there.
pub(crate) async fn try_one(
    ctx: &Context,
    input: &SetupInput<'_>,
    plan: &SetupPlan,
) -> Result<Option<Failure>, EngineError> {
    Ok(layer::of(ctx, input, plan).await?.err())
}

/// The variables of later commands in a directory.
pub(super) fn variables(plan: &SetupPlan, dir: &Path) -> Vec<(String, String)> {
    let dir = dir.join(&plan.dir).display().to_string();
    let dir = dir.trim_end_matches('/');
    plan.variables.iter().map(|(name, value)| ((*name).to_owned(), value.replace("{dir}", dir))).collect()
}

/// Whether a task may need a set-up.
fn concerns(ctx: &Context, plan: &SetupPlan, task: &TaskId) -> bool {
    let owned = ctx.info(task).owned.iter().map(String::as_str);
    let mut files = ctx.task(task).test_files().into_iter().chain(owned).peekable();
    files.peek().is_none() || plan.concerns(files)
}

/// Whether a task of the plan may need a set-up; true for a plan without tasks.
pub(crate) fn is_needed(ctx: &Context, plan: &SetupPlan) -> bool {
    ctx.tasks.is_empty() || ctx.tasks.keys().any(|task| concerns(ctx, plan, task))
}

/// Reports a failed set-up that the task does not need, once per run.
fn tell_unneeded(ctx: &Context, plan: &SetupPlan, channel: &WorkerChannel) {
    let command = plan.shown();
    let mut told = ctx.machine.setup_plans.told.lock().unwrap_or_else(PoisonError::into_inner);
    if told.insert(command.clone()) {
        channel
            .finding(format!("the set-up command `{command}` failed; the files of the task do not need it"));
    }
}

/// Runs the set-up in the directory itself: without a constant path its output cannot be shared.
async fn in_place(ctx: &Context, input: &SetupInput<'_>) -> Result<Option<Failure>, EngineError> {
    for (command, script) in commands(ctx, input.tree) {
        let script = ScriptInput {
            script: &script,
            dir: input.dir,
            tree: input.tree,
            timeout: ctx.config.timeouts.setup,
            scratch: input.scratch,
            cancel: input.cancel,
            channel: input.channel,
            named: NamedResults::No,
            idle: None,
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

/// A set-up that fails on the base, where nothing of an agent is: only a person can go on. The reason comes first.
pub(crate) fn setup_failed_on_base(failure: &Failure) -> Failure {
    let details = failure.details();
    let (headline, output) = details.split_once("\n\n").unwrap_or((&details, ""));
    let failed = if let Failure::TestsFailed { summary, .. } = failure { summary } else { headline };
    let reason = failure.evidence().map(|line| format!(": {}", without_label(&line))).unwrap_or_default();
    let message = format!(
        "{failed} on the untouched base{reason}; another set-up can be stated in `[setup] command`\n\n{output}"
    );
    Failure::Environment { message }
}

/// A tree, and the version that was told.
type PlannedTree = (Oid, Option<String>);

/// The set-ups of trees, found once for each.
#[derive(Debug, Default)]
pub(crate) struct SetupPlans {
    plans: Mutex<HashMap<PlannedTree, Arc<[SetupPlan]>>>,
    /// Commands that failed and were told.
    told: Mutex<HashSet<String>>,
}

/// The set-ups of this tree.
pub(crate) fn plans(ctx: &Context, tree: &GitTree) -> Arc<[SetupPlan]> {
    let mut known = ctx.machine.setup_plans.plans.lock().unwrap_or_else(PoisonError::into_inner);
    let key = (tree.oid().clone(), ctx.told_version.clone());
    let plans = known.entry(key).or_insert_with(|| find_plans(ctx, tree).into());
    Arc::clone(plans)
}

fn find_plans(ctx: &Context, tree: &GitTree) -> Vec<SetupPlan> {
    match &ctx.config.setup {
        SetupCommand::Off => Vec::new(),
        SetupCommand::Detect => {
            let mut plans = detect::setup(tree);
            plans.retain(|plan| !plan.apart || is_needed(ctx, plan));
            for plan in plans.iter_mut().filter(|plan| !plan.version_variables.is_empty()) {
                plan.script = with_version(&project_version(ctx), plan);
            }
            plans
        }
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
                kind: SetupKind::of_command(command),
                dir: String::new(),
                command: command.clone(),
                script: command.clone(),
                version_variables: Vec::new(),
                inputs,
                bins: bins_of(&outputs),
                outputs,
                variables: Vec::new(),
                tool: None,
                program: None,
                endings: Vec::new(),
                apart: false,
            }]
        }
    }
}

/// Where the programs of a stated set-up are: in the usual directories of its outputs, or of what it is likely to make.
/// Only package managers of scripts have a `.bin`; a `bin` of an output that is not theirs is taken for an environment.
fn bins_of(outputs: &[String]) -> Vec<ProgramDir> {
    const LIKELY: [(&str, PathPlace); 4] = [
        (".venv", PathPlace::Front),
        ("venv", PathPlace::Front),
        ("node_modules", PathPlace::Behind),
        ("vendor", PathPlace::Behind),
    ];
    let place_of = |top: &str| {
        let name = file_name(top);
        LIKELY.iter().find(|(known, _)| *known == name).map_or(PathPlace::Front, |(_, place)| *place)
    };
    let likely = || LIKELY.iter().map(|(top, _)| (*top).to_owned()).collect();
    let tops: Vec<String> = if outputs.is_empty() { likely() } else { outputs.to_vec() };
    let bins = |top: &String| {
        let dir = |path: String, place: PathPlace| ProgramDir { path, place };
        [dir(format!("{top}/bin"), place_of(top)), dir(format!("{top}/.bin"), PathPlace::Behind)]
    };
    tops.iter().flat_map(bins).collect()
}

/// A set-up that is told the version of the project, which its build would else ask git for: no export is a repository.
fn with_version(version: &str, plan: &SetupPlan) -> String {
    let names = plan.version_variables.iter().copied().chain(["WINDLASS_VERSION"]);
    let exports: String = names.map(|name| format!("export {name}={}\n", quote(version))).collect();
    format!("{exports}{}", plan.script)
}

/// The version that the nearest tag of the integration branch names, unless another one was told. The number of commits since
/// is left out: every merge would ask for another environment.
pub(crate) fn project_version(ctx: &Context) -> String {
    if let Some(told) = &ctx.told_version {
        return told.clone();
    }
    let branch = ctx.repo.resolve(&format!("refs/heads/{}", ctx.branch)).ok().flatten();
    let tip = branch.or_else(|| ctx.repo.resolve("HEAD").ok().flatten());
    let tag = tip.and_then(|tip| ctx.repo.nearest_tag(&tip).ok().flatten());
    tag.as_deref().and_then(version_in).unwrap_or_else(|| "0.0.0".to_owned())
}

/// `1.2.3` of `v1.2.3`, `release-1.2.3` or `name/1.2.3`.
fn version_in(tag: &str) -> Option<String> {
    let starts = tag.char_indices().filter(|(at, c)| {
        let before = tag[..*at].chars().next_back();
        c.is_ascii_digit() && before.is_none_or(|c| !c.is_ascii_digit() && c != '.')
    });
    let version = |at: usize| -> String {
        let run = tag[at..].chars().take_while(|c| c.is_ascii_alphanumeric() || *c == '.');
        run.collect::<String>().trim_end_matches('.').to_owned()
    };
    let found: Vec<String> = starts.map(|(at, _)| version(at)).collect();
    found.iter().find(|version| version.contains('.')).or(found.last()).cloned()
}

/// The version that a set-up of this tree is told, if one is; for the evidence.
pub(super) fn version_told(ctx: &Context, tree: &GitTree) -> Option<String> {
    let asks = |plan: &SetupPlan| !plan.version_variables.is_empty();
    plans(ctx, tree).iter().any(asks).then(|| project_version(ctx))
}

/// The set-up scripts of this tree, with the commands that they are shown as. Cargo and Go fetch dependencies when they run.
fn commands(ctx: &Context, tree: &GitTree) -> Vec<(String, String)> {
    let fetches = |plan: &&SetupPlan| match plan.kind {
        SetupKind::Cargo | SetupKind::Go => true,
        SetupKind::Other => false,
    };
    let one = |plan: &SetupPlan| (in_dir(&plan.dir, &plan.command), in_dir(&plan.dir, &plan.script));
    let detected = ctx.config.setup == SetupCommand::Detect;
    plans(ctx, tree).iter().filter(|plan| !detected || !fetches(plan)).map(one).collect()
}

/// Where the set-up puts programs, relative to the root.
pub(super) fn setup_bins(ctx: &Context, tree: &GitTree) -> Vec<String> {
    plans(ctx, tree).iter().flat_map(|plan| plan.bins.iter().map(|bin| bin.path.clone())).collect()
}

/// What set-ups leave in a directory besides what the repository has.
pub(crate) fn setup_outputs(ctx: &Context, tree: &GitTree) -> Vec<String> {
    let stated = ctx.config.setup_outputs.clone();
    plans(ctx, tree).iter().flat_map(|plan| plan.outputs.clone()).chain(stated).collect()
}

/// A command in a directory; the directory's name is quoted.
pub(crate) fn in_dir(dir: &str, command: &str) -> String {
    if dir.is_empty() { command.to_owned() } else { format!("cd {}\n{command}", quote(dir)) }
}

/// An argument list as a command line.
pub(crate) fn command_line(argv: &[String]) -> String {
    argv.iter().map(|a| quote(a)).collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests;
