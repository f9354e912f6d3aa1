//! User stories: headings with an id, and the sentence `As a … I want … so that …` wherever it stands.

use super::ids;
use super::markdown::Block;
use super::model::Story;
use super::reading::Reading;
use super::topic::Topic;
use crate::diagnostic::Span;

/// Reads every story of a document.
pub(super) fn read(reading: &mut Reading<'_>) {
    for (at, section) in reading.doc.sections.iter().enumerate() {
        let Some((id, title)) = ids::story(&section.title.text) else { continue };
        let title = title.split(" (Priority").next().unwrap_or(title).trim().to_owned();
        let text = sentence_below(reading, at).unwrap_or_else(|| reading.prose(at, 400));
        let span = reading.span(&section.title.at);
        push(reading, Some(id), title, text, span);
    }
    for (at, placed) in reading.blocks() {
        if reading.is_excluded(placed) || below_story(reading, placed.section) {
            continue;
        }
        let (text, span) = match &placed.block {
            Block::Paragraph(words) => (words.text.clone(), reading.span(&words.at)),
            Block::Item(item) => (item.words.text.clone(), reading.span(&item.words.at)),
            Block::Code(code) => {
                (code.text.split_whitespace().collect::<Vec<_>>().join(" "), reading.span(&code.at))
            }
            Block::Table(_) => continue,
        };
        let body = text.split_once("User Story:").map_or(text.as_str(), |(_, rest)| rest.trim());
        let (id, body) = ids::story(body).map_or((None, body), |(id, rest)| (Some(id), rest));
        let listed = id.is_some() && reading.topic(placed) == Some(Topic::Stories);
        if is_sentence(body) || listed {
            reading.using(at);
            push(reading, id, title_of(body), body.to_owned(), span);
        }
    }
}

fn push(reading: &mut Reading<'_>, id: Option<String>, title: String, text: String, span: Span) {
    let fresh = || format!("US-{}", reading.spec.stories.len() + 1);
    let id = id.unwrap_or_else(fresh);
    if !reading.spec.stories.iter().any(|s| s.id == id) {
        reading.spec.stories.push(Story { id, title, text, span });
    }
}

/// Whether a block stands below a heading that is a story: its sentence is the heading's.
fn below_story(reading: &Reading<'_>, section: usize) -> bool {
    reading.doc.chain(section).any(|(_, s)| ids::story(&s.title.text).is_some())
}

fn sentence_below(reading: &mut Reading<'_>, section: usize) -> Option<String> {
    let found = reading.doc.below(section).find_map(|(at, placed)| {
        let words = Reading::words(placed)?;
        is_sentence(&words.text).then(|| (at, words.text.clone()))
    });
    let (at, text) = found?;
    reading.using(at);
    Some(text)
}

/// Whether a text is the sentence of a story.
fn is_sentence(text: &str) -> bool {
    let lower = text.to_lowercase();
    let opens = lower.starts_with("as a ") || lower.starts_with("as an ") || lower.starts_with("as the ");
    opens && (lower.contains("i want") || lower.contains("i need") || lower.contains("i can"))
}

/// What is wanted, as a title.
fn title_of(text: &str) -> String {
    let lower = text.to_lowercase();
    let start = ["i want to ", "i want ", "i need to ", "i need ", "i can "]
        .iter()
        .find_map(|w| lower.find(w).map(|at| at + w.len()));
    let from = start.filter(|at| text.is_char_boundary(*at)).unwrap_or(0);
    let rest = &text[from..];
    let lower = rest.to_lowercase();
    let end = lower.find(" so that").filter(|at| rest.is_char_boundary(*at)).unwrap_or(rest.len());
    rest[..end].trim_end_matches([',', '.', ' ']).chars().take(80).collect()
}
