//! What no reader has claimed: texts that ask for something, and sections without a topic.

use super::references::leads_elsewhere;
use crate::spec::document::{BlockContent, DocumentBlock};
use crate::spec::model::{DocumentKind, Remark};
use crate::spec::reading::DocumentReading;
use crate::spec::vocabulary::{Topic, ids};

/// Lists texts that plainly ask for something and that no reader has claimed, one line per section.
pub(in crate::spec) fn list_unmet_requests(reading: &mut DocumentReading<'_>) {
    if matches!(reading.kind, DocumentKind::Conventions | DocumentKind::Background) {
        return;
    }
    for section in 0..reading.tree.sections.len() {
        let own = reading.tree.own_blocks(section).iter();
        let unmet = own.filter(|block| !reading.is_claimed(block) && asks_for_something(reading, block));
        let unmet: Vec<&DocumentBlock> = unmet.collect();
        for block in &unmet {
            reading.claim(block);
        }
        list(reading, section, &unmet);
    }
}

/// Lists the items in sections of background that no reader has claimed: a list there may still ask for something.
pub(in crate::spec) fn list_unread_items(reading: &mut DocumentReading<'_>) {
    let tree = reading.tree;
    if matches!(reading.kind, DocumentKind::Conventions | DocumentKind::Background) {
        return;
    }
    for (section, _) in tree.sections.iter().enumerate().filter(|(_, s)| s.is_part()) {
        if tree.section_topic(section) == Some(Topic::Background) {
            let own = tree.own_blocks(section).iter();
            let asks = |text: &str| text.trim_end().ends_with(['?', '？']);
            let is_left = |block: &&DocumentBlock| {
                tree.item(block.index)
                    .is_some_and(|item| !asks(&item.text.text) && !leads_elsewhere(reading, block, item))
                    && !reading.is_claimed(block)
            };
            let left: Vec<&DocumentBlock> = own.filter(is_left).collect();
            // One line of it is a remark.
            if left.len() > 1 {
                list(reading, section, &left);
            }
        }
    }
}

/// Lists the sections without a topic of which no reader has made anything.
pub(in crate::spec) fn list_unread_sections(reading: &mut DocumentReading<'_>) {
    let tree = reading.tree;
    if reading.kind == DocumentKind::Background {
        return;
    }
    for (section, _) in tree.sections.iter().enumerate().filter(|(_, s)| s.is_part()) {
        if tree.section_topic(section).is_none() {
            let left = tree.own_blocks(section).iter().filter(|block| !reading.is_claimed(block));
            list(reading, section, &left.collect::<Vec<_>>());
        }
    }
}

/// Lists the blocks of a section by the first of its texts and a count of the others.
fn list(reading: &mut DocumentReading<'_>, section: usize, blocks: &[&DocumentBlock]) {
    let Some(first) = blocks.first() else { return };
    let text = blocks.iter().find_map(|block| block.running_text());
    let mut shown = shortened(text.map_or(kind_name(&first.content), |text| &text.text));
    if blocks.len() > 1 {
        shown = format!("{shown} (and {} more)", blocks.len() - 1);
    }
    let span = reading.span(first.running_text().map_or(&first.at, |text| &text.at));
    let heading = reading.tree.heading(section).to_owned();
    reading.spec.unplaced.push(Remark { text: shown, heading, span });
}

/// Whether a text asks for something: by its id, by its words, or by its place.
fn asks_for_something(reading: &DocumentReading<'_>, block: &DocumentBlock) -> bool {
    let Some(text) = block.running_text().map(|text| &text.text) else { return false };
    let mut words = text.split_whitespace().map(|w| w.trim_matches(['*', ',', ':']));
    let is_binding = words.any(|w| matches!(w, "SHALL" | "MUST"));
    // A known id is a reference to its criterion.
    let is_known = |id: &str| reading.spec.criteria.iter().any(|c| c.id == id);
    let states_id = ids::requirement(text).is_some_and(|(id, rest)| !rest.is_empty() && !is_known(&id));
    let topic = reading.tree.topic(block);
    is_binding
        || states_id
        || (matches!(block.content, BlockContent::Item(_))
            && matches!(topic, Some(Topic::Criteria | Topic::Requirements | Topic::Stories)))
}

/// The first 80 characters of a text.
fn shortened(text: &str) -> String {
    let mut short: String = text.chars().take(80).collect();
    if short.len() < text.len() {
        short.push('…');
    }
    short
}

fn kind_name(content: &BlockContent) -> &'static str {
    match content {
        BlockContent::Table(_) => "a table",
        BlockContent::Code(_) => "a code block",
        BlockContent::Paragraph(_) => "a paragraph",
        BlockContent::Item(_) => "a list",
    }
}
