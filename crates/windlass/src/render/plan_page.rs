//! What was asked beside what will be done, on a terminal.

use std::fmt::Write as _;

use windlass_planner::asked::{AskedLine, PageTask, PlanPage};
use windlass_planner::derive::NoteKind;

use super::screen::{Paint, Screen, cut};

/// The widest column of ids at the right.
const IDS: usize = 20;

/// The page as text.
pub(crate) fn plan_page(page: &PlanPage, screen: &Screen) -> String {
    let mut text = format!("{}\n{}\n", screen.paint(Paint::Strong, &page.title), counts(page));
    asked(page, screen, &mut text);
    let _ = writeln!(text, "\n{}", screen.paint(Paint::Strong, "What will be done"));
    for task in &page.tasks {
        task_lines(task, screen, &mut text);
    }
    open(page, screen, &mut text);
    text
}

/// The numbers of the page in a line.
pub(crate) fn counts(page: &PlanPage) -> String {
    let work = page.tasks.iter().filter(|t| !t.is_group).count();
    let (covered, all) = page.covered;
    let mut parts = vec![super::counted(work, "task")];
    if all > 0 {
        parts.push(format!("{covered} of {all} criteria have a task"));
    }
    let without = page.unplanned_lines();
    if without > 0 {
        parts.push(format!("{} came to no task", super::counted(without, "line")));
    }
    let proposed = page.tasks.iter().filter(|t| !t.proposed.is_empty()).count();
    if proposed > 0 {
        parts.push(format!("{} with proposals of an agent", super::counted(proposed, "task")));
    }
    parts.join(", ")
}

fn asked(page: &PlanPage, screen: &Screen, text: &mut String) {
    let _ = writeln!(text, "\n{}", screen.paint(Paint::Strong, "What was asked"));
    let mut document = "";
    for section in &page.sections {
        if section.document != document {
            document = &section.document;
            let _ = writeln!(text, "\n{}", screen.paint(Paint::Note, document));
        }
        if !section.heading.is_empty() {
            let indent = "  ".repeat(section.level.saturating_sub(1).min(3));
            let _ = writeln!(text, "  {indent}{}", screen.paint(Paint::Strong, &section.heading));
        }
        for line in &section.lines {
            let _ = writeln!(text, "{}", asked_line(line, screen));
        }
    }
}

fn asked_line(line: &AskedLine, screen: &Screen) -> String {
    let room = screen.width.clamp(60, 140).saturating_sub(IDS + 8);
    let said = cut(&line.text, room);
    let number = screen.paint(Paint::Faint, &format!("{:>5}", line.line));
    if line.tasks.is_empty() {
        return format!("{number}  {}", screen.paint(Paint::Faint, &said));
    }
    let ids = cut(&line.tasks.join(", "), IDS);
    let space = " ".repeat(room.saturating_sub(super::width(&said)));
    format!("{number}  {said}{space} {}", screen.paint(Paint::Good, &format!("→ {ids}")))
}

fn task_lines(task: &PageTask, screen: &Screen, text: &mut String) {
    let after =
        if task.after.is_empty() { String::new() } else { format!("  after {}", task.after.join(", ")) };
    let _ = writeln!(
        text,
        "\n{}  {}{}",
        screen.paint(Paint::Good, &task.id),
        task.title,
        screen.paint(Paint::Faint, &after)
    );
    let mut fact = |name: &str, said: &str| {
        let _ = writeln!(text, "    {} {said}", screen.paint(Paint::Faint, &format!("{name:<9}")));
    };
    for (what, path) in &task.files {
        fact(what, path);
    }
    for (id, criterion) in &task.criteria {
        fact(if id.is_empty() { "criterion" } else { id }, &super::harmless(criterion));
    }
    if !task.is_group {
        fact("proof", &super::harmless(&task.proof));
    }
    for source in &task.sources {
        fact("from", source);
    }
    if task.sources.is_empty() && !task.is_group {
        fact("from", "no line of the documents");
    }
    if !task.proposed.is_empty() {
        fact("proposed", &format!("{} (an agent's addition; no document says it)", task.proposed.join(", ")));
    }
}

fn open(page: &PlanPage, screen: &Screen, text: &mut String) {
    if page.open.is_empty() {
        return;
    }
    let _ = writeln!(text, "\n{}", screen.paint(Paint::Strong, "What is open"));
    for (kind, said) in &page.open {
        let _ = writeln!(text, "  {}: {}", screen.paint(paint(*kind), kind.as_str()), super::harmless(said));
    }
}

fn paint(kind: NoteKind) -> Paint {
    if is_grave(kind) { Paint::Warning } else { Paint::Note }
}

/// Whether a person should decide something before the plan is run.
pub(super) fn is_grave(kind: NoteKind) -> bool {
    matches!(kind, NoteKind::CoverageGap | NoteKind::Contradiction | NoteKind::NoRunner | NoteKind::Unread)
}
