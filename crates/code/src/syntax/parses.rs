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
mod tests {
    use super::*;

    #[test]
    fn what_parses_and_what_does_not() {
        use Language::{C, CSharp, Cpp, Go, Java, JavaScript, Php, Python, Ruby, Rust, Tsx, TypeScript};
        let good = [
            (Python, "def f(x: int) -> str: ...\n"),
            (Python, "x = f\"{a['b']!r:>{w}}\"\nmatch x:\n    case 1: pass\n"),
            (Rust, "#[test] fn a() { assert!(true) }"),
            (JavaScript, "import {a} from './b.js'; test('x', () => a());"),
            (TypeScript, "export const f = <T,>(x: T): T => x;"),
            (Tsx, "export const A = () => <div className=\"x\">{1}</div>;"),
            (Go, "package a\nfunc F() int { return 1 }\n"),
            (Java, "package a; public class A { int f() { return 1; } }"),
            (C, "int f(int a) { return a; }"),
            (Cpp, "namespace a { class B { public: int f() const; }; }"),
            (Ruby, "class A\n  def f(x:) = x\nend\n"),
            (CSharp, "namespace A; public record B(int X) { public int F() => X; }"),
            (Php, "<?php\nfinal class A { public function f(int $x): int { return $x; } }"),
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
            (Java, "class A { int f( { } }", 1),
            (Php, "<?php\nfunction f( { }", 2),
        ];
        for (language, text, line) in bad {
            assert_eq!(parses(language, text.as_bytes()).unwrap_err().line, line, "{text}");
        }
    }

    #[test]
    fn languages_by_name() {
        assert_eq!(Language::of_path("a/b.test.tsx"), Some(Language::Tsx));
        assert_eq!(Language::of_path("a/b.mjs"), Some(Language::JavaScript));
        assert_eq!(Language::of_path("a.b/c"), None);
        assert_eq!(Language::of_path("run.sh"), None);
    }
}
