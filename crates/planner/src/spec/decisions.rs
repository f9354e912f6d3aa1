//! Decisions: ADR headings, sections that say `Decision:`, tables of decisions.

use super::columns::{Column, Columns};
use super::markdown::{Block, Words};
use super::model::{Decision, DocumentKind};
use super::reading::Reading;
use super::topic::Topic;
use windlass_core::diagnostic::Span;

/// Reads every decision of a document.
pub(super) fn read(reading: &mut Reading<'_>) {
    for at in 0..reading.doc.sections.len() {
        section(reading, at);
    }
    for (at, placed) in reading.blocks() {
        let Block::Table(table) = &placed.block else { continue };
        let columns = Columns::of(table);
        if columns.find(Column::Decision) != Some(0) || reading.is_excluded(placed) {
            continue;
        }
        reading.using(at);
        for row in &table.rows {
            let Some(first) = row.first() else { continue };
            let rest: Vec<&str> = row.iter().skip(1).map(|w| w.text.as_str()).collect();
            let span = reading.span(&first.at);
            push(reading, None, first.plain(), rest.join(" — "), span);
        }
    }
}

fn section(reading: &mut Reading<'_>, at: usize) {
    let section = &reading.doc.sections[at];
    let title = section.title.text.clone();
    let id = adr_id(&title);
    let stated = decided(reading, at);
    let topical = title.to_lowercase().contains("decision:") || id.is_some();
    if section.level == 0 || !(stated.is_some() || topical) {
        return;
    }
    let title = title_of(&title);
    let text = stated.unwrap_or_else(|| reading.prose(at, 400));
    let span = reading.span(&section.title.at);
    for (block, placed) in reading.doc.below(at) {
        if Reading::words(placed).is_some() {
            reading.using(block);
        }
    }
    push(reading, id, title, text, span);
}

/// `ADR-0001` at the beginning of a title.
fn adr_id(title: &str) -> Option<String> {
    let at = title.find("ADR-").or_else(|| title.find("ADR "))?;
    let digits: String = title[at + 4..].chars().take_while(char::is_ascii_digit).collect();
    (!digits.is_empty() && at <= 6).then(|| format!("ADR-{digits}"))
}

fn title_of(title: &str) -> String {
    let title = title.trim_start_matches(|c: char| c.is_ascii_digit() || matches!(c, '.' | ' '));
    let after = title.split_once(": ").filter(|(head, _)| {
        let head = head.to_lowercase();
        head.starts_with("adr") || head.starts_with("decision") || head.starts_with("key decision")
    });
    after.map_or(title, |(_, rest)| rest).trim().to_owned()
}

/// What stands behind `Decision:`, or below a heading `Decision` of the section.
fn decided(reading: &Reading<'_>, at: usize) -> Option<String> {
    let own: Vec<&Words> = reading.doc.own(at).filter_map(|(_, b)| Reading::words(b)).collect();
    let said = |w: &Words| {
        let bold = w.bold.as_deref()?.trim_end_matches(':').trim().to_lowercase();
        (bold == "decision").then(|| w.text.split_once(':').map(|(_, t)| t.trim().to_owned()))?
    };
    let labelled = own.into_iter().find_map(said).filter(|t| !t.is_empty());
    let below = || {
        let child = reading.doc.sections.iter().enumerate().find(|(_, s)| {
            s.parent == Some(at) && s.title.text.trim_end_matches(':').eq_ignore_ascii_case("decision")
        });
        child.map(|(i, _)| reading.prose(i, 400)).filter(|t| !t.is_empty())
    };
    let decided = labelled.or_else(below);
    decided.filter(|_| reading.section_topic(at) != Some(Topic::Excluded))
}

fn push(reading: &mut Reading<'_>, id: Option<String>, title: String, text: String, span: Span) {
    if title.is_empty() || (text.is_empty() && reading.kind != DocumentKind::Decisions) {
        return;
    }
    let number = reading.spec.decisions.len() + 1;
    let id = id.unwrap_or_else(|| format!("ADR-{number:03}"));
    if !reading.spec.decisions.iter().any(|d| d.id == id || d.title == title) {
        reading.spec.decisions.push(Decision { id, title, text, span });
    }
}
