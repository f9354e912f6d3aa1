//! Finds the plan: the named one, the configured one, or the only one.

use std::fs;
use std::path::{Path, PathBuf};

use super::configuration::Configuration;
use super::repository::locate;
use crate::cli::CliError;
use crate::world::World;

/// Where a plan is read from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum PlanTarget {
    /// A file or a folder.
    Path(PathBuf),
    /// Standard input.
    Stdin,
}

/// Finds the plan: the argument, else `plan` in `windlass.toml`, else the only entry of `plans/`.
pub(crate) fn find_plan(
    world: &World,
    configuration: &Configuration,
    argument: Option<&Path>,
) -> Result<PlanTarget, CliError> {
    if let Some(path) = argument {
        return named(world, path);
    }
    let top = configuration.dir.clone().unwrap_or_else(|| world.cwd.clone());
    if let Some(plan) = &configuration.config.plan {
        let path = top.join(plan);
        if path.exists() {
            return Ok(PlanTarget::Path(path));
        }
        return Err(CliError::usage(format!("`{}` does not exist", world.shown(&path)))
            .hint("`plan` in windlass.toml names it"));
    }
    only_plan(world, &top)
}

fn named(world: &World, path: &Path) -> Result<PlanTarget, CliError> {
    if path == Path::new("-") {
        return Ok(PlanTarget::Stdin);
    }
    let full = world.cwd.join(path);
    if full.exists() {
        return Ok(PlanTarget::Path(full));
    }
    let top = locate(&world.cwd).and_then(|located| located.top);
    let below_plans = |dir: &Path| dir.join("plans").join(path);
    let mut places = [Some(world.cwd.as_path()), top.as_deref()].into_iter().flatten().map(below_plans);
    if path.components().count() == 1
        && let Some(found) = places.find(|place| place.exists())
    {
        return Ok(PlanTarget::Path(found));
    }
    let error = CliError::usage(format!("`{}` does not exist", path.display()));
    Err(match plans_in(&world.cwd.join("plans")).as_slice() {
        [] => error,
        names => error.hint(format!("plans here: {}", list(world, names))),
    })
}

fn only_plan(world: &World, top: &Path) -> Result<PlanTarget, CliError> {
    match plans_in(&top.join("plans")).as_slice() {
        [only] => Ok(PlanTarget::Path(only.clone())),
        [] => Err(CliError::usage("no plan was named, and there is none in `plans/`")
            .hint(match elsewhere(top).as_slice() {
                [] => "make one: `windlass plan DOCUMENT`; `windlass demo` shows how it goes on".to_owned(),
                found => format!("there is {}: name it, or set `plan` in windlass.toml", list(world, found)),
            })
            .hint("a plan elsewhere is named by its path: `windlass check PATH`")),
        several => Err(CliError::usage(format!("no plan was named, and `plans/` holds {}", several.len()))
            .hint(format!("name one of {}", list(world, several)))
            .hint("or set `plan = \"…\"` in windlass.toml")),
    }
}

/// Plans of other tools in their usual places. They are only listed: one may be finished long ago.
fn elsewhere(top: &Path) -> Vec<PathBuf> {
    const FILES: [&str; 2] = ["docs/tasks.json", ".taskmaster/tasks/tasks.json"];
    // A folder each, and what it has in it if it holds a plan.
    const FOLDERS: [(&str, &str); 3] = [
        (".workflow/active", "workflow-session.json"),
        (".gsd/specs", "task-graph.json"),
        ("specs", "tasks.md"),
    ];
    let mut found: Vec<PathBuf> = FILES.iter().map(|file| top.join(file)).filter(|p| p.is_file()).collect();
    for (folder, mark) in FOLDERS {
        found.extend(plans_in(&top.join(folder)).into_iter().filter(|dir| dir.join(mark).is_file()));
    }
    found
}

/// The folders in `plans/`, by name.
fn plans_in(plans: &Path) -> Vec<PathBuf> {
    let Ok(entries) = fs::read_dir(plans) else { return Vec::new() };
    let mut all: Vec<PathBuf> = entries.flatten().map(|e| e.path()).filter(|p| p.is_dir()).collect();
    all.sort();
    all
}

fn list(world: &World, paths: &[PathBuf]) -> String {
    let shown: Vec<String> = paths.iter().take(8).map(|p| format!("`{}`", world.shown(p))).collect();
    match paths.len().saturating_sub(8) {
        0 => shown.join(", "),
        rest => format!("{} and {rest} more", shown.join(", ")),
    }
}
