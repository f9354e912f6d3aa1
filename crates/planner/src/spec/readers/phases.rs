//! Phases of the work: headings, labels, items and tables that name them, and the text below each.

use std::collections::HashMap;

use crate::spec::document::{BlockContent, DocumentBlock, DocumentTable, RunningText};
use crate::spec::model::StatedPhase;
use crate::spec::reading::DocumentReading;
use crate::spec::vocabulary::{
    ColumnMeaning, TableColumns, Topic, first_number, is_blank, phase_name, same_phase,
};
use windlass_core::diagnostic::Span;

/// A phase as one place states it.
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct PhaseStatement {
    pub(super) name: String,
    pub(super) tasks: Option<u32>,
    pub(super) minutes: Option<f64>,
    pub(super) text: String,
}

/// `Phase 2: Core`, `Level 1 — Foundation (5 tasks, parallel)`, except as the title of the document.
pub(super) fn phase_heading(reading: &mut DocumentReading<'_>, at: usize) {
    let section = &reading.tree.sections[at];
    if let Some(name) = section.meaning.phase.clone().filter(|_| section.level > 1) {
        let tasks = task_count(&section.title.plain());
        let span = reading.span(&section.title.at);
        push_phase(reading, PhaseStatement { name, tasks, ..PhaseStatement::default() }, span);
    }
}

/// `Level 1: 4 tasks, fully parallel` in a list; `Phase 1: the basket` if the list is one of phases.
pub(super) fn phase_item(reading: &mut DocumentReading<'_>, block: &DocumentBlock, text: &RunningText) {
    let plain = text.plain();
    let Some((head, rest)) = plain.split_once(':') else { return };
    let Some(name) = phase_name(head) else { return };
    let tasks = task_count(rest);
    if reading.tree.topic(block) != Some(Topic::Phases) && tasks.is_none() {
        return;
    }
    let span = reading.span(&text.at);
    reading.claim(block);
    let text = rest.trim().to_owned();
    push_phase(reading, PhaseStatement { name, tasks, minutes: minutes(rest), text }, span);
}

/// The rows of a table of phases, without a row of totals.
pub(super) fn phase_rows(
    reading: &mut DocumentReading<'_>,
    block: &DocumentBlock,
    table: &DocumentTable,
    columns: &TableColumns,
) {
    for row in &table.rows {
        let Some(first) = row.first().filter(|cell| !is_blank(&cell.text)) else { continue };
        let name = first.plain();
        if name.to_lowercase().starts_with("total") {
            continue;
        }
        reading.claim(block);
        let tasks = columns.cell(row, ColumnMeaning::Task).and_then(|cell| first_number(&cell.text));
        let text = row.iter().skip(1).map(RunningText::plain).collect::<Vec<_>>().join(" · ");
        let minutes = row.iter().skip(1).find_map(|cell| minutes(&cell.text));
        let span = reading.span(&first.at);
        push_phase(reading, PhaseStatement { name, tasks, minutes, text }, span);
    }
}

/// The number in `5 tasks`.
fn task_count(text: &str) -> Option<u32> {
    let words: Vec<&str> = text.split([' ', '(', ',', ':']).filter(|w| !w.is_empty()).collect();
    words.windows(2).find(|w| w[1].starts_with("task")).and_then(|w| w[0].parse().ok())
}

/// The time in `25m`, `~1.5 h`, `40 min` or `1h 30m`.
fn minutes(text: &str) -> Option<f64> {
    let text = text.trim().trim_start_matches('~').trim().to_lowercase();
    let mut total = 0.0;
    let mut rest = text.as_str();
    while !rest.is_empty() {
        let end = rest.find(|c: char| !(c.is_ascii_digit() || c == '.')).unwrap_or(rest.len());
        let number: f64 = rest[..end].parse().ok()?;
        let unit = rest[end..].trim_start();
        let end = unit.find(|c: char| !c.is_alphabetic()).unwrap_or(unit.len());
        total += number
            * match &unit[..end] {
                "m" | "min" | "mins" | "minute" | "minutes" => 1.0,
                "h" | "hr" | "hrs" | "hour" | "hours" => 60.0,
                _ => return None,
            };
        rest = unit[end..].trim_start();
    }
    (total > 0.0).then_some(total)
}

fn push_phase(reading: &mut DocumentReading<'_>, phase: PhaseStatement, span: Span) {
    let PhaseStatement { name, tasks, minutes, text } = phase;
    match reading.spec.phases.iter_mut().find(|p| same_phase(&p.name, &name)) {
        Some(known) => {
            known.tasks = known.tasks.or(tasks);
            known.minutes = known.minutes.or(minutes);
        }
        None => {
            reading.spec.phases.push(StatedPhase { name, tasks, minutes, text, body: String::new(), span });
        }
    }
}

/// Gives every phase the text below its heading, its label or its item.
pub(super) fn collect_bodies(reading: &mut DocumentReading<'_>) {
    let tree = reading.tree;
    // The phase of each item, for the items below it.
    let mut items: HashMap<usize, usize> = HashMap::new();
    for block in tree.wanted_blocks() {
        let label = block.label.as_deref().and_then(phase_name);
        if let (Some(name), Some(text)) = (&label, block.running_text()) {
            let span = reading.span(&text.at);
            push_phase(reading, PhaseStatement { name: name.clone(), ..PhaseStatement::default() }, span);
        }
        let known = |name: &str| reading.spec.phases.iter().position(|p| same_phase(&p.name, name));
        let by_item = tree.item(block.index).and_then(|item| {
            let own = item.text.plain().split(':').next().and_then(phase_name);
            let inherited = || items.get(&item.parent?).copied();
            own.as_deref().and_then(known).or_else(inherited)
        });
        let above = || label.as_deref().or_else(|| tree.enclosing_phase(block.section)).and_then(known);
        let Some(phase) = by_item.or_else(above) else { continue };
        items.insert(block.index, phase);
        let text = match &block.content {
            BlockContent::Item(item) => item.text.text.clone(),
            BlockContent::Paragraph(text) => text.text.clone(),
            BlockContent::Table(table) => {
                table.rows.iter().flatten().map(|cell| format!("{} ", cell.text)).collect()
            }
            BlockContent::Code(_) => continue,
        };
        let body = &mut reading.spec.phases[phase].body;
        body.push_str(&text);
        body.push('\n');
    }
    story_headings(reading);
}

/// A story whose heading is below that of a phase belongs to the phase.
fn story_headings(reading: &mut DocumentReading<'_>) {
    for (at, section) in reading.tree.sections.iter().enumerate() {
        let Some(story) = &section.meaning.story else { continue };
        let Some(name) = reading.tree.enclosing_phase(at) else { continue };
        if let Some(phase) = reading.spec.phases.iter_mut().find(|p| same_phase(&p.name, name)) {
            phase.body.push_str(&format!("{} {}\n", story.id, story.title));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::minutes;

    #[test]
    fn times_are_read_in_the_usual_units() {
        let table = [
            ("25m", Some(25.0)),
            ("~1.5 h", Some(90.0)),
            ("40 min", Some(40.0)),
            ("1h 30m", Some(90.0)),
            ("3", None),
            ("Yes", None),
            ("2 days", None),
            ("", None),
        ];
        for (text, expected) in table {
            assert_eq!(minutes(text), expected, "{text}");
        }
    }
}
