//! Canaries: tests that must fail, laid among the real ones in the verifier's copy alone.
//!
//! Code that makes a runner say yes to everything, or that prints what a runner would print, does not know their names
//! and says yes to them too, or does not mention them. Knows source text; chance comes from the caller.

use std::fmt::Write as _;

use windlass_core::report::Runner;

use super::beside_canary;
use super::language::{Language, language_of};
use super::test_item::{TestItem, tests};

/// A test file with canaries in it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Laid {
    /// The file's new content.
    pub bytes: Vec<u8>,
    /// The canaries' names, in the form of [`TestItem::name_in`].
    pub names: Vec<String>,
}

/// Lays canaries into a test file; `None` where it is not known how. `word` makes their names unguessable: letters and
/// digits only. Their names begin like that of a test for which `ran` holds, so that a filter of the command that lets
/// it through lets them through.
pub fn with_canaries(
    path: &str,
    bytes: &[u8],
    runner: Runner,
    word: &str,
    ran: &dyn Fn(&str) -> bool,
) -> Option<Laid> {
    let language = language_of(path)?;
    let items = tests(path, bytes);
    let model = items.iter().rev().find(|item| ran(&item.name_in(path)))?;
    let text = std::str::from_utf8(bytes).ok()?;
    let (text, inner) = match (language, runner) {
        (Language::Python, Runner::Pytest) => python(text, model, word),
        (Language::Rust, Runner::CargoTest | Runner::Nextest) => rust(text, model, word),
        (Language::JavaScript | Language::TypeScript | Language::Tsx, _) => {
            script(text, model, word, runner)?
        }
        (Language::Go, Runner::GoTest) => go(text, model, word),
        (
            Language::Python
            | Language::Rust
            | Language::Go
            | Language::Java
            | Language::C
            | Language::Cpp
            | Language::Ruby
            | Language::CSharp
            | Language::Php,
            _,
        ) => beside_canary::lay(language, text, model, runner, word)?,
    };
    let names = inner.into_iter().map(|name| TestItem { name, ..model.clone() }.name_in(path)).collect();
    Some(Laid { bytes: text.into_bytes(), names })
}

/// The last part of a name: what a filter of the command most likely looks for.
fn stem(name: &str) -> &str {
    name.rsplit("::").next().unwrap_or(name)
}

fn python(text: &str, model: &TestItem, word: &str) -> (String, Vec<String>) {
    let name = |n: u8| format!("{}_{word}{n}", stem(&model.name));
    let mut out = ended(text);
    let _ = write!(out, "\n\ndef {}():\n    value = {:?}\n    assert value == value[1:]\n", name(1), word);
    let _ = write!(out, "\n\ndef {}():\n    raise ValueError({:?})\n", name(2), word);
    (out, vec![name(1), name(2)])
}

/// Behind an existing test, so that filters by module find them too.
fn rust(text: &str, model: &TestItem, word: &str) -> (String, Vec<String>) {
    let (modules, own) = model.name.rsplit_once("::").map_or(("", model.name.as_str()), |(m, n)| (m, n));
    let name = |n: u8| format!("{own}_{word}{n}");
    let mut canaries = String::new();
    let _ = write!(
        canaries,
        "\n#[test]\nfn {}() {{ let value = String::from({word:?}); assert_eq!(value.len(), value.len() + 1); }}\n",
        name(1)
    );
    let _ = write!(canaries, "\n#[test]\nfn {}() {{ panic!({word:?}); }}\n", name(2));
    let in_macro = text.contains("proptest!");
    let (at, modules) = if in_macro || !text.is_char_boundary(model.range.end) {
        (text.len(), "")
    } else {
        (model.range.end, modules)
    };
    let full = |n: u8| if modules.is_empty() { name(n) } else { format!("{modules}::{}", name(n)) };
    let out = format!("{}\n{canaries}{}", &text[..at], &text[at..]);
    (out, vec![full(1), full(2)])
}

fn script(text: &str, model: &TestItem, word: &str, runner: Runner) -> Option<(String, Vec<String>)> {
    let title = |n: u8| {
        let last = model.name.rsplit(" > ").next().unwrap_or(&model.name);
        let plain: String = last.chars().filter(|c| c.is_alphanumeric() || *c == ' ').collect();
        format!("{} {word}{n}", plain.trim())
    };
    let module = text.lines().any(|line| line.starts_with("import ") || line.starts_with("export "));
    let head = match (runner, module) {
        (Runner::NodeTest, true) => {
            format!("import {{ test as {word}t }} from 'node:test';\nimport {word}a from 'node:assert';\n")
        }
        (Runner::NodeTest, false) => {
            format!("const {word}t = require('node:test').test;\nconst {word}a = require('node:assert');\n")
        }
        (Runner::Vitest, _) => format!("import {{ test as {word}t, expect as {word}e }} from 'vitest';\n"),
        (Runner::Jest, _) => format!("const {word}t = test, {word}e = expect;\n"),
        _ => return None,
    };
    let check = match runner {
        Runner::NodeTest => format!("{word}a.strictEqual(1, 2)"),
        _ => format!("{word}e(1).toBe(2)"),
    };
    let mut out = ended(text);
    let _ = write!(out, "\n{head}{word}t('{}', () => {{ {check}; }});\n", title(1));
    let _ = writeln!(out, "{word}t('{}', async () => {{ throw new Error('{word}'); }});", title(2));
    Some((out, vec![title(1), title(2)]))
}

fn go(text: &str, model: &TestItem, word: &str) -> (String, Vec<String>) {
    let name = |n: u8| format!("{}_{word}{n}", stem(&model.name));
    let mut out = ended(text);
    for n in [1, 2] {
        let _ = write!(out, "\nfunc {}(t *testing.T) {{ t.Fatal({word:?}) }}\n", name(n));
    }
    (out, vec![name(1), name(2)])
}

fn ended(text: &str) -> String {
    if text.ends_with('\n') { text.to_owned() } else { format!("{text}\n") }
}

#[cfg(test)]
mod unit {
    use super::super::parses;
    use super::*;

    fn laid(path: &str, text: &str, runner: Runner) -> Laid {
        with_canaries(path, text.as_bytes(), runner, "qxvjz", &|_| true).unwrap()
    }

    #[test]
    fn canaries_are_tests_of_the_file() {
        let cases = [
            ("tests/test_a.py", "def test_adds():\n    assert True", Runner::Pytest),
            ("tests/a.rs", "#[test]\nfn adds() {}\n", Runner::CargoTest),
            (
                "src/lib.rs",
                "fn f() {}\n#[cfg(test)]\nmod tests {\n  #[test]\n  fn adds() {}\n}\n",
                Runner::CargoTest,
            ),
            (
                "test/a.test.js",
                "const test = require('node:test');\ntest('adds', () => {});\n",
                Runner::NodeTest,
            ),
            ("test/a.test.mjs", "import test from 'node:test';\ntest('adds', () => {});\n", Runner::NodeTest),
            ("src/a.test.ts", "import { it } from 'vitest';\nit('adds', () => {});\n", Runner::Vitest),
            ("src/a.spec.ts", "describe('x', () => { it('adds', () => {}); });\n", Runner::Jest),
            ("a_test.go", "package a\nimport \"testing\"\nfunc TestAdds(t *testing.T) {}\n", Runner::GoTest),
        ];
        for (path, text, runner) in cases {
            let laid = laid(path, text, runner);
            assert_eq!(parses(language_of(path).unwrap(), &laid.bytes), Ok(()), "{path}");
            let found: Vec<String> = tests(path, &laid.bytes).iter().map(|t| t.name_in(path)).collect();
            let own =
                |name: &String| found.contains(name) || runner != Runner::CargoTest && !path.ends_with(".py");
            assert!(laid.names.len() == 2 && laid.names.iter().all(own), "{path} {:?} {found:?}", laid.names);
        }
    }

    #[test]
    fn an_inline_canary_stands_in_the_module_of_its_neighbours() {
        let text = "fn f() {}\n#[cfg(test)]\nmod tests {\n    #[test]\n    fn adds() {}\n}\n";
        assert_eq!(
            laid("src/lib.rs", text, Runner::CargoTest).names,
            ["src/lib.rs::tests::adds_qxvjz1", "src/lib.rs::tests::adds_qxvjz2"]
        );
    }

    #[test]
    fn where_there_is_no_test_there_is_no_canary() {
        assert_eq!(with_canaries("src/lib.rs", b"fn f() {}", Runner::CargoTest, "x", &|_| true), None);
        assert_eq!(with_canaries("tests/run.sh", b"echo ok", Runner::Tap, "x", &|_| true), None);
        let text = b"def test_a(): pass\n";
        assert_eq!(with_canaries("tests/test_a.py", text, Runner::Pytest, "x", &|_| false), None);
    }
}
