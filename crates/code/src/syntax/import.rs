//! What a file imports.

pub use crate::survey::Import;

use super::language_of;
use super::source::ParsedText;

/// The imports of one file, in order; none when the language is not known.
pub fn imports(path: &str, bytes: &[u8]) -> Vec<Import> {
    let Some(language) = language_of(path) else { return Vec::new() };
    ParsedText::parse(language, bytes).map_or_else(Vec::new, |source| (language.row().imports)(&source))
}

#[cfg(test)]
mod tests;
