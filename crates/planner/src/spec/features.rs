//! Features of documents that tell no user stories: headings or items below `Features`, `Epics` and the like.
//!
//! They become stories, because they are what a user gets; a criterion that stands inside one belongs to it.

use std::ops::Range;

use super::markdown::{Block, Section, Words};
use super::model::Story;
use super::reading::Reading;
use super::topic::Topic;

/// Headings under which features stand, the ones that mean it most first.
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
    /// The item it is, where it is one.
    block: Option<usize>,
    /// The section it is, where it is one.
    section: Option<usize>,
}

/// Reads the features of a document; only asked when no document tells a story.
pub(super) fn read(reading: &mut Reading<'_>) {
    let named = named(reading);
    let found = if named.len() > 1 {
        named
    } else {
        let mut kinds = HEADINGS.iter().map(|words| below(reading, words));
        kinds.find(|found| found.len() > 1).unwrap_or_default()
    };
    for feature in found {
        push(reading, feature);
    }
}

/// Sections that call themselves a feature: `Feature 2: Search`, `Epic: Billing`.
fn named(reading: &Reading<'_>) -> Vec<Feature> {
    let mut found = Vec::new();
    for (at, section) in reading.doc.sections.iter().enumerate() {
        let title = numbered(&section.title.text);
        let rest = ["Feature", "Epic", "FEATURE", "EPIC"].iter().find_map(|word| title.strip_prefix(word));
        let rest =
            rest.map(|rest| rest.trim_start_matches(|c: char| c.is_ascii_digit() || " .-#".contains(c)));
        if let Some(name) = rest.and_then(|rest| rest.strip_prefix([':', '—', '–'])).map(str::trim)
            && !name.is_empty()
        {
            found.push(of_section(reading, at, section, name));
        }
    }
    found
}

/// The features below the first heading with one of these words.
fn below(reading: &Reading<'_>, words: &[&str]) -> Vec<Feature> {
    let fits = |section: &Section| {
        let title = section.title.text.to_lowercase();
        words.iter().any(|word| title.contains(word)) && !is_aside(&section.title.text)
    };
    let heads = || reading.doc.sections.iter().enumerate().filter(|(_, section)| fits(section));
    for (at, _) in heads() {
        let children: Vec<Feature> = reading
            .doc
            .sections
            .iter()
            .enumerate()
            .filter(|(_, section)| section.parent == Some(at) && !is_aside(&section.title.text))
            .map(|(child, section)| of_section(reading, child, section, &numbered(&section.title.text)))
            .collect();
        if children.len() > 1 {
            return children;
        }
        let items = items(reading, |placed| placed.section == at && placed.label.is_none());
        if items.len() > 1 {
            return items;
        }
    }
    let label = |text: &str| words.iter().any(|word| text.to_lowercase().contains(word)) && !is_aside(text);
    items(reading, |placed| placed.label.as_deref().is_some_and(label))
}

/// Whether what stands below a heading is not to be built, or is about something else.
fn is_aside(title: &str) -> bool {
    match Topic::of(title) {
        Some(
            Topic::Excluded
            | Topic::Criteria
            | Topic::Metrics
            | Topic::Risks
            | Topic::Tests
            | Topic::Decisions
            | Topic::Graph
            | Topic::Phases,
        ) => true,
        Some(
            Topic::Stories
            | Topic::Requirements
            | Topic::Components
            | Topic::Models
            | Topic::Endpoints
            | Topic::Ownership
            | Topic::Conventions
            | Topic::Surface
            | Topic::Background,
        )
        | None => title.to_lowercase().contains("non-functional") || title.to_lowercase().contains("future"),
    }
}

fn of_section(reading: &Reading<'_>, at: usize, section: &Section, name: &str) -> Feature {
    let doc = reading.doc;
    let start = section.title.at.start;
    let next = doc.sections.iter().enumerate().skip(at + 1).find(|(n, _)| !doc.is_within(*n, at));
    let end = next.map_or(usize::MAX, |(_, next)| next.title.at.start);
    Feature {
        title: title(name),
        text: reading.prose(at, 800),
        at: section.title.at.clone(),
        extent: start..end,
        block: None,
        section: Some(at),
    }
}

/// Items that stand under no other, with what follows up to the next.
fn items(reading: &Reading<'_>, wanted: impl Fn(&super::markdown::Placed) -> bool) -> Vec<Feature> {
    let mut found: Vec<Feature> = Vec::new();
    for (at, placed) in reading.blocks() {
        let Block::Item(item) = &placed.block else { continue };
        if item.parent.is_some() || !wanted(placed) || reading.is_excluded(placed) {
            continue;
        }
        if let Some(last) = found.last_mut() {
            last.extent.end = last.extent.end.min(placed.at.start);
        }
        let end = reading.blocks().skip(at).find(|(_, other)| other.section != placed.section);
        found.push(Feature {
            title: title(&lead(&item.words)),
            text: about(&item.words),
            at: item.words.at.clone(),
            extent: placed.at.start..end.map_or(usize::MAX, |(_, other)| other.at.start),
            block: Some(at),
            section: None,
        });
    }
    found
}

/// What an item is called: the bold words or the line it begins with.
pub(super) fn lead(words: &Words) -> String {
    let bold = words.bold.as_deref().map(|b| b.trim_end_matches([':', '.', ' '])).filter(|b| !b.is_empty());
    let line = words.lines.first().map_or(words.text.as_str(), String::as_str);
    let named = || line.split_once(": ").map(|(name, _)| name).filter(|name| name.split(' ').count() <= 6);
    bold.or_else(named).unwrap_or(line).to_owned()
}

/// A heading without its number.
fn numbered(title: &str) -> String {
    title.trim().trim_start_matches(|c: char| c.is_ascii_digit() || matches!(c, '.' | ')' | ' ')).to_owned()
}

/// A title of one line, without what stands in brackets behind it, cut between words.
pub(super) fn title(text: &str) -> String {
    let text = without_brackets(&text.replace(['*', '`'], ""));
    let bare = text.trim().trim_end_matches(['.', ':', ',']);
    let mut out = String::new();
    for word in bare.split_whitespace() {
        if out.chars().count() + word.chars().count() > 72 {
            break;
        }
        if !out.is_empty() {
            out.push(' ');
        }
        out.push_str(word);
    }
    out
}

/// A text without what stands in round brackets.
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

/// What is said about an item, up to its criteria.
fn about(words: &Words) -> String {
    let lines: &[String] =
        if words.lines.is_empty() { std::slice::from_ref(&words.text) } else { &words.lines };
    let own = lines.iter().take_while(|line| !line.trim_start_matches(['*', ' ']).starts_with("Acceptance"));
    own.map(String::as_str).collect::<Vec<_>>().join("\n")
}

fn push(reading: &mut Reading<'_>, feature: Feature) {
    if feature.title.is_empty() {
        return;
    }
    match (feature.block, feature.section) {
        (Some(block), _) => reading.using(block),
        (None, Some(section)) => {
            reading.use_prose(section, 800);
        }
        (None, None) => {}
    }
    let id = format!("US-{}", reading.spec.stories.len() + 1);
    let (file, extent) = (reading.file, &feature.extent);
    for criterion in &mut reading.spec.criteria {
        let inside = criterion.span.file == file && extent.contains(&(criterion.span.start as usize));
        if inside && criterion.story.is_none() {
            criterion.story = Some(id.clone());
        }
    }
    let span = reading.span(&feature.at);
    reading.spec.stories.push(Story { id, title: feature.title, text: feature.text, span });
}

#[cfg(test)]
mod tests {
    use crate::spec::{Spec, SpecFile, read};

    fn of(text: &str) -> Spec {
        read(&[SpecFile { path: "PRD.md".into(), text: text.into() }], &[])
    }

    fn shown(spec: &Spec) -> String {
        let stories =
            spec.stories.iter().map(|s| format!("{} {}: {}\n", s.id, s.title, s.text.replace('\n', " / ")));
        let criteria = spec.criteria.iter().map(|c| format!("{} {:?} {}\n", c.id, c.story, c.text));
        stories.chain(criteria).collect()
    }

    #[test]
    fn features_as_headings_as_items_and_by_name() {
        insta::assert_snapshot!(shown(&of("# Shop\n\n## Core Features\n\n### 1. Semantic Search (beta)\n\nFinds by meaning.\n\n#### Acceptance Criteria\n\n- Results are ordered by score\n\n### 2. Export\n\nTo CSV.\n\n#### Acceptance Criteria\n\n- A file is offered\n\n## Future Features\n\n### 3. Dreams\n")), @r#"
        US-1 Semantic Search: Finds by meaning.
        US-2 Export: To CSV.
        AC-001 Some("US-1") Results are ordered by score
        AC-002 Some("US-2") A file is offered
        "#);
        insta::assert_snapshot!(shown(&of("# Overview\n\nA shop.\n\n# Core Features\n\n1) Chat (Agent)\nWhat: answers questions.\nAcceptance criteria (BDD):\nGiven a session\nWhen the user asks\nThen an answer is shown.\n\n2) Summary\nWhat: a short text.\nAcceptance criteria (BDD):\nGiven a session\nWhen the user clicks\nThen a summary is shown.\n")), @r#"
        US-1 Chat: Chat (Agent) / What: answers questions.
        US-2 Summary: Summary / What: a short text.
        AC-001 Some("US-1") Given a session When the user asks Then an answer is shown.
        AC-002 Some("US-2") Given a session When the user clicks Then a summary is shown.
        "#);
        insta::assert_snapshot!(shown(&of("# Shop\n\n## Epic 1: Billing\n\nMoney.\n\n## Epic 2: Stock\n\nThings.\n")), @r"
        US-1 Billing: Money.
        US-2 Stock: Things.
        ");
        insta::assert_snapshot!(shown(&of("# Shop\n\n## Features\n\n- **Carts**: hold things\n- Orders (fast): are sent\n\n## Out of Scope\n\n- Wars\n")), @r"
        US-1 Carts: Carts: hold things
        US-2 Orders: Orders (fast): are sent
        ");
    }

    #[test]
    fn stories_in_plain_words_and_stories_before_features() {
        insta::assert_snapshot!(shown(&of("# Shop\n\n## User Stories\n\n1. Sign up with a password or log in.\n2. Avatars (initials) are shown for online users.\n\n## Features\n\n- Carts\n- Orders\n")), @r"
        US-1 Sign up with a password or log in: Sign up with a password or log in.
        US-2 Avatars are shown for online users: Avatars (initials) are shown for online users.
        ");
        insta::assert_snapshot!(shown(&of("# Shop\n\n## User Stories\n\n### US-1: Carts\n\nAs a buyer, I want carts.\n\n- a detail\n\n### Edge Cases\n\n- an empty cart\n")), @"US-1 Carts: As a buyer, I want carts.");
    }
}
