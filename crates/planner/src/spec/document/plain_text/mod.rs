//! Plain text → Markdown that says the same, with the place of every line: numbered and underlined headings, lines in
//! capitals, bullets of every kind, rows separated by tabs, drawn trees. The Markdown is read by the one parser.
//!
//! The rewriting knows which words make a short line a heading, and nothing else about specifications. A document with
//! Markdown headings is left as it is.

mod headings;
pub(super) mod lines;
mod regions;
mod rewrite;
#[cfg(test)]
mod tests;

use super::source_text::SourceText;
use headings::Headings;

/// The Markdown of a plain text; `None` if the text has too little structure for what its name hints at.
pub(super) fn rewritten(text: &str, hint: PlainTextHint) -> Option<SourceText<'_>> {
    let lines = lines::text_lines(text);
    let headings = Headings::find(&lines);
    let enough = match hint {
        // Markdown takes lists that are indented this far for code.
        PlainTextHint::Plain => {
            headings.count() > 0 || lines.iter().any(|line| line.indent > 3 && line.bullet().is_some())
        }
        PlainTextHint::MaybeMarkdown => headings.certain() > 1,
    };
    enough.then(|| rewrite::as_markdown(&lines, &headings).finish(text))
}

/// What the name of a document says about how it is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::spec) enum PlainTextHint {
    /// It is plain text.
    Plain,
    /// It may be Markdown without headings; more structure is needed to read it as plain text.
    MaybeMarkdown,
}

impl PlainTextHint {
    /// The hint that the ending of a path gives.
    pub(in crate::spec) fn from_path(path: &str) -> PlainTextHint {
        let ending = path.rsplit_once('.').map(|(_, e)| e.to_ascii_lowercase());
        match ending.as_deref() {
            Some("txt" | "text") => PlainTextHint::Plain,
            _ => PlainTextHint::MaybeMarkdown,
        }
    }
}
