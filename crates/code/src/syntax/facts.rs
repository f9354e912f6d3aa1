//! The facts of one file, from one parse.

use super::import::Import;
use super::language_of;
use super::skeleton::is_worth_cutting;
use super::source::ParsedText;
use super::style::TestFileText;
use crate::language::Language;
use crate::survey::FileFacts;

/// The facts of a source file; `None` when its language is unknown or it is too large to be source code.
///
/// Bodies of functions are cut away before parsing where the language allows, so an error inside one is not seen.
pub fn facts(path: &str, bytes: &[u8]) -> Option<FileFacts> {
    let language = language_of(path)?;
    let is_test = crate::detect::is_test_path(path);
    // Tests stand inside bodies.
    let cut = !is_test && is_worth_cutting(bytes);
    let outline = if cut { (language.row().skeleton)(bytes) } else { None };
    let text = outline.as_deref().unwrap_or(bytes);
    let source = ParsedText::parse(language, text)?;
    if source.first_error().is_some() && outline.is_some() {
        // What was cut may have been cut wrongly: the whole text decides.
        return Some(read(path, language, bytes, &ParsedText::parse(language, bytes)?));
    }
    Some(read(path, language, bytes, &source))
}

fn read(path: &str, language: Language, bytes: &[u8], source: &ParsedText<'_>) -> FileFacts {
    let row = language.row();
    let exports = (row.exports)(source);
    let imports = (row.imports)(source);
    let bases = unique((row.bases)(source, &exports));
    let tests: Vec<String> = (row.tests)(source).into_iter().map(|item| item.name).collect();
    let text = String::from_utf8_lossy(bytes);
    let written = TestFileText { path, text: &text, imports: &imports, bases: &bases, tests: &tests };
    let style = if tests.is_empty() { None } else { (row.style)(&written) };
    FileFacts {
        language,
        style,
        fixtures: (row.fixtures)(&text),
        package: (row.package)(source),
        broken: source.first_error().filter(|_| !row.preprocessed).map(|point| point.row + 1),
        exports,
        imports: dedup(imports),
        bases,
        tests,
    }
}

fn unique(mut names: Vec<String>) -> Vec<String> {
    let mut seen = std::collections::HashSet::new();
    names.retain(|name| !name.is_empty() && seen.insert(name.clone()));
    names
}

fn dedup(imports: Vec<Import>) -> Vec<Import> {
    let mut out: Vec<Import> = Vec::new();
    for import in imports {
        match out.iter_mut().find(|known| known.module == import.module) {
            Some(known) => {
                let fresh: Vec<String> =
                    import.names.into_iter().filter(|name| !known.names.contains(name)).collect();
                known.names.extend(fresh);
            }
            None => out.push(import),
        }
    }
    out
}

#[cfg(test)]
mod tests;
