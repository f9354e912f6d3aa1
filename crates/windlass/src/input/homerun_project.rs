//! A homerun project is found from any of its files: the tasks belong to the state file that names them, and the other way
//! round.

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::{Map, Value};
use windlass_formats::{Input, TextFile};

use crate::cli::CliError;
use crate::world::World;

/// The file that homerun keeps its session in.
const STATE: &str = "state.json";
/// Where it keeps its tasks, if the state file does not say.
const TASKS: &str = "docs/tasks.json";
/// Where it keeps them as Markdown.
const TASK_FILES: &str = "docs/tasks";

/// The project that a file belongs to; `None` if the file stands for itself.
pub(super) fn homerun_project(world: &World, path: &Path) -> Result<Option<Input>, CliError> {
    let named = |name: &str| path.file_name().is_some_and(|n| n == name);
    if named(STATE) {
        return match session(path) {
            Some(state) => from_state(world, path, &state),
            None => Ok(None),
        };
    }
    if path.extension().is_none_or(|ending| ending != "json") {
        return Ok(None);
    }
    let Ok(full) = path.canonicalize() else { return Ok(None) };
    // `docs/tasks.json` is one folder below its state file; a path in the state file may lead further down.
    for dir in full.ancestors().skip(1).take(3) {
        let at = dir.join(STATE);
        let Some(state) = session(&at) else { continue };
        if tasks_of(dir, &state).canonicalize().is_ok_and(|tasks| tasks == full) {
            return together(world, &at, &full).map(Some);
        }
    }
    Ok(None)
}

/// What a file says, if it is homerun's state.
fn session(path: &Path) -> Option<Map<String, Value>> {
    let text = fs::read_to_string(path).ok()?;
    let Ok(Value::Object(state)) = serde_json::from_str(text.trim_start_matches('\u{feff}')) else {
        return None;
    };
    let has = |key: &str| state.contains_key(key);
    (has("session_id") && (has("tasks_file") || has("spec_paths"))).then_some(state)
}

fn tasks_of(dir: &Path, state: &Map<String, Value>) -> PathBuf {
    dir.join(state.get("tasks_file").and_then(Value::as_str).unwrap_or(TASKS))
}

fn from_state(world: &World, path: &Path, state: &Map<String, Value>) -> Result<Option<Input>, CliError> {
    let dir = path.parent().unwrap_or(Path::new(""));
    let tasks = tasks_of(dir, state);
    if tasks.is_file() {
        return together(world, path, &tasks).map(Some);
    }
    match state.get("tasks_file").and_then(Value::as_str) {
        Some(named) => Err(CliError::usage(format!("`{named}` does not exist"))
            .hint(format!("`tasks_file` in `{}` names it", world.shown(path)))),
        None => task_files(world, path, dir),
    }
}

/// A state file with its tasks in Markdown; without any, they are in the state itself.
fn task_files(world: &World, state: &Path, dir: &Path) -> Result<Option<Input>, CliError> {
    let Ok(entries) = fs::read_dir(dir.join(TASK_FILES)) else { return Ok(None) };
    let names = entries.flatten().filter_map(|entry| entry.file_name().into_string().ok());
    let mut names: Vec<String> = names.filter(|name| name.ends_with(".md")).collect();
    names.sort();
    if names.is_empty() {
        return Ok(None);
    }
    let mut files = vec![STATE.to_owned()];
    files.extend(names.into_iter().map(|name| format!("{TASK_FILES}/{name}")));
    let read = |name: String| match fs::read(dir.join(&name)) {
        Ok(bytes) => Ok(TextFile { path: name, bytes }),
        Err(error) => Err(CliError::file("cannot read", &dir.join(&name), &error)),
    };
    let files = files.into_iter().map(read).collect::<Result<_, _>>()?;
    Ok(Some(Input { root: shown(world, state), files }))
}

/// The folder of a state file, as messages show it.
fn shown(world: &World, state: &Path) -> String {
    let root = world.shown(state.parent().unwrap_or(Path::new("")));
    if root == "." { String::new() } else { root }
}

/// Both files, below the state file's folder where the tasks are.
fn together(world: &World, state: &Path, tasks: &Path) -> Result<Input, CliError> {
    let dir = state.parent().unwrap_or(Path::new(""));
    let full = |path: &Path| path.canonicalize().unwrap_or_else(|_| path.to_owned());
    let below = full(tasks).strip_prefix(full(dir)).map(Path::to_owned);
    let named = below.unwrap_or_else(|_| PathBuf::from(TASKS));
    let mut files = Vec::new();
    for (at, name) in [(tasks, named.to_string_lossy().into_owned()), (state, STATE.to_owned())] {
        let bytes = fs::read(at).map_err(|e| CliError::file("cannot read", at, &e))?;
        files.push(TextFile { path: name, bytes });
    }
    Ok(Input { root: shown(world, state), files })
}
