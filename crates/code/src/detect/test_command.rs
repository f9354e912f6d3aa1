//! The exact command that runs one test file, which need not exist yet.
//!
//! Chosen among the runners for the file's ending, by its imports, then by the nearest manifests; without any sign there
//! is no command.

use serde_json::Value;
use windlass_core::path_text::file_name;
use windlass_core::report::Runner;

use super::manifest::{nearest, relative, text, upwards};
use super::path::is_test_path;
use crate::language::{depends_on, package};
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
    /// Whether it ends with the file, and takes further ones behind it.
    pub ends_with_files: bool,
}

/// The command that runs exactly `test_file`. A remark in brackets after the path (`src/x.rs (inline tests)`) is
/// ignored.
pub fn test_command(tree: &dyn Tree, test_file: &str) -> Option<TestCommand> {
    let file = test_file.split(" (").next().unwrap_or(test_file).trim().trim_start_matches("./");
    let (_, ending) = file.rsplit('/').next()?.rsplit_once('.')?;
    let rows: Vec<&RunnerRow> = RUNNERS.iter().filter(|row| row.detect.endings.contains(&ending)).collect();
    let row = imported(tree, file, &rows)
        .or_else(|| listed(tree, file, &rows))
        .or_else(|| called(tree, file, &rows))
        .or_else(|| rows.iter().copied().find(|row| nearest(tree, file, row.detect.configs).is_some()))
        .or_else(|| rows.iter().copied().find(|row| (row.detect.applies)(tree, file)))?;
    let (script, why) = (row.detect.command)(tree, file)?;
    let runner = row.report.as_ref().map(|report| report.runner);
    Some(TestCommand { script, runner, why, ends_with_files: row.detect.ends_with_files })
}

/// The most test files that [`existing_tests`] runs one by one.
const MOST: usize = 200;

/// The commands that run every test file of a tree, as one script; `None` if it has none that a known runner runs.
pub fn existing_tests(tree: &dyn Tree) -> Option<String> {
    let tests = tree.paths().iter().filter(|path| is_test_path(path));
    let mut scripts: Vec<String> = Vec::new();
    for script in tests.filter_map(|path| test_command(tree, path)).map(|command| command.script).take(MOST) {
        if !scripts.contains(&script) {
            scripts.push(script);
        }
    }
    match scripts.as_slice() {
        [] => None,
        [one] => Some(one.clone()),
        several => Some(several.iter().map(|s| format!("({s})")).collect::<Vec<_>>().join(" && ")),
    }
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
    upwards(file).find_map(|dir| {
        let package = package(tree, dir)?;
        let asks = |row: &&RunnerRow| row.detect.dependencies.iter().any(|name| depends_on(&package, name));
        let asked: Vec<&RunnerRow> = rows.iter().copied().filter(asks).collect();
        match asked.as_slice() {
            [] | [_] => asked.first().copied(),
            several => by_scripts(&package, relative(dir, file), several).or(asked.first().copied()),
        }
    })
}

/// Which of several runners of a package runs a file: the one whose script names a directory of the file, else the one that the test
/// script calls. `"test": "mocha tests"` beside `"test:jest": "jest tests_jest"`.
fn by_scripts<'a>(package: &Value, file: &str, rows: &[&'a RunnerRow]) -> Option<&'a RunnerRow> {
    let scripts = package.get("scripts")?.as_object()?;
    let calls = scripts.iter().filter_map(|(name, script)| {
        let words: Vec<&str> = script.as_str()?.split_whitespace().collect();
        let program = |word: &str| {
            let name = file_name(word);
            name.split('@').next().unwrap_or(name).to_owned()
        };
        let found = words.iter().enumerate().find_map(|(at, word)| {
            let row = rows.iter().copied().find(|row| row.programs.contains(&program(word).as_str()))?;
            Some((row, words[at + 1..].to_vec()))
        });
        found.map(|(row, rest)| (name.as_str(), row, rest))
    });
    let calls: Vec<(&str, &RunnerRow, Vec<&str>)> = calls.collect();
    let leads = |word: &&str| {
        let path = word.trim_matches(['"', '\'']).trim_start_matches("./");
        let fixed = path.split(['*', '{']).next().unwrap_or(path).trim_end_matches('/');
        !fixed.is_empty()
            && file.strip_prefix(fixed).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
    };
    let by_place = calls.iter().find(|(_, _, rest)| rest.iter().any(leads));
    by_place.or_else(|| calls.iter().find(|(name, _, _)| *name == "test")).map(|(_, row, _)| *row)
}

/// The runner that the test script of the nearest `package.json` with one calls, where it is no dependency: it is
/// installed elsewhere, or fetched by `npx` each time.
fn called<'a>(tree: &dyn Tree, file: &str, rows: &[&'a RunnerRow]) -> Option<&'a RunnerRow> {
    let packages = upwards(file).filter_map(|dir| package(tree, dir));
    let mut scripts =
        packages.filter_map(|package| Some(package.get("scripts")?.get("test")?.as_str()?.to_owned()));
    scripts.find_map(|script| {
        script.split_whitespace().find_map(|word| {
            let program = file_name(word);
            // `mocha@10`
            let program = program.split('@').next().unwrap_or(program);
            rows.iter().copied().find(|row| row.programs.contains(&program))
        })
    })
}

/// What proves a task by its name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ConventionalTest {
    /// A test file.
    File(String),
    /// A target of the Makefile.
    Target(String),
}

/// What proves a super-planner task that names nothing: pytest convention, make target, file-based, in this order;
/// `None` when there is no such file or target.
pub fn conventional_test(tree: &dyn Tree, task_id: &str) -> Option<ConventionalTest> {
    let plain = task_id.replace('-', "_");
    let spellings: Vec<&str> = if plain == task_id { vec![task_id] } else { vec![task_id, &plain] };
    let file =
        |pattern: &str| spellings.iter().map(|id| pattern.replace("{}", id)).find(|path| tree.has(path));
    if let Some(path) = file("tests/test_{}.py") {
        return Some(ConventionalTest::File(path));
    }
    if let Some(makefile) = MAKEFILES.iter().find_map(|name| text(tree, name)) {
        let mut targets = spellings.iter().map(|id| format!("test-{id}"));
        if let Some(target) = targets.find(|target| !recipe(&makefile, target).is_empty()) {
            return Some(ConventionalTest::Target(target));
        }
    }
    let beside = ["{}_test.py", "test_{}.py", "tests/{}_test.py"];
    let path = beside.iter().find_map(|pattern| file(pattern)).or_else(|| anywhere(tree, &spellings))?;
    Some(ConventionalTest::File(path))
}

/// The only file of the tree with one of the names of the file-based convention.
fn anywhere(tree: &dyn Tree, spellings: &[&str]) -> Option<String> {
    let names: Vec<String> =
        spellings.iter().flat_map(|id| [format!("{id}_test.py"), format!("test_{id}.py")]).collect();
    let is_named = |path: &&String| names.iter().any(|name| path.rsplit('/').next() == Some(name));
    let mut found = tree.paths().iter().filter(is_named);
    let first = found.next()?;
    found.next().is_none().then(|| first.clone())
}

/// The command of a [`conventional_test`].
pub fn superplanner_command(tree: &dyn Tree, task_id: &str) -> Option<TestCommand> {
    match conventional_test(tree, task_id)? {
        ConventionalTest::File(path) => {
            Some(TestCommand { why: format!("{path} exists"), ..test_command(tree, &path)? })
        }
        ConventionalTest::Target(target) => {
            let why = format!("`{target}` is a target of the Makefile");
            Some(TestCommand { script: make_target(&target), runner: None, why, ends_with_files: false })
        }
    }
}

/// The command for a target of the Makefile.
pub fn make_target(target: &str) -> String {
    format!("make {}", quote(target))
}

#[cfg(test)]
mod tests;
