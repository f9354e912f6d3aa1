//! The code context of a brief: interfaces, a similar file, conventions, and code to reuse.
//!
//! Comes from the survey; file texts are read through a function. Has no budget: parts are left out later.

use std::collections::HashSet;

use serde::Serialize;

use super::{Purpose, lookup};
use windlass_code::detect::is_test_path;
use windlass_code::runner::TestOpening;
use windlass_code::survey::{Conventions, Language, Quotes, ReusableHelpers, Seeker, Survey, subjects};
use windlass_core::plan::{Action, Plan, Task};

/// The most lines of one file's interface.
const LINES: usize = 12;
/// The most files whose interfaces are shown.
const FILES: usize = 10;
/// The most lines of a similar file.
const PATTERN: usize = 60;

/// The code context of a task.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct CodeContext {
    /// Interfaces of files that the task builds on.
    pub offered: Vec<FileInterface>,
    /// Existing code that the task could use.
    pub reusable: Vec<ReusableHelpers>,
    /// The code under test.
    pub under_test: Vec<UnderTest>,
    /// A file similar to the one to be written.
    pub pattern: Option<Pattern>,
    /// Conventions of the repository, one line each.
    pub conventions: Vec<String>,
    /// Answers to the task's `pre_analysis`.
    pub analyses: Vec<Analysis>,
    /// Code to start from.
    pub sketch: Option<Sketch>,
    /// How a new test file begins, where its runner defines no names in it.
    pub opening: Option<TestOpening>,
}

/// The interface of a file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct FileInterface {
    /// The file.
    pub path: String,
    /// The info string for a code fence.
    pub fence: &'static str,
    /// Its signatures.
    pub lines: Vec<String>,
}

/// A file under test.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct UnderTest {
    /// The file.
    pub path: String,
    /// Whether it exists.
    pub there: bool,
}

/// A file similar to the one to be written.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Pattern {
    /// The file.
    pub path: String,
    /// The info string for a code fence.
    pub fence: &'static str,
    /// Its text, or the beginning of it.
    pub text: String,
    /// The number of lines not shown.
    pub lines_left: usize,
}

/// The answer to one step of `pre_analysis`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Analysis {
    /// The question.
    pub title: String,
    /// The answer.
    pub text: String,
}

/// Code to start from.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Sketch {
    /// The file it is for.
    pub path: String,
    /// The info string for a code fence.
    pub fence: &'static str,
    /// The code.
    pub code: String,
}

/// The sources of a code context.
pub struct BriefInputs<'a> {
    /// The plan, for the dependencies of the task.
    pub plan: &'a Plan,
    /// The survey of the tree the task starts from.
    pub survey: &'a Survey,
    /// Reads a file of that tree.
    pub read: &'a dyn Fn(&str) -> Option<String>,
}

impl CodeContext {
    /// The code context of one turn of a task.
    pub fn of(task: &Task, purpose: Purpose, around: &BriefInputs<'_>) -> Self {
        let wanted = subject(task, purpose);
        let settled = matches!(purpose, Purpose::Fix | Purpose::Refactor);
        // A fix or refactoring starts from the file itself.
        let pattern = wanted.filter(|_| !settled).and_then(|path| pattern(path, around));
        let whole = pattern.as_ref().filter(|p| p.lines_left == 0).map(|p| p.path.as_str());
        let under_test = if purpose == Purpose::WriteTest { under_test(task, around) } else { Vec::new() };
        let offered = offered(task, &under_test, around);
        let offered: Vec<FileInterface> =
            offered.into_iter().filter(|file| Some(file.path.as_str()) != whole).collect();
        let shown = offered.iter().map(|file| file.path.as_str()).chain(whole);
        let reusable = wanted.map_or_else(Vec::new, |path| reusable(path, task, shown, around));
        let conventions =
            wanted.map_or_else(Vec::new, |path| conventions(path, purpose, &reusable, around.survey));
        Self {
            offered,
            reusable,
            under_test,
            pattern,
            conventions,
            analyses: lookup::analyses(task, around),
            sketch: sketch(task, purpose),
            opening: None,
        }
    }
}

fn fence_of(path: &str) -> &'static str {
    Language::of_path(path).map_or("", Language::fence)
}

/// The main file of the turn.
fn subject(task: &Task, purpose: Purpose) -> Option<&str> {
    match purpose {
        Purpose::WriteTest => task.test_files().into_iter().next(),
        Purpose::Implement | Purpose::Fix | Purpose::Refactor => {
            let written = task.files.create.iter().chain(&task.files.modify);
            written.map(String::as_str).find(|path| !is_test_path(path))
        }
    }
}

/// The source files of a task: a test writer must know where they will be.
fn under_test(task: &Task, around: &BriefInputs<'_>) -> Vec<UnderTest> {
    let written = task.files.create.iter().chain(&task.files.modify);
    let code = written.filter(|path| !is_test_path(path) && Language::of_path(path).is_some());
    code.map(|path| UnderTest { path: path.clone(), there: around.survey.has(path) }).collect()
}

/// The interfaces that the task builds on: existing code under test, files of its dependencies, files it reads, and
/// imports of the files it modifies.
fn offered(task: &Task, under_test: &[UnderTest], around: &BriefInputs<'_>) -> Vec<FileInterface> {
    let stated = |id: &str| task.interfaces.iter().any(|i| i.source.as_deref() == Some(id));
    let tested = |path: &str| under_test.iter().any(|file| file.path == path);
    let mut paths: Vec<String> = under_test.iter().map(|file| file.path.clone()).collect();
    for id in task.depends_on.iter().filter(|id| !stated(id)) {
        // The files of a split task are owned by its parts.
        let own = |t: &&Task| t.id == *id || t.parent.as_ref() == Some(id);
        let made = around.plan.tasks.iter().filter(own).flat_map(Task::owned);
        paths.extend(made.map(str::to_owned));
    }
    paths.extend(task.files.read.iter().chain(&task.focus_paths).cloned());
    for path in &task.files.modify {
        paths.extend(around.survey.imported_by(path));
    }
    let mut seen: Vec<&str> = task.owned().filter(|path| !tested(path)).collect();
    let mut out = Vec::new();
    for path in &paths {
        if seen.contains(&path.as_str()) || is_test_path(path) || out.len() == FILES {
            continue;
        }
        seen.push(path);
        let lines = around.survey.interface(path, LINES);
        if !lines.is_empty() {
            out.push(FileInterface { path: path.clone(), fence: fence_of(path), lines });
        }
    }
    out
}

/// Existing code that the file to be written could use.
fn reusable<'a>(
    path: &str,
    task: &'a Task,
    shown: impl Iterator<Item = &'a str>,
    around: &BriefInputs<'_>,
) -> Vec<ReusableHelpers> {
    let criteria = task.criteria.iter().map(|criterion| criterion.text.as_str());
    let contract = task.contract.iter().map(|block| block.code.as_str());
    let texts = [task.title.as_str(), &task.objective, &task.description].into_iter();
    let about = texts.chain(criteria).chain(contract).flat_map(subjects).collect();
    let known: HashSet<&str> = task.owned().chain(shown).collect();
    around.survey.reusable(&Seeker { file: path, about: &about, known: &known, read: around.read })
}

fn pattern(path: &str, around: &BriefInputs<'_>) -> Option<Pattern> {
    // An existing file is its own pattern.
    if around.survey.has(path) {
        return None;
    }
    let similar = around.survey.similar_to(path)?;
    let text = (around.read)(similar)?;
    let all = text.lines().count();
    let shown: Vec<&str> = text.lines().take(PATTERN).collect();
    Some(Pattern {
        path: similar.to_owned(),
        fence: fence_of(similar),
        text: shown.join("\n"),
        lines_left: all.saturating_sub(PATTERN),
    })
}

fn conventions(path: &str, purpose: Purpose, reusable: &[ReusableHelpers], survey: &Survey) -> Vec<String> {
    let Some(found) = survey.conventions_for(path) else { return Vec::new() };
    let mut lines = Vec::new();
    if purpose == Purpose::WriteTest {
        lines.extend(test_lines(found, reusable));
    }
    if let Some(naming) = found.file_names {
        lines.push(format!("file names are in {}", naming.example()));
    }
    if let Some(quotes) = found.quotes {
        let word = match quotes {
            Quotes::Single => "single",
            Quotes::Double => "double",
        };
        lines.push(format!("strings use {word} quotes"));
    }
    if found.semicolons == Some(false) {
        lines.push("statements end without a semicolon".into());
    }
    match found.indent.as_deref() {
        Some("\t") => lines.push("indentation is by tabs".into()),
        Some(spaces) => lines.push(format!("indentation is by {} spaces", spaces.len())),
        None => {}
    }
    lines
}

fn test_lines(found: &Conventions, reusable: &[ReusableHelpers]) -> Vec<String> {
    let mut lines = Vec::new();
    if let Some(style) = found.style {
        lines.push(format!(
            "tests are written with {}, as {}",
            style.framework.as_str(),
            style.shape.as_str()
        ));
    }
    if found.absolute_imports == Some(true) {
        lines.push("tests import the code by its package, not by a relative path".into());
    }
    let shown_in_full = reusable.iter().any(|module| Language::holds_fixtures(&module.path));
    if !found.fixtures.is_empty() && !shown_in_full {
        let shown: Vec<&str> = found.fixtures.iter().take(12).map(String::as_str).collect();
        lines.push(format!("available fixtures: {}", shown.join(", ")));
    }
    lines
}

fn sketch(task: &Task, purpose: Purpose) -> Option<Sketch> {
    let action = match purpose {
        Purpose::WriteTest => Action::WriteTest,
        Purpose::Implement => Action::Implement,
        Purpose::Fix | Purpose::Refactor => return None,
    };
    task.steps.iter().filter(|step| step.action == action).find_map(|step| {
        let path = step.file.clone()?;
        Some(Sketch { fence: fence_of(&path), code: step.sketch.clone()?, path })
    })
}

#[cfg(test)]
mod tests;
