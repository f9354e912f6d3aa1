//! A unit of work on its way to become a task.

use crate::file_kind::FileKind;
use crate::spec::Operation;
use windlass_core::diagnostic::Span;
use windlass_core::plan::{CodeBlock, Criterion};

/// A file of a unit.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct UnitFile {
    pub(super) path: String,
    pub(super) operation: Operation,
    pub(super) kind: FileKind,
    /// What is said about the change.
    pub(super) note: String,
    pub(super) lines: Option<u32>,
}

/// A unit of work.
#[derive(Debug, Clone, Default)]
pub(super) struct Unit {
    /// The id the documents give it; empty if none.
    pub(super) stated: String,
    /// The id it has in the plan.
    pub(super) id: String,
    pub(super) title: String,
    /// Whether the documents give it no title.
    pub(super) untitled: bool,
    /// What is said about it.
    pub(super) text: String,
    pub(super) files: Vec<UnitFile>,
    pub(super) level: Option<u32>,
    pub(super) phase: Option<String>,
    /// Units that come before, by place.
    pub(super) after: Vec<usize>,
    pub(super) criteria: Vec<Criterion>,
    /// Criteria it serves, by id.
    pub(super) traced: Vec<String>,
    pub(super) stories: Vec<String>,
    /// The story it was made of: what belongs to that belongs to it.
    pub(super) slice: Option<String>,
    pub(super) decisions: Vec<String>,
    /// Sections of the design that are about it, by place in the specification.
    pub(super) details: Vec<usize>,
    /// What could go wrong with it.
    pub(super) risks: Vec<String>,
    /// What else the documents say that is about it: how it is tested, what it is measured by, what binds it.
    pub(super) remarks: Vec<String>,
    /// The interface the documents state for its files.
    pub(super) contract: Vec<CodeBlock>,
    /// What checks it where no test does.
    pub(super) check: Option<String>,
    /// The code they were taken from, with what it uses.
    pub(super) shown: String,
    pub(super) span: Option<Span>,
}

impl Unit {
    /// The files it changes.
    pub(super) fn owned(&self) -> impl Iterator<Item = &UnitFile> {
        self.files.iter().filter(|f| f.operation != Operation::Read)
    }

    /// Whether it changes this file.
    pub(super) fn owns(&self, path: &str) -> bool {
        self.owned().any(|f| f.path == path)
    }

    /// The files of a kind it changes and leaves behind.
    pub(super) fn of_kind(&self, kind: FileKind) -> impl Iterator<Item = &UnitFile> {
        self.owned().filter(move |f| f.kind == kind && f.operation != Operation::Delete)
    }

    /// Whether it only makes ready what others fill: nothing that was asked for is served by it.
    pub(super) fn prepares(&self) -> bool {
        self.check.is_some() && self.of_kind(FileKind::Code).next().is_none()
    }

    /// Whether everything it changes is of these kinds.
    pub(super) fn only(&self, kinds: &[FileKind]) -> bool {
        let mut any = false;
        self.owned().all(|f| {
            any = true;
            kinds.contains(&f.kind)
        }) && any
    }
}
