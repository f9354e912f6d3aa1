//! Boxes to tick in a list, and which of them are done.
//!
//! A tick is believed where it tells apart: where there is code that it can be about, where other boxes are open, or where only a
//! few items of the document have one. A list is done as a whole; a box ticked among open ones is work that goes on, and criteria
//! hold whether they are ticked or not. Numbered boxes are read as a list of tasks, which judges them itself.

use super::{BlockContent, DocumentBlock, ItemBlock, SectionTree, Topic};

/// The state of a box.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::spec) enum Tick {
    Open,
    Done,
}

impl Tick {
    /// The box of an item, as it is written in the document.
    pub(in crate::spec) fn of(document: &str, item: &ItemBlock) -> Option<Tick> {
        let written = document.get(item.text.at.clone()).unwrap_or_default();
        let written = written.trim_start_matches(['-', '*', '+', ' ']);
        let before = document.get(..item.text.at.start).unwrap_or_default().trim_end();
        let has = |mark: &str| written.starts_with(mark) || before.ends_with(mark);
        if ["[x]", "[X]"].into_iter().any(has) {
            Some(Tick::Done)
        } else if has("[ ]") {
            Some(Tick::Open)
        } else {
            None
        }
    }
}

impl SectionTree {
    /// Leaves out what is ticked off as done. `is_begun`: whether there is code that a tick can be about.
    pub(in crate::spec) fn leave_out_done(&mut self, document: &str, is_begun: bool) {
        /// Ticks tell apart if at most one item in so many has one.
        const FEW: usize = 2;
        let tick = |index: usize| {
            let item = self.item(index)?;
            let text = item.text.plain();
            let behind = text.trim_start_matches(|c: char| c.is_ascii_digit());
            let is_numbered = behind.len() < text.len() && behind.starts_with(['.', ')']);
            Tick::of(document, item).filter(|_| !is_numbered)
        };
        let ticks: Vec<Option<Tick>> = (0..self.blocks.len()).map(tick).collect();
        let count = |wanted: Tick| ticks.iter().filter(|tick| **tick == Some(wanted)).count();
        let items = self.blocks.iter().filter(|b| matches!(b.content, BlockContent::Item(_))).count();
        let is_believed = is_begun || count(Tick::Open) > 0 || count(Tick::Done) * FEW <= items;
        let is_done = |section: usize| {
            let open = |b: &DocumentBlock| ticks[b.index] == Some(Tick::Open);
            !self.own_blocks(section).iter().any(open)
        };
        let is_wish = |block: &DocumentBlock| {
            let topic = self.topic(block);
            let states = matches!(topic, Some(Topic::Criteria | Topic::Requirements | Topic::Stories));
            !states && self.enclosing_story(block.section).is_none() && is_done(block.section)
        };
        // What stands below a box without a box of its own belongs to it.
        let nearest = |index: usize| {
            let mut next = self.item(index).map(|_| index).or(self.blocks[index].within);
            while let Some(at) = next {
                if ticks[at].is_some() {
                    return ticks[at];
                }
                next = self.item(at).and_then(|item| item.parent);
            }
            None
        };
        // The sentence above a list that is done says what was done.
        let is_done_whole = |block: &DocumentBlock| {
            let mut tops = self
                .own_blocks(block.section)
                .iter()
                .filter(|b| matches!(&b.content, BlockContent::Item(item) if item.parent.is_none()));
            matches!(block.content, BlockContent::Paragraph(_))
                && tops.clone().next().is_some()
                && tops.all(|b| ticks[b.index] == Some(Tick::Done))
        };
        let is_over = |block: &DocumentBlock| {
            is_believed
                && (nearest(block.index) == Some(Tick::Done) || is_done_whole(block))
                && is_wish(block)
        };
        let ticked: Vec<bool> = self.blocks.iter().map(is_over).collect();
        let marked = self.read_marks();
        self.done = ticked.into_iter().zip(marked).map(|(ticked, marked)| ticked || marked).collect();
        self.mark_excluded();
    }
}
