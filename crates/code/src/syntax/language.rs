//! The languages that can be parsed, and whether a text of one parses.

use super::source::Source;

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

impl Language {
    pub(super) fn grammar(self) -> tree_sitter::Language {
        match self {
            Self::Python => tree_sitter_python::LANGUAGE.into(),
            Self::Rust => tree_sitter_rust::LANGUAGE.into(),
            Self::JavaScript => tree_sitter_javascript::LANGUAGE.into(),
            Self::TypeScript => tree_sitter_typescript::LANGUAGE_TYPESCRIPT.into(),
            Self::Tsx => tree_sitter_typescript::LANGUAGE_TSX.into(),
            Self::Go => tree_sitter_go::LANGUAGE.into(),
        }
    }

    /// The language that a fence's info string names.
    pub(super) fn of_hint(hint: &str) -> Option<Self> {
        let word = hint.split([' ', ',', '{']).next().unwrap_or_default();
        match word.to_ascii_lowercase().as_str() {
            "python" | "py" | "python3" => Some(Self::Python),
            "rust" | "rs" => Some(Self::Rust),
            "javascript" | "js" | "jsx" | "mjs" | "node" => Some(Self::JavaScript),
            "typescript" | "ts" | "mts" => Some(Self::TypeScript),
            "tsx" => Some(Self::Tsx),
            "go" | "golang" => Some(Self::Go),
            _ => None,
        }
    }

    /// Whether two languages share their symbols: JavaScript and TypeScript do.
    pub(super) fn same_family(self, other: Self) -> bool {
        self == other || (self.is_script() && other.is_script())
    }

    fn is_script(self) -> bool {
        match self {
            Self::JavaScript | Self::TypeScript | Self::Tsx => true,
            Self::Python | Self::Rust | Self::Go => false,
        }
    }
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
    let name = path.rsplit('/').next().unwrap_or(path);
    let (_, ending) = name.rsplit_once('.')?;
    match ending {
        "py" | "pyi" => Some(Language::Python),
        "rs" => Some(Language::Rust),
        "js" | "mjs" | "cjs" | "jsx" => Some(Language::JavaScript),
        "ts" | "mts" | "cts" => Some(Language::TypeScript),
        "tsx" => Some(Language::Tsx),
        "go" => Some(Language::Go),
        _ => None,
    }
}

/// Whether the bytes parse without an error.
///
/// A grammar can lag behind its language, so a text that does not parse here is a hint, not a proof.
pub fn parses(lang: Language, bytes: &[u8]) -> Result<(), SyntaxError> {
    let Some(source) = Source::parse(lang, bytes) else { return Err(SyntaxError { line: 1, column: 1 }) };
    match source.first_error() {
        None => Ok(()),
        Some(point) => Err(SyntaxError { line: point.row + 1, column: point.column + 1 }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_parses_and_what_does_not() {
        use Language::{Go, JavaScript, Python, Rust, Tsx, TypeScript};
        let good = [
            (Python, "def f(x: int) -> str: ...\n"),
            (Python, "x = f\"{a['b']!r:>{w}}\"\nmatch x:\n    case 1: pass\n"),
            (Rust, "#[test] fn a() { assert!(true) }"),
            (JavaScript, "import {a} from './b.js'; test('x', () => a());"),
            (TypeScript, "export const f = <T,>(x: T): T => x;"),
            (Tsx, "export const A = () => <div className=\"x\">{1}</div>;"),
            (Go, "package a\nfunc F() int { return 1 }\n"),
        ];
        for (language, text) in good {
            assert_eq!(parses(language, text.as_bytes()), Ok(()), "{text}");
        }
        let bad = [
            (Python, "x = 1\ndef test_a(: pass\n", 2),
            (Rust, "#[test] fn a( { assert!(true) }", 1),
            (JavaScript, "\n\ntest('uses', (=>x());", 3),
            (TypeScript, "const x: = 1;", 1),
            (Go, "package a\nfunc F( { }\n", 2),
        ];
        for (language, text, line) in bad {
            assert_eq!(parses(language, text.as_bytes()).unwrap_err().line, line, "{text}");
        }
    }

    #[test]
    fn languages_by_name() {
        assert_eq!(language_of("a/b.test.tsx"), Some(Language::Tsx));
        assert_eq!(language_of("a/b.mjs"), Some(Language::JavaScript));
        assert_eq!(language_of("a.b/c"), None);
        assert_eq!(language_of("run.sh"), None);
    }
}
