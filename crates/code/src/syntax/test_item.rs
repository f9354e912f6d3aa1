//! Tests in source code.
//!
//! Knows one shape for all languages; each language finds its own.

use std::cell::RefCell;
use std::collections::VecDeque;
use std::ops::Range;
use std::rc::Rc;

use super::language_of;
use super::source::ParsedText;
use crate::language::Language;

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

/// A text with its language and its tests.
type KnownText = (Language, Vec<u8>, Rc<[TestItem]>);

/// How many texts are remembered: a test file, and its earlier versions.
const REMEMBERED: usize = 4;

thread_local! {
    /// The texts that were read last, the latest first. A file of a thousand tests is asked for each of them.
    static LATEST: RefCell<VecDeque<KnownText>> = const { RefCell::new(VecDeque::new()) };
}

/// The tests of one file, in order; none when the language is not known.
pub fn tests(path: &str, bytes: &[u8]) -> Vec<TestItem> {
    let Some(language) = language_of(path) else { return Vec::new() };
    let known = LATEST.with_borrow(|latest| {
        let is_it = |(of, text, _): &&KnownText| *of == language && text == bytes;
        latest.iter().find(is_it).map(|(.., items)| Rc::clone(items))
    });
    if let Some(items) = known {
        return items.to_vec();
    }
    let Some(source) = ParsedText::parse(language, bytes) else { return Vec::new() };
    let items: Rc<[TestItem]> = (language.row().tests)(&source).into();
    LATEST.with_borrow_mut(|latest| {
        latest.truncate(REMEMBERED - 1);
        latest.push_front((language, bytes.to_vec(), Rc::clone(&items)));
    });
    items.to_vec()
}

#[cfg(test)]
mod tests;
