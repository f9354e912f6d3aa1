//! The contract dialect: loose Markdown contract tasks, `TASK-XXX.md`, in a folder that gives the plan its name.
//!
//! The plan's own fields have no file here: they travel in the front matter of the first task.

use std::borrow::Cow;

use crate::markdown::SectionedText;
use crate::native::{clean, file_names};
use crate::picking::stem;
use crate::reading::{PlanReading, code, folder_name};
use crate::remainder::{self, Remainders};
use crate::taskfile::{Form, Shared, TaskSource, read_task, write_task};
use crate::{Dialect, Input, PlanFormat, Sniff, StateOf, TextFile, memory};
use windlass_core::diagnostic::{Diagnostic, Severity};
use windlass_core::plan::{Loaded, Plan, Task};

/// The key of the plan's own fields in the front matter of the first task.
const PLAN_KEY: &str = "windlass_plan";

/// The format.
pub(crate) const FORMAT: PlanFormat =
    PlanFormat { usual_file: "TASK-001.md", sniff, read, write, add_run: None };

/// Whether the input holds contract tasks: files named so are sure, a task's sections are a good sign.
fn sniff(input: &Input) -> Sniff {
    if input.files.iter().any(|f| f.path == "plan.toml") {
        return Sniff::No;
    }
    let mut markdown = input.files.iter().filter(|f| is_markdown(&f.path));
    if markdown.clone().any(|f| named_task(&f.path) && has_contract(f)) {
        return Sniff::Sure;
    }
    if markdown.any(has_contract) { Sniff::Maybe } else { Sniff::No }
}

/// Reads every task file.
fn read(input: &Input) -> Loaded {
    let mut reading = PlanReading::default();
    let mut plan = Plan::default();
    memory::name_from_outside(&mut plan, Dialect::Contract, &folder_name(input));
    let single = input.files.len() == 1;
    let wanted = |f: &&TextFile| single || (is_markdown(&f.path) && (named_task(&f.path) || has_contract(f)));
    let mut files: Vec<&TextFile> = input.files.iter().filter(wanted).collect();
    files.sort_by(|a, b| a.path.cmp(&b.path));
    let mut shared = Shared::default();
    for file in files {
        let Some(ix) = reading.take(input, file) else { continue };
        let fallback_id = task_name(stem(&file.path));
        let text = &reading.sources.file(ix).text;
        plan.tasks.push(read_task(&TaskSource { text, file: ix, fallback_id, defaults: &[] }, &mut shared));
    }
    reading.diagnostics.append(&mut shared.diagnostics);
    if plan.tasks.is_empty() {
        let diagnostic = Diagnostic::new(code::NO_TASKS, Severity::Error, "there is no contract task here")
            .with_help("a contract task is a file `TASK-001.md` with front matter and sections");
        reading.diagnostics.push(diagnostic);
    }
    if let Some(said) = plan.tasks.iter_mut().find_map(|t| t.extra.shift_remove(PLAN_KEY)) {
        plan.extra.insert(remainder::KEY.to_owned(), said);
    }
    remainder::restore(&mut plan, &mut reading.diagnostics);
    reading.done(Dialect::Contract, plan)
}

/// Writes one file per task.
fn write(plan: &Plan, states: StateOf<'_>) -> Vec<TextFile> {
    let order: Vec<usize> = (0..plan.tasks.len()).collect();
    remainder::complete(Dialect::Contract, plan, &order, &|rests| files(plan, states, rests))
}

fn files(plan: &Plan, states: StateOf<'_>, rests: &Remainders) -> Vec<TextFile> {
    let mut names = file_names(&plan.tasks);
    if !names.iter().all(|name| named_task(name)) {
        let width = names.len().to_string().len().max(3);
        names = (1..).zip(&plan.tasks).map(|(n, t)| format!("TASK-{n:0width$}-{}", clean(&t.id))).collect();
    }
    let file = |(at, name): (usize, String)| {
        let task = with_rests(&plan.tasks[at], at, rests);
        TextFile {
            path: format!("{name}.md"),
            bytes: write_task(&task, Form::Contract(states(&task.id))).into_bytes(),
        }
    };
    names.into_iter().enumerate().map(file).collect()
}

/// The task with what travels in its front matter.
fn with_rests<'t>(task: &'t Task, at: usize, rests: &Remainders) -> Cow<'t, Task> {
    let of_plan = rests.plan().filter(|_| at == 0).map(|said| (PLAN_KEY, said));
    let own = rests.task(at).map(|said| (remainder::KEY, said));
    let mut whole = Cow::Borrowed(task);
    for (key, said) in of_plan.into_iter().chain(own) {
        whole.to_mut().extra.insert(key.to_owned(), said.clone());
    }
    whole
}

fn is_markdown(path: &str) -> bool {
    path.to_ascii_lowercase().ends_with(".md") && !stem(path).eq_ignore_ascii_case("readme")
}

fn named_task(path: &str) -> bool {
    stem(path).get(..5).is_some_and(|head| head.eq_ignore_ascii_case("task-"))
}

/// `TASK-042` of `TASK-042-add-find`.
fn task_name(stem: &str) -> &str {
    let number = stem.get(5..).filter(|_| named_task(stem));
    let digits = number.map_or(0, |n| n.bytes().take_while(u8::is_ascii_digit).count());
    let letter = number.is_some_and(|n| n[digits..].starts_with(|c: char| c.is_ascii_lowercase()));
    let end = 5 + digits + usize::from(letter);
    match stem.as_bytes().get(end) {
        Some(b'-' | b'_' | b'.') if digits > 0 => &stem[..end],
        Some(_) | None => stem,
    }
}

/// Whether a file has the sections that make a contract task.
fn has_contract(file: &TextFile) -> bool {
    let Ok(text) = std::str::from_utf8(&file.bytes) else { return false };
    if !(text.contains("## Contract") || text.contains("## Output Files") || text.contains("## Verification"))
    {
        return false;
    }
    let document = SectionedText::parse(text);
    let has = |name: &str| document.sections.iter().any(|s| s.heading.text.starts_with(name));
    let sections = [
        has("Contract"),
        has("Output Files"),
        has("Verification"),
        has("Done When"),
        has("Test Specification"),
    ];
    sections.iter().filter(|s| **s).count() >= 2 && (document.front.is_some() || document.title.is_some())
}

#[cfg(test)]
mod tests {
    use super::task_name;

    #[test]
    fn a_file_name_holds_the_id() {
        let table = [
            ("TASK-042-add-find", "TASK-042"),
            ("TASK-042", "TASK-042"),
            ("TASK-008a", "TASK-008a"),
            ("TASK-008a-x", "TASK-008a"),
            ("task-x", "task-x"),
            ("notes", "notes"),
        ];
        for (stem, id) in table {
            assert_eq!(task_name(stem), id);
        }
    }
}
