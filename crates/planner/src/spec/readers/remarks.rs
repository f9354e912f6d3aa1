//! Remarks for people and briefs: risks, tests, exclusions, metrics, conventions.

use std::ops::Range;

use crate::spec::document::{BlockContent, DocumentBlock, RunningText};
use crate::spec::model::{DocumentKind, Remark, Spec, TICKED_OFF};
use crate::spec::reading::DocumentReading;
use crate::spec::vocabulary::Topic;

/// Adds every remark of a document.
pub(in crate::spec) fn collect_remarks(reading: &mut DocumentReading<'_>) {
    for row in &reading.tree.left_rows {
        let (text, heading) = (row.text.clone(), TICKED_OFF.to_owned());
        reading.spec.exclusions.push(Remark { text, heading, span: reading.span(&row.at) });
    }
    for block in &reading.tree.blocks {
        if let Some(list) = remark_list(reading, block) {
            let remarks = block_remarks(reading, block);
            reading.claim(block);
            list(reading.spec).extend(remarks);
        }
    }
}

/// Selects the list of a specification that a remark goes to.
type RemarkList = fn(&mut Spec) -> &mut Vec<Remark>;

/// The list that a block belongs to, by its document and its topic.
fn remark_list(reading: &DocumentReading<'_>, block: &DocumentBlock) -> Option<RemarkList> {
    let tree = reading.tree;
    match reading.kind {
        DocumentKind::Background => return None,
        _ if tree.is_excluded(block) => return Some(|spec| &mut spec.exclusions),
        DocumentKind::Conventions => return Some(|spec| &mut spec.conventions),
        DocumentKind::Requirements
        | DocumentKind::Decisions
        | DocumentKind::Design
        | DocumentKind::Wireframes
        | DocumentKind::Other => {}
    }
    // Edge cases are what tests check first.
    if tree.heading(block.section).to_lowercase().contains("edge case") && !reading.is_claimed(block) {
        return Some(|spec| &mut spec.tests);
    }
    match tree.topic(block)? {
        Topic::Risks => Some(|spec| &mut spec.risks),
        Topic::Tests => Some(|spec| &mut spec.tests),
        Topic::Metrics => Some(|spec| &mut spec.metrics),
        Topic::Conventions => Some(|spec| &mut spec.conventions),
        Topic::Criteria
        | Topic::Stories
        | Topic::Requirements
        | Topic::Decisions
        | Topic::Components
        | Topic::Models
        | Topic::Endpoints
        | Topic::Ownership
        | Topic::Graph
        | Topic::Phases
        | Topic::Excluded
        | Topic::Surface
        | Topic::Background => None,
    }
}

/// What a block says: one remark, or one for each row of a table.
fn block_remarks(reading: &DocumentReading<'_>, block: &DocumentBlock) -> Vec<Remark> {
    let tree = reading.tree;
    let heading = tree.excluded_by(block).unwrap_or_else(|| tree.heading(block.section));
    let remark = |text: String, at: &Range<usize>| Remark {
        text,
        heading: heading.to_owned(),
        span: reading.span(at),
    };
    let row_remark = |row: &Vec<RunningText>| {
        let text = row.iter().map(|cell| cell.text.as_str()).collect::<Vec<_>>().join(" | ");
        row.first().map(|first| remark(text, &first.at))
    };
    match &block.content {
        BlockContent::Paragraph(text) => vec![remark(text.text.clone(), &text.at)],
        BlockContent::Item(item) => vec![remark(item.text.text.clone(), &item.text.at)],
        BlockContent::Code(code) => vec![remark(code.text.clone(), &code.at)],
        BlockContent::Table(table) => table.rows.iter().filter_map(row_remark).collect(),
    }
}
