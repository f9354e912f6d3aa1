//! What was asked beside what will be done, as Markdown.

use std::fmt::Write as _;

use windlass_planner::asked::{AskedSection, LineKind, PageTask, PlanPage};

use super::plan_page::counts;

/// The page as Markdown.
pub(crate) fn plan_page_markdown(page: &PlanPage) -> String {
    let mut text = format!("# {}\n\n{}\n", plain(&page.title), counts(page));
    text.push_str("\n## What was asked\n");
    let mut document = "";
    for section in page.sections.iter().filter(|s| !s.lines.is_empty() || s.level < 3) {
        if section.document != document {
            document = &section.document;
            let _ = writeln!(text, "\n### `{document}`");
        }
        asked(section, &mut text);
    }
    text.push_str("\n## What will be done\n");
    for task in &page.tasks {
        done(task, &mut text);
    }
    if !page.open.is_empty() {
        text.push_str("\n## What is open\n\n");
        for (kind, said) in &page.open {
            let _ = writeln!(text, "- **{}**: {}", kind.as_str(), plain(said));
        }
    }
    text
}

fn asked(section: &AskedSection, text: &mut String) {
    if !section.heading.is_empty() {
        let _ = writeln!(text, "\n**{}**", plain(&section.heading));
    }
    if section.lines.is_empty() {
        return;
    }
    text.push_str("\n| line | asked | tasks |\n|---:|---|---|\n");
    for line in &section.lines {
        let tasks: Vec<String> = line.tasks.iter().map(|id| format!("`{id}`")).collect();
        let tasks = match (tasks.is_empty(), line.kind) {
            (true, LineKind::Label) => String::new(),
            (true, LineKind::Prose | LineKind::Code) => "—".to_owned(),
            (false, _) => tasks.join(" "),
        };
        let said = if line.kind == LineKind::Code {
            format!("`{}`", line.text.trim().replace('`', "'"))
        } else {
            plain(line.text.trim())
        };
        let _ = writeln!(text, "| {} | {} | {tasks} |", line.line, cell(&said));
    }
}

fn done(task: &PageTask, text: &mut String) {
    let _ = writeln!(text, "\n### {} · {}\n", task.id, plain(&task.title));
    let mut fact = |name: &str, said: &str| {
        let _ = writeln!(text, "- {name}: {said}");
    };
    if !task.after.is_empty() {
        fact("after", &task.after.join(", "));
    }
    for (what, path) in &task.files {
        fact(what, &format!("`{path}`"));
    }
    for (id, criterion) in &task.criteria {
        fact(if id.is_empty() { "criterion" } else { id }, &plain(criterion));
    }
    if !task.is_group {
        fact("proof", &plain(&task.proof));
        let none = "no line of the documents".to_owned();
        fact("from", &if task.sources.is_empty() { none } else { task.sources.join(", ") });
    }
    if !task.proposed.is_empty() {
        fact("**proposed**", &format!("{}; no document says it", task.proposed.join(", ")));
    }
}

/// A line that cannot open anything: no HTML outside of code, no heading, no break.
fn plain(text: &str) -> String {
    let line = text.replace(['\n', '\r'], " ");
    let parts: Vec<&str> = line.split('`').collect();
    if parts.len().is_multiple_of(2) {
        return line.replace('<', "&lt;");
    }
    let piece = |(n, part): (usize, &&str)| {
        if n % 2 == 1 { format!("`{part}`") } else { part.replace('<', "&lt;") }
    };
    parts.iter().enumerate().map(piece).collect()
}

fn cell(text: &str) -> String {
    text.replace('|', "\\|")
}
