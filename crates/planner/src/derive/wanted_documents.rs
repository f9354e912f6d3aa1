//! Documents that criteria ask for: a criterion about the README belongs to a unit that owns the README.

use super::unit::{Unit, UnitFile};
use crate::file_kind::FileKind;
use crate::spec::{Authority, Operation, Spec, SpecCriterion};

/// The document that a criterion is about: its subject (`The README mentions …`), or where something is to be said
/// (`documented in the README`).
pub(super) fn wanted_document(criterion: &SpecCriterion) -> Option<String> {
    if let Some(path) = leading_document(&criterion.text) {
        return Some(path);
    }
    let plain = criterion.text.replace('`', "");
    let words: Vec<&str> =
        plain.split(|c: char| c.is_whitespace() || matches!(c, ',' | ';' | ':' | '(' | ')')).collect();
    let named = |word: &&str| match word.trim_end_matches('.') {
        "README" | "README.md" => Some("README.md"),
        "CHANGELOG" | "CHANGELOG.md" => Some("CHANGELOG.md"),
        _ => None,
    };
    let (at, document) = words.iter().enumerate().find_map(|(at, word)| Some((at, named(word)?)))?;
    let before = words[..at].join(" ").to_lowercase();
    let is_place = ["in", "in the", "to the", "into the"].iter().any(|end| before.ends_with(end));
    let says = ["document", "mention", "describ", "explain", "listed", "add "]
        .iter()
        .any(|verb| before.contains(verb));
    (at <= 2 || (is_place && says)).then(|| document.to_owned())
}

/// The document that a text begins with: `` `docs/setup.md` — how to set it up ``.
fn leading_document(text: &str) -> Option<String> {
    let (path, rest) = text.trim().strip_prefix('`')?.split_once('`')?;
    let is_described = rest.trim_start().starts_with(['—', '–', '-', ':']);
    let is_document =
        path.ends_with(".md") && !path.contains([' ', '*', '<']) && !path.starts_with(['/', '~']);
    (is_described && is_document).then(|| path.to_owned())
}

/// The most documents of one unit.
const TOGETHER: usize = 4;

/// Adds a unit for each document that criteria ask for and no unit owns.
pub(super) fn own_documents(units: &mut Vec<Unit>, spec: &Spec) {
    // A table of files is complete.
    if units.is_empty() || spec.files.iter().any(|row| row.authority <= Authority::Task) {
        return;
    }
    for criterion in &spec.criteria {
        let Some(path) = wanted_document(criterion).filter(|path| !units.iter().any(|u| u.owns(path))) else {
            continue;
        };
        let file = UnitFile {
            path: path.clone(),
            operation: Operation::Unsaid,
            kind: FileKind::Documentation,
            note: String::new(),
            lines: None,
        };
        // Documents go together.
        let beside = units.iter_mut().find(|u| u.is_document && u.files.len() < TOGETHER);
        if let Some(unit) = beside {
            unit.files.push(file);
            continue;
        }
        units.push(Unit {
            title: format!("Update {path}"),
            is_document: true,
            files: vec![file],
            span: Some(criterion.span),
            ..Unit::default()
        });
    }
}
