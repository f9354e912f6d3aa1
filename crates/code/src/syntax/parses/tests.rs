//! What parses and what does not.

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

#[test]
fn an_empty_text_parses_and_a_huge_one_does_not() {
    for language in Language::ALL.iter().copied() {
        assert_eq!(parses(language, b""), Ok(()), "{language:?}");
    }
    let huge = vec![b'\n'; crate::syntax::MAX_BYTES + 1];
    assert_eq!(parses(Language::Python, &huge), Err(SyntaxError { line: 1, column: 1 }));
    assert_eq!(SyntaxError { line: 3, column: 7 }.to_string(), "syntax error at line 3, column 7");
}
