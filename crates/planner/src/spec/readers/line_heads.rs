//! Lines that stand above what is said like headings: items with items of their own, bold lines above lists, paragraphs that begin
//! with a name.

use std::collections::{HashMap, HashSet};

use super::feature_names::item_name;
use super::interfaces::method_and_route;
use crate::spec::document::{BlockContent, DocumentBlock, RunningText, SectionTree};
use crate::spec::vocabulary::{Topic, phase_name};

/// A name has no more words than this.
const LONGEST: usize = 8;

/// The lines of a section that each stand above a list: its bold lines, or else the items at the top of its lists. Each line of that
/// kind has to be one.
pub(super) fn above_lists(tree: &SectionTree, at: usize) -> Vec<&DocumentBlock> {
    let own = || tree.own_blocks(at).iter().filter(|block| !tree.is_excluded(block));
    let lines: Vec<&DocumentBlock> = own().filter(|block| is_bold_line(block)).collect();
    // What stands below a bold line is about that line.
    let is_headed = |line: &&DocumentBlock| {
        let next = tree.blocks.get(line.index + 1).filter(|next| next.section == at);
        next.is_some_and(|next| !is_bold_line(next)) && is_name(line)
    };
    if lines.len() > 1 {
        let first = lines[0].index;
        let all = lines.iter().all(is_headed) && own().all(|block| block.index >= first || is_prose(block));
        return if all { lines } else { Vec::new() };
    }
    let tops: Vec<&DocumentBlock> =
        own().filter(|block| tree.item(block.index).is_some_and(|item| item.parent.is_none())).collect();
    let holding = tops.iter().filter(|block| holds_items(tree, block)).count();
    // A part of which nothing is said yet is one all the same.
    if holding * 4 >= tops.len() * 3 && tops.iter().all(|block| is_name(block)) { tops } else { Vec::new() }
}

/// Whether an item has items of its own. Examples say nothing of what they are examples of.
pub(super) fn holds_items(tree: &SectionTree, block: &DocumentBlock) -> bool {
    let is_inside = |b: &&DocumentBlock| b.within.is_some() || tree.item(b.index).is_some();
    let below = tree.blocks[block.index + 1..].iter().take_while(is_inside);
    let mut own = below.filter(|b| tree.item(b.index).is_some_and(|item| item.parent == Some(block.index)));
    own.any(|b| !b.label.as_deref().is_some_and(|label| label.to_lowercase().contains("example")))
}

/// The paragraphs of a section that each begin with the name of a thing and say something of it: `**A. Checklist.** A small …`.
pub(super) fn named_paragraphs(tree: &SectionTree, at: usize) -> Vec<&DocumentBlock> {
    const FEWEST_WORDS: usize = 12;
    let is_named = |block: &&DocumentBlock| {
        let BlockContent::Paragraph(text) = &block.content else { return false };
        let bold = text.bold.as_deref().map(|b| b.trim_matches(['*', ' '])).filter(|b| !b.is_empty());
        bold.is_some_and(|bold| {
            let words = bold.split_whitespace().count();
            text.text.starts_with(bold)
                && bold.ends_with(['.', ':'])
                && words <= LONGEST
                && Topic::from_title(bold).is_none()
                && text.text.split_whitespace().count() >= words + FEWEST_WORDS
        })
    };
    let found: Vec<&DocumentBlock> =
        tree.own_blocks(at).iter().filter(|b| !tree.is_excluded(b)).filter(is_named).collect();
    if found.len() > 1 { found } else { Vec::new() }
}

/// The names of bold lines and of items above items that stand in several sections.
pub(super) fn repeated(tree: &SectionTree) -> HashSet<String> {
    let mut homes: HashMap<String, HashSet<(usize, Option<usize>)>> = HashMap::new();
    for block in &tree.blocks {
        let parent = tree.item(block.index).and_then(|item| item.parent);
        let is_head = is_bold_line(block) || tree.children(block.index).next().is_some();
        if is_head {
            homes.entry(bare_name(block)).or_default().insert((block.section, parent));
        }
    }
    homes.into_iter().filter(|(_, homes)| homes.len() > 1).map(|(name, _)| name).collect()
}

/// What a line is called, in lower case.
pub(super) fn bare_name(block: &DocumentBlock) -> String {
    let name = block.running_text().map(item_name).unwrap_or_default();
    name.trim_matches([':', '*', ' ']).to_lowercase()
}

/// Whether a paragraph is nothing but a bold line.
fn is_bold_line(block: &DocumentBlock) -> bool {
    let is_whole = |text: &RunningText| {
        let bold = text.bold.as_deref().unwrap_or_default().trim();
        !bold.is_empty() && bold.len() + 1 >= text.text.trim().len()
    };
    matches!(&block.content, BlockContent::Paragraph(text) if is_whole(text))
}

fn is_prose(block: &DocumentBlock) -> bool {
    matches!(&block.content, BlockContent::Paragraph(text) if !text.is_label())
}

/// Whether a line is the name of a thing: no sentence, no route, no phase, and nothing that has a topic.
fn is_name(block: &DocumentBlock) -> bool {
    let Some(text) = block.running_text() else { return false };
    let name = item_name(text);
    let words = name.split_whitespace().count();
    words <= LONGEST
        && !name.ends_with(['.', '。', '?', '？'])
        && Topic::from_title(&name).is_none()
        && phase_name(&name).is_none()
        && method_and_route(&name.replace(['`', '*'], "")).is_none()
}
