//! A plan's state on disk: its journal, and whether a run is active.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use clap::Args;
use windlass_core::event::{Event, RunEvent, Stamped};
use windlass_core::ids::{BlobName, PlanName, TaskId};
use windlass_core::plan::Plan;
use windlass_core::view::{Liveness, RunState, RunView, TaskView, View};
use windlass_engine::chronicle::Chronicle;
use windlass_engine::paths::{Paths, PlanPaths};
use windlass_engine::process::{ProcessId, is_alive};

use super::CliError;
use super::checked::PlanSelection;
use super::completing::plan_names;
use super::since_last_run::is_newer;
use crate::input::{Configuration, find_plan, locate, plan_name, read_plan};
use crate::world::World;

/// Which plan's state is meant.
#[derive(Debug, Clone, Default, Args)]
pub(crate) struct StateArgs {
    /// The plan, by its name or its path; without it, the plan that was run last.
    #[arg(short, long, value_name = "PLAN", add = plan_names())]
    pub(crate) plan: Option<String>,
}

/// The state of one plan.
#[derive(Debug, Clone)]
pub(crate) struct PlanState {
    /// The plan's name.
    pub(crate) name: PlanName,
    /// Where its state lies, run or not.
    pub(crate) paths: PlanPaths,
}

impl PlanState {
    /// Finds the plan that is meant.
    pub(crate) fn find(world: &World, args: &StateArgs) -> Result<Self, CliError> {
        let located = locate(&world.cwd).ok_or_else(|| {
            CliError::environment(format!("`{}` is not inside a git repository", world.cwd.display()))
                .hint("state is kept in the repository; `windlass check` and `graph` need none")
        })?;
        let paths = world.paths(&located.common_dir)?;
        let name = match &args.plan {
            Some(text) => named(world, &paths, text)?,
            None => last_run(&paths).map_or_else(|| only_plan(world), Ok)?,
        };
        Ok(Self { paths: paths.plan(&name), name })
    }

    /// The directory of what agents and commands printed.
    pub(crate) fn outputs(&self) -> String {
        self.paths.out().display().to_string()
    }

    /// The journal as events; `None` if the plan was never run.
    pub(crate) fn chronicle(&self) -> Result<Option<Chronicle>, CliError> {
        Ok(Chronicle::open(&self.paths.journal())?)
    }

    /// The journal of a plan that must have been run.
    pub(crate) fn run_chronicle(&self) -> Result<Chronicle, CliError> {
        self.chronicle()?.ok_or_else(|| {
            CliError::usage(format!("plan `{}` was never run", self.name))
                .hint("start it with `windlass run`")
        })
    }
}

/// The titles of a plan's tasks and parents, by id, as the plan that was run last gives them.
pub(crate) fn titles(state: &PlanState, chronicle: &Chronicle) -> Result<BTreeMap<String, String>, CliError> {
    let mut kept = None;
    chronicle.each(|stamped| keep_text(&mut kept, stamped))?;
    Ok(titles_in(state, kept.as_ref()))
}

/// Keeps the name of the plan's text, if the event has one.
pub(super) fn keep_text(kept: &mut Option<BlobName>, stamped: &Stamped) {
    if let Event::Run(RunEvent::PlanSealed { text, .. }) = &stamped.event {
        kept.clone_from(text);
    }
}

/// The same from the plan's text, which is kept beside the journal.
pub(super) fn titles_in(state: &PlanState, text: Option<&BlobName>) -> BTreeMap<String, String> {
    let bytes = text.and_then(|name| fs::read(state.paths.out().join(name.checked()?)).ok());
    let plan: Plan = bytes.and_then(|bytes| serde_json::from_slice(&bytes).ok()).unwrap_or_default();
    let titled = plan.tasks.iter().filter(|t| !t.headline().is_empty());
    titled.map(|t| (t.id.clone(), t.headline().to_owned())).collect()
}

/// The parent the user named: by id, by title, by the beginning of either, or by its number (`phase-2`).
pub(crate) fn phase_in(view: &View, titles: &BTreeMap<String, String>, said: &str) -> Option<usize> {
    let plain = |text: &str| text.to_lowercase().replace([' ', '_', ':'], "-").replace("--", "-");
    let said = plain(said);
    let title = |at: usize| titles.get(&view.parents[at].id).map(|title| plain(title)).unwrap_or_default();
    let begins = |text: &str| text.strip_prefix(said.as_str()).is_some_and(|rest| rest.starts_with('-'));
    let all = || 0..view.parents.len();
    let exact = all().find(|at| plain(&view.parents[*at].id) == said || title(*at) == said);
    let begun = || all().find(|at| begins(&plain(&view.parents[*at].id)) || begins(&title(*at)));
    let number = said.strip_prefix("phase-").and_then(|n| n.parse::<usize>().ok());
    // Without a number in a title the phases at the top are counted.
    let top = || all().filter(|at| view.parents[*at].up.is_none()).nth(number?.checked_sub(1)?);
    exact.or_else(begun).or_else(top)
}

/// The plan to read again for what is to be done with a plan that was run: the path that the user names, or where the last
/// run read it.
pub(crate) fn plan_of(
    world: &World,
    args: &StateArgs,
    state: &PlanState,
    run: Option<&RunView>,
) -> PlanSelection {
    let given = args.plan.as_ref().map(PathBuf::from);
    // A package may be called as the plan is: the plan's own name is no path.
    let is_name = args.plan.as_deref() == Some(state.name.as_str());
    let is_path = !is_name && given.as_ref().is_some_and(|path| world.cwd.join(path).exists());
    let source = run.map(|run| run.source.as_str()).filter(|source| !source.is_empty());
    let top = locate(&world.cwd).and_then(|located| located.top);
    let recorded = source.map(|source| top.unwrap_or_default().join(source)).filter(|path| path.exists());
    let plan = match (given, recorded) {
        (Some(given), _) if is_path => given,
        (_, Some(recorded)) => recorded,
        (given, None) => given.unwrap_or_else(|| state.name.as_str().into()),
    };
    PlanSelection { plan: Some(plan), from: None }
}

/// The plan with this name, or at this path.
fn named(world: &World, paths: &Paths, text: &str) -> Result<PlanName, CliError> {
    if let Ok(name) = PlanName::new(text)
        && paths.plan(&name).dir().is_dir()
    {
        return Ok(name);
    }
    if let Some(name) = last_run_from(world, paths, Path::new(text)) {
        return Ok(name);
    }
    plan_at(world, Path::new(text)).map_err(|error| match run_plans(paths).as_slice() {
        [] => error,
        known => error.hint(format!("plans that were run: {}", list(known))),
    })
}

/// The plan whose last run read it at this path, if it lies there under its own name and was not written since. A large plan
/// takes seconds to read, and only its name is wanted.
fn last_run_from(world: &World, paths: &Paths, path: &Path) -> Option<PlanName> {
    let path = world.cwd.join(path);
    let name = PlanName::new(path.file_name()?.to_str()?).ok()?;
    let state = PlanState { paths: paths.plan(&name), name };
    let glance = state.chronicle().ok()??.glance(is_live).ok()?;
    let source = locate(&world.cwd)?.top?.join(&glance.run?.source);
    let same = fs::canonicalize(source).ok()? == fs::canonicalize(&path).ok()?;
    (same && !is_newer(&path, glance.at)).then_some(state.name)
}

/// The name of the plan at a path.
pub(super) fn plan_at(world: &World, path: &Path) -> Result<PlanName, CliError> {
    let configuration = Configuration::find(world)?;
    let target = find_plan(world, &configuration, Some(path))?;
    Ok(plan_name(&read_plan(world, &target, None)?.loaded.plan.name))
}

/// The plan that `windlass run` would take.
fn only_plan(world: &World) -> Result<PlanName, CliError> {
    let configuration = Configuration::find(world)?;
    let target = find_plan(world, &configuration, None)?;
    Ok(plan_name(&read_plan(world, &target, None)?.loaded.plan.name))
}

/// The plan whose journal was written last.
fn last_run(paths: &Paths) -> Option<PlanName> {
    let written = |name: &PlanName| {
        let journal = paths.plan(name).journal();
        let log = PathBuf::from(format!("{}-wal", journal.display()));
        [journal, log].iter().filter_map(|p| fs::metadata(p).ok()?.modified().ok()).max()
    };
    run_plans(paths).into_iter().max_by_key(written)
}

/// Every plan that has a journal, by name.
pub(super) fn run_plans(paths: &Paths) -> Vec<PlanName> {
    let Ok(entries) = fs::read_dir(paths.plans()) else { return Vec::new() };
    let name = |entry: fs::DirEntry| PlanName::new(entry.file_name().to_str()?).ok();
    let mut names: Vec<PlanName> =
        entries.flatten().filter_map(name).filter(|n| paths.plan(n).journal().is_file()).collect();
    names.sort();
    names
}

fn list(names: &[PlanName]) -> String {
    names.iter().map(|n| format!("`{n}`")).collect::<Vec<_>>().join(", ")
}

/// How the run stands: what the journal says, and whether its coordinator still exists.
pub(crate) fn run_state(run: Option<&RunView>) -> RunState {
    run.map_or(RunState::New, |run| run.state(liveness(run)))
}

/// Whether the coordinator of a run still exists.
pub(crate) fn liveness(run: &RunView) -> Liveness {
    let coordinator = ProcessId { pid: run.pid, started: run.pid_started };
    if is_alive(coordinator) { Liveness::Alive } else { Liveness::Gone }
}

/// Whether a run of the plan is active.
pub(crate) fn is_live(run: &RunView) -> bool {
    liveness(run) == Liveness::Alive
}

/// The task the user named, or an error that names close ones.
pub(crate) fn task_in<'v>(view: &'v View, id: &str) -> Result<&'v TaskView, CliError> {
    view.task(id).ok_or_else(|| unknown_task(id, view.tasks.iter().map(|t| t.id.as_str())))
}

/// The error for an unknown task id.
pub(crate) fn unknown_task<'a>(id: &str, known: impl Iterator<Item = &'a str>) -> CliError {
    let known: Vec<&str> = known.collect();
    let close = known
        .iter()
        .map(|name| (strsim::jaro_winkler(id, name), name))
        .filter(|(score, _)| *score > 0.7)
        .max_by(|a, b| a.0.total_cmp(&b.0));
    let error = CliError::usage(format!("there is no task `{id}`"));
    match close {
        Some((_, name)) => error.hint(format!("did you mean `{name}`?")),
        None if known.is_empty() => error,
        None => {
            let first: Vec<&str> = known.iter().take(8).copied().collect();
            let more = if known.len() > first.len() { ", …" } else { "" };
            error.hint(format!("tasks: {}{more}", first.join(", ")))
        }
    }
}

/// The task id the user typed.
pub(crate) fn task_id(text: &str) -> Result<TaskId, CliError> {
    TaskId::new(text).map_err(|e| CliError::usage(format!("`{text}` cannot be a task: {e}")))
}
