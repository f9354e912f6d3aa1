//! Decisions: ADR headings, sections that state a `Decision:`, tables of decisions.

use crate::spec::document::{BlockContent, DocumentBlock, SectionTree};
use crate::spec::model::{Decision, DocumentKind};
use crate::spec::reading::DocumentReading;
use crate::spec::vocabulary::{ColumnMeaning, TableColumns, Topic, without_number};
use windlass_core::diagnostic::Span;

/// Adds every decision of a document.
pub(in crate::spec) fn collect_decisions(reading: &mut DocumentReading<'_>) {
    for at in 1..reading.tree.sections.len() {
        section(reading, at);
    }
    for block in &reading.tree.blocks {
        let BlockContent::Table(table) = &block.content else { continue };
        let columns = TableColumns::from_table(table);
        if columns.find(ColumnMeaning::Decision) != Some(0) || reading.tree.is_excluded(block) {
            continue;
        }
        reading.claim(block);
        for row in &table.rows {
            let Some(first) = row.first() else { continue };
            let rest: Vec<&str> = row.iter().skip(1).map(|cell| cell.text.as_str()).collect();
            let span = reading.span(&first.at);
            push(reading, None, first.plain(), rest.join(" — "), span);
        }
    }
}

fn section(reading: &mut DocumentReading<'_>, at: usize) {
    let tree = reading.tree;
    let section = &tree.sections[at];
    let heading = section.title.text.as_str();
    let id = adr_id(heading);
    let stated = stated_decision(tree, at);
    if stated.is_none() && id.is_none() && !heading.to_lowercase().contains("decision:") {
        return;
    }
    let text = stated.unwrap_or_else(|| tree.prose(at, 400));
    let span = reading.span(&section.title.at);
    for block in tree.all_blocks(at).iter().filter(|block| block.running_text().is_some()) {
        reading.claim(block);
    }
    push(reading, id, decision_title(heading), text, span);
}

/// `ADR-0001` at the beginning of a title.
fn adr_id(title: &str) -> Option<String> {
    let at = title.find("ADR-").or_else(|| title.find("ADR "))?;
    let digits: String = title[at + 4..].chars().take_while(char::is_ascii_digit).collect();
    (!digits.is_empty() && at <= 6).then(|| format!("ADR-{digits}"))
}

/// The heading without its number and without `ADR-1:` or `Decision:`.
fn decision_title(heading: &str) -> String {
    let title = without_number(heading);
    let after = title.split_once(": ").filter(|(head, _)| {
        let head = head.to_lowercase();
        head.starts_with("adr") || head.starts_with("decision") || head.starts_with("key decision")
    });
    after.map_or(title, |(_, rest)| rest).trim().to_owned()
}

/// The text behind `**Decision:**`, or below a heading `Decision` of the section.
fn stated_decision(tree: &SectionTree, at: usize) -> Option<String> {
    if tree.section_topic(at) == Some(Topic::Excluded) {
        return None;
    }
    let labelled = tree.own_blocks(at).iter().filter_map(DocumentBlock::running_text).find_map(|text| {
        let bold = text.bold.as_deref()?.trim_end_matches(':').trim();
        let (_, stated) = text.text.split_once(':').filter(|_| bold.eq_ignore_ascii_case("decision"))?;
        Some(stated.trim().to_owned())
    });
    let below = || {
        let is_decision = |title: &str| title.trim_end_matches(':').eq_ignore_ascii_case("decision");
        let mut sections = tree.sections.iter().enumerate();
        let (child, _) = sections.find(|(_, s)| s.parent == Some(at) && is_decision(&s.title.text))?;
        Some(tree.prose(child, 400))
    };
    labelled.filter(|t| !t.is_empty()).or_else(below).filter(|t| !t.is_empty())
}

fn push(reading: &mut DocumentReading<'_>, id: Option<String>, title: String, text: String, span: Span) {
    if title.is_empty() || (text.is_empty() && reading.kind != DocumentKind::Decisions) {
        return;
    }
    let id = id.unwrap_or_else(|| format!("ADR-{:03}", reading.spec.decisions.len() + 1));
    if !reading.spec.decisions.iter().any(|d| d.id == id || d.title == title) {
        reading.spec.decisions.push(Decision { id, title, text, span });
    }
}
