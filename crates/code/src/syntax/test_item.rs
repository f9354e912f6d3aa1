//! Tests in source code.
//!
//! Knows one shape for all languages; each language finds its own.

use std::ops::Range;

use super::language_of;
use super::source::ParsedText;

/// One test in a source file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TestItem {
    /// Its name inside the file: `Class::test`, `module::test`, `suite > title`, `TestName`.
    pub name: String,
    /// Its bytes, with attributes and decorators.
    pub range: Range<usize>,
    /// The line of its own declaration, counted from 1.
    pub line: usize,
    /// Whether it is marked so that it will not run, without condition.
    pub skipped: bool,
    /// The text that decides at build or run time whether it runs: conditions around it, marks on it, skips inside it.
    pub condition: Option<String>,
    /// The text that its cases are computed from, where it runs once for each: what `parametrize` and `each` are given, if
    /// that is no list written out.
    pub cases: Option<String>,
}

impl TestItem {
    /// The name with its file, in the form that the runner's report will have (see [`super::same_test`]).
    pub fn name_in(&self, path: &str) -> String {
        match language_of(path) {
            Some(language) => (language.row().name_in)(path, &self.name),
            None => format!("{path}::{}", self.name),
        }
    }
}

/// The tests of one file, in order; none when the language is not known.
pub fn tests(path: &str, bytes: &[u8]) -> Vec<TestItem> {
    let Some(language) = language_of(path) else { return Vec::new() };
    ParsedText::parse(language, bytes).map_or_else(Vec::new, |source| (language.row().tests)(&source))
}

#[cfg(test)]
mod tests;
