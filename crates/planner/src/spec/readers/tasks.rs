//! Tasks that the documents name themselves: in headings and in tables, with the order that a table states.

use super::{phases, task_lists};
use crate::spec::document::{BlockContent, DocumentBlock, DocumentTable, RunningText, SectionTree};
use crate::spec::model::{StatedEdge, StatedTask};
use crate::spec::reading::DocumentReading;
use crate::spec::vocabulary::{ColumnMeaning, TableColumns, first_number, ids, is_blank, paths, phase_name};

/// Adds every task and every phase that a document states. `is_begun`: whether there is code that ticked boxes can be about.
pub(in crate::spec) fn collect_tasks(reading: &mut DocumentReading<'_>, is_begun: bool) {
    for at in 0..reading.tree.sections.len() {
        if !task_heading(reading, at) {
            phases::phase_heading(reading, at);
        }
    }
    for block in &reading.tree.blocks {
        match &block.content {
            BlockContent::Table(table) => task_table(reading, block, table),
            BlockContent::Item(item) => {
                phases::phase_item(reading, block, &item.text);
            }
            BlockContent::Paragraph(_) | BlockContent::Code(_) => {}
        }
    }
    task_lists::collect_lists(reading, is_begun);
    phases::collect_bodies(reading);
}

/// Adds the task that a heading names. Returns whether it names one.
fn task_heading(reading: &mut DocumentReading<'_>, at: usize) -> bool {
    let section = &reading.tree.sections[at];
    let Some(named) = section.meaning.task.clone() else { return false };
    let (level, phase) = level_and_phase(reading.tree, at, None);
    let task = StatedTask {
        id: named.id,
        title: named.title,
        text: reading.tree.prose(at, 600),
        level,
        phase,
        listed: false,
        span: reading.span(&section.title.at),
    };
    push_task(reading, task);
    true
}

/// Adds a task, or adds its details to the known task with the same id.
pub(super) fn push_task(reading: &mut DocumentReading<'_>, task: StatedTask) {
    let Some(known) = reading.spec.tasks.iter_mut().find(|t| t.id == task.id) else {
        reading.spec.tasks.push(task);
        return;
    };
    if known.title.is_empty() {
        known.title = task.title;
    }
    if known.text.len() < task.text.len() {
        known.text = task.text;
    }
    known.level = known.level.or(task.level);
    known.phase = known.phase.take().or(task.phase);
}

/// The level and phase that a label or the headings around a block name.
fn level_and_phase(tree: &SectionTree, section: usize, label: Option<&str>) -> (Option<u32>, Option<String>) {
    let name = label.and_then(phase_name).or_else(|| tree.enclosing_phase(section).map(str::to_owned));
    (name.as_deref().and_then(first_number), name)
}

fn task_table(reading: &mut DocumentReading<'_>, block: &DocumentBlock, table: &DocumentTable) {
    let columns = TableColumns::from_table(table);
    let by_phase =
        columns.find(ColumnMeaning::Phase).or_else(|| columns.find(ColumnMeaning::Level)) == Some(0);
    if by_phase {
        let counts_tasks = columns.has(ColumnMeaning::Task) || !columns.has(ColumnMeaning::File);
        if counts_tasks && !reading.tree.is_excluded(block) {
            phases::phase_rows(reading, block, table, &columns);
        }
        return;
    }
    let Some(task_column) = columns.find(ColumnMeaning::Task) else { return };
    if columns.has(ColumnMeaning::Risk) {
        return;
    }
    let label = block.label.as_deref();
    for row in &table.rows {
        let Some(cell) = row.get(task_column) else { continue };
        let ids: Vec<&str> = ids::task_ids(&cell.text);
        if ids.is_empty() {
            continue;
        }
        reading.claim(block);
        let title = row_title(&columns, row);
        let (level, phase) = level_and_phase(reading.tree, block.section, label);
        let stated = columns.cell(row, ColumnMeaning::Level).and_then(|cell| first_number(&cell.text));
        for id in &ids {
            let task = StatedTask {
                id: (*id).to_owned(),
                title: title.clone(),
                text: String::new(),
                level: stated.or(level),
                phase: phase.clone(),
                listed: false,
                span: reading.span(&cell.at),
            };
            push_task(reading, task);
        }
        row_dependencies(reading, &columns, row, &ids);
    }
}

/// The title that a row gives its tasks.
fn row_title(columns: &TableColumns, row: &[RunningText]) -> String {
    let own =
        columns.first(row, &[ColumnMeaning::Title, ColumnMeaning::Responsibility]).map(RunningText::plain);
    // `— (wiki push) | TASK-004`: the work is described where a file would be.
    let in_place_of_file = || {
        let file = columns.cell(row, ColumnMeaning::File).map(RunningText::plain);
        file.filter(|text| {
            text.contains('(') && paths::named_in(text).is_empty() && paths::patterns(text).is_empty()
        })
    };
    own.or_else(in_place_of_file).unwrap_or_default().trim_matches(['(', ')', '—', ' ']).to_owned()
}

fn row_dependencies(
    reading: &mut DocumentReading<'_>,
    columns: &TableColumns,
    row: &[RunningText],
    ids: &[&str],
) {
    let cell = columns.cell(row, ColumnMeaning::Depends).filter(|cell| !is_blank(&cell.text));
    let Some(cell) = cell else { return };
    let span = reading.span(&cell.at);
    for before in ids::task_ids(&ids::without_ranges(&cell.text)) {
        reading.spec.edges.extend(ids.iter().map(|after| StatedEdge {
            before: before.to_owned(),
            after: (*after).to_owned(),
            span,
        }));
    }
}
