//! Lists as a whole: whether their items state behaviour, report finished work, or only name things.

use std::collections::{HashMap, HashSet};

use super::behaviour::says_behaviour;
use crate::spec::document::{BlockContent, DocumentBlock, ItemBlock, SectionTree};
use crate::spec::reading::DocumentReading;
use crate::spec::vocabulary::is_report;

/// In a list of so many items one that says what the program does speaks for the others.
const SHORT: usize = 3;

/// The most words of an item that only names something.
const LONGEST_NOUN: usize = 3;

/// The lists of a document in which items state behaviour: lists are of one kind.
pub(super) struct BehaviouralLists<'t> {
    stated: HashMap<ListKey<'t>, usize>,
    /// The number of items that report finished work, and of all items.
    done: HashMap<ListKey<'t>, (usize, usize)>,
    nouns: HashMap<ListKey<'t>, NounList>,
    /// Where stories that are an item begin, and which stories have criteria.
    stories: HashMap<u32, String>,
    with_criteria: HashSet<String>,
}

/// The section, the label and the item around a list.
type ListKey<'t> = (usize, Option<&'t str>, Option<usize>);

impl<'t> BehaviouralLists<'t> {
    pub(super) fn of(reading: &DocumentReading<'t>) -> BehaviouralLists<'t> {
        let mut stated: HashMap<ListKey<'t>, usize> = HashMap::new();
        let mut done: HashMap<ListKey<'t>, (usize, usize)> = HashMap::new();
        for block in &reading.tree.blocks {
            let BlockContent::Item(item) = &block.content else { continue };
            if says_behaviour(reading.tree, block, &item.text.text) {
                *stated.entry(list_key(block, item)).or_default() += 1;
            }
            let (reports, all) = done.entry(list_key(block, item)).or_default();
            *reports += usize::from(is_report(&item.text.text));
            *all += 1;
        }
        let own = reading.spec.stories.iter().filter(|s| s.span.file == reading.file);
        BehaviouralLists {
            stated,
            done,
            nouns: noun_lists(reading.tree),
            stories: own.map(|s| (s.span.start, s.id.clone())).collect(),
            with_criteria: reading.spec.criteria.iter().filter_map(|c| c.story.clone()).collect(),
        }
    }

    pub(super) fn holds(&self, block: &'t DocumentBlock, item: &ItemBlock) -> bool {
        let speaks = item.text.text.split_whitespace().count() > 3;
        let key = list_key(block, item);
        let stated = self.stated.get(&key).copied().unwrap_or_default();
        let all = self.done.get(&key).map_or(0, |(_, all)| *all);
        speaks && (stated > 1 || (stated == 1 && all <= SHORT))
    }

    /// Whether an item belongs to a list that reports finished work.
    pub(super) fn reports(&self, block: &'t DocumentBlock, item: &ItemBlock) -> bool {
        self.done.get(&list_key(block, item)).is_some_and(|(reports, all)| *reports > 1 && reports * 2 > *all)
    }

    /// The list of nouns that an item stands in.
    pub(super) fn nouns(&self, block: &'t DocumentBlock, item: &ItemBlock) -> Option<&NounList> {
        self.nouns.get(&list_key(block, item))
    }

    /// Whether an item is a feature with criteria; then it is none itself.
    pub(super) fn has_own(&self, start: u32) -> bool {
        self.stories.get(&start).is_some_and(|story| self.with_criteria.contains(story))
    }
}

fn list_key<'t>(block: &'t DocumentBlock, item: &ItemBlock) -> ListKey<'t> {
    (block.section, block.label.as_deref(), item.parent)
}

/// A list of nouns behind a line that says of what: no item of it says something alone.
pub(super) struct NounList {
    /// The block of its first item.
    pub(super) first: usize,
    /// The line and its items.
    pub(super) text: String,
    /// How many items it has, and how many of them are a single word.
    items: usize,
    words: usize,
}

/// The lists of which every item is a word or three, without a verb, behind a label or an item that introduces them.
fn noun_lists(tree: &SectionTree) -> HashMap<ListKey<'_>, NounList> {
    let mut found: HashMap<ListKey<'_>, Option<NounList>> = HashMap::new();
    for block in &tree.blocks {
        let BlockContent::Item(item) = &block.content else { continue };
        let text = item.text.text.trim().trim_end_matches([',', ';', '.']);
        let words = text.split_whitespace().filter(|word| !matches!(*word, "a" | "an" | "the")).count();
        let is_noun = text.split_whitespace().count() <= LONGEST_NOUN
            && !text.is_empty()
            && !text.contains(['`', '/', '→'])
            && item.text.bold.is_none()
            && tree.children(block.index).next().is_none();
        let list = found.entry(list_key(block, item)).or_insert_with(|| {
            let parent = item.parent.and_then(|parent| tree.item(parent)).map(|p| p.text.text.as_str());
            let label = parent.or(block.label.as_deref()).map(str::trim).filter(|l| l.ends_with([':', '：']));
            let says = label.filter(|label| label.split_whitespace().count() > 1)?;
            Some(NounList { first: block.index, text: says.to_owned(), items: 0, words: 0 })
        });
        match list {
            Some(nouns) if is_noun => {
                let gap = if nouns.text.ends_with([':', '：']) { " " } else { "; " };
                nouns.text.push_str(&format!("{gap}{text}"));
                nouns.items += 1;
                nouns.words += usize::from(words == 1);
            }
            Some(_) | None => *list = None,
        }
    }
    // Names of several words say something each.
    let is_list = |nouns: &NounList| nouns.items > 1 && nouns.words * 2 > nouns.items;
    found.into_iter().filter_map(|(key, nouns)| Some((key, nouns.filter(is_list)?))).collect()
}
