//! Whether a text parses.

use super::source::ParsedText;
use crate::language::Language;

/// The first place where a file does not parse.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("syntax error at line {line}, column {column}")]
pub struct SyntaxError {
    /// Counted from 1.
    pub line: usize,
    /// Counted in bytes from 1.
    pub column: usize,
}

/// Whether the bytes parse without an error.
///
/// A grammar can lag behind its language, so a text that does not parse here is a hint, not a proof.
pub fn parses(lang: Language, bytes: &[u8]) -> Result<(), SyntaxError> {
    let Some(source) = ParsedText::parse(lang, bytes) else { return Err(SyntaxError { line: 1, column: 1 }) };
    match source.first_error() {
        None => Ok(()),
        Some(point) => Err(SyntaxError { line: point.row + 1, column: point.column + 1 }),
    }
}

#[cfg(test)]
mod tests;
