//! A text without the bodies of its functions, so that a survey need not parse what it does not look at.
//!
//! Works on bytes and keeps every line where it is. When in doubt (brackets that do not match) it gives nothing, and the
//! whole text is parsed.

use super::language::Language;

/// Shorter texts are parsed whole: cutting would not pay.
const WORTH: usize = 1024;

/// The text with the bodies of its functions cut out; `None` where the whole text has to be parsed.
pub(super) fn skeleton(language: Language, bytes: &[u8]) -> Option<Vec<u8>> {
    if bytes.len() < WORTH {
        return None;
    }
    match language {
        Language::Python => python(bytes),
        // Tests in a module of the file, and macros with items in them, need their bodies.
        Language::Rust if find(bytes, b"#[test]").is_some() || find(bytes, b"::test]").is_some() => None,
        Language::Rust
        | Language::JavaScript
        | Language::TypeScript
        | Language::Tsx
        | Language::Go
        | Language::Java
        | Language::C
        | Language::Cpp
        | Language::CSharp
        | Language::Php => braces(language, bytes),
        // Its blocks end in words that can stand anywhere.
        Language::Ruby => None,
    }
}

fn find(bytes: &[u8], needle: &[u8]) -> Option<usize> {
    bytes.windows(needle.len()).position(|window| window == needle)
}

/// Cuts `{…}` that follows the head of a function.
fn braces(language: Language, bytes: &[u8]) -> Option<Vec<u8>> {
    let mut out = Vec::with_capacity(bytes.len() / 2);
    let mut head = 0;
    let mut at = 0;
    // The depth of parentheses: a brace inside them belongs to an argument.
    let mut round = 0usize;
    while at < bytes.len() {
        match bytes[at] {
            b'{' if round == 0 && is_function(language, &out[head..]) => {
                let end = closing(language, bytes, at)?;
                out.push(b'{');
                out.extend(bytes[at..end].iter().filter(|byte| **byte == b'\n'));
                out.push(b'}');
                at = end + 1;
                head = out.len();
                continue;
            }
            b'{' | b'}' | b';' if round == 0 => {
                out.push(bytes[at]);
                head = out.len();
            }
            b'(' => {
                round += 1;
                out.push(b'(');
            }
            b')' => {
                round = round.saturating_sub(1);
                out.push(b')');
            }
            b'\n' if bytes.get(at + 1) == Some(&b'#') => {
                // A line of the preprocessor or an attribute is no part of what follows.
                out.push(b'\n');
                head = out.len();
            }
            _ => match inert(language, bytes, at) {
                Some(end) => {
                    out.extend_from_slice(&bytes[at..end]);
                    at = end;
                    continue;
                }
                None => out.push(bytes[at]),
            },
        }
        at += 1;
    }
    (round == 0).then_some(out)
}

/// Whether what stands before a brace is the head of a function.
fn is_function(language: Language, head: &[u8]) -> bool {
    const OWNERS: [&[u8]; 12] = [
        b"class",
        b"interface",
        b"struct",
        b"enum",
        b"impl",
        b"trait",
        b"namespace",
        b"mod",
        b"module",
        b"record",
        b"union",
        b"extern",
    ];
    if head.ends_with(b"=> ") || head.ends_with(b"=>") {
        return language.is_script();
    }
    // What stands in parentheses, annotations and parameters, says nothing about what it is.
    let outside = outside_parentheses(head);
    let mut words =
        outside.split(|byte| !byte.is_ascii_alphanumeric() && *byte != b'_').filter(|word| !word.is_empty());
    let owner = words.clone().take(6).any(|word| OWNERS.contains(&word));
    let round = head.contains(&b'(');
    let assigns = outside.contains(&b'=');
    match language {
        Language::Rust => round && words.any(|word| word == b"fn"),
        Language::Go => words.next() == Some(b"func"),
        // `export const x = { … }` and `describe(…` have no closed parentheses right before the brace.
        Language::JavaScript | Language::TypeScript | Language::Tsx => {
            !owner && round && !assigns && words.next() != Some(b"import")
        }
        Language::Java | Language::C | Language::Cpp | Language::CSharp | Language::Php => {
            round
                && (!owner || language == Language::Php && words.any(|word| word == b"function"))
                && !assigns
        }
        Language::Python | Language::Ruby => false,
    }
}

fn outside_parentheses(head: &[u8]) -> Vec<u8> {
    let mut depth = 0usize;
    let mut out = Vec::with_capacity(head.len());
    for byte in head {
        match byte {
            b'(' => depth += 1,
            b')' => depth = depth.saturating_sub(1),
            // A blank keeps the words on both sides apart.
            _ => out.push(if depth == 0 { *byte } else { b' ' }),
        }
    }
    out
}

/// Where the brace at `open` is closed.
fn closing(language: Language, bytes: &[u8], open: usize) -> Option<usize> {
    let mut depth = 0usize;
    let mut at = open;
    while at < bytes.len() {
        match bytes[at] {
            b'{' => depth += 1,
            b'}' => {
                depth -= 1;
                if depth == 0 {
                    return Some(at);
                }
            }
            _ => {
                if let Some(end) = inert(language, bytes, at) {
                    at = end;
                    continue;
                }
            }
        }
        at += 1;
    }
    None
}

/// The end of the comment, text or character that starts here, if one does.
fn inert(language: Language, bytes: &[u8], at: usize) -> Option<usize> {
    let rest = &bytes[at..];
    match bytes[at] {
        b'/' if rest.starts_with(b"//") => Some(at + line_length(rest)),
        b'/' if rest.starts_with(b"/*") => {
            Some(find(&rest[2..], b"*/").map_or(bytes.len(), |end| at + end + 4))
        }
        b'#' if language == Language::Php && !rest.starts_with(b"#[") => Some(at + line_length(rest)),
        b'"' if language == Language::Rust => Some(at + text_length(rest, b'"', Lines::Many)),
        b'"' if language == Language::Php => Some(at + text_length(rest, b'"', Lines::Many)),
        b'"' => Some(at + text_length(rest, b'"', Lines::One)),
        b'`' if language.is_script() || language == Language::Go => {
            Some(at + text_length(rest, b'`', Lines::Many))
        }
        b'\'' if language == Language::Rust => rust_character(rest).map(|length| at + length),
        b'\'' if language == Language::Php => Some(at + text_length(rest, b'\'', Lines::Many)),
        b'\'' => Some(at + text_length(rest, b'\'', Lines::One)),
        b'r' if language == Language::Rust => raw_length(rest).map(|length| at + length),
        _ => None,
    }
}

/// Whether a text may go on in the next line.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Lines {
    One,
    Many,
}

fn line_length(rest: &[u8]) -> usize {
    rest.iter().position(|byte| *byte == b'\n').unwrap_or(rest.len())
}

fn text_length(rest: &[u8], quote: u8, lines: Lines) -> usize {
    let mut at = 1;
    while at < rest.len() {
        match rest[at] {
            b'\\' => at += 1,
            b'\n' if lines == Lines::One => return at,
            byte if byte == quote => return at + 1,
            _ => {}
        }
        at += 1;
    }
    rest.len()
}

/// `'x'` and `'\n'`, but not the lifetime `'a`.
fn rust_character(rest: &[u8]) -> Option<usize> {
    if rest.get(1) == Some(&b'\\') {
        return rest.iter().skip(3).position(|byte| *byte == b'\'').map(|at| at + 4);
    }
    // A character has at most four bytes.
    (2..=5).find(|at| rest.get(*at) == Some(&b'\'')).filter(|at| *at == 2 || rest[1] >= 0x80).map(|at| at + 1)
}

/// `r"…"` and `r#"…"#`.
fn raw_length(rest: &[u8]) -> Option<usize> {
    let hashes = rest[1..].iter().take_while(|byte| **byte == b'#').count();
    (rest.get(1 + hashes) == Some(&b'"')).then_some(())?;
    let mut end = vec![b'"'];
    end.extend(std::iter::repeat_n(b'#', hashes));
    let from = 2 + hashes;
    find(&rest[from..], &end).map(|at| from + at + end.len())
}

/// Cuts what is indented below a `def`.
fn python(bytes: &[u8]) -> Option<Vec<u8>> {
    let mut out = Vec::with_capacity(bytes.len() / 2);
    // The indentation of the `def` whose body is being passed over.
    let mut cut: Option<usize> = None;
    let mut at = 0;
    while at < bytes.len() {
        let end = statement_end(bytes, at)?;
        let line = &bytes[at..end];
        let indent = line.iter().take_while(|byte| matches!(byte, b' ' | b'\t')).count();
        let text = &line[indent..];
        let blank = text.is_empty() || matches!(text[0], b'\n' | b'\r' | b'#');
        if cut.is_some_and(|limit| blank || indent > limit) {
            out.extend(line.iter().filter(|byte| **byte == b'\n'));
        } else {
            cut = None;
            let opens = text.starts_with(b"def ") || text.starts_with(b"async def ");
            let trimmed = line.trim_ascii_end();
            if opens && trimmed.ends_with(b":") {
                out.extend_from_slice(trimmed);
                out.extend_from_slice(b" ...\n");
                cut = Some(indent);
            } else {
                out.extend_from_slice(line);
            }
        }
        at = end;
    }
    Some(out)
}

/// The end of the logical line that starts at `at`: past brackets and texts that go over several lines.
fn statement_end(bytes: &[u8], mut at: usize) -> Option<usize> {
    let mut depth = 0usize;
    while at < bytes.len() {
        let rest = &bytes[at..];
        match bytes[at] {
            b'#' => at += line_length(rest),
            b'\n' if depth == 0 => return Some(at + 1),
            b'(' | b'[' | b'{' => {
                depth += 1;
                at += 1;
            }
            b')' | b']' | b'}' => {
                depth = depth.checked_sub(1)?;
                at += 1;
            }
            b'\\' => at += 2,
            quote @ (b'"' | b'\'') => {
                let triple = [quote; 3];
                at += if rest.starts_with(&triple) {
                    3 + find(&rest[3..], &triple)? + 3
                } else {
                    text_length(rest, quote, Lines::One)
                };
            }
            _ => at += 1,
        }
    }
    (depth == 0).then_some(bytes.len())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::syntax::{exports, imports};

    /// What is read from the skeleton is what is read from the text.
    fn same(path: &str, text: &str) {
        let long = format!("{text}\n{}", " ".repeat(WORTH));
        let language = Language::of_path(path).unwrap();
        let cut = skeleton(language, long.as_bytes()).unwrap();
        assert_eq!(exports(path, &cut), exports(path, long.as_bytes()), "{}", String::from_utf8_lossy(&cut));
        assert_eq!(imports(path, &cut), imports(path, long.as_bytes()), "{path}");
        let lines = |bytes: &[u8]| bytes.split(|byte| *byte == b'\n').count();
        assert_eq!(lines(&cut), lines(long.as_bytes()));
        assert!(!String::from_utf8_lossy(&cut).contains("inner_word"), "{}", String::from_utf8_lossy(&cut));
    }

    #[test]
    fn the_interface_survives_the_cut() {
        same(
            "a.py",
            "import os\nX = {'a': 1}\ndef f(a: int,\n      b=\"x:\") -> int:\n    inner_word = 1\n\n    def g(): ...\n    return 1\nclass A(B):\n    \"\"\"def no(): x\"\"\"\n    y: int = 1\n    def m(self):\n        inner_word = '''\ndef not_me():\n'''\n    async def n(self, x): ...\n    @property\n    def p(self) -> str:\n        # inner_word\n        return ''\ndef last(): return 1\n",
        );
        same(
            "a.rs",
            "use a::b;\n/// {\npub fn f<'a>(x: &'a str) -> char { let inner_word = '{'; '}' }\npub struct P { pub x: u8 }\nimpl P {\n    pub fn new() -> Self { let s = r#\"inner_word } \"#; \"}\"; loop {} }\n    pub const N: u8 = 1;\n}\npub trait T { fn m(&self) -> u8 { 1 } fn n(&self); }\npub const X: P = P { x: 1 };\npub enum E { A { x: u8 }, B(u8) }\n#[derive(Debug)]\npub mod deep { pub fn g() where u8: Sized { inner_word() } }\n",
        );
        same(
            "a.ts",
            "import { a } from './a';\nexport function f(a: { x: number }): void { const inner_word = `${'}'}`; }\nexport const g = (a: number): number => { return '{'.length };\nexport const svc: S = { go(x: string): void { inner_word } };\nexport class P extends Q { private x = 1; m(a = {}): void { if (a) { inner_word } } static of() { } }\nexport interface I { go(x: string): void }\nexport type T = { a: string };\nexport default class { }\n",
        );
        same(
            "a.go",
            "package a\nimport \"fmt\"\ntype P struct { X int }\ntype R interface { M() }\nfunc Add(a, b int) int { s := \"}\"; inner_word(s); return a }\nfunc (p *P) M(x map[string]int) error { return nil }\nvar X = []int{1}\n",
        );
        same(
            "A.java",
            "package a;\nimport b.C;\n@X({\"}\"})\npublic class A extends B {\n  private int[] x = {1};\n  public A() { super(); inner_word(); }\n  public int f(int a) throws E { if (a > 1) { return '}'; } return 1; }\n  public enum K { P, Q; public int n() { return 1; } }\n}\ninterface I { void g(String a); }\n",
        );
        same(
            "a.cpp",
            "#include \"b.h\"\n#define X(a) { a }\nnamespace n {\nclass C : public D {\n public:\n  explicit C(int n) : n_(n) { inner_word(); }\n  int t() const;\n private:\n  int n_;\n};\nint f(int a) { return '}'; }\nstruct S { int x; };\n}\n",
        );
        same(
            "A.cs",
            "using S;\nnamespace N;\npublic class A : B\n{\n    public A(int n) { inner_word(); }\n    public string Name { get; set; }\n    public int F(int a) { return 1; }\n}\npublic interface I { void G(string a); }\n",
        );
        same(
            "a.php",
            "<?php\nnamespace N;\nuse A\\B;\nclass C extends D\n{\n    private array $x = ['}'];\n    public function f(int $a): int { if ($a) { inner_word(); } return 1; }\n}\nfunction g(string $x): void { echo \"}\"; }\n",
        );
    }

    #[test]
    fn doubtful_texts_are_parsed_whole() {
        let pad = " ".repeat(WORTH);
        for (path, text) in
            [("a.ts", "function f() { /[{]/ "), ("a.py", "x = (1\n"), ("a.rb", "def f\nend\n")]
        {
            let language = Language::of_path(path).unwrap();
            assert_eq!(skeleton(language, format!("{text}{pad}").as_bytes()), None, "{path}");
        }
    }
}
