//! The languages that can be parsed.

/// A language with a grammar.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Language {
    /// Python
    Python,
    /// Rust
    Rust,
    /// JavaScript, with JSX
    JavaScript,
    /// TypeScript
    TypeScript,
    /// TypeScript with JSX
    Tsx,
    /// Go
    Go,
}

/// The first place where a file does not parse.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("syntax error at line {line}, column {column}")]
pub struct SyntaxError {
    /// Counted from 1.
    pub line: usize,
    /// Counted in bytes from 1.
    pub column: usize,
}

/// The language of a file, by its name.
pub fn language_of(path: &str) -> Option<Language> {
    let _ = path;
    None
}

/// Whether the bytes parse without an error.
pub fn parses(lang: Language, bytes: &[u8]) -> Result<(), SyntaxError> {
    let _ = (lang, bytes);
    Ok(())
}
