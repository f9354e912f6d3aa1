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
    is_link || names_ids(&text.text) || announces_part(reading.tree, block, text)
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

/// So many words beside links still say nothing of their own.
const FEW: usize = 3;

/// Whether an item only says where something is: a line of a table of contents, or the name of another document.
pub(super) fn leads_elsewhere(
    reading: &DocumentReading<'_>,
    block: &DocumentBlock,
    item: &ItemBlock,
) -> bool {
    if names_ids(&item.text.text) || announces_part(reading.tree, block, &item.text) {
        return true;
    }
    let source = &reading.spec.sources.file(reading.file).text;
    let written = source.get(item.text.at.clone()).unwrap_or_default();
    let written = written.lines().next().unwrap_or_default();
    let link = written.trim_start_matches(|c: char| c.is_ascii_digit() || "-*+.) ".contains(c));
    let is_link = link.starts_with('[') && link.contains("](#") && link.trim_end().ends_with(')');
    let is_pointer = begins_with_link(link) && words_beside_links(link) <= FEW;
    let is_document = |to: &str| to.ends_with(".md") && !to.contains(' ');
    let to = item.text.text.split_once(": ").map(|(_, to)| to.trim_matches(['`', '*', '.', ' ']));
    is_link || is_pointer || to.is_some_and(is_document)
}

/// Whether a text begins with a link, or with one behind a label: `Java: [shelf](https://…)`. The number of an issue is no name.
fn begins_with_link(text: &str) -> bool {
    const LABEL: usize = 3;
    let behind = text.split_once(": ").filter(|(label, _)| label.split_whitespace().count() <= LABEL);
    let text = behind.map_or(text, |(_, rest)| rest).trim_start();
    let name = text.strip_prefix('[').and_then(|rest| rest.split_once("](")).map(|(name, _)| name);
    name.is_some_and(|name| name.chars().any(char::is_alphabetic))
}

/// How many words of a text stand outside of its links.
fn words_beside_links(text: &str) -> usize {
    let mut rest = text;
    let mut words = 0;
    let count = |part: &str| part.split_whitespace().filter(|w| w.contains(char::is_alphanumeric)).count();
    while let Some(open) = rest.find('[') {
        let Some(end) =
            rest[open..].find("](").and_then(|at| rest[open + at..].find(')').map(|n| open + at + n))
        else {
            break;
        };
        words += count(&rest[..open]);
        rest = &rest[end + 1..];
    }
    words + count(rest)
}

/// Whether a text holds nothing but ids behind its label: `Covers: FR-1, FR-2`. What they stand for is stated elsewhere.
pub(super) fn names_ids(text: &str) -> bool {
    let Some((label, said)) = text.split_once([':', '：']) else { return false };
    let words = || said.split([',', ';', ' ', '/', '*']).filter(|word| !word.is_empty() && *word != "and");
    let is_id = |word: &str| {
        word.starts_with(|c: char| c.is_ascii_uppercase())
            && word.ends_with(|c: char| c.is_ascii_digit())
            && word.contains('-')
            && word.chars().all(|c| c.is_ascii_uppercase() || c.is_ascii_digit() || matches!(c, '-' | '.'))
    };
    label.split_whitespace().count() <= 3 && words().next().is_some() && words().all(is_id)
}
