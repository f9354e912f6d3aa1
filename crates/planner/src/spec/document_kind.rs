//! What a document is for, recognised by its name, else by its headings.

use super::document::{DocumentForm, SectionTree};
use super::model::DocumentKind;
use super::vocabulary::Topic;

/// The kind of a document.
pub(super) fn document_kind(path: &str, tree: &SectionTree) -> DocumentKind {
    match tree.form {
        DocumentForm::Gherkin | DocumentForm::OpenApi => return DocumentKind::Requirements,
        DocumentForm::Text
        | DocumentForm::AsciiDoc
        | DocumentForm::Restructured
        | DocumentForm::Jira
        | DocumentForm::Tagged => {}
    }
    if is_record(path, tree) {
        return DocumentKind::Decisions;
    }
    by_name(&stem(path)).unwrap_or_else(|| by_headings(tree))
}

/// Whether a document is the record of a decision: it lies among such records, and says what was decided.
fn is_record(path: &str, tree: &SectionTree) -> bool {
    let has = |name: &str| {
        tree.sections.iter().any(|s| s.title.text.trim_end_matches(':').trim().eq_ignore_ascii_case(name))
    };
    let among = path.rsplit_once(['/', '\\']).is_some_and(|(dir, _)| {
        let dir = dir.to_ascii_lowercase();
        dir.split(['/', '\\']).any(|part| matches!(part, "adr" | "adrs" | "decisions"))
    });
    (among || has("status")) && has("decision") && (has("context") || has("consequences"))
}

/// Whether the decision of a record holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum RecordStatus {
    /// It was taken, or nothing is said about it.
    Holds,
    /// It is only proposed.
    Proposed,
    /// Another one took its place, or it was turned down.
    Gone,
}

/// The status that a record of a decision gives itself.
pub(super) fn record_status(tree: &SectionTree) -> RecordStatus {
    let below = tree.sections.iter().position(|s| s.title.text.trim().eq_ignore_ascii_case("status"));
    let below = below.map(|at| tree.prose(at, 200));
    let line = || {
        let texts = tree.blocks.iter().filter_map(|b| b.running_text());
        let mut lines = texts.flat_map(|text| text.lines().iter());
        lines.find_map(|line| {
            let line = line.trim_matches(['*', '-', ' ']).to_lowercase();
            line.strip_prefix("status").map(|rest| rest.trim_matches(['*', ':', ' ']).to_owned())
        })
    };
    let said = below.or_else(line).unwrap_or_default().to_lowercase();
    let first = said.split(|c: char| !c.is_alphabetic()).find(|word| !word.is_empty()).unwrap_or_default();
    match first {
        "superseded" | "rejected" | "deprecated" | "obsolete" | "withdrawn" => RecordStatus::Gone,
        "proposed" | "draft" | "pending" | "open" => RecordStatus::Proposed,
        _ => RecordStatus::Holds,
    }
}

/// The name of a file in lower case, without folder and ending.
fn stem(path: &str) -> String {
    let name = path.rsplit(['/', '\\']).next().unwrap_or(path).to_ascii_lowercase();
    name.rsplit_once('.').map(|(stem, _)| stem.to_owned()).unwrap_or(name)
}

/// Whether the name of a document says that it gives background and asks for nothing.
pub(super) fn has_background_name(path: &str) -> bool {
    matches!(
        stem(path).as_str(),
        "readme" | "proposal" | "research" | "quickstart" | "glossary" | "changelog" | "notes" | "index"
    )
}

fn by_name(stem: &str) -> Option<DocumentKind> {
    let has = |words: &[&str]| words.iter().any(|w| stem.contains(w));
    if matches!(
        stem,
        "claude" | "agents" | "gemini" | "copilot-instructions" | "conventions" | "contributing"
    ) {
        Some(DocumentKind::Conventions)
    } else if has(&["prd", "requirement"]) || stem == "spec" {
        Some(DocumentKind::Requirements)
    } else if stem.starts_with("adr") || has(&["decision"]) {
        Some(DocumentKind::Decisions)
    } else if has(&["design", "architecture", "data-model"]) || stem == "plan" {
        Some(DocumentKind::Design)
    } else if has(&["wireframe", "mockup"]) {
        Some(DocumentKind::Wireframes)
    } else {
        None
    }
}

fn by_headings(tree: &SectionTree) -> DocumentKind {
    let count = |wanted: &[Topic]| {
        let topics = tree.sections.iter().filter_map(|s| s.meaning.topic);
        topics.filter(|t| wanted.contains(t)).count()
    };
    let design = count(&[Topic::Components, Topic::Ownership, Topic::Graph, Topic::Models, Topic::Endpoints]);
    let needs = count(&[Topic::Criteria, Topic::Stories, Topic::Requirements]);
    match (design, needs) {
        (0, 0) => DocumentKind::Other,
        (design, needs) if design > needs => DocumentKind::Design,
        _ => DocumentKind::Requirements,
    }
}
