//! Markdown and plain text → [`Spec`]: what requirement and design documents say, with the place of everything.
//!
//! ```text
//! text ── document ──▶ SectionTree ── readers ──▶ facts ── finish ──▶ Spec
//!                      sections, blocks,   (vocabulary:        full paths, ids,
//!                      labels, places       what words mean)   levels, title
//! ```
//!
//! Reading never fails: what no reader can place is listed in [`Spec::unplaced`]. The room does not know the tasks that
//! will be derived, nor the repository, except for a list of paths that short names may stand for.

mod contradictions;
mod decoding;
mod document;
mod document_kind;
mod finish;
mod issues;
mod model;
mod readers;
mod reading;
mod repeated_lists;
#[cfg(test)]
mod tests;
mod vocabulary;

pub use decoding::{Redecoded, decoded_bytes, redecoded};
pub(crate) use model::TICKED_OFF;
pub use model::{
    Authority, Component, CriterionForm, Decision, DetailCode, DetailSection, DocumentKind, DrawnClass,
    Endpoint, FileRow, Model, NameHome, Operation, Remark, Spec, SpecCriterion, SpecDocument, StatedEdge,
    StatedPhase, StatedTask, StatedUse, Story, UseStrength,
};
pub(crate) use vocabulary::paths::fits as fits_pattern;
pub(crate) use vocabulary::{first_clause, names_thing};

use crate::file_kind::FileKind;
use document::{DocumentForm, PlainTextHint, SectionTree};
use document_kind::{RecordStatus, document_kind, has_background_name, record_status};
use readers::{
    adoption, behaviour, component_needs, components, criteria, decisions, descriptions, details, diagrams,
    features, files, interfaces, leftovers, mentions, order, outline, questions, remaining, remarks, reports,
    stories, tasks,
};
use reading::{DocumentReading, OpenDocument, span};

/// Whether a text describes an HTTP interface, as YAML or JSON.
pub fn is_interface_description(text: &str) -> bool {
    document::DocumentForm::of("a.yaml", text) == document::DocumentForm::OpenApi
}

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
    // Where there is no code yet, nothing can be done that a box ticks off.
    let is_begun = known.iter().any(|path| FileKind::of(path) == FileKind::Code);
    let mut documents: Vec<OpenDocument> = files.iter().map(|file| open(file, is_begun, &mut spec)).collect();
    mark_background(&mut documents, &mut spec);
    mark_records(&mut documents, &mut spec);
    let mut siblings = Vec::new();
    let asks =
        |d: &&mut OpenDocument| !matches!(d.kind, DocumentKind::Conventions | DocumentKind::Background);
    // Tasks first: orders are read by the ids that tables and headings give.
    for document in documents.iter_mut().filter(asks) {
        let mut reading = DocumentReading::new(document, &mut spec);
        tasks::collect_tasks(&mut reading, is_begun);
        files::collect_files(&mut reading, &mut siblings, known);
        mentions::collect_mentions(&mut reading, known);
    }
    for document in documents.iter_mut().filter(asks) {
        let mut reading = DocumentReading::new(document, &mut spec);
        order::collect_order(&mut reading);
        diagrams::collect_diagrams(&mut reading);
        descriptions::collect_descriptions(&mut reading);
        reports::collect_reports(&mut reading);
        criteria::collect_criteria(&mut reading);
        stories::collect_stories(&mut reading);
        adoption::adopt_criteria(&mut reading);
        decisions::collect_decisions(&mut reading);
        components::collect_components(&mut reading);
        interfaces::collect_interfaces(&mut reading);
    }
    for document in documents.iter_mut().filter(asks) {
        component_needs::collect_needs(&mut DocumentReading::new(document, &mut spec));
        component_needs::collect_file_order(&mut DocumentReading::new(document, &mut spec));
    }
    collect_features(&mut documents, &mut spec);
    for document in documents.iter_mut().filter(asks) {
        behaviour::collect_behaviour(&mut DocumentReading::new(document, &mut spec));
        remaining::collect_remaining(&mut DocumentReading::new(document, &mut spec));
        outline::drop_empty(&mut DocumentReading::new(document, &mut spec));
        adoption::join_namesakes(&mut DocumentReading::new(document, &mut spec));
    }
    for document in &mut documents {
        let mut reading = DocumentReading::new(document, &mut spec);
        questions::collect_questions(&mut reading);
        remarks::collect_remarks(&mut reading);
        leftovers::list_unmet_requests(&mut reading);
        leftovers::list_unread_items(&mut reading);
        details::collect_details(&mut reading);
        leftovers::list_unread_sections(&mut reading);
    }
    finish::finish(&mut spec, &documents, &siblings, known);
    keep_places_inside(&mut spec, files);
    spec
}

/// Text that was put together of pieces can end behind its document: places stay inside it, at whole characters.
fn keep_places_inside(spec: &mut Spec, files: &[SpecFile]) {
    let criteria = spec.criteria.iter_mut().map(|c| &mut c.span);
    let stories = spec.stories.iter_mut().map(|s| &mut s.span);
    let rows = spec.files.iter_mut().map(|f| &mut f.span);
    let tasks = spec.tasks.iter_mut().map(|t| &mut t.span);
    for place in criteria.chain(stories).chain(rows).chain(tasks) {
        let Some(file) = files.get(place.file.0 as usize) else { continue };
        let inside = |at: usize| u32::try_from(file.text.floor_char_boundary(at)).unwrap_or(u32::MAX);
        place.start = inside(place.start as usize);
        place.end = inside(place.end as usize).max(place.start);
    }
}

/// Features own the stories inside them. Those of a design count only if no document states what to build.
fn collect_features(documents: &mut [OpenDocument], spec: &mut Spec) {
    // Headings with an id that own no file and no order are things like any others.
    let is_heading = |task: &StatedTask| !task.listed && task.level.is_none() && task.phase.is_none();
    let own_nothing = spec.edges.is_empty()
        && spec.files.iter().all(|file| file.tasks.is_empty())
        && spec.phases.iter().all(|phase| phase.tasks.is_none())
        && spec.documents.len() == 1;
    if own_nothing && spec.tasks.len() > 1 && spec.tasks.iter().all(is_heading) {
        spec.tasks.clear();
    }
    let mut collect = |spec: &mut Spec, kinds: &[DocumentKind]| {
        for document in documents.iter_mut().filter(|d| kinds.contains(&d.kind)) {
            features::collect_features(&mut DocumentReading::new(document, spec));
        }
    };
    collect(spec, &[DocumentKind::Requirements, DocumentKind::Other]);
    let states_work = !(spec.files.is_empty() && spec.components.is_empty() && spec.tasks.is_empty());
    let asked =
        spec.documents.iter().any(|d| d.kind == DocumentKind::Requirements) || !spec.criteria.is_empty();
    let has_requirements = spec.documents.iter().any(|d| d.kind == DocumentKind::Requirements);
    let open = spec.stories.is_empty() || !has_requirements;
    let is_alone = spec.documents.len() == 1;
    if open && spec.tasks.is_empty() && (is_alone || !(states_work && asked)) {
        collect(spec, &[DocumentKind::Design]);
    }
}

/// Marks documents that only give background, if other documents ask for something.
fn mark_background(documents: &mut [OpenDocument], spec: &mut Spec) {
    let asks = |d: &SpecDocument| {
        matches!(d.kind, DocumentKind::Requirements | DocumentKind::Design) && !has_background_name(&d.path)
    };
    if !spec.documents.iter().any(asks) {
        return;
    }
    for (open, document) in documents.iter_mut().zip(&mut spec.documents) {
        if has_background_name(&document.path) {
            open.kind = DocumentKind::Background;
            document.kind = DocumentKind::Background;
        }
    }
}

/// Marks records of decisions that do not hold; what is only proposed is asked about. Where nothing but such records is
/// there, those that hold say what is wanted.
fn mark_records(documents: &mut [OpenDocument], spec: &mut Spec) {
    let alone =
        documents.iter().all(|d| matches!(d.kind, DocumentKind::Decisions | DocumentKind::Conventions));
    let documents_alone = documents.len();
    for (at, open) in documents.iter_mut().enumerate() {
        if open.kind != DocumentKind::Decisions {
            continue;
        }
        let title = spec.documents[at].title.clone().unwrap_or_else(|| spec.documents[at].path.clone());
        let place = open.tree.sections.get(1).map_or(0..1, |s| s.title.at.clone());
        let remark = |text: String, heading: &str| Remark {
            text,
            heading: heading.to_owned(),
            span: span(open.file, &place),
        };
        match record_status(&open.tree) {
            RecordStatus::Holds => {
                open.decides = alone;
                continue;
            }
            RecordStatus::Gone => spec.exclusions.push(remark(title, "a decision that no longer holds")),
            RecordStatus::Proposed => {
                let question = format!("`{title}` is proposed and not decided: is it wanted?");
                spec.questions.push(remark(question, "Status"));
                // A proposal that is planned alone is wanted.
                if alone && documents_alone == 1 {
                    open.decides = true;
                    continue;
                }
            }
        }
        open.kind = DocumentKind::Background;
        spec.documents[at].kind = DocumentKind::Background;
    }
}

fn open(file: &SpecFile, is_begun: bool, spec: &mut Spec) -> OpenDocument {
    let ix = spec.sources.add(&file.path, &file.text);
    let form = DocumentForm::of(&file.path, &file.text);
    let mut tree = SectionTree::parse_as(&file.text, PlainTextHint::from_path(&file.path), form);
    tree.leave_out_done(&file.text, is_begun);
    if has_background_name(&file.path) {
        tree.put_off_plans();
    }
    let kind = document_kind(&file.path, &tree);
    // Of several headings of the first level, the first may still be the name of the whole.
    let first = tree.sections.iter().find(|s| s.is_title || s.level == 1);
    let title = first.filter(|s| s.is_title || s.meaning.topic.is_none()).map(|s| s.title.plain());
    spec.documents.push(SpecDocument { path: file.path.clone(), title, kind });
    spec.unplaced.extend(tree.flaws.iter().map(|flaw| Remark {
        text: flaw.text.clone(),
        heading: String::new(),
        span: span(ix, &flaw.at),
    }));
    OpenDocument::new(tree, kind, ix)
}
