//! Lines that are nothing but a tag of one's own, as `<context>` or `</PRD>`: Markdown would take what follows for HTML
//! and read none of it.

use std::borrow::Cow;

/// Elements of HTML that stand alone on a line in documents.
const HTML: [&str; 44] = [
    "a",
    "abbr",
    "article",
    "aside",
    "b",
    "blockquote",
    "body",
    "br",
    "center",
    "code",
    "dd",
    "details",
    "div",
    "dl",
    "dt",
    "em",
    "figure",
    "footer",
    "form",
    "h1",
    "h2",
    "h3",
    "h4",
    "head",
    "header",
    "hr",
    "html",
    "iframe",
    "img",
    "li",
    "main",
    "nav",
    "ol",
    "p",
    "pre",
    "script",
    "section",
    "span",
    "style",
    "summary",
    "table",
    "tbody",
    "td",
    "ul",
];
const ROWS: [&str; 5] = ["tr", "th", "thead", "tfoot", "video"];

/// The text with such lines made blank, byte for byte as long as before.
pub(in crate::spec) fn without_tags(text: &str) -> Cow<'_, str> {
    let mut found: Vec<(usize, usize)> = Vec::new();
    let mut fenced: Option<&str> = None;
    let mut at = 0;
    for line in text.split_inclusive('\n') {
        let body = line.trim();
        let fence = ["```", "~~~"].into_iter().find(|f| body.starts_with(f));
        match (fenced, fence) {
            (Some(open), Some(mark)) if open == mark => fenced = None,
            (None, Some(mark)) => fenced = Some(mark),
            _ => {}
        }
        if fenced.is_none() && is_own(body) {
            found.push((at + line.find('<').unwrap_or(0), body.len()));
        }
        at += line.len();
    }
    if found.is_empty() {
        return Cow::Borrowed(text);
    }
    let mut blank = text.as_bytes().to_vec();
    for (at, length) in found {
        blank[at..at + length].fill(b' ');
    }
    String::from_utf8(blank).map_or(Cow::Borrowed(text), Cow::Owned)
}

/// Whether a line is one tag that HTML does not have.
fn is_own(body: &str) -> bool {
    let Some(inner) = body.strip_prefix('<').and_then(|b| b.strip_suffix('>')) else { return false };
    let name = inner.trim_start_matches('/').trim_end_matches('/').trim();
    let plain = name.starts_with(|c: char| c.is_alphabetic())
        && name.len() <= 60
        && name.chars().all(|c| c.is_alphanumeric() || matches!(c, '_' | '-'));
    let lower = name.to_ascii_lowercase();
    plain && !HTML.contains(&lower.as_str()) && !ROWS.contains(&lower.as_str())
}
