//! Criteria that stand below the sentence of a story belong to it: nested in its item, beside it in the item of a feature, or
//! between it and the next story of the section.

use std::collections::{HashMap, HashSet};

use super::feature_names::{item_name, short_title};
use crate::spec::document::{DocumentBlock, SectionTree};
use crate::spec::model::Story;
use crate::spec::reading::DocumentReading;
use crate::spec::vocabulary::Topic;

/// Gives criteria without a story the one they stand below.
pub(in crate::spec) fn adopt_criteria(reading: &mut DocumentReading<'_>) {
    let homes = StoryHomes::of(reading);
    let mut adopted: HashMap<usize, String> = HashMap::new();
    for (at, criterion) in reading.spec.criteria.iter().enumerate() {
        if criterion.span.file != reading.file || criterion.story.is_some() || criterion.task.is_some() {
            continue;
        }
        let story = homes.story_of(reading.tree, criterion.span.start as usize);
        adopted.extend(story.map(|story| (at, story.to_owned())));
    }
    for (at, story) in adopted {
        reading.spec.criteria[at].story = Some(story);
    }
    for story in &mut reading.spec.stories {
        if let Some(name) = homes.names.get(&story.id) {
            story.title.clone_from(name);
        }
    }
}

/// Joins stories of a document that are called alike: a feature and the page that shows it. Below a heading about screens or phases
/// things are told again: there a name is also that of the only thing with which it shares all words of the shorter one.
pub(in crate::spec) fn join_namesakes(reading: &mut DocumentReading<'_>) {
    let mut first: HashMap<String, String> = HashMap::new();
    let mut joined: HashMap<String, String> = HashMap::new();
    let tree = reading.tree;
    let own = || reading.spec.stories.iter().filter(|s| s.span.file == reading.file);
    let section =
        |story: &Story| tree.sections.iter().position(|s| s.title.at.start == story.span.start as usize);
    let told: Vec<(&str, HashSet<String>)> = own()
        .filter(|story| !section(story).is_some_and(|at| is_told_again(tree, at)))
        .map(|story| (story.id.as_str(), telling_words(&story.title)))
        .collect();
    for story in own() {
        // Stories that the document counts are as many as it counts.
        let at = section(story);
        let is_counted = at.is_some_and(|at| tree.sections[at].meaning.story.is_some());
        let title = story.title.trim().to_lowercase();
        let name = if is_counted { title.as_str() } else { without_kind(&title) };
        let again = at.filter(|at| !is_counted && is_told_again(tree, *at));
        let like = again.and_then(|_| only_like(&told, &telling_words(name)));
        let known = first.entry(name.to_owned()).or_insert_with(|| like.unwrap_or(&story.id).to_owned());
        if *known != story.id {
            joined.insert(story.id.clone(), known.clone());
        }
    }
    reading.spec.stories.retain(|story| !joined.contains_key(&story.id));
    for criterion in &mut reading.spec.criteria {
        if let Some(known) = criterion.story.as_ref().and_then(|story| joined.get(story)) {
            criterion.story = Some(known.clone());
        }
    }
}

/// Whether a heading stands below one about screens, flows or phases.
fn is_told_again(tree: &SectionTree, at: usize) -> bool {
    tree.chain(at)
        .skip(1)
        .any(|(_, above)| matches!(above.meaning.topic, Some(Topic::Surface | Topic::Phases)))
}

/// The only thing of which all words are among these, or which has all of these.
fn only_like<'t>(told: &[(&'t str, HashSet<String>)], words: &HashSet<String>) -> Option<&'t str> {
    let is_like = |(_, other): &&(&str, HashSet<String>)| {
        !words.is_empty() && !other.is_empty() && (words.is_subset(other) || other.is_subset(words))
    };
    let mut found = told.iter().filter(is_like);
    let only = found.next().filter(|_| found.next().is_none())?;
    Some(only.0)
}

/// The words of a name that tell what it is about, in the singular.
fn telling_words(name: &str) -> HashSet<String> {
    const SHORTEST: usize = 4;
    let lower = name.to_lowercase();
    let words = lower.split(|c: char| !c.is_alphanumeric()).filter(|word| word.chars().count() >= SHORTEST);
    words.filter(|word| !KINDS.contains(word)).map(|word| word.trim_end_matches('s').to_owned()).collect()
}

/// Words for what shows a thing.
const KINDS: [&str; 11] = [
    "flow",
    "mode",
    "page",
    "screen",
    "view",
    "feature",
    "journey",
    "section",
    "module",
    "component",
    "events",
];

/// A name without the word for what shows its thing: the screen, page or flow of `login`.
fn without_kind(title: &str) -> &str {
    match title.rsplit_once(' ') {
        Some((name, kind)) if KINDS.contains(&kind) => name,
        Some(_) | None => title,
    }
}

/// Where the stories of a document stand.
struct StoryHomes {
    /// Stories by the block of the item that holds everything about them.
    items: HashMap<usize, String>,
    /// Stories in paragraphs: the section, where they begin, and where the next one does.
    sentences: Vec<(usize, usize, usize, String)>,
    /// What the item around a story calls it.
    names: HashMap<String, String>,
}

impl StoryHomes {
    fn of(reading: &DocumentReading<'_>) -> StoryHomes {
        let tree = reading.tree;
        let own = reading.spec.stories.iter().filter(|s| s.span.file == reading.file);
        let mut stories: Vec<(&DocumentBlock, &str)> = own
            .filter_map(|s| Some((block_at(tree, s.span.start as usize)?, s.id.as_str())))
            .filter(|(block, _)| tree.sections[block.section].meaning.story.is_none())
            .collect();
        stories.sort_by_key(|(block, _)| block.index);
        let mut around: HashMap<usize, usize> = HashMap::new();
        for parent in stories.iter().filter_map(|(block, _)| tree.item(block.index)?.parent) {
            *around.entry(parent).or_default() += 1;
        }
        let mut homes = StoryHomes { items: HashMap::new(), sentences: Vec::new(), names: HashMap::new() };
        for (at, (block, id)) in stories.iter().enumerate() {
            let Some(item) = tree.item(block.index) else {
                let next = stories.get(at + 1).filter(|(next, _)| next.section == block.section);
                let end = next.map_or(usize::MAX, |(next, _)| next.at.start);
                homes.sentences.push((block.section, block.at.start, end, (*id).to_owned()));
                continue;
            };
            let alone = item.parent.filter(|parent| around.get(parent) == Some(&1));
            homes.items.insert(alone.unwrap_or(block.index), (*id).to_owned());
            if let Some(parent) = alone.and_then(|parent| tree.item(parent)) {
                let name = short_title(&item_name(&parent.text));
                homes.names.insert((*id).to_owned(), name);
            }
        }
        homes.keep_answered(reading);
        homes
    }

    /// Stories that follow each other with nothing in between share what comes behind them.
    fn keep_answered(&mut self, reading: &DocumentReading<'_>) {
        let criteria: Vec<usize> = reading
            .spec
            .criteria
            .iter()
            .filter(|c| c.span.file == reading.file && c.story.is_none())
            .map(|c| c.span.start as usize)
            .collect();
        let is_answered = |begin: usize, end: usize| criteria.iter().any(|at| (begin..end).contains(at));
        let shared: HashSet<usize> = self
            .sentences
            .iter()
            .filter(|(_, begin, end, _)| *end != usize::MAX && !is_answered(*begin, *end))
            .map(|(section, _, _, _)| *section)
            .collect();
        self.sentences.retain(|(section, _, _, _)| !shared.contains(section));
    }

    fn story_of(&self, tree: &SectionTree, at: usize) -> Option<&str> {
        let block = block_at(tree, at)?;
        let mut next = tree.item(block.index).map(|_| block.index);
        while let Some(item) = next {
            if let Some(story) = self.items.get(&item) {
                return Some(story);
            }
            next = tree.item(item).and_then(|item| item.parent);
        }
        let below = |(section, begin, end, _): &&(usize, usize, usize, String)| {
            *section == block.section && (*begin..*end).contains(&at)
        };
        self.sentences.iter().find(below).map(|(_, _, _, story)| story.as_str())
    }
}

/// The block at a place of the text.
fn block_at(tree: &SectionTree, at: usize) -> Option<&DocumentBlock> {
    let next = tree.blocks.partition_point(|block| block.at.start <= at);
    tree.blocks.get(next.checked_sub(1)?)
}
