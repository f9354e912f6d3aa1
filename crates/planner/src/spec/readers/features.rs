//! Features of documents without user stories: headings or items below `Features`, `Epics` and the like.
//!
//! They become stories, because a user gets them; a criterion inside one belongs to it.

use std::ops::Range;

use crate::spec::document::{BlockContent, DocumentBlock, DocumentSection, RunningText, SectionTree};
use crate::spec::model::Story;
use crate::spec::reading::DocumentReading;
use crate::spec::vocabulary::{Topic, without_number};

/// Words of headings above features. Earlier rows are preferred.
const HEADINGS: [&[&str]; 3] = [
    &["feature", "epic", "capabilities", "capability", "functionality"],
    &["functional requirement"],
    &["in scope", "in-scope", "mvp scope", "scope"],
];

/// A feature and the part of the text that is about it.
struct Feature {
    title: String,
    text: String,
    at: Range<usize>,
    extent: Range<usize>,
    origin: FeatureOrigin,
}

/// Where a feature was found: the index of its item or section.
enum FeatureOrigin {
    Item(usize),
    Section(usize),
}

/// Adds the features of a document. Called only if no document has stories.
pub(in crate::spec) fn collect_features(reading: &mut DocumentReading<'_>) {
    let tree = reading.tree;
    let candidates = std::iter::once_with(|| named_features(tree));
    let mut candidates = candidates.chain(HEADINGS.iter().map(|words| features_below(tree, words)));
    // A single feature says nothing about how to divide the work.
    let found = candidates.find(|found| found.len() > 1);
    found.into_iter().flatten().for_each(|feature| push(reading, feature));
}

/// Sections that call themselves a feature: `Feature 2: Search`, `Epic: Billing`.
fn named_features(tree: &SectionTree) -> Vec<Feature> {
    let name = |title: &str| {
        let title = without_number(title.trim());
        let rest = ["Feature", "Epic", "FEATURE", "EPIC"].iter().find_map(|word| title.strip_prefix(word))?;
        let rest = rest.trim_start_matches(|c: char| c.is_ascii_digit() || " .-#".contains(c));
        let name = rest.strip_prefix([':', '—', '–'])?.trim();
        (!name.is_empty()).then(|| name.to_owned())
    };
    let named = tree.sections.iter().enumerate().filter_map(|(at, s)| Some((at, s, name(&s.title.text)?)));
    named.map(|(at, section, name)| section_feature(tree, at, section, &name)).collect()
}

/// The features below the first heading, or behind labels, with one of these words.
fn features_below(tree: &SectionTree, words: &[&str]) -> Vec<Feature> {
    let fits = |title: &str| {
        let lower = title.to_lowercase();
        words.iter().any(|word| lower.contains(word)) && !is_aside(title)
    };
    let sections = || tree.sections.iter().enumerate();
    for (at, _) in sections().filter(|(_, section)| fits(&section.title.text)) {
        let children = sections().filter(|(_, s)| s.parent == Some(at) && !is_aside(&s.title.text));
        let children: Vec<Feature> =
            children.map(|(n, s)| section_feature(tree, n, s, without_number(s.title.text.trim()))).collect();
        if children.len() > 1 {
            return children;
        }
        let items = item_features(tree, |block| block.section == at && block.label.is_none());
        if items.len() > 1 {
            return items;
        }
    }
    item_features(tree, |block| block.label.as_deref().is_some_and(fits))
}

/// Whether a heading is about something else than what is to be built.
fn is_aside(title: &str) -> bool {
    use Topic::{Criteria, Decisions, Excluded, Graph, Metrics, Phases, Risks, Tests};
    let lower = title.to_lowercase();
    lower.contains("non-functional")
        || lower.contains("future")
        || Topic::from_title(title).is_some_and(|topic| {
            matches!(topic, Excluded | Criteria | Metrics | Risks | Tests | Decisions | Graph | Phases)
        })
}

fn section_feature(tree: &SectionTree, at: usize, section: &DocumentSection, name: &str) -> Feature {
    let next = tree.sections.iter().enumerate().skip(at + 1).find(|(n, _)| !tree.is_within(*n, at));
    let end = next.map_or(usize::MAX, |(_, next)| next.title.at.start);
    Feature {
        title: short_title(name),
        text: tree.prose(at, 800),
        at: section.title.at.clone(),
        extent: section.title.at.start..end,
        origin: FeatureOrigin::Section(at),
    }
}

/// Items at the top of their lists; each extends up to the next one.
fn item_features(tree: &SectionTree, wanted: impl Fn(&DocumentBlock) -> bool) -> Vec<Feature> {
    let mut found: Vec<Feature> = Vec::new();
    for block in &tree.blocks {
        let BlockContent::Item(item) = &block.content else { continue };
        if item.parent.is_some() || !wanted(block) || tree.is_excluded(block) {
            continue;
        }
        if let Some(last) = found.last_mut() {
            last.extent.end = last.extent.end.min(block.at.start);
        }
        let next_section = tree.blocks[block.index..].iter().find(|other| other.section != block.section);
        found.push(Feature {
            title: short_title(&item_name(&item.text)),
            text: text_before_criteria(&item.text),
            at: item.text.at.clone(),
            extent: block.at.start..next_section.map_or(usize::MAX, |other| other.at.start),
            origin: FeatureOrigin::Item(block.index),
        });
    }
    found
}

/// The name of an item: the bold words or the line it begins with.
pub(super) fn item_name(text: &RunningText) -> String {
    let bold = text.bold.as_deref().map(|b| b.trim_end_matches([':', '.', ' '])).filter(|b| !b.is_empty());
    let line = text.lines()[0].as_str();
    let named = || line.split_once(": ").map(|(name, _)| name).filter(|name| name.split(' ').count() <= 6);
    bold.or_else(named).unwrap_or(line).to_owned()
}

/// A title of at most 72 characters, without what is in brackets.
pub(super) fn short_title(text: &str) -> String {
    let text = without_brackets(&text.replace(['*', '`'], ""));
    let mut title = String::new();
    for word in text.trim().trim_end_matches(['.', ':', ',']).split_whitespace() {
        if title.chars().count() + word.chars().count() > 72 {
            break;
        }
        if !title.is_empty() {
            title.push(' ');
        }
        title.push_str(word);
    }
    title
}

fn without_brackets(text: &str) -> String {
    let mut depth = 0usize;
    let mut out = String::new();
    for c in text.chars() {
        match c {
            '(' => depth += 1,
            ')' if depth > 0 => depth -= 1,
            _ if depth == 0 => out.push(c),
            _ => {}
        }
    }
    out
}

/// The lines of an item up to its criteria.
fn text_before_criteria(text: &RunningText) -> String {
    let is_before = |line: &&String| !line.trim_start_matches(['*', ' ']).starts_with("Acceptance");
    text.lines().iter().take_while(is_before).map(String::as_str).collect::<Vec<_>>().join("\n")
}

/// Adds a feature as a story. The criteria inside it that have no story get this one.
fn push(reading: &mut DocumentReading<'_>, feature: Feature) {
    if feature.title.is_empty() {
        return;
    }
    match feature.origin {
        FeatureOrigin::Item(block) => reading.claim(&reading.tree.blocks[block]),
        FeatureOrigin::Section(section) => {
            reading.claim_prose(section, 800);
        }
    }
    let id = format!("US-{}", reading.spec.stories.len() + 1);
    for criterion in &mut reading.spec.criteria {
        let is_inside =
            criterion.span.file == reading.file && feature.extent.contains(&(criterion.span.start as usize));
        if is_inside && criterion.story.is_none() {
            criterion.story = Some(id.clone());
        }
    }
    let span = reading.span(&feature.at);
    reading.spec.stories.push(Story { id, title: feature.title, text: feature.text, span });
}
