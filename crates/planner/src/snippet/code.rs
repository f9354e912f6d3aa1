//! The frame of a file: the contract's declarations with bodies that refuse to work, below the imports that the files
//! beside it share and those of the names it uses. Without a contract, the class that every file beside it has.

use crate::snippet::CodeWanted;
use windlass_code::survey::Survey;

use super::case::capital;
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
    let beside = beside(tree, survey, wanted.file);
    if parts.is_empty() {
        parts.push(class_like(&beside, wanted.file)?);
    }
    let shared = imports(&beside, &parts.join("\n"));
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

/// A file in the same directory.
struct NeighbourFile {
    path: String,
    text: String,
    /// Its import lines.
    imports: Vec<String>,
}

/// The sources beside a file, in its language.
fn beside(tree: &dyn Tree, survey: &Survey, file: &str) -> Vec<NeighbourFile> {
    let language = language_of(file);
    survey
        .sources()
        .filter(|path| dir_of(path) == dir_of(file) && language_of(path) == language && !is_test_path(path))
        .take(12)
        .filter_map(|path| {
            let facts = survey.facts(path)?;
            let text = text(tree, path).unwrap_or_default();
            let lines: Vec<&str> = text.lines().collect();
            let own = facts.imports.iter().filter_map(|import| lines.get(import.line.checked_sub(1)?));
            let imports = own.map(|line| line.trim().to_owned()).collect();
            Some(NeighbourFile { path: path.to_owned(), text, imports })
        })
        .filter(|neighbour| !neighbour.text.trim().is_empty())
        .collect()
}

/// Import lines that more than half of several siblings have, and those of names that the code uses.
fn imports(beside: &[NeighbourFile], code: &str) -> Vec<String> {
    let word = |c: char| !(c.is_alphanumeric() || c == '_');
    let used: Vec<&str> = code.split(word).filter(|w| w.len() > 2).collect();
    let brings = |line: &str| {
        // What stands before `from` in a script, and after `import` elsewhere.
        let names = line.rsplit_once("import ").map_or(line, |(_, names)| names);
        let names = names.split(" from ").next().unwrap_or(names);
        names.split(word).any(|name| name.starts_with(char::is_uppercase) && used.contains(&name))
    };
    let mut shared: Vec<String> = Vec::new();
    for line in beside.iter().flat_map(|neighbour| &neighbour.imports) {
        let count = beside.iter().filter(|neighbour| neighbour.imports.contains(line)).count();
        let usual = count > 1 && count * 2 > beside.len();
        if (usual || brings(line)) && !shared.contains(line) {
            shared.push(line.clone());
        }
    }
    shared
}

/// The class of a file whose siblings each have one that is called like the file and declared in the same way:
/// `class OrderService(BaseService):`.
fn class_like(beside: &[NeighbourFile], file: &str) -> Option<String> {
    const NAME: &str = "\0";
    let mut heads: Vec<String> = Vec::new();
    for neighbour in beside {
        let called = class_name(&neighbour.path)?;
        let is_head = |line: &&str| {
            let words: Vec<&str> = line.split(|c: char| !(c.is_alphanumeric() || c == '_')).collect();
            words.windows(2).any(|w| w == ["class", called.as_str()]) && !line.starts_with([' ', '\t'])
        };
        let Some(head) = neighbour.text.lines().find(is_head) else { continue };
        heads.push(head.trim_end().replacen(&called, NAME, 1));
    }
    let first = heads.first().filter(|first| heads.len() > 1 && heads.iter().all(|head| head == *first))?;
    let head = first.replacen(NAME, &class_name(file)?, 1);
    let body = match head.chars().next_back()? {
        '{' => "}",
        ':' => "    pass",
        _ => return None,
    };
    Some(format!("{head}\n{body}"))
}

/// `OrderService` for `order_service.py` and `OrderService.ts`.
fn class_name(path: &str) -> Option<String> {
    let stem = super::stem(path)?;
    Some(stem.split(['_', '-']).map(capital).collect())
}

#[cfg(test)]
mod tests;
