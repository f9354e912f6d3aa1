//! Details: sections that say how something is done, with the files and ids they name and their code.

use std::collections::HashSet;

use crate::spec::document::{BlockContent, CodeListing, DocumentBlock};
use crate::spec::model::{DetailCode, DetailSection, DocumentKind};
use crate::spec::reading::DocumentReading;
use crate::spec::vocabulary::{Topic, ids, paths};

/// Adds the details of a document. To be called last: only then it is known which texts other readers have taken.
pub(in crate::spec) fn collect_details(reading: &mut DocumentReading<'_>) {
    if reading.kind == DocumentKind::Conventions {
        return;
    }
    for at in 1..reading.tree.sections.len() {
        detail(reading, at);
    }
}

fn detail(reading: &mut DocumentReading<'_>, at: usize) {
    let tree = reading.tree;
    let section = &tree.sections[at];
    let topic = tree.section_topic(at);
    if section.level < 2 || topic.is_some_and(has_own_reader) {
        return;
    }
    let own = tree.own_blocks(at);
    let mut found = paths::named_in(&section.title.text);
    let subject = found.first().filter(|_| found.len() == 1).cloned();
    let mut named = ids_in(&section.title.text);
    let mut code = Vec::new();
    for block in own {
        if let Some(text) = block.running_text() {
            found.extend(paths::named_in(&text.text));
            named.extend(ids_in(&text.text));
        } else if let BlockContent::Code(listing) = &block.content {
            found.extend(paths::named_in(listing.text.lines().next().unwrap_or_default()));
            code.push(detail_code(listing, block));
        }
    }
    let text = tree.prose(at, 2_000);
    if text.is_empty() && code.is_empty() {
        return;
    }
    let mut seen = HashSet::new();
    found.retain(|path| seen.insert(path.clone()));
    // If other readers have taken all its sentences, they reach the plan by another way.
    let is_new = |block: &DocumentBlock| {
        block.running_text().is_some_and(|text| !text.is_label()) && !reading.is_claimed(block)
    };
    let aside =
        reading.kind == DocumentKind::Background || topic.is_some_and(is_aside) || !own.iter().any(is_new);
    for block in own {
        reading.claim(block);
    }
    let span = reading.span(&section.title.at);
    let heading = section.title.plain();
    reading.spec.details.push(DetailSection {
        heading,
        text,
        paths: found,
        ids: named,
        subject,
        code,
        aside,
        span,
    });
}

/// Topics whose sections other readers take completely.
fn has_own_reader(topic: Topic) -> bool {
    matches!(
        topic,
        Topic::Excluded | Topic::Risks | Topic::Ownership | Topic::Graph | Topic::Criteria | Topic::Metrics
    )
}

/// Whether a topic is about something else than what is to be built.
fn is_aside(topic: Topic) -> bool {
    use Topic::{Background, Conventions, Decisions, Phases, Tests};
    matches!(topic, Background | Conventions | Decisions | Phases | Tests)
}

fn detail_code(listing: &CodeListing, block: &DocumentBlock) -> DetailCode {
    DetailCode {
        language: listing.info.split([' ', ',']).next().unwrap_or_default().to_owned(),
        path: commented_path(listing.text.lines().next().unwrap_or_default()),
        label: block.label.clone(),
        text: listing.text.clone(),
    }
}

/// The path in a line that is a comment, if it names exactly one.
fn commented_path(line: &str) -> Option<String> {
    let line = line.trim();
    let inner = ["//", "#", "--", "/*"].iter().find_map(|mark| line.strip_prefix(mark))?;
    let found = paths::named_in(inner);
    found.first().filter(|_| found.len() == 1).cloned()
}

/// The ids of requirements and tasks that a text names.
fn ids_in(text: &str) -> Vec<String> {
    let task = |w: &str| (w.contains('-') && ids::is_task_id(w)).then(|| w.to_owned());
    ids::words(text).filter_map(|w| ids::only_requirement(w).or_else(|| task(w))).collect()
}
