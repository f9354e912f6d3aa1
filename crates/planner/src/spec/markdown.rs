//! Markdown → sections and blocks, each with its place in the text. Knows nothing of what a specification is.
//!
//! Emphasis is taken away, inline code keeps its backticks, so that what is left reads as it was written.

use std::borrow::Cow;
use std::ops::Range;

use pulldown_cmark::{CodeBlockKind, Event, Options, Parser, Tag, TagEnd};

use super::html::Piece;
use super::plain::{self, Front, Wary};

/// A piece of running text.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Words {
    /// The text without emphasis, on one line, code in backticks.
    pub(super) text: String,
    /// Its lines as they are written, where it has more than one.
    pub(super) lines: Vec<String>,
    /// The bold words it begins with.
    pub(super) bold: Option<String>,
    /// Where it stands.
    pub(super) at: Range<usize>,
}

impl Words {
    /// The text without backticks.
    pub(super) fn plain(&self) -> String {
        self.text.replace('`', "")
    }

    /// A line that introduces what follows: all of it bold, or short and ending in a colon.
    pub(super) fn is_label(&self) -> bool {
        let text = self.text.trim();
        let all_bold = self.bold.as_ref().is_some_and(|b| b.trim().len() + 1 >= text.len());
        !text.is_empty() && (all_bold || (text.ends_with([':', '：']) && text.chars().count() <= 80))
    }
}

/// An item of a list.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Item {
    pub(super) words: Words,
    /// How deep the list is nested, from 0.
    pub(super) depth: usize,
    /// The block of the item it stands under.
    pub(super) parent: Option<usize>,
    /// Whether it is a checkbox.
    pub(super) checkbox: bool,
}

/// A table.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Table {
    pub(super) head: Vec<Words>,
    pub(super) rows: Vec<Vec<Words>>,
}

/// A block of code.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Code {
    /// What stands behind the opening fence.
    pub(super) info: String,
    pub(super) text: String,
    pub(super) at: Range<usize>,
}

/// One block below a heading.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Block {
    Paragraph(Words),
    Item(Item),
    Table(Table),
    Code(Code),
}

/// A block and where it belongs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Placed {
    pub(super) block: Block,
    /// Index of its section.
    pub(super) section: usize,
    /// The line that introduces it, where one does.
    pub(super) label: Option<String>,
    pub(super) at: Range<usize>,
}

/// A heading and its place in the tree of headings; section 0 has none.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Section {
    pub(super) title: Words,
    pub(super) level: usize,
    pub(super) parent: Option<usize>,
}

/// A document, cut up.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Document {
    pub(super) sections: Vec<Section>,
    pub(super) blocks: Vec<Placed>,
    /// What is wrong with how it is written, and where.
    pub(super) odd: Vec<(String, Range<usize>)>,
}

/// The most blocks of a document, and the most rows of a table, that are read: nobody wrote more by hand.
const BLOCKS: usize = 20_000;
const ROWS: usize = 5_000;

impl Document {
    /// Cuts up a text. A byte order mark and front matter are skipped. A text without headings of Markdown is read as
    /// a plain one, where it has the structure of one.
    pub(super) fn parse(text: &str, wary: Wary) -> Document {
        let skip = body_start(text);
        let body = &text[skip..];
        let blank = plain::without_tags(body);
        let document = Self::of(&Front::as_it_is(Cow::Borrowed(blank.as_ref()), body), skip);
        // The title of the whole says too little about how the rest is written; and lines under words are plain too.
        let marked =
            body.lines().any(|line| line.starts_with('#') && line.trim_start_matches('#').starts_with(' '));
        if document.sections.len() > 2 && (marked || wary == Wary::Yes) {
            return document;
        }
        Front::of_plain(&blank, wary).map_or(document, |front| Self::of(&front, skip))
    }

    fn of(front: &Front<'_>, skip: usize) -> Document {
        let options = Options::ENABLE_TABLES | Options::ENABLE_TASKLISTS | Options::ENABLE_STRIKETHROUGH;
        let mut builder = Builder { skip, ..Builder::default() };
        builder.document.sections.push(Section::default());
        let flat = super::fences::flatten(&front.text);
        for (event, at) in Parser::new_ext(&flat.text, options).into_offset_iter() {
            let at = front.place(&at);
            let at = at.start + skip..at.end + skip;
            if builder.document.blocks.len() >= BLOCKS {
                let text = format!("the document has more than {BLOCKS} lines; it is read up to here");
                builder.document.odd.push((text, at));
                break;
            }
            builder.event(event, at);
        }
        if let Some(open) = flat.unclosed {
            let at = front.place(&(open..open + 3));
            let text = "a block of code that never ends; what follows is read as text".to_owned();
            builder.document.odd.push((text, at.start + skip..at.end + skip));
        }
        builder.document
    }

    /// A section and those it stands in, the nearest first.
    pub(super) fn chain(&self, section: usize) -> impl Iterator<Item = (usize, &Section)> {
        let mut next = Some(section);
        std::iter::from_fn(move || {
            let at = next?;
            let section = self.sections.get(at)?;
            next = section.parent;
            Some((at, section))
        })
    }

    /// Whether a section stands in another, or is it.
    pub(super) fn is_within(&self, section: usize, outer: usize) -> bool {
        self.chain(section).any(|(at, _)| at == outer)
    }

    /// The blocks right below a heading. They stand together, as blocks are kept in their order.
    pub(super) fn own(&self, section: usize) -> impl Iterator<Item = (usize, &Placed)> + use<'_> {
        self.range(section, section + 1)
    }

    /// The blocks directly or indirectly below a heading.
    pub(super) fn below(&self, outer: usize) -> impl Iterator<Item = (usize, &Placed)> + use<'_> {
        let inner = (outer + 1..self.sections.len()).take_while(|n| self.is_within(*n, outer)).count();
        self.range(outer, outer + 1 + inner)
    }

    fn range(&self, from: usize, to: usize) -> impl Iterator<Item = (usize, &Placed)> + use<'_> {
        let at = |section: usize| self.blocks.partition_point(|b| b.section < section);
        let (start, end) = (at(from), at(to));
        (start..end).zip(&self.blocks[start..end])
    }
}

/// Where the Markdown begins: behind a byte order mark and YAML front matter.
fn body_start(text: &str) -> usize {
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
struct Builder {
    skip: usize,
    document: Document,
    /// The text being read.
    words: Words,
    /// How deep in bold, and whether the text began with it.
    bold: usize,
    leading: bool,
    /// The open items: the block of each once it has one.
    items: Vec<OpenItem>,
    table: Option<Table>,
    row: Vec<Words>,
    code: Option<Code>,
    /// The HTML being read, and where it begins.
    html: Option<(String, usize)>,
    label: Option<String>,
}

#[derive(Debug, Default)]
struct OpenItem {
    block: Option<usize>,
    checkbox: bool,
    at: Range<usize>,
}

impl Builder {
    fn event(&mut self, event: Event<'_>, at: Range<usize>) {
        match event {
            Event::Start(tag) => self.start(&tag, at),
            Event::End(end) => self.end(end, at),
            Event::Text(text) => self.text(&text, &at),
            Event::Code(text) => {
                let quoted = format!("`{text}`");
                self.text(&quoted, &at);
            }
            Event::SoftBreak | Event::HardBreak => self.text("\n", &at),
            Event::InlineHtml(tag) if tag.to_ascii_lowercase().starts_with("<br") => self.text("\n", &at),
            Event::Html(html) => {
                let (text, start) = self.html.get_or_insert_with(|| (String::new(), at.start));
                // Lines that are left out between, as the marks of a quote, keep places right.
                let gap = at.start.saturating_sub(*start + text.len());
                text.push_str(&" ".repeat(gap));
                text.push_str(&html);
            }
            Event::TaskListMarker(_) => {
                if let Some(item) = self.items.last_mut() {
                    item.checkbox = true;
                }
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
                self.items.push(OpenItem { at: at.clone(), ..OpenItem::default() });
                self.begin(at);
            }
            Tag::CodeBlock(kind) => {
                self.flush_item();
                let info = match kind {
                    CodeBlockKind::Fenced(info) => info.to_string(),
                    CodeBlockKind::Indented => String::new(),
                };
                self.code = Some(Code { info, text: String::new(), at });
            }
            Tag::Table(_) => {
                self.flush_item();
                self.table = Some(Table::default());
            }
            Tag::TableHead | Tag::TableRow => self.row.clear(),
            Tag::Paragraph | Tag::TableCell => self.begin(at),
            Tag::Strong => {
                self.leading |= self.words.text.trim().is_empty() && self.bold == 0;
                self.bold += 1;
            }
            _ => {}
        }
    }

    fn end(&mut self, end: TagEnd, at: Range<usize>) {
        match end {
            TagEnd::Heading(level) => {
                let title = self.take();
                self.heading(level as usize, title);
            }
            TagEnd::HtmlBlock => self.html_ends(),
            TagEnd::Paragraph if self.items.is_empty() => self.paragraph(at),
            TagEnd::Paragraph => self.paragraph_of_item(at),
            TagEnd::Item => {
                self.flush_item();
                self.items.pop();
            }
            TagEnd::CodeBlock => {
                if let Some(code) = self.code.take() {
                    let at = code.at.clone();
                    self.push(Block::Code(code), at);
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
            TagEnd::Table => {
                if let Some(mut table) = self.table.take() {
                    if table.rows.len() > ROWS {
                        let text = format!("a table of {} rows; {ROWS} of them are read", table.rows.len());
                        self.document.odd.push((text, at.clone()));
                        table.rows.truncate(ROWS);
                    }
                    self.push(Block::Table(table), at);
                }
            }
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
        self.words = Words { at, ..Words::default() };
        (self.bold, self.leading) = (0, false);
    }

    fn text(&mut self, text: &str, at: &Range<usize>) {
        if let Some(code) = &mut self.code {
            code.text.push_str(text);
            return;
        }
        self.words.text.push_str(text);
        self.words.at.end = self.words.at.end.max(at.end);
        if self.leading {
            self.words.bold.get_or_insert_default().push_str(text);
        }
    }

    fn take(&mut self) -> Words {
        let mut words = std::mem::take(&mut self.words);
        if words.text.contains('\n') {
            words.lines = words.text.split('\n').map(squeeze).filter(|line| !line.is_empty()).collect();
        }
        words.text = squeeze(&words.text);
        words.bold = words.bold.map(|b| squeeze(&b)).filter(|b| !b.is_empty());
        words
    }

    /// What a block of HTML holds.
    fn html_ends(&mut self) {
        let Some((html, start)) = self.html.take() else { return };
        self.flush_item();
        for piece in super::html::pieces(&html, start) {
            match piece {
                Piece::Heading(level, title) => self.heading(level, title),
                Piece::Paragraph(words) => {
                    let at = words.at.clone();
                    self.label = words.is_label().then(|| words.text.clone());
                    self.push(Block::Paragraph(words), at);
                }
                Piece::Item(depth, words) => {
                    let at = words.at.clone();
                    let parent = self.items.iter().rev().find_map(|i| i.block);
                    self.push(Block::Item(Item { words, depth, parent, checkbox: false }), at);
                }
                Piece::Table(table, at) => self.push(Block::Table(table), at),
            }
        }
    }

    fn heading(&mut self, level: usize, title: Words) {
        let last = self.document.sections.len() - 1;
        let parent = self.document.chain(last).find(|(_, s)| s.level < level).map(|(at, _)| at);
        self.document.sections.push(Section { title, level, parent: parent.or(Some(0)) });
        self.label = None;
    }

    fn paragraph(&mut self, at: Range<usize>) {
        let words = self.take();
        if words.text.is_empty() {
            return;
        }
        let label = words.is_label().then(|| words.text.clone());
        let ends = label.is_none();
        self.push(Block::Paragraph(words), at);
        if label.is_some() || ends {
            self.label = label;
        }
    }

    /// The first paragraph of an item is the item; further ones stand below it.
    fn paragraph_of_item(&mut self, at: Range<usize>) {
        if self.items.last().is_some_and(|i| i.block.is_none()) {
            self.flush_item();
        } else {
            let words = self.take();
            if !words.text.is_empty() {
                self.push(Block::Paragraph(words), at);
            }
        }
    }

    /// Gives the innermost open item its block, with the text read so far.
    fn flush_item(&mut self) {
        let Some(open) = self.items.last() else { return };
        if open.block.is_some() {
            return;
        }
        let (checkbox, at) = (open.checkbox, open.at.clone());
        let depth = self.items.len() - 1;
        let parent = self.items.iter().rev().skip(1).find_map(|i| i.block);
        let words = self.take();
        let block = self.document.blocks.len();
        let span = words.at.clone();
        self.push(
            Block::Item(Item { words, depth, parent, checkbox }),
            if span.is_empty() { at } else { span },
        );
        if let Some(open) = self.items.last_mut() {
            open.block = Some(block);
        }
    }

    fn push(&mut self, block: Block, at: Range<usize>) {
        let section = self.document.sections.len() - 1;
        let label = self.label.clone();
        debug_assert!(at.start >= self.skip);
        self.document.blocks.push(Placed { block, section, label, at });
    }
}

/// One line, single spaces, nothing that cannot be seen: it would end up in titles and names.
pub(super) fn squeeze(text: &str) -> String {
    let hidden = |c: &char| {
        let odd = c.is_control() && !c.is_whitespace();
        odd || matches!(c, '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' | '\u{feff}')
    };
    let seen: String = text.chars().filter(|c| !hidden(c)).collect();
    seen.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_document_is_cut_into_sections_and_blocks() {
        let text = "\u{feff}# Shop\r\n\r\nWords `a`\r\nmore.\r\n\r\n## Needs\r\n\r\n**Criteria:**\r\n- [ ] one\r\n  - two\r\n\r\n| A | B |\r\n|---|---|\r\n| `x` | **y** z |\r\n\r\n```sh\r\nls\r\n```\r\n";
        let d = Document::parse(text, Wary::Yes);
        let titles: Vec<&str> = d.sections.iter().map(|s| s.title.text.as_str()).collect();
        assert_eq!(titles, ["", "Shop", "Needs"]);
        let said: Vec<String> = d
            .blocks
            .iter()
            .map(|b| match &b.block {
                Block::Paragraph(w) => format!("p {}", w.text),
                Block::Item(i) => format!("{} {} {} {:?}", i.depth, i.checkbox, i.words.text, b.label),
                Block::Table(t) => format!("t {} {}", t.head[1].text, t.rows[0][1].text),
                Block::Code(c) => format!("c {} {}", c.info, c.text.trim()),
            })
            .collect();
        assert_eq!(
            said,
            [
                "p Words `a` more.",
                "p Criteria:",
                "0 true one Some(\"Criteria:\")",
                "1 false two Some(\"Criteria:\")",
                "t B y z",
                "c sh ls",
            ]
        );
        assert_eq!(d.sections[2].parent, Some(1));
        assert!(d.blocks.iter().all(|b| text.get(b.at.clone()).is_some()));
    }
}
