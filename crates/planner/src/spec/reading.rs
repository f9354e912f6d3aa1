//! One document being read: where its blocks stand, what they are about, and which of them somebody has used.

use std::ops::Range;

use super::markdown::{Block, Document, Item, Placed, Words};
use super::model::{DocumentKind, Spec};
use super::topic::Topic;
use windlass_core::diagnostic::{FileIx, Span};

/// A document that is read in several rounds.
pub(super) struct Opened {
    pub(super) document: Document,
    pub(super) kind: DocumentKind,
    pub(super) file: FileIx,
    /// Blocks that somebody made something of.
    pub(super) used: Vec<bool>,
}

/// A document and the specification it is read into.
pub(super) struct Reading<'a> {
    pub(super) doc: &'a Document,
    pub(super) kind: DocumentKind,
    pub(super) file: FileIx,
    pub(super) spec: &'a mut Spec,
    used: &'a mut [bool],
}

impl<'a> Reading<'a> {
    pub(super) fn new(opened: &'a mut Opened, spec: &'a mut Spec) -> Self {
        Self { doc: &opened.document, kind: opened.kind, file: opened.file, spec, used: &mut opened.used }
    }

    /// The place of a range of bytes.
    pub(super) fn span(&self, at: &Range<usize>) -> Span {
        let small = |n: usize| u32::try_from(n).unwrap_or(u32::MAX);
        Span { file: self.file, start: small(at.start), end: small(at.end) }
    }

    /// Notes that a block was made use of.
    pub(super) fn using(&mut self, block: usize) {
        if let Some(used) = self.used.get_mut(block) {
            *used = true;
        }
    }

    /// Whether a block was made use of.
    pub(super) fn is_used(&self, block: usize) -> bool {
        self.used.get(block).copied().unwrap_or(false)
    }

    /// What a block is about: by the line that introduces it, else by its headings, the nearest first.
    pub(super) fn topic(&self, placed: &Placed) -> Option<Topic> {
        let label = placed.label.as_deref().and_then(Topic::of);
        label.or_else(|| self.section_topic(placed.section))
    }

    /// What a section is about.
    pub(super) fn section_topic(&self, section: usize) -> Option<Topic> {
        // The title of the whole document says too little.
        self.doc.chain(section).filter(|(_, s)| s.level > 1).find_map(|(_, s)| Topic::of(&s.title.text))
    }

    /// Whether a block stands under a heading that says it is not wanted.
    pub(super) fn is_excluded(&self, placed: &Placed) -> bool {
        self.excluded_by(placed).is_some()
    }

    /// The heading or label that says a block is not wanted.
    pub(super) fn excluded_by(&self, placed: &Placed) -> Option<String> {
        let out = |text: &str| Topic::of(text) == Some(Topic::Excluded);
        let label = placed.label.clone().filter(|label| out(label));
        label.or_else(|| {
            let mut above = self.doc.chain(placed.section).filter(|(_, s)| s.level > 1);
            above.find(|(_, s)| out(&s.title.text)).map(|(_, s)| s.title.text.clone())
        })
    }

    /// Every block with its number.
    pub(super) fn blocks(&self) -> impl Iterator<Item = (usize, &'a Placed)> + use<'a> {
        self.doc.blocks.iter().enumerate()
    }

    /// The words of a block that has running text.
    pub(super) fn words(placed: &Placed) -> Option<&Words> {
        match &placed.block {
            Block::Paragraph(words) | Block::Item(Item { words, .. }) => Some(words),
            Block::Table(_) | Block::Code(_) => None,
        }
    }

    /// The items directly under an item.
    pub(super) fn children(&self, block: usize) -> impl Iterator<Item = (usize, &'a Item)> + use<'a> {
        let doc = self.doc;
        let (depth, section) = match doc.blocks.get(block) {
            Some(Placed { block: Block::Item(item), section, .. }) => (item.depth, *section),
            _ => (usize::MAX, usize::MAX),
        };
        // What stands under an item stands right behind it.
        let within = move |b: &Placed| match &b.block {
            Block::Item(item) => item.depth > depth,
            Block::Paragraph(_) | Block::Table(_) | Block::Code(_) => b.section == section,
        };
        let behind = doc.blocks.iter().enumerate().skip(block + 1).take_while(move |(_, b)| within(b));
        behind.filter_map(move |(i, b)| match &b.block {
            Block::Item(item) if item.parent == Some(block) => Some((i, item)),
            _ => None,
        })
    }

    /// The heading a block stands under.
    pub(super) fn heading(&self, section: usize) -> String {
        self.doc.sections.get(section).map(|s| s.title.text.clone()).unwrap_or_default()
    }

    /// Prose and items below a heading, as one text, up to a length.
    pub(super) fn prose(&self, section: usize, limit: usize) -> String {
        Self::joined(self.doc.own(section).map(|(_, placed)| placed), limit)
    }

    /// The same, noting that it was made use of.
    pub(super) fn use_prose(&mut self, section: usize, limit: usize) -> String {
        let text = self.prose(section, limit);
        for (at, placed) in self.doc.own(section) {
            if Self::words(placed).is_some_and(|words| text.contains(&words.text)) {
                self.using(at);
            }
        }
        text
    }

    /// The same, with what stands below headings under it.
    pub(super) fn all_prose(&self, section: usize, limit: usize) -> String {
        Self::joined(self.doc.below(section).map(|(_, placed)| placed), limit)
    }

    fn joined<'p>(blocks: impl Iterator<Item = &'p Placed>, limit: usize) -> String {
        let mut text = String::new();
        for placed in blocks {
            let Some(words) = Self::words(placed) else { continue };
            if text.len() + words.text.len() > limit && !text.is_empty() {
                break;
            }
            if !text.is_empty() {
                text.push_str(if text.ends_with(['.', ':', '!', '?']) { " " } else { "; " });
            }
            text.push_str(&words.text);
        }
        text
    }
}
