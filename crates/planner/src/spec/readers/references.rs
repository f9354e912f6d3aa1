//! Lines that only say where something is: links, names of other documents, names of later parts.

use super::remaining::flat;
use crate::spec::document::{DocumentBlock, ItemBlock, RunningText, SectionTree};
use crate::spec::reading::DocumentReading;
use crate::spec::vocabulary::without_number;

/// Whether a paragraph says nothing but where something is: a link alone, or one of the parts that follow.
pub(super) fn refers(reading: &DocumentReading<'_>, block: &DocumentBlock, text: &RunningText) -> bool {
    let source = &reading.spec.sources.file(reading.file).text;
    let written = source.get(text.at.clone()).unwrap_or_default().trim();
    let target = written.strip_prefix('[').and_then(|rest| rest.strip_suffix(')'));
    let is_link = target.is_some_and(|inner| inner.matches("](").count() == 1 && !inner.contains('\n'));
    is_link || announces_part(reading.tree, block, text)
}

/// Whether a text begins with the name of a later part of the document that is divided itself: the part says it all.
fn announces_part(tree: &SectionTree, block: &DocumentBlock, text: &RunningText) -> bool {
    let name = flat(text.bold.as_deref().unwrap_or_default());
    let is_part = |at: usize| {
        let section = &tree.sections[at];
        section.is_part()
            && tree.section_after(at) > at + 1
            && flat(without_number(section.title.text.trim())) == name
    };
    !name.is_empty() && (block.section + 1..tree.sections.len()).any(is_part)
}

/// Whether an item only says where something is: a line of a table of contents, or the name of another document.
pub(super) fn leads_elsewhere(
    reading: &DocumentReading<'_>,
    block: &DocumentBlock,
    item: &ItemBlock,
) -> bool {
    if announces_part(reading.tree, block, &item.text) {
        return true;
    }
    let source = &reading.spec.sources.file(reading.file).text;
    let written = source.get(item.text.at.clone()).unwrap_or_default();
    let written = written.lines().next().unwrap_or_default();
    let link = written.trim_start_matches(|c: char| c.is_ascii_digit() || "-*+.) ".contains(c));
    let is_link = link.starts_with('[') && link.contains("](#") && link.trim_end().ends_with(')');
    let is_document = |to: &str| to.ends_with(".md") && !to.contains(' ');
    let to = item.text.text.split_once(": ").map(|(_, to)| to.trim_matches(['`', '*', '.', ' ']));
    is_link || to.is_some_and(is_document)
}
