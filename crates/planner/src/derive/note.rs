//! Notes and criterion links: the output of a derivation apart from the plan. Data only.

use windlass_core::diagnostic::Span;
use windlass_core::worded;

/// An assumption, an omission or an open question.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Note {
    /// Its kind.
    pub kind: NoteKind,
    /// One lowercase line.
    pub text: String,
    /// Its place in the documents.
    pub span: Option<Span>,
    /// How to resolve it.
    pub help: Option<String>,
    /// The criterion it is about, by id.
    pub criterion: Option<String>,
}

impl Note {
    pub(super) fn new(kind: NoteKind, text: impl Into<String>) -> Note {
        Note { kind, text: text.into(), span: None, help: None, criterion: None }
    }

    pub(super) fn at(mut self, span: Span) -> Note {
        self.span = Some(span);
        self
    }

    pub(super) fn about(mut self, criterion: &str) -> Note {
        self.criterion = Some(criterion.to_owned());
        self
    }

    pub(super) fn help(mut self, help: impl Into<String>) -> Note {
        self.help = Some(help.into());
        self
    }
}

worded! {
    /// Kinds of notes.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
    pub enum NoteKind {
        /// No part of the documents covers a criterion.
        CoverageGap = "COVERAGE_GAP",
        /// A criterion was assigned by a weak match.
        Unsure = "unsure",
        /// A file or an order was assumed.
        Assumed = "assumed",
        /// The documents leave a question open.
        Question = "question",
        /// Nothing says in which language the code is.
        Language = "language",
        /// The documents contradict each other.
        Contradiction = "contradiction",
        /// A part of the documents is not in the plan.
        LeftOut = "left out",
        /// No known command runs the tests of a task.
        NoRunner = "no test runner",
        /// A file of the plan could not be read completely.
        Unread = "not read",
        /// A section of the documents belongs to no task.
        NotPlaced = "not placed",
    }
}

/// The assignment of a criterion to a unit.
#[derive(Debug, Clone, PartialEq)]
pub struct CriterionPlacement {
    /// The criterion.
    pub criterion: String,
    /// The index of the unit.
    pub(super) unit: usize,
    /// The confidence, from 0 to 1.
    pub score: f64,
    /// The evidence for it.
    pub basis: LinkBasis,
}

/// The evidence for a link.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum LinkBasis {
    /// The documents state it.
    Stated,
    /// The criterion names a file of the unit.
    File,
    /// The criterion names a symbol or route of the unit.
    Name,
    /// The criterion and the unit share words.
    Words,
    /// None: every criterion must be assigned.
    Nothing,
}
