//! A specification in tags of its own (`<core_features>`, `<login>`) → Markdown: an element with more than a line in it is a
//! heading, an element of one line an item.

use super::{MarkdownDraft, TextLine, text_lines};

/// Tags are nested at most so deep as there are levels of headings.
const DEEPEST: usize = 6;

/// Elements of one line that give the whole its name.
const NAMES: [&str; 4] = ["project_name", "name", "title", "app_name"];

/// Whether a text is divided by elements of its own, one inside another, that HTML does not have. Markdown has headings besides.
pub(super) fn has_marks(text: &str) -> bool {
    const FEWEST: usize = 4;
    let is_markdown = |line: &str| line.starts_with("# ") || line.starts_with("## ");
    let first = text.lines().map(str::trim).find(|line| !line.is_empty() && !line.starts_with("<?"));
    let is_page = first.is_some_and(|line| {
        let lower = line.to_ascii_lowercase();
        ["<!doctype", "<html", "<svg", "<project", "<configuration"]
            .iter()
            .any(|tag| lower.strip_prefix(tag).is_some_and(|rest| !rest.starts_with('_')))
    });
    if is_page || text.lines().any(is_markdown) {
        return false;
    }
    let lines = text_lines(text);
    let paired = paired(&lines);
    let own =
        paired.iter().zip(&lines).filter(|(paired, line)| **paired && line.body.starts_with("</")).count();
    let is_nested = paired.iter().zip(&lines).any(|(paired, line)| *paired && line.indent > 0);
    own >= FEWEST && is_nested
}

/// A line that is nothing but tags.
enum TagLine<'t> {
    Open(OpeningTag<'t>),
    Close(&'t str),
    /// An element of one line with its text.
    Whole(&'t str, &'t str),
}

#[derive(Clone, Copy)]
struct OpeningTag<'t> {
    tag: &'t str,
    /// What its attribute `name` or `title` says.
    name: Option<&'t str>,
}

impl<'t> TagLine<'t> {
    fn of(line: &'t str) -> Option<TagLine<'t>> {
        let inner = line.trim().strip_prefix('<')?.strip_suffix('>')?;
        if let Some(tag) = inner.strip_prefix('/') {
            return is_name(tag).then_some(TagLine::Close(tag));
        }
        let Some((opening, rest)) = inner.split_once('>') else {
            let (tag, attributes) = inner.split_once(' ').unwrap_or((inner, ""));
            let quoted = |key: &str| attributes.split_once(key)?.1.split('"').next();
            let name = quoted("name=\"").or_else(|| quoted("title=\""));
            return is_name(tag).then_some(TagLine::Open(OpeningTag { tag, name }));
        };
        let (text, closing) = rest.rsplit_once("</")?;
        let tag = opening.split(' ').next().unwrap_or(opening);
        (is_name(tag) && closing == tag).then_some(TagLine::Whole(tag, text.trim()))
    }
}

fn is_name(tag: &str) -> bool {
    tag.starts_with(|c: char| c.is_ascii_alphabetic())
        && tag.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '_' | '-'))
}

/// The words of a tag: `core_features` is `Core features`.
fn words(tag: &str) -> String {
    let spaced = tag.replace(['_', '-'], " ");
    let mut chars = spaced.chars();
    chars.next().map(|first| first.to_uppercase().chain(chars).collect()).unwrap_or_default()
}

/// The Markdown of a text in tags.
pub(super) fn as_markdown(text: &str) -> MarkdownDraft {
    let lines = text_lines(text);
    let mut draft = MarkdownDraft::default();
    // The indents of the open elements.
    let mut open: Vec<usize> = Vec::new();
    let named = lines.iter().find_map(|line| match TagLine::of(line.body) {
        Some(TagLine::Whole(tag, text)) if NAMES.contains(&tag) => Some((line.at, text)),
        Some(_) | None => None,
    });
    let paired = paired(&lines);
    for (number, line) in lines.iter().enumerate() {
        match TagLine::of(line.body).filter(|tag| matches!(tag, TagLine::Whole(..)) || paired[number]) {
            Some(TagLine::Open(tag)) => {
                let title = tag.name.map_or_else(|| words(tag.tag), str::to_owned);
                let whole = named.filter(|_| open.is_empty());
                open.push(line.indent);
                draft.blank();
                let marks = format!("{} ", "#".repeat(open.len().min(DEEPEST)));
                let (at, title) = whole.map_or((line.at, title.as_str()), |(at, name)| (at, name));
                draft.line(&marks, title, at);
                draft.blank();
            }
            Some(TagLine::Close(_)) => {
                open.pop();
                draft.blank();
            }
            Some(TagLine::Whole(tag, text)) => {
                if named.is_none_or(|(at, _)| at != line.at) {
                    let from = line.body.find(text).unwrap_or(0);
                    draft.line(&format!("- {}: ", words(tag)), text, line.at + from);
                }
            }
            None => plain(&mut draft, line, open.last().copied().unwrap_or(0)),
        }
    }
    draft
}

/// Which lines open an element that another line closes, or close one.
fn paired(lines: &[TextLine<'_>]) -> Vec<bool> {
    let mut paired = vec![false; lines.len()];
    let mut open: Vec<(&str, usize)> = Vec::new();
    for (number, line) in lines.iter().enumerate() {
        match TagLine::of(line.body) {
            Some(TagLine::Open(tag)) => open.push((tag.tag, number)),
            Some(TagLine::Close(tag)) => {
                if let Some(at) = open.iter().rposition(|(opened, _)| *opened == tag) {
                    paired[open[at].1] = true;
                    paired[number] = true;
                    open.truncate(at);
                }
            }
            Some(TagLine::Whole(..)) | None => {}
        }
    }
    paired
}

/// Writes a line inside an element; how far it is indented is counted from there.
fn plain(draft: &mut MarkdownDraft, line: &TextLine<'_>, outer: usize) {
    const STEP: usize = 2;
    if line.is_blank() {
        draft.blank();
    } else {
        draft.line(&" ".repeat(line.indent.saturating_sub(outer + STEP)), line.body, line.at);
    }
}
