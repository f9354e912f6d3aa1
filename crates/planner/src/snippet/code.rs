//! The frame of a file: the contract's declarations with bodies that refuse to work, below the imports that the files
//! beside it share.

use crate::snippet::CodeWanted;
use windlass_code::survey::Survey;

use super::go::package_of;
use windlass_code::detect::{dir_of, is_test_path, text};
use windlass_code::repo::Tree;
use windlass_code::syntax::{language_of, of_hint, parses};

/// The frame of a file that does not exist yet; `None` when unsure.
pub(crate) fn code_snippet(tree: &dyn Tree, survey: &Survey, wanted: &CodeWanted<'_>) -> Option<String> {
    let language = language_of(wanted.file)?;
    if survey.has(wanted.file) {
        return None;
    }
    let mut parts: Vec<String> = Vec::new();
    for block in wanted.contract {
        let stated = block.language.as_deref().filter(|l| !l.is_empty()).and_then(of_hint);
        if stated.is_some_and(|stated| !stated.same_family(language))
            || block.path.as_deref().is_some_and(|path| path != wanted.file)
        {
            continue;
        }
        parts.push((language.row().stub)(without_path(&block.code))?);
    }
    if parts.is_empty() {
        return None;
    }
    let shared = shared_imports(tree, survey, wanted.file);
    let head = if shared.is_empty() { String::new() } else { format!("{}\n\n", shared.join("\n")) };
    let clause = language.row().package_clause && !parts.iter().any(|part| part.starts_with("package "));
    let head = if clause { format!("package {}\n\n{head}", package_of(survey, wanted.file)?) } else { head };
    let code = format!("{head}{}\n", parts.join("\n\n").trim_end());
    parses(language, code.as_bytes()).ok()?;
    Some(code)
}

/// The first line of a block may be a comment with the path of its file.
pub(super) fn without_path(code: &str) -> &str {
    let (first, rest) = code.split_once('\n').unwrap_or((code, ""));
    if windlass_code::detect::comment_path(first).is_some() { rest } else { code }
}

/// Import lines that more than half of at least three files in the same directory have.
fn shared_imports(tree: &dyn Tree, survey: &Survey, file: &str) -> Vec<String> {
    let language = language_of(file);
    let beside: Vec<Vec<String>> = survey
        .sources()
        .filter(|path| dir_of(path) == dir_of(file) && language_of(path) == language && !is_test_path(path))
        .take(12)
        .filter_map(|path| {
            let facts = survey.facts(path)?;
            let text = text(tree, path).unwrap_or_default();
            let lines: Vec<&str> = text.lines().collect();
            let own = facts.imports.iter().filter_map(|import| lines.get(import.line.checked_sub(1)?));
            Some(own.map(|line| line.trim().to_owned()).collect())
        })
        .collect();
    if beside.len() < 3 {
        return Vec::new();
    }
    let mut shared: Vec<String> = Vec::new();
    for line in beside.iter().flatten() {
        let count = beside.iter().filter(|lines| lines.contains(line)).count();
        if count * 2 > beside.len() && !shared.contains(line) {
            shared.push(line.clone());
        }
    }
    shared
}

#[cfg(test)]
mod tests;
