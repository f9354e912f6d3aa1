//! What a file imports.

pub use crate::survey::Import;

use super::language_of;
use super::source::ParsedText;

/// The imports of one file, in order; none when the language is not known.
pub fn imports(path: &str, bytes: &[u8]) -> Vec<Import> {
    let Some(language) = language_of(path) else { return Vec::new() };
    ParsedText::parse(language, bytes).map_or_else(Vec::new, |source| (language.row().imports)(&source))
}

/// Import lines that a test file lacks: names of modules that it replaces by mocks and uses. `None` where the language is
/// not known.
pub fn missing_imports(path: &str, bytes: &[u8]) -> Option<Vec<String>> {
    let language = language_of(path)?;
    ParsedText::parse(language, bytes).map(|source| (language.row().missing_imports)(&source))
}

#[cfg(test)]
mod tests;
