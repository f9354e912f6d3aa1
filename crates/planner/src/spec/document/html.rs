//! HTML inside Markdown → the same headings and blocks. Tags without a meaning of their own are skipped; the text between
//! them is kept.

use std::ops::Range;

use super::markdown::squeeze;
use super::{BlockContent, DocumentTable, ItemBlock, RunningText};

/// A heading or block that an HTML block holds.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum HtmlPart {
    Heading(usize, RunningText),
    Block(BlockContent, Range<usize>),
}

/// Character references that are written out.
const CHARACTERS: [(&str, &str); 6] =
    [("&nbsp;", " "), ("&lt;", "<"), ("&gt;", ">"), ("&quot;", "\""), ("&#39;", "'"), ("&amp;", "&")];

/// The parts of a block of HTML that begins at `start`.
pub(super) fn parts(html: &str, start: usize) -> Vec<HtmlPart> {
    let mut reader = HtmlReader { start, ..HtmlReader::default() };
    let mut at = 0;
    while let Some(open) = html[at..].find('<').map(|n| at + n) {
        reader.text(&html[at..open], at);
        let rest = &html[open..];
        let comment = rest.starts_with("<!--");
        let is_tag = rest[1..].starts_with(|c: char| c.is_ascii_alphabetic() || matches!(c, '/' | '!' | '?'));
        let end = if comment { rest.find("-->").map(|n| n + 3) } else { rest.find('>').map(|n| n + 1) };
        let Some(end) = end.filter(|_| is_tag) else {
            // A comment without an end hides the rest; any other `<` without an end is a plain character.
            if !comment {
                reader.text("<", open);
            }
            at = if comment { html.len() } else { open + 1 };
            continue;
        };
        if !comment {
            reader.tag(&rest[1..end - 1], open);
        }
        at = open + end;
    }
    reader.text(&html[at.min(html.len())..], at);
    reader.end_table(html.len());
    reader.flush();
    reader.parts
}

#[derive(Debug, Default)]
struct HtmlReader {
    start: usize,
    parts: Vec<HtmlPart>,
    text: RunningText,
    heading: Option<usize>,
    lists: usize,
    item: bool,
    table: Option<(DocumentTable, usize)>,
    row: Option<Vec<RunningText>>,
    /// Whether it is inside a script or style sheet.
    hidden: bool,
}

impl HtmlReader {
    fn text(&mut self, text: &str, at: usize) {
        if self.hidden || text.trim().is_empty() {
            if !self.text.text.is_empty() {
                self.text.text.push(' ');
            }
            return;
        }
        if self.text.text.is_empty() {
            self.text.at.start = self.start + at + (text.len() - text.trim_start().len());
        }
        self.text.at.end = self.start + at + text.trim_end().len();
        let written = CHARACTERS.iter().fold(text.to_owned(), |text, (name, sign)| text.replace(name, sign));
        self.text.text.push_str(&written);
    }

    fn tag(&mut self, tag: &str, at: usize) {
        let closing = tag.starts_with('/');
        let name: String = tag
            .trim_start_matches('/')
            .chars()
            .take_while(char::is_ascii_alphanumeric)
            .collect::<String>()
            .to_ascii_lowercase();
        match (name.as_str(), closing) {
            ("script" | "style", _) => self.hidden = !closing,
            ("table", false) => {
                self.flush();
                self.table = Some((DocumentTable::default(), at));
            }
            ("table", true) => self.end_table(at),
            ("tr", _) => self.end_row(),
            ("td" | "th", _) => self.end_cell(),
            ("ul" | "ol", false) => {
                self.flush();
                self.lists += 1;
            }
            ("ul" | "ol", true) => {
                self.flush();
                self.lists = self.lists.saturating_sub(1);
            }
            ("li", closing) => {
                self.flush();
                self.item = !closing;
            }
            ("h1" | "h2" | "h3" | "h4" | "h5" | "h6", false) => {
                self.flush();
                self.heading = name[1..].parse().ok();
            }
            ("br", _) => self.text.text.push(' '),
            (
                "p" | "div" | "summary" | "details" | "section" | "article" | "blockquote" | "h1" | "h2"
                | "h3" | "h4" | "h5" | "h6" | "hr" | "pre" | "dt" | "dd",
                _,
            ) if self.table.is_none() => self.flush(),
            _ => {}
        }
    }

    fn take(&mut self) -> Option<RunningText> {
        let mut taken = std::mem::take(&mut self.text);
        taken.text = squeeze(&taken.text);
        (!taken.text.is_empty()).then_some(taken)
    }

    fn flush(&mut self) {
        let heading = self.heading.take();
        let Some(text) = self.take() else { return };
        let at = text.at.clone();
        let depth = self.lists.saturating_sub(1);
        self.parts.push(match heading {
            Some(level) => HtmlPart::Heading(level, text),
            None if self.item => {
                HtmlPart::Block(BlockContent::Item(ItemBlock { text, depth, parent: None }), at)
            }
            None => HtmlPart::Block(BlockContent::Paragraph(text), at),
        });
        self.item = false;
    }

    fn end_cell(&mut self) {
        if self.table.is_some()
            && let Some(text) = self.take()
        {
            self.row.get_or_insert_default().push(text);
        }
    }

    fn end_row(&mut self) {
        self.end_cell();
        if let Some((table, _)) = &mut self.table
            && let Some(row) = self.row.take()
        {
            if table.head.is_empty() { table.head = row } else { table.rows.push(row) }
        }
    }

    fn end_table(&mut self, at: usize) {
        self.end_row();
        if let Some((table, from)) = self.table.take().filter(|(t, _)| !t.head.is_empty()) {
            self.parts.push(HtmlPart::Block(BlockContent::Table(table), self.start + from..self.start + at));
        }
    }
}
