//! Components of the system: rows of tables, bold items, and headings that name a file.

use std::collections::HashMap;

use super::behaviour::asks_for_work;
use super::ground::{Ground, section_ground};
use super::outline;
use crate::spec::document::{BlockContent, DocumentBlock, DocumentTable, RunningText};
use crate::spec::model::{Component, DocumentKind};
use crate::spec::reading::DocumentReading;
use crate::spec::vocabulary::{ColumnMeaning, TableColumns, Topic, ids, is_blank, paths, without_number};

/// Adds the components of a document.
pub(in crate::spec) fn collect_components(reading: &mut DocumentReading<'_>) {
    for block in reading.tree.wanted_blocks() {
        match &block.content {
            BlockContent::Table(table) => component_rows(reading, block, table),
            BlockContent::Item(item) => component_item(reading, block, &item.text),
            BlockContent::Paragraph(_) | BlockContent::Code(_) => {}
        }
    }
    name_by_headings(reading);
    for at in 0..reading.tree.sections.len() {
        component_heading(reading, at);
    }
    if reading.kind == DocumentKind::Design && asks_for_work(reading) {
        component_sections(reading);
        named_items(reading);
    }
}

/// The items below a heading about components that each begin with a name, where nothing else names any: `**Ledger** — keeps what was
/// paid`.
fn named_items(reading: &mut DocumentReading<'_>) {
    const FEWEST: usize = 3;
    let tree = reading.tree;
    let is_named = |block: &&DocumentBlock| {
        let item = tree.item(block.index).filter(|item| item.parent.is_none());
        let bold = item.and_then(|item| Some((item, item.text.bold.as_deref()?)));
        bold.is_some_and(|(item, bold)| {
            let rest = item.text.text.strip_prefix(bold).unwrap_or_default().trim_start();
            bold.split_whitespace().count() <= 4
                && (rest.starts_with(['—', '–', ':', '(', '-']) || bold.ends_with(':'))
        }) && tree.topic(block) == Some(Topic::Components)
    };
    let found: Vec<&DocumentBlock> = tree.wanted_blocks().filter(is_named).collect();
    let names_others = !reading.spec.components.is_empty() || !reading.spec.files.is_empty();
    if found.len() < FEWEST || names_others || outline::divides_into(reading) > found.len() {
        return;
    }
    for text in found.into_iter().filter_map(DocumentBlock::running_text) {
        let name = text.bold.as_deref().unwrap_or_default().trim_matches(['`', ':', ' ']);
        let told = text.text.split_once(name).map_or("", |(_, rest)| rest);
        let component = Component {
            name: name.to_owned(),
            responsibility: told.trim_start_matches(['—', '–', ':', '-', ' ']).to_owned(),
            files: Vec::new(),
            needs: Vec::new(),
            serves: Vec::new(),
            span: reading.span(&text.at),
        };
        reading.spec.components.push(component);
    }
}

/// The sections below a heading about components, where nothing else names any: `### Ledger — keeps what was paid`.
fn component_sections(reading: &mut DocumentReading<'_>) {
    let tree = reading.tree;
    let is_group = |at: usize| {
        let section = &tree.sections[at];
        section.is_part() && section.meaning.topic == Some(Topic::Components)
    };
    let is_one = |at: &usize| {
        let section = &tree.sections[*at];
        let names_other = section.meaning.topic.is_some()
            || section.meaning.requirement.is_some()
            || section.meaning.task.is_some()
            || section.meaning.phase.is_some();
        section.parent.is_some_and(is_group)
            && !names_other
            && paths::named_in(&section.title.text).is_empty()
            && section_ground(tree, *at) == Ground::Built
    };
    let found: Vec<usize> = (0..tree.sections.len()).filter(is_one).collect();
    let names_others = !reading.spec.components.is_empty() || !reading.spec.files.is_empty();
    // The outline of the document divides it, these sections among others.
    if found.len() < 2 || names_others || outline::divides_into(reading) > 1 {
        return;
    }
    for at in found {
        let title = tree.sections[at].title.plain();
        let title = without_number(title.trim());
        let ends = [" - ", " — ", " – ", ": ", " ("];
        let end = ends.iter().filter_map(|mark| title.find(mark)).min().unwrap_or(title.len());
        let component = Component {
            name: title[..end].trim().to_owned(),
            responsibility: tree.prose(at, 400),
            files: Vec::new(),
            needs: Vec::new(),
            serves: Vec::new(),
            span: reading.span(&tree.sections[at].title.at),
        };
        reading.spec.components.push(component);
    }
}

fn component_rows(reading: &mut DocumentReading<'_>, block: &DocumentBlock, table: &DocumentTable) {
    let columns = TableColumns::from_table(table);
    let Some(name_column) = columns.find(ColumnMeaning::Component).filter(|at| *at <= 1) else { return };
    let is_other = [ColumnMeaning::Task, ColumnMeaning::Risk, ColumnMeaning::Choice];
    if is_other.into_iter().any(|c| columns.has(c)) || reading.tree.topic(block) == Some(Topic::Risks) {
        return;
    }
    // A table that only says what known components need is read by `component_needs`.
    let known = |row: &Vec<RunningText>| {
        let name = row.get(name_column).map(RunningText::plain).unwrap_or_default();
        reading.spec.components.iter().any(|c| c.name == name)
    };
    if columns.has(ColumnMeaning::Depends) && !table.rows.is_empty() && table.rows.iter().all(known) {
        return;
    }
    // Beside amounts a name is a position of a bill.
    let is_told = |row: &Vec<RunningText>| {
        let letters = |cell: &RunningText| cell.text.chars().filter(|c| c.is_alphabetic()).count();
        row.iter().enumerate().any(|(at, cell)| at != name_column && letters(cell) > 2)
    };
    if table.head.len() > 1 && table.rows.iter().filter(|row| is_told(row)).count() * 2 < table.rows.len() {
        return;
    }
    reading.claim(block);
    for row in &table.rows {
        let Some(cell) = row.get(name_column).filter(|cell| !is_blank(&cell.text)) else { continue };
        let mut files = paths::named_in(&cell.text);
        files.extend(
            columns.cell(row, ColumnMeaning::File).into_iter().flat_map(|c| paths::named_in(&c.text)),
        );
        files.dedup();
        let described = columns.first(row, &[ColumnMeaning::Responsibility, ColumnMeaning::Title]);
        let other_cells = || {
            let others =
                row.iter().enumerate().filter(|(i, cell)| *i != name_column && !is_blank(&cell.text));
            others.map(|(_, cell)| cell.text.as_str()).collect::<Vec<_>>().join(" → ")
        };
        let component = Component {
            name: cell.plain(),
            responsibility: described.map_or_else(other_cells, |cell| cell.text.clone()),
            files,
            needs: columns.cell(row, ColumnMeaning::Depends).map(listed_names).unwrap_or_default(),
            serves: row.iter().flat_map(|cell| ids::requirements(&cell.text)).collect(),
            span: reading.span(&cell.at),
        };
        reading.spec.components.push(component);
    }
}

/// The names in a cell: `Subtotal, Tax`.
fn listed_names(cell: &RunningText) -> Vec<String> {
    let plain = cell.plain();
    let names = plain.split([',', ';', '+', '&']).map(str::trim).filter(|name| !is_blank(name));
    names.map(str::to_owned).collect()
}

/// ``- **Name** (`path`): what it does`` under a heading about components.
fn component_item(reading: &mut DocumentReading<'_>, block: &DocumentBlock, text: &RunningText) {
    if reading.tree.topic(block) != Some(Topic::Components) {
        return;
    }
    let mentions = paths::mentions(&text.text);
    let Some(first) = mentions.first().filter(|m| m.quoted || m.path.contains('/')) else { return };
    let name = text.bold.as_ref().unwrap_or(&first.path).trim_matches(['`', ':', ' ']).to_owned();
    let responsibility = text.text.split_once([':', '—', '–']).map_or("", |(_, rest)| rest).trim().to_owned();
    reading.claim(block);
    let component = Component {
        name,
        responsibility,
        files: mentions.into_iter().map(|m| m.path).collect(),
        needs: Vec::new(),
        serves: ids::requirements(&text.text),
        span: reading.span(&text.at),
    };
    reading.spec.components.push(component);
}

/// Components that are all called alike are called by a label (`Component: …`): their headings name them.
fn name_by_headings(reading: &mut DocumentReading<'_>) {
    let tree = reading.tree;
    let mut times: HashMap<String, usize> = HashMap::new();
    for component in &reading.spec.components {
        *times.entry(component.name.clone()).or_default() += 1;
    }
    for component in &mut reading.spec.components {
        let is_label = times.get(&component.name).is_some_and(|times| *times > 1);
        let at = component.span.start as usize;
        let next = tree.blocks.partition_point(|block| block.at.start <= at);
        let block = next.checked_sub(1).and_then(|at| tree.blocks.get(at));
        let is_own = component.span.file == reading.file && !component.files.is_empty();
        if let Some(block) =
            block.filter(|block| is_label && is_own && tree.sections[block.section].is_part())
        {
            let title = tree.sections[block.section].title.plain();
            without_number(title.trim()).clone_into(&mut component.name);
        }
    }
}

/// A heading that names a file: ``### 3.1 launcher.py — spawn sites``, ``### New module: `src/x.ts` ``.
fn component_heading(reading: &mut DocumentReading<'_>, at: usize) {
    let tree = reading.tree;
    let section = &tree.sections[at];
    let names_other = section.meaning.requirement.is_some() || section.meaning.task.is_some();
    if !section.is_part() || names_other || tree.is_under(at, Topic::Excluded) {
        return;
    }
    let files = paths::named_in(&section.title.text);
    let Some(name) = files.first().map(|path| component_name(&section.title.text, path)) else { return };
    if reading.spec.components.iter().any(|c| c.name == name) {
        return;
    }
    let component = Component {
        name,
        responsibility: tree.prose(at, 400),
        files,
        needs: Vec::new(),
        serves: Vec::new(),
        span: reading.span(&section.title.at),
    };
    reading.spec.components.push(component);
}

/// The words of a heading beside the path it names, or the path if they say nothing.
fn component_name(title: &str, path: &str) -> String {
    const SAY_NOTHING: [&str; 8] =
        ["additions", "changes", "updates", "modifications", "module", "script", "file", "existing"];
    let rest = without_number(&title.replace('`', "")).to_owned();
    // `Schemas (schemas.py, pydantic)` is called `Schemas`.
    let bracketed =
        rest.split_once('(').filter(|(_, inner)| inner.contains(path)).map(|(name, _)| name.to_owned());
    let rest = bracketed.unwrap_or(rest).replace(path, "");
    let rest = rest.trim_matches([':', '(', ')', '—', '–', '-', ' ']);
    let says_nothing = rest.len() < 4 || SAY_NOTHING.contains(&rest.to_lowercase().as_str());
    if says_nothing { path } else { rest }.to_owned()
}
