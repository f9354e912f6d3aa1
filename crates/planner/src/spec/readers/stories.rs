//! User stories: headings with an id, and the sentence `As a … I want … so that …` anywhere.

use super::feature_names::{item_name, short_title};
use super::ground::{Ground, section_ground};
use crate::spec::document::{BlockContent, DocumentBlock};
use crate::spec::model::{DocumentKind, Story};
use crate::spec::reading::DocumentReading;
use crate::spec::vocabulary::{Topic, ids, is_story, opens_story, sentences, states_behaviour};
use windlass_core::diagnostic::Span;

/// The most letters of the text of a story.
const LONGEST: usize = 400;

/// Adds every story of a document.
pub(in crate::spec) fn collect_stories(reading: &mut DocumentReading<'_>) {
    for (at, section) in reading.tree.sections.iter().enumerate() {
        let Some(named) = &section.meaning.story else { continue };
        let title = named.title.split(" (Priority").next().unwrap_or_default().trim().to_owned();
        let text = sentence_below(reading, at).unwrap_or_else(|| paragraphs_below(reading, at));
        let title = if title.is_empty() { wanted_title(&text) } else { title };
        let span = reading.span(&section.title.at);
        push(reading, Some(named.id.clone()), title, text, span);
    }
    let tree = reading.tree;
    for block in tree.wanted_blocks() {
        // The sentence below the heading of a story is that story.
        if tree.enclosing_story(block.section).is_none() && !several_lines(reading, block) {
            sentence(reading, block);
        }
    }
    if reading.spec.stories.is_empty() {
        plain_items(reading);
    }
}

/// Adds the story in a block.
fn sentence(reading: &mut DocumentReading<'_>, block: &DocumentBlock) {
    let text = match &block.content {
        BlockContent::Paragraph(text) => text.text.clone(),
        BlockContent::Item(item) => item.text.text.clone(),
        BlockContent::Code(code) => code.text.split_whitespace().collect::<Vec<_>>().join(" "),
        BlockContent::Table(_) => return,
    };
    let body = text.split_once("User Story:").map_or(text.as_str(), |(_, rest)| rest.trim());
    let (id, body) = ids::story(body).map_or((None, body), |(id, rest)| (Some(id), rest));
    let is_listed = id.is_some() && reading.tree.topic(block) == Some(Topic::Stories);
    if is_story(body) || is_listed {
        reading.claim(block);
        let span = reading.span(block.running_text().map_or(&block.at, |text| &text.at));
        push(reading, id, wanted_title(body), body.to_owned(), span);
    }
}

/// Adds stories from the lines of one paragraph. Returns whether there were several.
fn several_lines(reading: &mut DocumentReading<'_>, block: &DocumentBlock) -> bool {
    let BlockContent::Paragraph(text) = &block.content else { return false };
    if text.lines.iter().filter(|line| opens_story(line)).count() < 2 {
        return false;
    }
    let mut stories: Vec<String> = Vec::new();
    for line in text.lines.iter().skip_while(|line| !opens_story(line)) {
        match stories.last_mut() {
            Some(last) if !opens_story(line) => *last = format!("{last} {line}"),
            Some(_) | None => stories.push(line.clone()),
        }
    }
    let span = reading.span(&text.at);
    for story in stories.into_iter().filter(|story| is_story(story)) {
        reading.claim(block);
        push(reading, None, wanted_title(&story), story, span);
    }
    true
}

/// Adds the items directly below `User Stories` that say in plain words what is wanted.
fn plain_items(reading: &mut DocumentReading<'_>) {
    for block in &reading.tree.blocks {
        let Some(item) = reading.tree.item(block.index) else { continue };
        let is_here = reading.tree.sections[block.section].meaning.topic == Some(Topic::Stories)
            && section_ground(reading.tree, block.section) != Ground::Aside;
        if is_here && item.parent.is_none() && block.label.is_none() && !reading.is_claimed(block) {
            // What an item says besides its name is a criterion, too.
            let says_more = sentences(&item.text.text).into_iter().skip(1).any(states_behaviour);
            if !says_more {
                reading.claim(block);
            }
            let (title, span) = (short_title(&item_name(&item.text)), reading.span(&item.text.at));
            push(reading, None, title, item.text.text.clone(), span);
        }
    }
}

fn push(reading: &mut DocumentReading<'_>, id: Option<String>, title: String, text: String, span: Span) {
    let mut id = id.unwrap_or_else(|| unused_id(reading));
    if let Some(known) = reading.spec.stories.iter().find(|s| s.id == id) {
        // Two documents of requirements may both count from one; any other document refers to the known story.
        let is_own = reading.kind == DocumentKind::Requirements && known.span.file != reading.file;
        if !is_own || known.title.eq_ignore_ascii_case(&title) {
            return;
        }
        id = another_id(reading, &id);
    }
    reading.spec.stories.push(Story { id, title, text, span });
}

/// The next id that no story has.
pub(super) fn unused_id(reading: &DocumentReading<'_>) -> String {
    let stories = &reading.spec.stories;
    let mut ids = (stories.len() + 1..).map(|n| format!("US-{n}"));
    ids.find(|id| !stories.iter().any(|s| s.id == *id)).unwrap_or_default()
}

/// Another id for a story of this document whose id is taken by another document. Its criteria get the new id too.
fn another_id(reading: &mut DocumentReading<'_>, id: &str) -> String {
    let is_taken = |other: &str| reading.spec.stories.iter().any(|s| s.id == other);
    let free = (2..1000).map(|n| format!("{id}-{n}")).find(|other| !is_taken(other)).unwrap_or_default();
    let file = reading.file;
    let own = reading.spec.criteria.iter_mut().filter(|c| c.span.file == file);
    own.filter(|c| c.story.as_deref() == Some(id)).for_each(|c| c.story = Some(free.clone()));
    free
}

/// The paragraphs directly below a heading, which are claimed; its items are read as what is wanted of the story.
fn paragraphs_below(reading: &mut DocumentReading<'_>, section: usize) -> String {
    let mut found: Vec<&str> = Vec::new();
    let tree = reading.tree;
    for block in tree.own_blocks(section) {
        let BlockContent::Paragraph(text) = &block.content else { continue };
        if text.is_label() || found.iter().map(|t| t.len()).sum::<usize>() + text.text.len() > LONGEST {
            break;
        }
        reading.claim(block);
        found.push(&text.text);
    }
    found.join(" ")
}

/// The first story sentence below a heading.
fn sentence_below(reading: &mut DocumentReading<'_>, section: usize) -> Option<String> {
    let mut texts = reading.tree.all_blocks(section).iter().filter_map(|b| Some((b, b.running_text()?)));
    let (block, text) = texts.find(|(_, text)| is_story(&text.text))?;
    reading.claim(block);
    Some(text.text.clone())
}

/// The part of a story sentence that says what is wanted, as a title.
pub(super) fn wanted_title(text: &str) -> String {
    const WANTS: [&str; 11] = [
        "i want to ",
        "i want ",
        "i need to ",
        "i need ",
        "i can ",
        "我想要",
        "我想",
        "我希望",
        "我需要",
        "我可以",
        "我要",
    ];
    const ENDS: [&str; 4] = [" so that", "，以便", "，从而", "，这样"];
    // `I want:` on a line of its own
    let text = &text.replacen("want:", "want", 1);
    let lower = text.to_lowercase();
    let start = WANTS.iter().find_map(|want| lower.find(want).map(|at| at + want.len()));
    let rest = start.and_then(|at| text.get(at..)).unwrap_or(text);
    let lower = rest.to_lowercase();
    let end = ENDS.iter().filter_map(|end| lower.find(end)).min();
    let wanted = end.and_then(|at| rest.get(..at)).unwrap_or(rest);
    short_title(wanted.trim_end_matches([',', '.', ' ']))
}
