//! A unit of work: the intermediate form between a specification and a task.

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
    /// The document's remark about the change.
    pub(super) note: String,
    pub(super) lines: Option<u32>,
}

/// A unit of work.
#[derive(Debug, Clone, Default)]
pub(super) struct Unit {
    /// The id in the documents; empty if there is none.
    pub(super) stated: String,
    /// The id in the plan.
    pub(super) id: String,
    pub(super) title: String,
    /// Whether the documents give it no title.
    pub(super) untitled: bool,
    /// The document's text about it.
    pub(super) text: String,
    pub(super) files: Vec<UnitFile>,
    pub(super) level: Option<u32>,
    pub(super) phase: Option<String>,
    /// The units it depends on, by index.
    pub(super) after: Vec<usize>,
    pub(super) criteria: Vec<Criterion>,
    /// The ids of the criteria it serves.
    pub(super) traced: Vec<String>,
    pub(super) stories: Vec<String>,
    /// The story it was made from; criteria of the story belong to it.
    pub(super) slice: Option<String>,
    /// What the documents call the thing it makes, where they give it no file.
    pub(super) thing: Option<String>,
    pub(super) decisions: Vec<String>,
    /// Sections of the design about it, by index in the specification.
    pub(super) details: Vec<usize>,
    /// Its risks.
    pub(super) risks: Vec<String>,
    /// Other remarks of the documents about it: tests, metrics.
    pub(super) remarks: Vec<String>,
    /// Constraints that bind it, and what must stay as it is.
    pub(super) rules: Vec<String>,
    /// The interfaces that the documents state for its files.
    pub(super) contract: Vec<CodeBlock>,
    /// The command that verifies it where it has no test.
    pub(super) check: Option<String>,
    /// The code blocks that the contract was taken from, unabridged.
    pub(super) shown: String,
    /// Whether it sets up a project that does not exist yet.
    pub(super) is_setup: bool,
    /// Whether the files it changes are left to its tests.
    pub(super) is_open: bool,
    /// The test of an open unit.
    pub(super) open_test: Option<String>,
    /// Whether no document says which files it changes.
    pub(super) is_assumed: bool,
    /// Whether it is what no story covers.
    pub(super) is_rest: bool,
    /// Whether it writes documents that criteria ask for.
    pub(super) is_document: bool,
    /// The feature it is a part of, if that has several parts.
    pub(super) feature: Option<String>,
    pub(super) span: Option<Span>,
}

impl Unit {
    /// The files it changes.
    pub(super) fn owned(&self) -> impl Iterator<Item = &UnitFile> {
        self.files.iter().filter(|f| f.operation != Operation::Read)
    }

    /// Whether it changes a file.
    pub(super) fn owns(&self, path: &str) -> bool {
        self.owned().any(|f| f.path == path)
    }

    /// Whether it makes or changes code, in files that are named or found by its tests.
    pub(super) fn makes_code(&self) -> bool {
        self.is_open || self.of_kind(FileKind::Code).next().is_some()
    }

    /// The files of a kind that it creates or modifies.
    pub(super) fn of_kind(&self, kind: FileKind) -> impl Iterator<Item = &UnitFile> {
        self.owned().filter(move |f| f.kind == kind && f.operation != Operation::Delete)
    }

    /// Whether it only prepares files for other units; such a unit serves no criterion.
    pub(super) fn prepares(&self) -> bool {
        self.is_setup || (self.check.is_some() && self.of_kind(FileKind::Code).next().is_none())
    }

    /// Whether it changes files, and all of them are of these kinds.
    pub(super) fn only(&self, kinds: &[FileKind]) -> bool {
        let mut any = false;
        self.owned().all(|f| {
            any = true;
            kinds.contains(&f.kind)
        }) && any
    }
}
