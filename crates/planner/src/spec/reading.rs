//! One document while it is read: its tree, the facts found so far, and which blocks they were read from.

use std::ops::Range;

use super::document::{DocumentBlock, SectionTree};
use super::model::{DocumentKind, Remark, Spec};
use windlass_core::diagnostic::{FileIx, Span};

/// A document that is read in several rounds.
pub(super) struct OpenDocument {
    pub(super) tree: SectionTree,
    pub(super) kind: DocumentKind,
    pub(super) file: FileIx,
    /// Whether it is the record of a decision, and such records are all there is.
    pub(super) decides: bool,
    /// The stories that are only sections that say what is built.
    pub(super) things: Vec<String>,
    /// Which blocks a reader has made a fact of.
    claimed: Vec<bool>,
    /// Which blocks describe a single file.
    described: Vec<bool>,
}

impl OpenDocument {
    pub(super) fn new(tree: SectionTree, kind: DocumentKind, file: FileIx) -> OpenDocument {
        let (claimed, described) = (vec![false; tree.blocks.len()], vec![false; tree.blocks.len()]);
        OpenDocument { tree, kind, file, decides: false, things: Vec::new(), claimed, described }
    }
}

/// A document and the specification that its facts go to.
pub(super) struct DocumentReading<'a> {
    pub(super) tree: &'a SectionTree,
    pub(super) kind: DocumentKind,
    pub(super) file: FileIx,
    pub(super) decides: bool,
    pub(super) things: &'a mut Vec<String>,
    pub(super) spec: &'a mut Spec,
    claimed: &'a mut [bool],
    described: &'a mut [bool],
}

impl<'a> DocumentReading<'a> {
    pub(super) fn new(document: &'a mut OpenDocument, spec: &'a mut Spec) -> Self {
        let OpenDocument { tree, kind, file, decides, things, claimed, described } = document;
        Self { tree, kind: *kind, file: *file, decides: *decides, things, spec, claimed, described }
    }

    /// The place of a range of bytes.
    pub(super) fn span(&self, at: &Range<usize>) -> Span {
        span(self.file, at)
    }

    /// Notes that a fact was made of a block.
    pub(super) fn claim(&mut self, block: &DocumentBlock) {
        self.claimed[block.index] = true;
    }

    /// Whether a fact was made of a block.
    pub(super) fn is_claimed(&self, block: &DocumentBlock) -> bool {
        self.claimed[block.index]
    }

    /// Notes that a block describes a single file.
    pub(super) fn claim_description(&mut self, block: &DocumentBlock) {
        self.claim(block);
        self.described[block.index] = true;
    }

    /// Whether a block describes a single file.
    pub(super) fn is_description(&self, block: &DocumentBlock) -> bool {
        self.described[block.index]
    }

    /// Lists something that could not be placed and has no heading.
    pub(super) fn list_unplaced(&mut self, text: String, span: Span) {
        self.spec.unplaced.push(Remark { text, heading: String::new(), span });
    }
}

/// The place of a range of bytes in a file.
pub(super) fn span(file: FileIx, at: &Range<usize>) -> Span {
    let small = |n: usize| u32::try_from(n).unwrap_or(u32::MAX);
    Span { file, start: small(at.start), end: small(at.end) }
}
