//! A document as a tree of sections with blocks, each with its place in the text.
//!
//! [`SectionTree::parse`] builds the tree in one pass over the Markdown; plain text is first rewritten as Markdown, HTML
//! blocks are cut into the same blocks. The readers only see this tree. What is under a heading belongs to it: the
//! tree answers which headings, which label and which list item a block is under. It does not know what a
//! specification is, except for what the words of a heading mean ([`HeadingMeaning`]).

mod forms;
mod html;
mod markdown;
mod marks;
mod masking;
mod plain_text;
mod repeated_forms;
mod siblings;
mod signs;
mod source_text;
mod status;
#[cfg(test)]
mod tests;
mod ticks;

use std::ops::Range;

pub(super) use forms::DocumentForm;
pub(super) use plain_text::PlainTextHint;
use source_text::SourceText;
pub(super) use ticks::Tick;

use super::model::TICKED_OFF;
use super::vocabulary::{HeadingMeaning, NamedThing, Topic, is_deferred, sentences};

/// Running text of a paragraph, list item, table cell or heading.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct RunningText {
    /// The text on one line: emphasis is removed, inline code keeps its backticks.
    pub(super) text: String,
    /// Its lines as written, if it has more than one.
    pub(super) lines: Vec<String>,
    /// The bold words it begins with.
    pub(super) bold: Option<String>,
    pub(super) at: Range<usize>,
}

impl RunningText {
    /// The text without backticks.
    pub(super) fn plain(&self) -> String {
        self.text.replace('`', "")
    }

    /// The lines as written; a text of one line is that line.
    pub(super) fn lines(&self) -> &[String] {
        if self.lines.is_empty() { std::slice::from_ref(&self.text) } else { &self.lines }
    }

    /// What it says, one by one: its sentences, and its lines where they were broken on purpose.
    pub(super) fn statements(&self) -> Vec<&str> {
        if !is_broken_on_purpose(self.lines()) {
            return sentences(&self.text);
        }
        self.lines().iter().flat_map(|line| sentences(line)).collect()
    }

    /// Whether it introduces what follows: all of it is bold, or it is short and ends in a colon.
    pub(super) fn is_label(&self) -> bool {
        let text = self.text.trim();
        let all_bold = self.bold.as_ref().is_some_and(|b| b.trim().len() + 1 >= text.len());
        !text.is_empty() && (all_bold || (text.ends_with([':', '：']) && text.chars().count() <= 80))
    }
}

/// An item of a list.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct ItemBlock {
    pub(super) text: RunningText,
    /// How deep the list is nested, from 0.
    pub(super) depth: usize,
    /// The block of the item it is nested in.
    pub(super) parent: Option<usize>,
}

/// A table.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct DocumentTable {
    pub(super) head: Vec<RunningText>,
    pub(super) rows: Vec<Vec<RunningText>>,
}

/// A block of code.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct CodeListing {
    /// The info string of the opening fence.
    pub(super) info: String,
    pub(super) text: String,
    pub(super) at: Range<usize>,
}

/// The content of one block.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum BlockContent {
    Paragraph(RunningText),
    Item(ItemBlock),
    Table(DocumentTable),
    Code(CodeListing),
}

/// A block and where it belongs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct DocumentBlock {
    pub(super) index: usize,
    pub(super) content: BlockContent,
    /// The index of its section.
    pub(super) section: usize,
    /// The block of the item that it is inside of.
    pub(super) within: Option<usize>,
    /// The line that introduces it.
    pub(super) label: Option<String>,
    /// The topic of that line.
    label_topic: Option<Topic>,
    pub(super) at: Range<usize>,
}

impl DocumentBlock {
    /// The running text of a paragraph or item.
    pub(super) fn running_text(&self) -> Option<&RunningText> {
        match &self.content {
            BlockContent::Paragraph(text) | BlockContent::Item(ItemBlock { text, .. }) => Some(text),
            BlockContent::Table(_) | BlockContent::Code(_) => None,
        }
    }

    /// The topic of the line that introduces it.
    pub(super) fn label_topic(&self) -> Option<Topic> {
        self.label_topic
    }
}

/// A heading and its place in the tree; section 0 stands for the text before the first heading.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct DocumentSection {
    pub(super) title: RunningText,
    pub(super) level: usize,
    pub(super) parent: Option<usize>,
    /// What the words of the heading say.
    pub(super) meaning: HeadingMeaning,
    /// Whether it is the title of the document: its only heading of the highest level.
    pub(super) is_title: bool,
}

impl DocumentSection {
    /// Whether the heading names what is below it. The title of the whole document says too little for that, unless
    /// the document is a list of criteria without further headings.
    fn names_content(&self) -> bool {
        !self.is_title || self.meaning.topic == Some(Topic::Criteria)
    }

    /// Whether it is a part of the document: neither the title nor the text before the first heading.
    pub(super) fn is_part(&self) -> bool {
        self.level > 0 && !self.is_title
    }
}

/// A flaw in how a document is written, and its place.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct DocumentFlaw {
    pub(super) text: String,
    pub(super) at: Range<usize>,
}

/// A document, cut into sections and blocks in the order of the text.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct SectionTree {
    pub(super) sections: Vec<DocumentSection>,
    pub(super) blocks: Vec<DocumentBlock>,
    pub(super) flaws: Vec<DocumentFlaw>,
    /// How the document is written.
    pub(super) form: DocumentForm,
    /// Which blocks a heading, a label or their own words exclude.
    excluded: Vec<bool>,
    /// Rows of tables that say of themselves that they are done or put off.
    pub(super) left_rows: Vec<marks::LeftRow>,
    /// Which blocks are ticked off or marked as done.
    done: Vec<bool>,
    /// Which sections tell of themselves under the labels of their siblings.
    of_form: Vec<bool>,
}

impl SectionTree {
    /// Cuts up a text. A byte order mark and front matter are skipped. A text without Markdown headings is read as plain
    /// text if it has the structure of one.
    #[cfg(test)]
    pub(super) fn parse(text: &str, hint: PlainTextHint) -> SectionTree {
        Self::parse_as(text, hint, DocumentForm::Text)
    }

    /// Cuts up a text in a form.
    pub(super) fn parse_as(text: &str, hint: PlainTextHint, form: DocumentForm) -> SectionTree {
        let written = form.rewritten(text).map(|source| markdown::parse(&source, 0));
        let form = if written.is_some() { form } else { DocumentForm::Text };
        let mut tree = written.unwrap_or_else(|| Self::cut_up(text, hint));
        tree.form = form;
        tree.read_ticks_as_pictures();
        tree.mark_title();
        tree.read_names_among_names();
        tree.read_repeated_forms();
        tree.leave_out_by_status();
        tree.mark_excluded();
        tree
    }

    /// Puts off what an introduction says is planned: the roadmap of a README is not part of what it describes.
    pub(super) fn put_off_plans(&mut self) {
        for section in &mut self.sections {
            let title = section.title.text.trim().trim_end_matches(':').to_lowercase();
            if matches!(title.as_str(), "roadmap" | "todo" | "to do" | "planned" | "coming soon") {
                section.meaning.topic = Some(Topic::Excluded);
            }
        }
        self.mark_excluded();
    }

    fn mark_excluded(&mut self) {
        self.excluded = self.blocks.iter().map(|block| self.excluded_by(block).is_some()).collect();
    }

    /// Marks the title: documents with several headings of the first level have parts, and no title. What is pasted from
    /// elsewhere may begin at a lower level; its first heading is the title if it is alone at the highest level there is, and names
    /// nothing else.
    fn mark_title(&mut self) {
        let highest = self.sections.iter().map(|section| section.level).filter(|level| *level > 0).min();
        let Some(highest) = highest else { return };
        let first = self.sections.iter().position(|section| section.level > 0);
        let mut at_top = (0..self.sections.len()).filter(|at| self.sections[*at].level == highest);
        if let (Some(only), None) = (at_top.next(), at_top.next())
            && (highest == 1
                || (Some(only) == first && self.sections[only].meaning == HeadingMeaning::default()))
        {
            self.sections[only].is_title = true;
        }
    }

    fn cut_up(text: &str, hint: PlainTextHint) -> SectionTree {
        let skip = markdown::body_start(text);
        let body = &text[skip..];
        let masked = masking::without_outer_fence(body);
        let masked = masking::without_custom_tags(&masked);
        let masked = masking::without_directives(&masked);
        let unescaped = masking::without_escapes(&masked);
        let lettered = masking::with_lettered_lists(&unescaped);
        let marked = masking::with_list_marks(&lettered);
        let tree = markdown::parse(&SourceText::unchanged(&marked, body), skip);
        // One heading, or underlined words, do not make a text Markdown.
        let has_marks =
            body.lines().any(|line| line.starts_with('#') && line.trim_start_matches('#').starts_with(' '));
        if tree.sections.len() > 2 && (has_marks || hint == PlainTextHint::MaybeMarkdown) {
            return tree;
        }
        let rewritten = plain_text::rewritten(&unescaped, hint);
        rewritten.map_or(tree, |source| markdown::parse(&source, skip))
    }

    /// A section and those it is in, the nearest first.
    pub(super) fn chain(&self, section: usize) -> impl Iterator<Item = (usize, &DocumentSection)> {
        let mut next = Some(section);
        std::iter::from_fn(move || {
            let at = next?;
            let section = self.sections.get(at)?;
            next = section.parent;
            Some((at, section))
        })
    }

    /// The first section after a section and all that are in it.
    pub(super) fn section_after(&self, section: usize) -> usize {
        let level = self.sections.get(section).map_or(0, |s| s.level);
        let inner = self.sections.iter().skip(section + 1).take_while(|s| s.level > level).count();
        section + 1 + inner
    }

    /// Where the text of a section and of all that are in it ends.
    pub(super) fn section_end(&self, section: usize) -> usize {
        self.sections.get(self.section_after(section)).map_or(usize::MAX, |next| next.title.at.start)
    }

    /// The topics of the headings around a place, the nearest first.
    fn topics(&self, section: usize) -> impl Iterator<Item = Topic> {
        let counts =
            move |(at, s): &(usize, &DocumentSection)| s.names_content() && (!s.is_title || *at == section);
        self.chain(section).filter(counts).filter_map(|(_, s)| s.meaning.topic)
    }

    /// The topic of a section: that of its own heading, else of the nearest one around it that has one.
    pub(super) fn section_topic(&self, section: usize) -> Option<Topic> {
        self.topics(section).next()
    }

    /// The topic of a block: that of the line that introduces it, else of its section.
    pub(super) fn topic(&self, block: &DocumentBlock) -> Option<Topic> {
        block.label_topic.or_else(|| self.section_topic(block.section))
    }

    /// Whether any heading around a section has a topic.
    pub(super) fn is_under(&self, section: usize, topic: Topic) -> bool {
        self.topics(section).any(|t| t == topic)
    }

    /// The heading or label that says a block is not wanted.
    pub(super) fn excluded_by<'t>(&'t self, block: &'t DocumentBlock) -> Option<&'t str> {
        if block.label_topic == Some(Topic::Excluded) {
            return block.label.as_deref();
        }
        if self.done.get(block.index) == Some(&true) {
            return Some(TICKED_OFF);
        }
        if let Some(text) = self.deferred_text(block) {
            return Some(text);
        }
        // A section whose first sentence puts it off is put off.
        let opening =
            self.own_blocks(block.section).first().filter(|_| self.sections[block.section].is_part());
        let opening = opening.filter(|first| matches!(first.content, BlockContent::Paragraph(_)));
        if let Some(text) = opening.and_then(|first| self.deferred_text(first)) {
            return Some(text);
        }
        let mut above = self.chain(block.section).filter(|(_, s)| s.names_content());
        above.find(|(_, s)| s.meaning.topic == Some(Topic::Excluded)).map(|(_, s)| s.title.text.as_str())
    }

    /// The text of a block, or of an item around it, that puts itself off: `Nice to have: colours`.
    fn deferred_text(&self, block: &DocumentBlock) -> Option<&str> {
        let mut next = Some(block.index);
        while let Some(at) = next {
            let text = self.blocks.get(at)?.running_text()?;
            if is_deferred(&text.text) {
                return Some(&text.text);
            }
            next = self.item(at).and_then(|item| item.parent);
        }
        None
    }

    /// Whether a heading or label says that a block is not wanted.
    pub(super) fn is_excluded(&self, block: &DocumentBlock) -> bool {
        self.excluded[block.index]
    }

    /// The task whose heading a section is or is under.
    pub(super) fn enclosing_task(&self, section: usize) -> Option<&NamedThing> {
        self.chain(section).find_map(|(_, s)| s.meaning.task.as_ref())
    }

    /// The story whose heading a section is or is under.
    pub(super) fn enclosing_story(&self, section: usize) -> Option<&NamedThing> {
        self.chain(section).find_map(|(_, s)| s.meaning.story.as_ref())
    }

    /// The requirement whose heading a section is or is under.
    pub(super) fn enclosing_requirement(&self, section: usize) -> Option<&NamedThing> {
        self.chain(section).find_map(|(_, s)| s.meaning.requirement.as_ref())
    }

    /// The phase whose heading a section is or is under.
    pub(super) fn enclosing_phase(&self, section: usize) -> Option<&str> {
        self.chain(section).find_map(|(_, s)| s.meaning.phase.as_deref())
    }

    /// The text of a section's heading.
    pub(super) fn heading(&self, section: usize) -> &str {
        self.sections.get(section).map_or("", |s| s.title.text.as_str())
    }

    /// The headings of a section and of those around it, the nearest first, without the title of the document.
    pub(super) fn headings(&self, section: usize) -> Vec<String> {
        self.chain(section).filter(|(_, s)| s.is_part()).map(|(_, s)| s.title.plain()).collect()
    }

    /// The blocks that no heading or label excludes.
    pub(super) fn wanted_blocks(&self) -> impl Iterator<Item = &DocumentBlock> + use<'_> {
        self.blocks.iter().filter(|block| !self.is_excluded(block))
    }

    /// The blocks directly below a heading.
    pub(super) fn own_blocks(&self, section: usize) -> &[DocumentBlock] {
        self.blocks_of(section..section + 1)
    }

    /// The blocks directly or indirectly below a heading.
    pub(super) fn all_blocks(&self, outer: usize) -> &[DocumentBlock] {
        self.blocks_of(outer..self.section_after(outer))
    }

    /// The blocks of a range of sections. Blocks are in the order of the text, so they are adjacent.
    fn blocks_of(&self, sections: Range<usize>) -> &[DocumentBlock] {
        let at = |section: usize| self.blocks.partition_point(|b| b.section < section);
        &self.blocks[at(sections.start)..at(sections.end)]
    }

    /// The list item that a block is.
    pub(super) fn item(&self, block: usize) -> Option<&ItemBlock> {
        match &self.blocks.get(block)?.content {
            BlockContent::Item(item) => Some(item),
            BlockContent::Paragraph(_) | BlockContent::Table(_) | BlockContent::Code(_) => None,
        }
    }

    /// The items directly under an item.
    pub(super) fn children(&self, block: usize) -> impl Iterator<Item = &ItemBlock> + use<'_> {
        let depth = self.item(block).map_or(usize::MAX, |item| item.depth);
        let section = self.blocks.get(block).map_or(usize::MAX, |b| b.section);
        // Everything under an item follows it without a gap.
        let is_inside = move |b: &&DocumentBlock| match &b.content {
            BlockContent::Item(item) => item.depth > depth,
            BlockContent::Paragraph(_) | BlockContent::Table(_) | BlockContent::Code(_) => {
                b.section == section
            }
        };
        let following = self.blocks.iter().skip(block + 1).take_while(is_inside);
        following.filter_map(|b| self.item(b.index)).filter(move |item| item.parent == Some(block))
    }

    /// Paragraphs and items directly below a heading as one text of about `limit` bytes.
    pub(super) fn prose(&self, section: usize, limit: usize) -> String {
        joined(&self.own_blocks(section).iter().collect::<Vec<_>>(), limit)
    }

    /// The same, including the sections below the heading.
    pub(super) fn all_prose(&self, section: usize, limit: usize) -> String {
        joined(&self.all_blocks(section).iter().collect::<Vec<_>>(), limit)
    }
}

/// Whether most lines of a text end although the next word would have fitted: each is a text of its own, and not a part of a
/// paragraph that was filled up to the margin.
fn is_broken_on_purpose(lines: &[String]) -> bool {
    const SPARE: usize = 8;
    let length = |text: &str| text.chars().count();
    let width = lines.iter().map(|line| length(line)).max().unwrap_or(0);
    let word = |line: &str| line.split(' ').next().map_or(0, |word| length(word).min(20));
    let on_purpose = |pair: &&[String]| length(&pair[0]) + 1 + word(&pair[1]) + SPARE <= width;
    let breaks = lines.len().saturating_sub(1);
    // `Read timeout: 30 seconds` above `Write timeout: 10 seconds`
    let is_labelled = |line: &String| {
        line.split_once(": ").is_some_and(|(label, _)| (1..=4).contains(&label.split_whitespace().count()))
    };
    if breaks > 0 && lines.iter().all(is_labelled) {
        return true;
    }
    breaks > 0 && lines.windows(2).filter(on_purpose).count() * 2 >= breaks
}

/// Paragraphs and items as one text of about `limit` bytes.
pub(super) fn joined(blocks: &[&DocumentBlock], limit: usize) -> String {
    let mut joined = String::new();
    for text in blocks.iter().filter_map(|block| block.running_text()).map(|t| &t.text) {
        if joined.len() + text.len() > limit && !joined.is_empty() {
            break;
        }
        if !joined.is_empty() {
            joined.push_str(if joined.ends_with(['.', ':', '!', '?']) { " " } else { "; " });
        }
        joined.push_str(text);
    }
    joined
}
