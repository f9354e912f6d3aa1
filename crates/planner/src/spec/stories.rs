//! User stories: headings with an id, and the sentence `As a … I want … so that …` wherever it stands.

use super::features;
use super::ids;
use super::markdown::{Block, Placed};
use super::model::{DocumentKind, Story};
use super::reading::Reading;
use super::topic::Topic;
use windlass_core::diagnostic::Span;

/// Reads every story of a document.
pub(super) fn read(reading: &mut Reading<'_>) {
    for (at, section) in reading.doc.sections.iter().enumerate() {
        let Some((id, title)) = ids::story(&section.title.text) else { continue };
        let title = title.split(" (Priority").next().unwrap_or(title).trim().to_owned();
        let text = sentence_below(reading, at).unwrap_or_else(|| reading.use_prose(at, 400));
        let span = reading.span(&section.title.at);
        push(reading, Some(id), title, text, span);
    }
    for (at, placed) in reading.blocks() {
        if reading.is_excluded(placed) || below_story(reading, placed.section) {
            continue;
        }
        if several(reading, at, placed) {
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
    if reading.spec.stories.is_empty() {
        plain(reading);
    }
}

/// Stories that stand line by line in one paragraph. Says whether there were any.
fn several(reading: &mut Reading<'_>, at: usize, placed: &Placed) -> bool {
    let Block::Paragraph(words) = &placed.block else { return false };
    let opens = |line: &String| {
        line.starts_with("As a ") || line.starts_with("As an ") || line.starts_with("As the ")
    };
    if words.lines.iter().filter(|line| opens(line)).count() < 2 {
        return false;
    }
    let mut told: Vec<String> = Vec::new();
    for line in words.lines.iter().skip_while(|line| !opens(line)) {
        match told.last_mut() {
            Some(last) if !opens(line) => *last = format!("{last} {line}"),
            Some(_) | None => told.push(line.clone()),
        }
    }
    let span = reading.span(&words.at);
    for text in told.into_iter().filter(|text| is_sentence(text)) {
        reading.using(at);
        push(reading, None, title_of(&text), text, span);
    }
    true
}

/// Items right below `User Stories` that say what is wanted in plain words.
fn plain(reading: &mut Reading<'_>) {
    for (at, placed) in reading.blocks() {
        let Block::Item(item) = &placed.block else { continue };
        let here = Topic::of(&reading.heading(placed.section)) == Some(Topic::Stories);
        if here && item.parent.is_none() && placed.label.is_none() && !reading.is_used(at) {
            reading.using(at);
            let (title, span) = (features::title(&features::lead(&item.words)), reading.span(&item.words.at));
            push(reading, None, title, item.words.text.clone(), span);
        }
    }
}

fn push(reading: &mut Reading<'_>, id: Option<String>, title: String, text: String, span: Span) {
    let fresh = || format!("US-{}", reading.spec.stories.len() + 1);
    let mut id = id.unwrap_or_else(fresh);
    let known = reading.spec.stories.iter().find(|s| s.id == id);
    if let Some(known) = known {
        // Two documents of requirements may count from one each; any other document speaks of what is known.
        let own = reading.kind == DocumentKind::Requirements && known.span.file != reading.file;
        if !own || known.title.eq_ignore_ascii_case(&title) {
            return;
        }
        id = told_apart(reading, &id);
    }
    reading.spec.stories.push(Story { id, title, text, span });
}

/// Another id for a story of this document whose id another document has used; its criteria go with it.
fn told_apart(reading: &mut Reading<'_>, id: &str) -> String {
    let taken = |other: &str| reading.spec.stories.iter().any(|s| s.id == other);
    let free = (2..1000).map(|n| format!("{id}-{n}")).find(|other| !taken(other)).unwrap_or_default();
    let file = reading.file;
    let own = reading.spec.criteria.iter_mut().filter(|c| c.span.file == file);
    own.filter(|c| c.story.as_deref() == Some(id)).for_each(|c| c.story = Some(free.clone()));
    free
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
    let wants = ["我想", "我希望", "我需要", "我要", "我可以"];
    (opens && (lower.contains("i want") || lower.contains("i need") || lower.contains("i can")))
        || (text.starts_with("作为") && wants.iter().any(|want| text.contains(want)))
}

/// What is wanted, as a title.
fn title_of(text: &str) -> String {
    let lower = text.to_lowercase();
    let start = [
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
    ]
    .iter()
    .find_map(|w| lower.find(w).map(|at| at + w.len()));
    let from = start.filter(|at| text.is_char_boundary(*at)).unwrap_or(0);
    let rest = &text[from..];
    let lower = rest.to_lowercase();
    let ends = [" so that", "，以便", "，从而", "，这样"].iter().filter_map(|end| lower.find(end)).min();
    let end = ends.filter(|at| rest.is_char_boundary(*at)).unwrap_or(rest.len());
    features::title(rest[..end].trim_end_matches([',', '.', ' ']))
}

#[cfg(test)]
mod tests {
    use crate::spec::{SpecFile, read};

    #[test]
    fn stories_are_told_line_by_line_and_in_other_words() {
        let text = "# PRD\n\nAs a buyer, I want carts\nso that I keep things.\nAs a seller, I want orders.\n\n作为买家，我想要购物车，以便保存商品。\n";
        let spec = read(&[SpecFile { path: "PRD.md".into(), text: text.into() }], &[]);
        let titles: Vec<&str> = spec.stories.iter().map(|s| s.title.as_str()).collect();
        assert_eq!(titles, ["carts", "orders", "购物车"]);
    }

    #[test]
    fn two_documents_that_count_from_one_keep_their_stories() {
        let text = |name: &str| {
            format!(
                "# PRD\n\n### US-1: {name}\n\nAs a buyer, I want it.\n\n**Acceptance Criteria:**\n- {name} works\n"
            )
        };
        let file = |path: &str, text: String| SpecFile { path: path.into(), text };
        let spec = read(
            &[
                file("PRD-a.md", text("Carts")),
                file("PRD-b.md", text("Vouchers")),
                file("PRD-c.md", text("carts")),
                file("design.md", text("Other words")),
            ],
            &[],
        );
        let stories: Vec<String> = spec.stories.iter().map(|s| format!("{} {}", s.id, s.title)).collect();
        assert_eq!(stories, ["US-1 Carts", "US-1-2 Vouchers"]);
        let of = |text: &str| spec.criteria.iter().find(|c| c.text == text).and_then(|c| c.story.clone());
        assert_eq!(of("Vouchers works").as_deref(), Some("US-1-2"));
        // What two documents say in the same words counts once.
        assert_eq!(of("Carts works").as_deref(), Some("US-1"));
        assert_eq!(spec.criteria.len(), 3);
    }
}
