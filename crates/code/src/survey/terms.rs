//! The words by which a file can be imported: enough to find the files that may do so without parsing any.
//!
//! Always more than the grammars would find, never fewer; [`imported_by`](super::Survey::imported_by) has the last word.

use super::place::{below, split};
use super::query::{FactReader, Survey};
use crate::language::Language;

/// The words of a name: `my-cart.view` has three. A text without any, like `..`, has its dots.
pub fn words(name: &str) -> Vec<String> {
    let found: Vec<String> = name
        .split(|c: char| c.is_ascii() && !c.is_ascii_alphanumeric())
        .filter(|word| !word.is_empty())
        .map(str::to_owned)
        .collect();
    if found.is_empty() { vec![".".to_owned()] } else { found }
}

/// What an import of a file has in it.
pub(crate) struct ImportTerms {
    /// Wherever it stands: all words of one of these.
    pub(crate) far: Vec<Vec<String>>,
    /// Only below the file's own directory: one of these.
    pub(crate) near: Vec<Vec<String>>,
}

/// A file that others may import.
pub(crate) struct ImportedFile<'a> {
    /// The survey it is in.
    pub(crate) survey: &'a Survey,
    /// Its path.
    pub(crate) path: &'a str,
    /// Its name without the ending.
    pub(crate) stem: &'a str,
}

impl ImportedFile<'_> {
    /// The words of its name.
    pub(crate) fn by_stem(&self) -> ImportTerms {
        ImportTerms { far: vec![words(self.stem)], near: Vec::new() }
    }

    /// The words of the directory it stands in.
    pub(crate) fn folder(&self) -> Vec<String> {
        words(split(split(self.path).0).1)
    }

    /// The words by which its member of the workspace is imported.
    pub(crate) fn member(&self) -> Option<Vec<String>> {
        self.survey.member(self.path).and_then(|member| member.name.as_deref()).map(words)
    }
}

/// The terms for a file.
pub(super) fn terms(survey: &Survey, path: &str, language: Language) -> ImportTerms {
    let name = split(path).1;
    let stem = name.rsplit_once('.').map_or(name, |(stem, _)| stem);
    (language.row().import_terms)(&ImportedFile { survey, path, stem })
}

impl ImportTerms {
    /// The files that may import `path`, sorted; `None` when only reading them all would tell.
    pub(super) fn likely(&self, reader: &dyn FactReader, path: &str) -> Option<Vec<String>> {
        let mut found = reader.mentioning(&self.far)?;
        if !self.near.is_empty() {
            let dir = split(path).0;
            let close = reader.mentioning(&self.near)?;
            found.extend(close.into_iter().filter(|other| below(dir, other).is_some()));
            found.sort_unstable();
            found.dedup();
        }
        Some(found)
    }
}
