//! What derivation has to say besides the plan. Data only.

use windlass_core::diagnostic::Span;

/// Something that was assumed, left out or could not be told.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Note {
    /// What kind of thing it is.
    pub kind: NoteKind,
    /// One lowercase line.
    pub text: String,
    /// Where it comes from.
    pub span: Option<Span>,
    /// What to do about it.
    pub help: Option<String>,
}

impl Note {
    pub(super) fn new(kind: NoteKind, text: impl Into<String>) -> Note {
        Note { kind, text: text.into(), span: None, help: None }
    }

    pub(super) fn at(mut self, span: Span) -> Note {
        self.span = Some(span);
        self
    }

    pub(super) fn help(mut self, help: impl Into<String>) -> Note {
        self.help = Some(help.into());
        self
    }
}

/// Kinds of notes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum NoteKind {
    /// Nothing in the documents serves a criterion for sure.
    CoverageGap,
    /// A criterion was given to a task without much to go by.
    Unsure,
    /// A file or an order was assumed.
    Assumed,
    /// The documents contradict each other.
    Contradiction,
    /// Something of the documents is not in the plan.
    LeftOut,
    /// No command is known that would prove a task.
    NoRunner,
    /// A file that the plan is about could not be read, or not as a whole.
    Unread,
    /// A part of the documents that no task is told of.
    NotPlaced,
}

impl NoteKind {
    /// Its name in output.
    pub fn as_str(self) -> &'static str {
        match self {
            NoteKind::CoverageGap => "COVERAGE_GAP",
            NoteKind::Unsure => "unsure",
            NoteKind::Assumed => "assumed",
            NoteKind::Contradiction => "contradiction",
            NoteKind::LeftOut => "left out",
            NoteKind::NoRunner => "no test runner",
            NoteKind::Unread => "not read",
            NoteKind::NotPlaced => "not placed",
        }
    }
}

/// Which task serves a criterion.
#[derive(Debug, Clone, PartialEq)]
pub struct CriterionLink {
    /// The criterion.
    pub criterion: String,
    /// The place of the unit in the plan's order.
    pub(super) unit: usize,
    /// How sure it is, from 0 to 1.
    pub score: f64,
    /// What it rests on.
    pub basis: LinkBasis,
}

/// What a link rests on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum LinkBasis {
    /// The documents name the one with the other.
    Stated,
    /// Both name the same file.
    File,
    /// The one names what the other declares.
    Name,
    /// They share words.
    Words,
    /// Nothing; it had to go somewhere.
    Nothing,
}
