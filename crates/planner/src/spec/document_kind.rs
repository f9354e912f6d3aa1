//! What a document is for, recognised by its name, else by its headings.

use super::document::SectionTree;
use super::model::DocumentKind;
use super::vocabulary::Topic;

/// The kind of a document.
pub(super) fn document_kind(path: &str, tree: &SectionTree) -> DocumentKind {
    by_name(&stem(path)).unwrap_or_else(|| by_headings(tree))
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
        "readme" | "research" | "quickstart" | "glossary" | "changelog" | "notes" | "index"
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
