//! What a document is for, told by its name, then by its headings.

use super::markdown::Document;
use super::model::DocumentKind;
use super::topic::Topic;

/// The kind of a document.
pub(super) fn of(path: &str, document: &Document) -> DocumentKind {
    let name = path.rsplit(['/', '\\']).next().unwrap_or(path).to_ascii_lowercase();
    let stem = name.rsplit_once('.').map_or(name.as_str(), |(s, _)| s);
    by_name(stem).unwrap_or_else(|| by_headings(document))
}

/// Whether a document only tells others what it is about, by its name.
pub(super) fn is_background(path: &str) -> bool {
    let name = path.rsplit(['/', '\\']).next().unwrap_or(path).to_ascii_lowercase();
    let stem = name.rsplit_once('.').map_or(name.as_str(), |(s, _)| s);
    matches!(stem, "readme" | "research" | "quickstart" | "glossary" | "changelog" | "notes" | "index")
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

fn by_headings(document: &Document) -> DocumentKind {
    let count = |wanted: &[Topic]| {
        let topics = document.sections.iter().filter_map(|s| Topic::of(&s.title.text));
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
