//! Items of a word or three: what is a name, and which lists of names are one statement.

use std::collections::HashMap;

use super::behaviour::add;
use super::criteria::CriterionDraft;
use super::remaining::RemainingBlock;
use crate::spec::document::ItemBlock;
use crate::spec::model::CriterionForm;
use crate::spec::reading::DocumentReading;
use crate::spec::vocabulary::paths;
use windlass_core::diagnostic::Span;

/// An item with fewer words is a name; where most items of a list are, they are one statement.
const SPEAKS: usize = 2;

/// A cell or an item with so many words says something alone.
pub(super) const SAYS: usize = 4;

/// Whether a text only names something. What names a file is about that file alone.
pub(super) fn is_name(text: &str) -> bool {
    text.split_whitespace().count() < SAYS && paths::mentions(text).is_empty() && !is_wide(text)
}

/// Whether a name is a single word.
fn is_word(text: &str) -> bool {
    text.split_whitespace().filter(|word| !matches!(*word, "a" | "an" | "the")).count() < SPEAKS
}

/// Whether a text in a script without spaces is long enough to say something.
pub(super) fn is_wide(text: &str) -> bool {
    text.chars().filter(|c| *c >= '\u{3000}' && c.is_alphabetic()).count() >= 5
}

/// Items of a word or three: those of one list are one statement.
#[derive(Default)]
pub(super) struct ShortItems {
    lists: Vec<ShortList>,
    /// Whether lists are mainly of single words.
    of_words: HashMap<ListPlace, bool>,
}

/// The section, the label and the item around a list.
type ListPlace = (usize, Option<String>, Option<usize>);

struct ShortList {
    key: ListPlace,
    block: usize,
    story: Option<String>,
    span: Span,
    texts: Vec<String>,
}

impl ShortItems {
    /// Whether a list is mainly of single words: together they are one statement. Elsewhere a name is a statement like the others.
    pub(super) fn lists_words(
        &mut self,
        reading: &DocumentReading<'_>,
        place: &RemainingBlock<'_>,
        item: &ItemBlock,
    ) -> bool {
        let (tree, block) = (reading.tree, place.block);
        let key = (block.section, block.label.clone(), item.parent);
        let count = || {
            let own = tree.own_blocks(block.section).iter().filter(|b| b.label == block.label);
            let beside = own.filter_map(|b| tree.item(b.index)).filter(|other| other.parent == item.parent);
            let texts: Vec<&str> = beside.map(|other| other.text.text.trim()).collect();
            let words = texts.iter().filter(|text| is_name(text) && is_word(text)).count();
            words * 2 > texts.len()
        };
        *self.of_words.entry(key).or_insert_with(count)
    }

    pub(super) fn take(
        &mut self,
        reading: &mut DocumentReading<'_>,
        place: &RemainingBlock<'_>,
        item: &ItemBlock,
    ) {
        let block = place.block;
        let text = item.text.text.trim().trim_end_matches([',', ';', '.']).to_owned();
        reading.claim(block);
        let key = (block.section, block.label.clone(), item.parent);
        match self.lists.iter_mut().find(|list| list.key == key) {
            Some(list) => list.texts.push(text),
            None => self.lists.push(ShortList {
                key,
                block: block.index,
                story: place.story.cloned(),
                span: reading.span(&item.text.at),
                texts: vec![text],
            }),
        }
    }

    /// Adds a criterion for each list, behind what it is a list of.
    pub(super) fn state(self, reading: &mut DocumentReading<'_>) {
        let tree = reading.tree;
        for list in self.lists {
            let (section, label, parent) = &list.key;
            let above = parent.and_then(|p| tree.item(p)).map(|p| p.text.text.as_str());
            let name = above.or(label.as_deref()).unwrap_or_else(|| tree.heading(*section));
            let name = name.trim_matches(['*', ':', '：', ' ']);
            if name.is_empty() {
                continue;
            }
            let text = format!("{name}: {}", list.texts.join("; "));
            let draft = CriterionDraft {
                id: None,
                text,
                detail: String::new(),
                form: CriterionForm::Item,
                span: list.span,
            };
            add(reading, &tree.blocks[list.block], list.story.as_ref(), draft);
        }
    }
}
