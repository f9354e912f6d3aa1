//! Documents that are not written as Markdown: Gherkin, OpenAPI, AsciiDoc, reStructuredText, the markup of Jira, tags of their own.
//!
//! Each is written as Markdown that says the same, with the place of every line, and read by the one parser. A form is
//! told by the ending of the name, or, where that says nothing, by marks that no other form has.

mod asciidoc;
mod gherkin;
mod jira;
mod openapi;
mod restructured;
mod tagged;
#[cfg(test)]
mod tests;

use super::plain_text::lines::{TextLine, text_lines};
use super::source_text::{MarkdownDraft, SourceText};

/// How a document is written.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(in crate::spec) enum DocumentForm {
    /// Markdown or plain text.
    #[default]
    Text,
    /// Features and scenarios.
    Gherkin,
    /// A description of an HTTP interface, as YAML or JSON.
    OpenApi,
    /// AsciiDoc.
    AsciiDoc,
    /// reStructuredText.
    Restructured,
    /// The markup of Jira and Confluence.
    Jira,
    /// Tags that are no HTML.
    Tagged,
}

impl DocumentForm {
    /// The form of a document.
    pub(in crate::spec) fn of(path: &str, text: &str) -> DocumentForm {
        let ending = path.rsplit_once('.').map(|(_, ending)| ending.to_ascii_lowercase());
        match ending.as_deref() {
            Some("feature") => DocumentForm::Gherkin,
            Some("adoc" | "asciidoc" | "asc") => DocumentForm::AsciiDoc,
            Some("rst" | "rest") => DocumentForm::Restructured,
            Some("yaml" | "yml" | "json") if openapi::is_description(text) => DocumentForm::OpenApi,
            Some("jira") => DocumentForm::Jira,
            _ if jira::has_marks(text) => DocumentForm::Jira,
            _ if tagged::has_marks(text) => DocumentForm::Tagged,
            _ => DocumentForm::Text,
        }
    }

    /// The Markdown of a text in this form; `None` where the text is read as it is.
    pub(super) fn rewritten(self, text: &str) -> Option<SourceText<'_>> {
        let draft = match self {
            DocumentForm::Text => return None,
            DocumentForm::Gherkin => gherkin::as_markdown(text),
            DocumentForm::OpenApi => openapi::as_markdown(text)?,
            DocumentForm::AsciiDoc => asciidoc::as_markdown(text),
            DocumentForm::Restructured => restructured::as_markdown(text),
            DocumentForm::Jira => jira::as_markdown(text),
            DocumentForm::Tagged => tagged::as_markdown(text),
        };
        Some(draft.finish(text))
    }
}

/// Writes a block of code: its lines without the indent that they have in common.
fn write_code(draft: &mut MarkdownDraft, info: &str, lines: &[TextLine<'_>]) {
    let indent = lines.iter().filter(|l| !l.is_blank()).map(|l| l.indent).min().unwrap_or(0);
    draft.blank();
    draft.begins(lines.first().map_or(0, |l| l.at));
    draft.text.push_str(&format!("~~~~{info}\n"));
    for line in lines {
        draft.line(&" ".repeat(line.indent.saturating_sub(indent)), line.body, line.at);
    }
    draft.text.push_str("~~~~\n\n");
}

/// Writes a table; the first row is its head.
fn write_table(draft: &mut MarkdownDraft, rows: &[Vec<String>], at: usize) {
    let Some(width) = rows.iter().map(Vec::len).max() else { return };
    draft.blank();
    for (number, row) in rows.iter().enumerate() {
        let cells: Vec<String> = (0..width)
            .map(|n| row.get(n).map_or_else(String::new, |cell| cell.trim().replace('|', "\\|")))
            .collect();
        draft.line("| ", &format!("{} |", cells.join(" | ")), at);
        if number == 0 {
            draft.line("", &format!("{}|", "|---".repeat(width)), at);
        }
    }
    draft.blank();
}

/// The cells of a row between bars: `| a | b |`.
fn cells(row: &str) -> Vec<String> {
    let row = row.trim().trim_start_matches('|');
    let row = row.strip_suffix('|').unwrap_or(row);
    row.split('|').map(|cell| cell.trim().to_owned()).collect()
}
