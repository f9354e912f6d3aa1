//! Markdown → [`SectionTree`]: follows the events of the parser and cuts the text into sections and blocks.

use std::ops::Range;

use pulldown_cmark::{CodeBlockKind, Event, Options, Parser, Tag, TagEnd};

use super::html::{self, HtmlPart};
use super::masking;
use super::source_text::SourceText;
use super::{
    BlockContent, CodeListing, DocumentBlock, DocumentFlaw, DocumentSection, DocumentTable, ItemBlock,
    RunningText, SectionTree,
};
use crate::spec::vocabulary::{HeadingMeaning, STRUCK, Topic};

/// Limits on the blocks of a document and the rows of a table. No document written by hand comes near them.
const MAX_BLOCKS: usize = 20_000;
const MAX_ROWS: usize = 5_000;

/// Cuts up Markdown whose text begins `skip` bytes into the file.
pub(super) fn parse(source: &SourceText<'_>, skip: usize) -> SectionTree {
    let options = Options::ENABLE_TABLES | Options::ENABLE_TASKLISTS | Options::ENABLE_STRIKETHROUGH;
    let mut builder = TreeBuilder::default();
    builder.tree.sections.push(DocumentSection::default());
    let masked = masking::without_nested_fences(&source.text);
    let place = |at: &Range<usize>| {
        let at = source.place(at);
        at.start + skip..at.end + skip
    };
    for (event, at) in Parser::new_ext(&masked.text, options).into_offset_iter() {
        if builder.tree.blocks.len() >= MAX_BLOCKS {
            let text = format!("the document has more than {MAX_BLOCKS} blocks; the rest is ignored");
            builder.tree.flaws.push(DocumentFlaw { text, at: place(&at) });
            break;
        }
        builder.event(event, place(&at));
    }
    if let Some(open) = masked.unclosed {
        let text = "code block is never closed; the text after it is read as prose".to_owned();
        builder.tree.flaws.push(DocumentFlaw { text, at: place(&(open..open + 3)) });
    }
    builder.tree
}

/// Where the Markdown begins: after a byte order mark and YAML front matter.
pub(super) fn body_start(text: &str) -> usize {
    let bom = if text.starts_with('\u{feff}') { '\u{feff}'.len_utf8() } else { 0 };
    let rest = &text[bom..];
    if !(rest.starts_with("---\n") || rest.starts_with("---\r\n")) {
        return bom;
    }
    let mut at = bom;
    for (i, line) in rest.split_inclusive('\n').enumerate() {
        at += line.len();
        if i > 0 && matches!(line.trim_end(), "---" | "...") {
            return at;
        }
    }
    bom
}

#[derive(Debug, Default)]
struct TreeBuilder {
    tree: SectionTree,
    /// The text being read.
    text: RunningText,
    /// How deep the parser is in bold, and whether the text began with it.
    bold: usize,
    leading: bool,
    /// The open items: the block of each once it has one.
    items: Vec<OpenItem>,
    table: Option<DocumentTable>,
    row: Vec<RunningText>,
    code: Option<CodeListing>,
    /// The HTML being read, and where it begins.
    html: Option<(String, usize)>,
    /// The line that introduces the next blocks, and its topic.
    label: Option<(String, Option<Topic>)>,
}

#[derive(Debug, Default)]
struct OpenItem {
    block: Option<usize>,
    at: Range<usize>,
}

impl TreeBuilder {
    fn event(&mut self, event: Event<'_>, at: Range<usize>) {
        match event {
            Event::Start(tag) => self.start(&tag, at),
            Event::End(end) => self.end(end, at),
            Event::Text(text) => self.append(&text, &at),
            Event::Code(text) => self.append(&format!("`{text}`"), &at),
            Event::SoftBreak | Event::HardBreak => self.append("\n", &at),
            Event::InlineHtml(tag) if tag.to_ascii_lowercase().starts_with("<br") => self.append("\n", &at),
            Event::Html(html) => {
                let (text, start) = self.html.get_or_insert_with(|| (String::new(), at.start));
                // The parser leaves out the marks of a quote; spaces in their stead keep the places right.
                let gap = at.start.saturating_sub(*start + text.len());
                text.push_str(&" ".repeat(gap));
                text.push_str(&html);
            }
            _ => {}
        }
    }

    fn start(&mut self, tag: &Tag<'_>, at: Range<usize>) {
        match tag {
            Tag::Heading { .. } => {
                self.flush_item();
                self.begin(at);
            }
            Tag::List(_) => self.flush_item(),
            Tag::Item => {
                self.items.push(OpenItem { block: None, at: at.clone() });
                self.begin(at);
            }
            Tag::CodeBlock(kind) => {
                self.flush_item();
                let info = match kind {
                    CodeBlockKind::Fenced(info) => info.to_string(),
                    CodeBlockKind::Indented => String::new(),
                };
                self.code = Some(CodeListing { info, text: String::new(), at });
            }
            Tag::Table(_) => {
                self.flush_item();
                self.table = Some(DocumentTable::default());
            }
            Tag::TableHead | Tag::TableRow => self.row.clear(),
            Tag::Paragraph | Tag::TableCell => self.begin(at),
            Tag::Strong => {
                self.leading |= self.text.text.trim().is_empty() && self.bold == 0;
                self.bold += 1;
            }
            // A text that begins struck through is over; the mark stays, so that it is known.
            Tag::Strikethrough if self.text.text.trim().is_empty() => self.text.text.push_str(STRUCK),
            _ => {}
        }
    }

    fn end(&mut self, end: TagEnd, at: Range<usize>) {
        match end {
            TagEnd::Heading(level) => {
                let title = self.take();
                self.heading(level as usize, title);
            }
            TagEnd::HtmlBlock => self.end_html(),
            TagEnd::Paragraph if self.items.is_empty() => {
                let text = self.take();
                self.paragraph(text, at);
            }
            TagEnd::Paragraph => self.paragraph_of_item(at),
            TagEnd::Item => {
                let label = self.split_label();
                self.flush_item();
                self.items.pop();
                if let Some(label) = label {
                    self.paragraph(label, at);
                }
            }
            TagEnd::CodeBlock => {
                if let Some(code) = self.code.take() {
                    let at = code.at.clone();
                    self.push(BlockContent::Code(code), at);
                }
            }
            TagEnd::TableCell => {
                let cell = self.take();
                self.row.push(cell);
            }
            TagEnd::TableHead => {
                let head = std::mem::take(&mut self.row);
                if let Some(table) = &mut self.table {
                    table.head = head;
                }
            }
            TagEnd::TableRow => {
                let row = std::mem::take(&mut self.row);
                if let Some(table) = &mut self.table {
                    table.rows.push(row);
                }
            }
            TagEnd::Table => self.end_table(at),
            TagEnd::Strong => {
                self.bold = self.bold.saturating_sub(1);
                if self.bold == 0 {
                    self.leading = false;
                }
            }
            _ => {}
        }
    }

    fn begin(&mut self, at: Range<usize>) {
        self.text = RunningText { at, ..RunningText::default() };
        (self.bold, self.leading) = (0, false);
    }

    fn append(&mut self, text: &str, at: &Range<usize>) {
        if let Some(code) = &mut self.code {
            code.text.push_str(text);
            return;
        }
        self.text.text.push_str(text);
        self.text.at.end = self.text.at.end.max(at.end);
        if self.leading {
            self.text.bold.get_or_insert_default().push_str(text);
        }
    }

    /// The text read so far, on one line.
    fn take(&mut self) -> RunningText {
        let mut taken = std::mem::take(&mut self.text);
        if taken.text.contains('\n') {
            taken.lines = taken.text.split('\n').map(squeeze).filter(|line| !line.is_empty()).collect();
        }
        taken.text = squeeze(&taken.text);
        taken.bold = taken.bold.map(|b| squeeze(&b)).filter(|b| !b.is_empty());
        taken
    }

    fn end_html(&mut self) {
        let Some((html, start)) = self.html.take() else { return };
        self.flush_item();
        for part in html::parts(&html, start) {
            match part {
                HtmlPart::Heading(level, title) => self.heading(level, title),
                HtmlPart::Block(BlockContent::Paragraph(text), at) => self.paragraph(text, at),
                HtmlPart::Block(BlockContent::Item(item), at) => {
                    let parent = self.items.iter().rev().find_map(|i| i.block);
                    self.push(BlockContent::Item(ItemBlock { parent, ..item }), at);
                }
                HtmlPart::Block(content, at) => self.push(content, at),
            }
        }
    }

    fn end_table(&mut self, at: Range<usize>) {
        let Some(mut table) = self.table.take() else { return };
        if table.rows.len() > MAX_ROWS {
            let text = format!("table has {} rows; only the first {MAX_ROWS} are read", table.rows.len());
            self.tree.flaws.push(DocumentFlaw { text, at: at.clone() });
            table.rows.truncate(MAX_ROWS);
        }
        self.push(BlockContent::Table(table), at);
    }

    fn heading(&mut self, level: usize, title: RunningText) {
        let last = self.tree.sections.len() - 1;
        let parent = self.tree.chain(last).find(|(_, s)| s.level < level).map(|(at, _)| at);
        let meaning = HeadingMeaning::from_title(&title.text);
        self.tree.sections.push(DocumentSection {
            title,
            level,
            parent: parent.or(Some(0)),
            meaning,
            is_title: false,
        });
        self.label = None;
    }

    fn paragraph(&mut self, text: RunningText, at: Range<usize>) {
        if text.text.is_empty() {
            return;
        }
        if let Some(drawn) = unfolded_tree(&text.text) {
            let listing = CodeListing { info: String::new(), text: drawn, at: at.clone() };
            self.push(BlockContent::Code(listing), at);
            return;
        }
        // So is data without a fence.
        let (first, last) = (text.lines().first(), text.lines().last());
        let is_data = text.lines().len() > 2
            && first.is_some_and(|line| matches!(line.as_str(), "{" | "["))
            && last.is_some_and(|line| matches!(line.as_str(), "}" | "]"));
        if is_data {
            let data = text.lines().join("\n");
            let listing = CodeListing { info: "json".to_owned(), text: data, at: at.clone() };
            self.push(BlockContent::Code(listing), at);
            return;
        }
        // A drawing without a fence around it is still a drawing; the lines above it are a text of their own.
        if let Some(first) = text.lines().iter().position(|line| is_branch_line(line)) {
            let (above, drawn) = text.lines().split_at(first);
            if drawn.len() > 2 && drawn.iter().all(|line| is_branch_line(line)) {
                let drawn = drawn.join("\n");
                let above = RunningText { text: above.join(" "), lines: above.to_vec(), ..text.clone() };
                self.paragraph(above, at.clone());
                self.push(
                    BlockContent::Code(CodeListing { info: String::new(), text: drawn, at: at.clone() }),
                    at,
                );
                return;
            }
        }
        // The last line of several is what introduces the list behind them.
        let (before, last) = text.lines().split_at(text.lines().len() - 1);
        let is_last = |line: &&String| {
            is_label_line(line)
                && !before.is_empty()
                && (!text.is_label() || before.iter().all(|line| line.contains([':', '：'])))
        };
        let last = last.first().filter(is_last);
        let label = last.or(text.is_label().then_some(&text.text));
        let label = label.map(|label| (label.clone(), Topic::from_title(label)));
        self.push(BlockContent::Paragraph(text), at);
        self.label = label;
    }

    /// Takes a label from the end of an item: Markdown counts the line behind an item to it, and what a label introduces are the
    /// items behind it.
    fn split_label(&mut self) -> Option<RunningText> {
        self.items.last().filter(|open| open.block.is_none())?;
        let (item, label) = self.text.text.rsplit_once('\n')?;
        if item.trim().is_empty() || !is_label_line(label) {
            return None;
        }
        let at = self.text.at.clone();
        let start = at.end.saturating_sub(label.len());
        let label =
            RunningText { text: squeeze(label), at: start.max(at.start)..at.end, ..RunningText::default() };
        self.text.text = item.to_owned();
        Some(label)
    }

    /// The first paragraph of an item is the item's text; further ones are below it.
    fn paragraph_of_item(&mut self, at: Range<usize>) {
        if self.items.last().is_some_and(|i| i.block.is_none()) {
            self.flush_item();
            return;
        }
        let text = self.take();
        if !text.text.is_empty() {
            self.push(BlockContent::Paragraph(text), at);
        }
    }

    /// Gives the innermost open item its block, with the text read so far.
    fn flush_item(&mut self) {
        let Some(open) = self.items.last().filter(|open| open.block.is_none()) else { return };
        let at = open.at.clone();
        let depth = self.items.len() - 1;
        let parent = self.items.iter().rev().skip(1).find_map(|i| i.block);
        let text = self.take();
        let block = self.tree.blocks.len();
        let at = if text.at.is_empty() { at } else { text.at.clone() };
        self.push(BlockContent::Item(ItemBlock { text, depth, parent }), at);
        if let Some(open) = self.items.last_mut() {
            open.block = Some(block);
        }
    }

    fn push(&mut self, content: BlockContent, at: Range<usize>) {
        let (index, section) = (self.tree.blocks.len(), self.tree.sections.len() - 1);
        let (label, label_topic) =
            self.label.clone().map_or((None, None), |(label, topic)| (Some(label), topic));
        let within = self.items.iter().rev().find_map(|open| open.block);
        self.tree.blocks.push(DocumentBlock { index, content, section, within, label, label_topic, at });
    }
}

/// Whether a line is nothing but a short label.
fn is_label_line(line: &str) -> bool {
    const LONGEST: usize = 40;
    let line = line.trim();
    line.ends_with([':', '：']) && line.chars().count() <= LONGEST
}

/// A tree that was pasted as one line, with its lines: `app/ ├── main.c └── test/ └── main_test.c`.
fn unfolded_tree(text: &str) -> Option<String> {
    const FEWEST: usize = 3;
    let is_branch = |c: char| matches!(c, '├' | '└');
    if text.matches(is_branch).count() < FEWEST || !text.contains("──") {
        return None;
    }
    let mut lines = String::new();
    let mut margin = String::new();
    for c in text.chars() {
        match c {
            // The bars in front of a branch begin its line.
            '│' => margin.push_str("│   "),
            '├' | '└' => {
                let own = lines.trim_end().len();
                lines.truncate(own);
                lines.push_str(&format!("\n{margin}{c}"));
                margin.clear();
            }
            ' ' if !margin.is_empty() => {}
            other => lines.push(other),
        }
    }
    Some(lines)
}

/// Whether a line belongs to a drawn tree.
fn is_branch_line(line: &str) -> bool {
    line.trim_start().starts_with(['├', '└', '│', '┣', '┗', '┃'])
}

/// The text on one line, with single spaces outside of inline code and without invisible characters, which would end up in titles and names.
pub(super) fn squeeze(text: &str) -> String {
    let is_invisible = |c: &char| {
        (c.is_control() && !c.is_whitespace())
            || matches!(c, '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' | '\u{feff}')
    };
    let visible: String = text.chars().filter(|c| !is_invisible(c)).collect();
    let mut out = String::new();
    // Spaces inside inline code are part of an example.
    for (at, piece) in visible.split('`').enumerate() {
        if at > 0 {
            out.push('`');
        }
        if at % 2 == 1 && !piece.contains('\n') {
            out.push_str(piece);
            continue;
        }
        if piece.starts_with(char::is_whitespace) && !out.is_empty() {
            out.push(' ');
        }
        out.push_str(&piece.split_whitespace().collect::<Vec<_>>().join(" "));
        if piece.ends_with(char::is_whitespace) && piece.contains(|c: char| !c.is_whitespace()) {
            out.push(' ');
        }
    }
    out.trim().to_owned()
}
