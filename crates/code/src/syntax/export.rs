//! Public symbols with their signatures: the interface of a file, not its two hundred lines.

pub use crate::survey::{Export, ExportKind};

use super::language_of;
use super::source::ParsedText;
use crate::language::Language;

/// The public symbols of one file, in order; none when the language is not known.
pub fn exports(path: &str, bytes: &[u8]) -> Vec<Export> {
    language_of(path).map_or_else(Vec::new, |language| exports_of(language, bytes))
}

pub(crate) fn exports_of(language: Language, bytes: &[u8]) -> Vec<Export> {
    ParsedText::parse(language, bytes).map_or_else(Vec::new, |source| (language.row().exports)(&source))
}

#[cfg(test)]
mod tests;
