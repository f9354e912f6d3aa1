//! The native form: `plan.toml` and a folder `tasks/` with one Markdown contract task per file, in the order of names.
//!
//! Knows neither other formats nor runs: a state in a task is reported.

mod plan_file;
#[cfg(test)]
mod tests;

pub(crate) use plan_file::PLAN_KEYS;

use std::collections::BTreeSet;

use crate::picking::stem;
use crate::reading::{PlanReading, code, folder_name};
use crate::taskfile::{Form, Shared, TaskSource, read_task, write_task};
use crate::{Dialect, Input, PlanFormat, Sniff, StateOf, TextFile};
use windlass_core::diagnostic::{Diagnostic, Severity};
use windlass_core::plan::{Loaded, Plan, Task};

/// The file of the plan itself.
const PLAN_FILE: &str = "plan.toml";

/// The format.
pub(crate) const FORMAT: PlanFormat =
    PlanFormat { usual_file: "tasks/T-1.md", sniff, read, write, add_run: None };

/// Whether the input is a native plan: nothing else has a `plan.toml`.
fn sniff(input: &Input) -> Sniff {
    if input.files.iter().any(|f| f.path == PLAN_FILE) { Sniff::Sure } else { Sniff::No }
}

/// Reads the plan file and every task beside it.
fn read(input: &Input) -> Loaded {
    let mut reading = PlanReading::default();
    let mut plan = Plan { name: folder_name(input), ..Plan::default() };
    let mut defaults = Vec::new();
    let plan_file = input.files.iter().find(|f| f.path == PLAN_FILE);
    if let Some(ix) = plan_file.and_then(|f| reading.take(input, f)) {
        let text = &reading.sources.file(ix).text;
        defaults = plan_file::read_plan(text, ix, &mut plan, &mut reading.diagnostics);
    } else if plan_file.is_none() {
        let message = format!("there is no `{PLAN_FILE}`");
        reading.diagnostics.push(Diagnostic::new(code::NO_TASKS, Severity::Error, message));
    }
    let mut files: Vec<&TextFile> = input.files.iter().filter(|f| is_task(&f.path)).collect();
    files.sort_by(|a, b| a.path.cmp(&b.path));
    let mut shared = Shared::default();
    plan.tasks.reserve(files.len());
    for file in files {
        let Some(ix) = reading.take(input, file) else { continue };
        let source = TaskSource {
            text: &reading.sources.file(ix).text,
            file: ix,
            fallback_id: stem(&file.path),
            defaults: &defaults,
        };
        plan.tasks.push(read_task(&source, &mut shared));
    }
    reading.diagnostics.append(&mut shared.diagnostics);
    if plan.tasks.is_empty() {
        let diagnostic = Diagnostic::new(code::NO_TASKS, Severity::Error, "the plan has no tasks")
            .with_help("put one Markdown file per task into the folder `tasks` beside `plan.toml`");
        reading.diagnostics.push(diagnostic);
    }
    reading.done(Dialect::Native, plan)
}

/// Writes the plan file and one file per task.
fn write(plan: &Plan, _: StateOf<'_>) -> Vec<TextFile> {
    let mut files =
        vec![TextFile { path: PLAN_FILE.into(), bytes: plan_file::write_plan(plan).into_bytes() }];
    for (name, task) in file_names(&plan.tasks).into_iter().zip(&plan.tasks) {
        files.push(TextFile {
            path: format!("tasks/{name}.md"),
            bytes: write_task(task, Form::Native).into_bytes(),
        });
    }
    files
}

fn is_task(path: &str) -> bool {
    let Some(name) = path.strip_prefix("tasks/") else { return false };
    name.to_ascii_lowercase().ends_with(".md") && !stem(name).eq_ignore_ascii_case("readme")
}

/// A file name per task. The ids themselves, if their order is the plan's and no two meet; else numbered.
pub(crate) fn file_names(tasks: &[Task]) -> Vec<String> {
    let plain: Vec<String> = tasks.iter().map(|t| clean(&t.id)).collect();
    let ordered = plain.windows(2).all(|w| format!("{}.md", w[0]) < format!("{}.md", w[1]));
    let folded: BTreeSet<String> = plain.iter().map(|n| n.to_lowercase()).collect();
    let readme = folded.contains("readme");
    if ordered && folded.len() == plain.len() && !readme {
        return plain;
    }
    let width = tasks.len().to_string().len().max(3);
    plain.iter().enumerate().map(|(i, name)| format!("{:0width$}-{name}", i + 1)).collect()
}

/// An id as a file name: what is not a letter, digit, `.`, `_` or `-` becomes `_`.
pub(crate) fn clean(id: &str) -> String {
    let fits = |c: char| c.is_ascii_alphanumeric() || matches!(c, '.' | '_' | '-');
    let name: String = id.chars().take(100).map(|c| if fits(c) { c } else { '_' }).collect();
    if name.is_empty() || name.starts_with('.') { format!("_{name}") } else { name }
}
