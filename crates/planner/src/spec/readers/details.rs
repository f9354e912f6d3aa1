//! Details: sections that say how something is done, with the files and ids they name and their code.

use std::collections::HashSet;

use crate::spec::document::{BlockContent, CodeListing, DocumentBlock, DocumentTable, RunningText, joined};
use crate::spec::model::{DetailCode, DetailSection, DocumentKind};
use crate::spec::reading::DocumentReading;
use crate::spec::vocabulary::{Topic, ids, paths};

/// Adds the details of a document. To be called last: only then it is known which texts other readers have taken.
pub(in crate::spec) fn collect_details(reading: &mut DocumentReading<'_>) {
    if reading.kind == DocumentKind::Conventions {
        return;
    }
    for at in 1..reading.tree.sections.len() {
        detail(reading, at);
    }
}

fn detail(reading: &mut DocumentReading<'_>, at: usize) {
    let tree = reading.tree;
    let section = &tree.sections[at];
    let topic = tree.section_topic(at);
    if !section.is_part() || topic.is_some_and(has_own_reader) {
        return;
    }
    // Descriptions of files are details of their own.
    let own: Vec<&DocumentBlock> =
        tree.own_blocks(at).iter().filter(|b| !reading.is_description(b)).collect();
    let mut found = paths::named_in(&section.title.text);
    let subject = found.first().filter(|_| found.len() == 1).cloned();
    let mut named = ids_in(&section.title.text);
    let mut code = Vec::new();
    let mut tables = Vec::new();
    for block in &own {
        if let Some(text) = block.running_text() {
            found.extend(paths::named_in(&text.text));
            named.extend(ids_in(&text.text));
        } else if let BlockContent::Code(listing) = &block.content {
            found.extend(paths::named_in(listing.text.lines().next().unwrap_or_default()));
            code.push(detail_code(listing, block));
        } else if let BlockContent::Table(table) = &block.content
            && !reading.is_claimed(block)
        {
            tables.push(as_markdown(table));
        }
    }
    let text = joined(&own, 2_000);
    // A table without a word about it says too little.
    if text.is_empty() {
        tables.clear();
    }
    if text.is_empty() && code.is_empty() {
        return;
    }
    let mut seen = HashSet::new();
    found.retain(|path| seen.insert(path.clone()));
    // If other readers have taken all its sentences, they reach the plan by another way.
    let is_new = |block: &DocumentBlock| {
        block.running_text().is_some_and(|text| !text.is_label()) && !reading.is_claimed(block)
    };
    let shows = !tables.is_empty() || code.iter().any(|listing| !listing.language.is_empty());
    let aside = reading.kind == DocumentKind::Background
        || topic.is_some_and(is_aside)
        || !(shows || own.iter().any(|block| is_new(block)));
    for block in own {
        reading.claim(block);
    }
    let span = reading.span(&section.title.at);
    let heading = section.title.plain();
    reading.spec.details.push(DetailSection {
        heading,
        above: tree.headings(at).into_iter().skip(1).collect(),
        text,
        paths: found,
        ids: named,
        subject,
        code,
        tables,
        aside,
        span,
    });
}

/// A table as it is written.
fn as_markdown(table: &DocumentTable) -> String {
    let row = |cells: &[RunningText]| {
        let cells: Vec<&str> = cells.iter().map(|cell| cell.text.as_str()).collect();
        format!("| {} |\n", cells.join(" | "))
    };
    let rule = format!("|{}\n", "---|".repeat(table.head.len()));
    let rows: String = table.rows.iter().map(|cells| row(cells)).collect();
    format!("{}{rule}{rows}", row(&table.head)).trim_end().to_owned()
}

/// Topics whose sections other readers take completely.
fn has_own_reader(topic: Topic) -> bool {
    matches!(
        topic,
        Topic::Excluded | Topic::Risks | Topic::Ownership | Topic::Graph | Topic::Criteria | Topic::Metrics
    )
}

/// Whether a topic is about something else than what is to be built.
fn is_aside(topic: Topic) -> bool {
    use Topic::{Background, Conventions, Decisions, Phases, Tests};
    matches!(topic, Background | Conventions | Decisions | Phases | Tests)
}

fn detail_code(listing: &CodeListing, block: &DocumentBlock) -> DetailCode {
    DetailCode {
        language: listing.info.split([' ', ',']).next().unwrap_or_default().to_owned(),
        path: commented_path(listing.text.lines().next().unwrap_or_default()),
        label: block.label.clone(),
        text: listing.text.clone(),
    }
}

/// The path in a line that is a comment, if it names exactly one.
fn commented_path(line: &str) -> Option<String> {
    let line = line.trim();
    let inner = ["//", "#", "--", "/*"].iter().find_map(|mark| line.strip_prefix(mark))?;
    let found = paths::named_in(inner);
    found.first().filter(|_| found.len() == 1).cloned()
}

/// The ids of requirements and tasks that a text names.
fn ids_in(text: &str) -> Vec<String> {
    let task = |w: &str| (w.contains('-') && ids::is_task_id(w)).then(|| w.to_owned());
    ids::words(text).filter_map(|w| ids::only_requirement(w).or_else(|| task(w))).collect()
}
