//! Markdown and plain text → [`Spec`]: what requirement and design documents say, with the place of everything.
//!
//! Reading never fails and never guesses aloud: what no reader could place is listed in [`Spec::unplaced`]. Knows
//! nothing of tasks to come, nor of the repository beyond a list of paths that short names may stand for.

mod columns;
mod criteria;
mod decisions;
mod features;
mod fences;
mod files;
mod graph;
mod html;
mod ids;
mod kinds;
mod markdown;
mod model;
mod parts;
mod paths;
mod plain;
mod reading;
mod remarks;
mod settle;
mod stories;
mod tasks;
#[cfg(test)]
mod tests;
mod topic;

pub use model::{
    Authority, Component, CriterionForm, Decision, Detail, DetailCode, DocumentKind, Endpoint, FileRow,
    Model, Operation, Phase, Remark, Spec, SpecCriterion, SpecDocument, StatedEdge, StatedTask, Story,
};
pub(crate) use paths::is_manifest;

use markdown::Document;
use plain::Wary;
use reading::{Opened, Reading};
use windlass_core::diagnostic::Span;

/// A document to read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SpecFile {
    /// Its path as the user gave it.
    pub path: String,
    /// Its text.
    pub text: String,
}

/// Reads documents. `known` are paths of the repository, for names that are given without their folder.
pub fn read(files: &[SpecFile], known: &[String]) -> Spec {
    let mut spec = Spec::default();
    let mut documents: Vec<Opened> = files.iter().map(|file| open(file, &mut spec)).collect();
    background(&mut documents, &mut spec);
    let mut siblings = Vec::new();
    let asks = |d: &&mut Opened| !matches!(d.kind, DocumentKind::Conventions | DocumentKind::Background);
    // Tasks first: drawings are read by the ids that tables and headings give.
    for opened in documents.iter_mut().filter(asks) {
        let mut reading = Reading::new(opened, &mut spec);
        tasks::read(&mut reading);
        files::read(&mut reading, &mut siblings);
    }
    for opened in documents.iter_mut().filter(asks) {
        let mut reading = Reading::new(opened, &mut spec);
        graph::read(&mut reading);
        criteria::read(&mut reading);
        stories::read(&mut reading);
        decisions::read(&mut reading);
        parts::read(&mut reading);
    }
    // A design tells what the system offers where nothing else does.
    for kinds in [&[DocumentKind::Requirements, DocumentKind::Other][..], &[DocumentKind::Design]] {
        let stated = spec.files.is_empty() && spec.components.is_empty() && spec.tasks.is_empty();
        if !spec.stories.is_empty() || (kinds == [DocumentKind::Design] && !stated) {
            break;
        }
        for opened in documents.iter_mut().filter(|d| kinds.contains(&d.kind)) {
            features::read(&mut Reading::new(opened, &mut spec));
        }
    }
    for opened in &mut documents {
        remarks::read(&mut Reading::new(opened, &mut spec));
    }
    settle::settle(&mut spec, &documents, &siblings, known);
    spec
}

/// Documents that only others build on, where there are any that ask for something.
fn background(documents: &mut [Opened], spec: &mut Spec) {
    let asks = |kind: DocumentKind| matches!(kind, DocumentKind::Requirements | DocumentKind::Design);
    let other = |d: &SpecDocument| asks(d.kind) && !kinds::is_background(&d.path);
    if !spec.documents.iter().any(other) {
        return;
    }
    for (opened, document) in documents.iter_mut().zip(&mut spec.documents) {
        if kinds::is_background(&document.path) {
            opened.kind = DocumentKind::Background;
            document.kind = DocumentKind::Background;
        }
    }
}

fn open(file: &SpecFile, spec: &mut Spec) -> Opened {
    let ix = spec.sources.add(&file.path, &file.text);
    let document = Document::parse(&file.text, Wary::of(&file.path));
    let kind = kinds::of(&file.path, &document);
    let title = document.sections.iter().find(|s| s.level == 1).map(|s| s.title.plain());
    spec.documents.push(SpecDocument { path: file.path.clone(), title, kind });
    for (text, at) in &document.odd {
        let small = |n: usize| u32::try_from(n).unwrap_or(u32::MAX);
        let span = Span { file: ix, start: small(at.start), end: small(at.end) };
        spec.unplaced.push(Remark { text: text.clone(), heading: String::new(), span });
    }
    let used = vec![false; document.blocks.len()];
    Opened { document, kind, file: ix, used }
}
