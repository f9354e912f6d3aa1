//! The exact command that runs one test file, which need not exist yet.
//!
//! Chosen among the runners for the file's ending, by its imports, then by the nearest manifests; without any sign there
//! is no command.

use windlass_core::report::Runner;

use super::manifest::{depends_on, exists, in_dir, json, nearest, text, upwards};
use crate::repo::Tree;
use crate::runner::{MAKEFILES, RUNNERS, RunnerRow, recipe};
use crate::script::quote;

/// A command for one test file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TestCommand {
    /// The script, for `bash`, from the root of the tree.
    pub script: String,
    /// The runner it starts, where its report can be read.
    pub runner: Option<Runner>,
    /// The file that led to it.
    pub why: String,
}

/// The command that runs exactly `test_file`. A remark in brackets after the path (`src/x.rs (inline tests)`) is
/// ignored.
pub fn test_command(tree: &dyn Tree, test_file: &str) -> Option<TestCommand> {
    let file = test_file.split(" (").next().unwrap_or(test_file).trim().trim_start_matches("./");
    let (_, ending) = file.rsplit('/').next()?.rsplit_once('.')?;
    let rows: Vec<&RunnerRow> = RUNNERS.iter().filter(|row| row.detect.endings.contains(&ending)).collect();
    let row = imported(tree, file, &rows)
        .or_else(|| listed(tree, file, &rows))
        .or_else(|| rows.iter().copied().find(|row| nearest(tree, file, row.detect.configs).is_some()))
        .or_else(|| rows.iter().copied().find(|row| (row.detect.applies)(tree, file)))?;
    let (script, why) = (row.detect.command)(tree, file)?;
    Some(TestCommand { script, runner: row.report.as_ref().map(|report| report.runner), why })
}

/// The runner whose module the file imports.
fn imported<'a>(tree: &dyn Tree, file: &str, rows: &[&'a RunnerRow]) -> Option<&'a RunnerRow> {
    if rows.iter().all(|row| row.detect.imports.is_empty()) {
        return None;
    }
    let text = text(tree, file)?;
    let has = |name: &&str| text.contains(&format!("'{name}'")) || text.contains(&format!("\"{name}\""));
    rows.iter().copied().find(|row| row.detect.imports.iter().any(has))
}

/// The runner that the nearest `package.json` with one depends on.
fn listed<'a>(tree: &dyn Tree, file: &str, rows: &[&'a RunnerRow]) -> Option<&'a RunnerRow> {
    if rows.iter().all(|row| row.detect.dependencies.is_empty()) {
        return None;
    }
    upwards(file).filter_map(|dir| json(tree, &in_dir(dir, "package.json"))).find_map(|package| {
        let asks = |row: &&RunnerRow| row.detect.dependencies.iter().any(|name| depends_on(&package, name));
        rows.iter().copied().find(asks)
    })
}

/// The command for a super-planner task without one: pytest convention, make target, file-based, in this order; `None`
/// when there is no such file or target.
pub fn superplanner_command(tree: &dyn Tree, task_id: &str) -> Option<TestCommand> {
    let plain = task_id.replace('-', "_");
    let spellings: Vec<&str> = if plain == task_id { vec![task_id] } else { vec![task_id, &plain] };
    let file =
        |pattern: &str| spellings.iter().map(|id| pattern.replace("{}", id)).find(|path| exists(tree, path));
    if let Some(path) = file("tests/test_{}.py") {
        return Some(TestCommand { why: format!("{path} exists"), ..test_command(tree, &path)? });
    }
    let makefile = MAKEFILES.iter().find_map(|name| text(tree, name));
    if let Some(makefile) = makefile {
        let target = spellings
            .iter()
            .map(|id| format!("test-{id}"))
            .find(|target| !recipe(&makefile, target).is_empty());
        if let Some(target) = target {
            let why = format!("`{target}` is a target of the Makefile");
            return Some(TestCommand { script: format!("make {}", quote(&target)), runner: None, why });
        }
    }
    let path = ["{}_test.py", "test_{}.py", "tests/{}_test.py"].iter().find_map(|pattern| file(pattern))?;
    Some(TestCommand { why: format!("{path} exists"), ..test_command(tree, &path)? })
}

#[cfg(test)]
mod tests;
